#include <algorithm>

#include "uzawa/assembly/row_writers.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

/// Takes hold of a contact; the normal's velocity is the writer's rate.
void hold_contact(const StepView& view, const Contact& contact, const Mat3& frame, ConstraintWriter& writer) {
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

namespace {

constexpr double kNothing = 1e-11;  // m: bodies that turn out of each other's way by less in a step do not turn

// What turns as one parts at its contacts by what is corrected here: up to a fifth of the common turn, being apart does
// not count.
constexpr double kFade = 1.25;

/// Angular velocity with which two bodies turn as one, rad/s. Where they slide, roll or spin on each other their points
/// of contact move on, and none of it counts; in between it fades out. It is the same for all contacts of two links: if
/// each had its own, what they ask for would not be a motion of rigid bodies, and a nut between two pads, held at eight
/// points, could not obey them all.
Vec3 common_turn(const StepView& view, int link1, int link2) {
  if (link1 < 0 || link2 < 0) return {};
  const Vec3 &w1 = view.data.velocity[at(link1)].angular, &w2 = view.data.velocity[at(link2)].angular;
  const Vec3 &com1 = view.data.link_com[at(link1)], &com2 = view.data.link_com[at(link2)];
  const double reach = norm(com2 - com1);
  const double rate = std::min(norm(w1), norm(w2)), turning = reach * rate;
  if (!(turning * rate * view.rule.h * view.rule.h > kNothing)) return {};
  const Vec3 between = 0.5 * (com1 + com2);
  const Vec3 slip =
      point_velocity(view.model, view.data, link2, between) - point_velocity(view.model, view.data, link1, between);
  const double apart = (norm(slip) + reach * norm(w2 - w1)) / turning;
  return (w1 + w2) * (0.5 * std::clamp(kFade * (1 - apart), 0.0, 1.0));
}

/// By how much two bodies come apart at a contact within the step beyond J v, over h: links move along curves, and what
/// turns as one turns on. Without it, what a hand carries around creeps by (h w)^2 L / 2 a step, against any friction.
Vec3 parting_rate(const StepView& view, const Contact& contact) {
  const int link1 = view.model.geom_link(contact.geom1), link2 = view.model.geom_link(contact.geom2);
  const Vec3 common = common_turn(view, link1, link2);
  if (view.bends.empty() && dot(common, common) == 0) return {};
  const auto acceleration = [&](int link) -> Vec3 {
    if (link < 0) return {};
    const Vec3 arm = contact.position - view.data.link_com[at(link)];
    const Vec3 turning = cross(common, cross(common, arm));
    if (view.bends.empty()) return turning;
    return turning + view.bends[at(link)].linear + cross(view.bends[at(link)].angular, arm);
  };
  return (acceleration(link2) - acceleration(link1)) * (view.rule.h / 2);
}

/// `parting`: of the bodies at the contact, beyond J v.
void write_contact(const StepView& view, const Contact& contact, const Vec3& parting, ConstraintWriter& writer) {
  const Mat3 frame = contact_frame(contact.normal);
  hold_contact(view, contact, frame, writer);
  const Vec3 e = transpose_times(frame, parting) + Vec3{0, 0, view.settings.gap_rate(contact.gap, view.rule.h)};
  writer.contact(contact.key, contact_friction(view.model, view.settings, contact), e);
}

}  // namespace

void write_contacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer) {
  for (const Contact& contact : contacts) write_contact(view, contact, parting_rate(view, contact), writer);
}

void write_later_contacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer) {
  for (const Contact& contact : contacts) write_contact(view, contact, {}, writer);
}

int write_impacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer) {
  const AssemblySettings& s = view.settings;
  int count = 0;
  for (const Contact& contact : contacts) {
    hold_contact(view, contact, contact_frame(contact.normal), writer);
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
