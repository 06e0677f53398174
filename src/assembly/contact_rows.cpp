#include <algorithm>

#include "uzawa/assembly/rows.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// e_n of J_n v_{k+1} + e_n >= 0, given the gap and the normal velocity v_n before.
double normal_error(const StepView& view, double gap, double v_n) {
  const AssemblySettings& s = view.settings;
  const double h = view.rule.h;
  // Where the shapes would pass through each other in this step, the impact is now: waiting for the gap to close would
  // brake the body to gap/h first and bounce it back with that.
  const bool bounces = s.restitution > 0 && -v_n > s.bounce_speed && gap <= -v_n * h;
  if (bounces) return s.restitution * v_n;
  return gap > 0 ? gap / h : s.recovery(gap, h);
}

}  // namespace

FrictionCone contact_friction(const Model& model, const Contact& contact) {
  const ModelSpec& spec = model.spec();
  if (contact.pair >= 0) {
    const ContactPairSpec& pair = spec.contact_pairs[at(contact.pair)];
    if (pair.dimension == 1) return {0, 0};
    return {pair.friction[0], pair.friction[1]};
  }
  const GeomSpec &a = spec.geoms[at(contact.geom1)], &b = spec.geoms[at(contact.geom2)];
  if (a.priority != b.priority) {
    const GeomSpec& ruling = a.priority > b.priority ? a : b;
    const double mu = ruling.contact_dimension == 1 ? 0 : ruling.friction[0];
    return {mu, mu};
  }
  const double mu =
      std::max(a.contact_dimension, b.contact_dimension) == 1 ? 0 : std::max(a.friction[0], b.friction[0]);
  return {mu, mu};
}

void write_contacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer) {
  const Model& model = view.model;
  for (const Contact& contact : contacts) {
    const int link1 = model.geom_link(contact.geom1), link2 = model.geom_link(contact.geom2);
    const Mat3 frame = contact_frame(contact.normal);
    writer.hold_point(link1, contact.position, frame, -1);
    writer.hold_point(link2, contact.position, frame, 1);
    const Vec3 e{0, 0, normal_error(view, contact.gap, writer.rate())};
    writer.contact(contact.key, contact_friction(model, contact), e);
  }
}

}  // namespace uzawa
