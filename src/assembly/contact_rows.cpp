#include <algorithm>

#include "uzawa/assembly/rows.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Takes hold of a contact; the normal's velocity is the writer's rate.
void hold_contact(const StepView& view, const Contact& contact, ConstraintWriter& writer) {
  const Mat3 frame = contact_frame(contact.normal);
  writer.hold_point(view.model.geom_link(contact.geom1), contact.position, frame, -1);
  writer.hold_point(view.model.geom_link(contact.geom2), contact.position, frame, 1);
}

}  // namespace

FrictionCone contact_friction(const Model& model, const AssemblySettings& settings, const Contact& contact) {
  const PairMaterial* own = find_pair(settings, contact.geom1, contact.geom2);
  if (own != nullptr && own->friction) return {(*own->friction)[0], (*own->friction)[1]};
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

double contact_restitution(const AssemblySettings& settings, const Contact& contact) {
  const PairMaterial* own = find_pair(settings, contact.geom1, contact.geom2);
  return own != nullptr && own->restitution ? *own->restitution : settings.restitution;
}

void write_contacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer) {
  const double h = view.rule.h;
  for (const Contact& contact : contacts) {
    hold_contact(view, contact, writer);
    const double e = contact.gap > 0 ? contact.gap / h : view.settings.recovery(contact.gap, h);
    writer.contact(contact.key, contact_friction(view.model, view.settings, contact), {0, 0, e});
  }
}

int write_impacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer) {
  const AssemblySettings& s = view.settings;
  int count = 0;
  for (const Contact& contact : contacts) {
    hold_contact(view, contact, writer);
    const double speed = -writer.rate();
    // Where the shapes would pass through each other in this step, the impact is now: waiting for the gap to close
    // would brake the body to gap/h first and bounce it back with that.
    const double rho = contact_restitution(s, contact);
    if (rho > 0 && speed > s.bounce_speed && contact.gap <= speed * view.rule.h) {
      writer.contact(contact.key, contact_friction(view.model, s, contact), {0, 0, -rho * speed});
      ++count;
    } else {
      writer.let_go();
    }
  }
  return count;
}

}  // namespace uzawa
