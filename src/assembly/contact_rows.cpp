#include <algorithm>
#include <cmath>

#include "uzawa/assembly/row_writers.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

/// Takes hold of a contact; the normal's velocity is the writer's rate.
void hold_contact(const StepView& view, const Contact& contact, const Mat3& frame, ConstraintWriter& writer) {
  const auto [first, second] = contact_sides(view.model, contact);
  writer.hold_point(first, contact.position, frame, -1);
  writer.hold_point(second, contact.position, frame, 1);
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

MomentCone contact_moments(const Model& model, const Contact& contact) {
  if (contact.on_skin()) return {};
  const ModelSpec& spec = model.spec();
  if (contact.pair >= 0) {
    const ContactPairSpec& pair = spec.contact_pairs[at(contact.pair)];
    const auto& [t1, t2, spin, roll1, roll2] = pair.friction;
    if (pair.dimension < 6) return {0, 0, pair.dimension >= 4 ? spin : 0};
    return {roll1, roll2, spin};
  }
  const auto bounded = [](int dimension, double spin, double roll) -> MomentCone {
    return {dimension >= 6 ? roll : 0, dimension >= 6 ? roll : 0, dimension >= 4 ? spin : 0};
  };
  const GeomSpec &a = spec.geoms[at(contact.geom1)], &b = spec.geoms[at(contact.geom2)];
  if (a.priority != b.priority) {
    const GeomSpec& ruling = a.priority > b.priority ? a : b;
    return bounded(ruling.contact_dimension, ruling.friction[1], ruling.friction[2]);
  }
  const int dimension = std::max(a.contact_dimension, b.contact_dimension);
  if (dimension < 4) return {};
  return bounded(dimension, std::max(a.friction[1], b.friction[1]), std::max(a.friction[2], b.friction[2]));
}

double contact_restitution(const AssemblySettings& settings, const Contact& contact) {
  const PairMaterial* own = find_pair(settings, contact.geom1, contact.geom2);
  return own != nullptr && own->restitution ? *own->restitution : settings.restitution;
}

namespace {

/// m: depth at which a contact comes to rest. A contact that rests at a gap of exactly 0 is open in one step and closed
/// in the next by rounding, and a body on several of them rocks for ever; within this depth all are closed, at no cost.
/// Far below the penetration that the projection of positions corrects.
constexpr double kRestDepth = 5e-10;
constexpr double kNothing = 1e-11;  // m: curvature of paths in a step that is neglected

// Weight of the common turn over the relative motion of the two bodies, as a share of it: 1 up to a share of 1/5 (the
// correction itself moves the bodies relative to each other), falling to 0 at a share of 1.
constexpr double kFade = 1.25;

/// Angular velocity with which two bodies turn as one, rad/s. Where they slide, roll or spin on each other their points
/// of contact move over the surfaces, and it is zero; in between it fades out. All contacts of two links share one
/// value: with a value each, their rows would not be a rigid motion, and a nut between two pads, held at eight points,
/// could not satisfy them all.
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

/// Second-order part of the relative displacement of two bodies at a contact within the step (beyond h J v), over h:
/// links move along curves, and bodies that turn as one keep turning. Without it an object that a hand carries around
/// creeps by (h w)^2 L / 2 a step, against any friction.
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

/// Share of the rate of rolling that lifts the surfaces again. What it leaves sinks, and the projection of positions
/// lifts it: with a whole share a coin that rolls on its rim gains what the projection adds, with this it loses 1 % of
/// its energy in half a second at 2 ms (a third without the rule).
constexpr double kLift = 0.9;

/// Offset of a contact that rolls: held like an equality (held_rate), in all directions, because the point that touches
/// now is not the one that was at rest in the last step. No more of the rate is reflected than rolling explains: what
/// slides or falls does not bounce.
Vec3 rolling_offset(const StepView& view, const Contact& contact, const Mat3& frame) {
  const auto velocity = [&](int geom) {
    return point_velocity(view.model, view.data, view.model.geom_link(geom), contact.position);
  };
  const Vec3 rate = transpose_times(frame, velocity(contact.geom2) - velocity(contact.geom1));
  const double most = -2 * contact.bend;
  Vec3 slip{rate.x(), rate.y(), 0};
  if (norm(slip) > most) slip = slip * (most / norm(slip));
  return slip + Vec3{0, 0, kLift * std::clamp(held_rate({rate.z(), 0, 0}, {contact.bend, 0, 0}).x(), -most, 0.0)};
}

/// The moments of the contact that was written just before.
void write_moments(const StepView& view, const Contact& contact, const Mat3& frame, const MomentCone& cone,
                   ConstraintWriter& writer) {
  if (cone.is_none()) return;
  const auto [first, second] = contact_sides(view.model, contact);
  if (writer.hold_turn(first, frame, -1) && writer.hold_turn(second, frame, 1)) {
    writer.moment(contact.key, cone);
  } else {
    writer.let_go();
  }
}

/// 1/kg, as MuJoCo regularises a contact; 0: unknown, as of skins.
double estimated_mobility(const StepView& view, const Contact& contact) {
  if (contact.on_skin() || view.body_mobility.empty()) return 0;
  const std::vector<GeomSpec>& geoms = view.model.spec().geoms;
  return view.body_mobility[at(geoms[at(contact.geom1)].body)] + view.body_mobility[at(geoms[at(contact.geom2)].body)];
}

/// `parting`: relative velocity of the bodies at the contact beyond J v.
void write_contact(const StepView& view, const Contact& contact, const Vec3& parting, ConstraintWriter& writer) {
  const Mat3 frame = contact_frame(view.model, contact);
  hold_contact(view, contact, frame, writer);
  double way = contact.gap > 0 ? contact.gap + kRestDepth : 0;  // to where the contact rests
  Vec3 e = transpose_times(frame, parting) + Vec3{0, 0, way / view.rule.h};
  if (contact.bend < 0) e = rolling_offset(view, contact, frame);
  if (view.settings.errors_in_rows) {  // a spring knows the gap alone
    e = {0, 0, contact.gap / view.rule.h};
    writer.estimate_mobility(estimated_mobility(view, contact));
  }
  if (!writer.contact(contact.key, contact_friction(view.model, view.settings, contact), e)) return;
  write_moments(view, contact, frame, contact_moments(view.model, contact), writer);
}

}  // namespace

void write_contacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer) {
  for (const Contact& contact : contacts) write_contact(view, contact, parting_rate(view, contact), writer);
}

