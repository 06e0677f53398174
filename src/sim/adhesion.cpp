#include "uzawa/sim/adhesion.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

constexpr double kTouching = 1e-5;  // m: contacts at rest are open or closed by rounding

bool sticks(const Model& model, const Contact& contact, int body) {
  const GeomSpec &a = model.spec().geoms[at(contact.geom1)], &b = model.spec().geoms[at(contact.geom2)];
  const double margin =
      contact.pair >= 0 ? model.spec().contact_pairs[at(contact.pair)].margin : std::max(a.margin, b.margin);
  return (a.body == body || b.body == body) && !contact.on_skin() && contact.gap <= margin + kTouching;
}

}  // namespace

bool has_adhesion(const Model& model) {
  return std::ranges::any_of(model.spec().actuators,
                             [](const ActuatorSpec& actuator) { return actuator.transmission == Transmission::Body; });
}

void add_adhesion(const Model& model, std::span<const Contact> contacts, const DynamicsData& data, double h,
                  std::span<double> impulse) {
  for (int a = 0; a < model.nu(); ++a) {
    const ActuatorSpec& actuator = model.spec().actuators[at(a)];
    if (actuator.transmission != Transmission::Body) continue;
    const auto count = std::count_if(contacts.begin(), contacts.end(),
                                     [&](const Contact& c) { return sticks(model, c, actuator.target); });
    for (const Contact& contact : contacts) {
      if (!sticks(model, contact, actuator.target)) continue;
      const Vec3 pull = contact.normal * (h * data.actuator_force[at(a)] / static_cast<double>(count));
      add_link_wrench(model, data, model.geom_link(contact.geom1), contact.position, pull, {}, impulse);
      add_link_wrench(model, data, model.geom_link(contact.geom2), contact.position, -pull, {}, impulse);
    }
  }
}

}  // namespace uzawa