void write_later_contacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer) {
  for (const Contact& contact : contacts) write_contact(view, contact, {}, writer);
}

void write_penetrations(const StepView& view, std::span<const Contact> contacts, std::span<const double> gaps,
                        ConstraintWriter& writer) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    hold_contact(view, contacts[i], contact_frame(contacts[i].normal), writer);
    writer.hard(contacts[i].key, gaps[i]);
  }
}

namespace {

/// An impact by Newton's law, to second order.
struct Bounce {
  double speed = 0;  ///< m/s, with which the contact opens after the impact, before the step's forces act; 0: no bounce
  double met = 0;    ///< m/s, with which the surfaces meet
};

/// The contact has closed with speed s, its gap is g, and forces speed up the approach by a. A step is a kick of the
/// forces, then a drift: so s belongs to the time h/2 before, and energy says with which speed v_i the surfaces meet,
///
///     v_i^2 = s^2 + a h s + 2 a g,     v_o = rho v_i,     u^2 + a h u + 2 a g = v_o^2,
///
/// and with which speed u they part at the end of the step, on the way that starts with v_o where they meet. The forces
/// are still to come and take a h of it. With v_o = rho s instead a ball that keeps its energy loses half of its height
/// in a minute. A step has one velocity, so the way out starts where the contact is now: up to h (1 + 1/rho) too early.
Bounce bounce(double s, double g, double a, double h, double rho, double least) {
  if (s <= 0 || g > h * (s + a * h)) return {};  // not met within this step
  const double met = std::sqrt(std::max(0.0, s * s + a * h * s + 2 * a * g)), out = rho * met;
  const double root = a * a * h * h / 4 + out * out - 2 * a * g;
  if (out < least || root <= 0) return {};
  const double u = std::sqrt(root) - a * h / 2;
  return u > 0 ? Bounce{u + a * h, met} : Bounce{};
}

/// The point where a contact will be when its gap has closed. Between two bodies that move it stays midway: one point
/// for both keeps their angular momentum.
Vec3 point_of_impact(const Model& model, const Contact& contact) {
  const Vec3 half = contact.normal * (0.5 * contact.gap);
  const auto [first, second] = contact_sides(model, contact);
  if (first.subsystem < 0) return contact.position + half;
  return second.subsystem < 0 ? contact.position - half : contact.position;
}

}  // namespace

int write_impacts(const StepView& view, std::span<const Contact> contacts, std::span<const double> kick,
                  ConstraintWriter& writer) {
  const AssemblySettings& s = view.settings;
  int count = 0;
  for (Contact contact : contacts) {
    const double rho = contact_restitution(s, contact);
    if (rho == 0) continue;
    contact.position = point_of_impact(view.model, contact);
    const Mat3 frame = contact_frame(view.model, contact);
    hold_contact(view, contact, frame, writer);
    // A contact that would close within this step bounces now: a speculative row would brake the body to gap/h first,
    // and the bounce of the next step would start from that speed.
    const double rate = writer.rate(), approach = -writer.rate_at(kick) / view.rule.h;
    const Bounce found = bounce(-rate, contact.gap, approach, view.rule.h, rho, s.bounce_speed);
    if (found.speed == 0) {
      writer.let_go();
      continue;
    }
    // Forces have less time to act on a way out that starts too early, and the impulse is smaller by that much.
    // Friction goes by the impulse of the impact itself.
    const double share = (1 + rho) * found.met / (found.speed - rate);
    FrictionCone cone = contact_friction(view.model, s, contact);
    cone.mu1 *= share;
    cone.mu2 *= share;
    if (writer.contact(contact.key, cone, {0, 0, -found.speed})) {
      const MomentCone moments = contact_moments(view.model, contact);
      write_moments(view, contact, frame, {moments.roll1 * share, moments.roll2 * share, moments.spin * share}, writer);
    }
    ++count;
  }
  return count;
}

}  // namespace uzawa
