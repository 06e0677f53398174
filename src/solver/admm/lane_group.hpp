#pragma once

#include "uzawa/math/scalar_law.hpp"
#include "uzawa/math/vec3_lanes.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// Constraints with the same law and number of sides that ADMM processes at once, in the places of a Vec3Wide. Contacts
/// and other constraints on points (with free tangents if scalar) have a lane each; other scalar constraints have a
/// place each ("packed").
struct alignas(64) LaneGroup {
  enum class Law : char { Contact, EllipticContact, Hard, Equality, Soft, Limit, Friction, Moment };
  enum class Hold : char {
    Points,  ///< all sides of a constraint are points, with one frame
    Joints,
    Rows,  ///< joints and explicit rows
    Mixed  ///< points among others
  };
  static constexpr int kLanes = kWide, kPlaces = 3 * kWide;

  Mat3Wide frame;                                     ///< of constraints on points; see plain
  Vec3Wide full_weight = ones();                      ///< of the penalty while the impulse is not zero
  Vec3Wide weight = ones(), inverse_weight = ones();  ///< of the penalty
  Vec3Wide impulse;  ///< lambda, in the axes of y: world axes for constraints on points
  /// Contact: e (in the axes of y where it is plain, else in its frame), mu. Hard, equality: e. Soft: e, k, b. Limit:
  /// lower, upper. Friction: bound. Moment: z is the normal impulse that bounds it, written before each
  /// response; e.
  Vec3Wide parameter[3];
  int constraint[kPlaces] = {};  ///< the first `count`
  int count = 0, sides = 0;
  int first_side = 0;  ///< among all sides
  int first_hold = 0;  ///< among the points or joints
  Law law = Law::Contact;
  Hold hold = Hold::Mixed;
  bool packed = false;
  /// Contacts with isotropic friction and one or two point sides of opposite sign, which take nearly all of the time.
  /// Where the first side has the sign -1, the frame, impulse and y are negated, so that the signs of the sides are
  /// always 1 and -1.
  bool plain = false;

  static Vec3Wide ones() { return {broadcast_wide(1), broadcast_wide(1), broadcast_wide(1)}; }
  static Law law_of(const Problem& problem, int constraint);
  static bool is_contact(Law law) { return law == Law::Contact || law == Law::EllipticContact; }

  /// Transformations between the constraints' frames and the axes of y.
  Vec3Wide in_axes_of_y(const Vec3Wide& v) const { return hold == Hold::Points ? frame * v : v; }
  Vec3Wide in_frames(const Vec3Wide& v) const { return hold == Hold::Points ? transpose_times(frame, v) : v; }

  /// Value of constraint i; of a scalar one in z.
  Vec3 get(const Vec3Wide& v, int i) const;
  void put(Vec3Wide& v, int i, const Vec3& value) const;

  static Vec3Wide inverse(const Vec3Wide& a) { return {1 / a.x, 1 / a.y, 1 / a.z}; }
  /// The full weights, times `open` for contacts, hard rows and limits without impulse.
  Vec3Wide weights_with(double open) const;

  /// Takes over the laws of its constraints.
  void fill_law(const Problem& problem);
  /// Impulses from s = -beta sum y, in the constraints' frames ([AL] eq. 37-39).
  Vec3Wide respond(const Problem& problem, const Vec3Wide& beta, const Vec3Wide& s) const;
  Vec3Wide respond_elliptic(const Problem& problem, const Vec3Wide& s) const;
  Vec3Wide respond_moments(const Problem& problem, const Vec3Wide& s) const;
  /// Normal impulse of contact i.
  double normal_impulse(int i) const {
    return hold == Hold::Points ? dot(frame.col[2].lane(i), impulse.lane(i)) : impulse.lane(i).z();
  }
};

inline Vec3 LaneGroup::get(const Vec3Wide& v, int i) const {
  if (!packed) return v.lane(i);
  const WideLanes& part = i < kLanes ? v.x : (i < 2 * kLanes ? v.y : v.z);
  return {0, 0, part[i % kLanes]};
}

inline void LaneGroup::put(Vec3Wide& v, int i, const Vec3& value) const {
  if (!packed) return v.set_lane(i, value);
  WideLanes& part = i < kLanes ? v.x : (i < 2 * kLanes ? v.y : v.z);
  part[i % kLanes] = value.z();
}

inline Vec3Wide LaneGroup::respond(const Problem& problem, const Vec3Wide& beta, const Vec3Wide& s) const {
  const Vec3Wide *p = parameter, *q = parameter + 1, *r = parameter + 2;
  // A scalar constraint in a lane of its own has its impulse in z, and zeros along the tangents.
  const auto scalar = [&](auto&& impulse_of) {
    Vec3Wide out;
    out.z = impulse_of(&Vec3Wide::z);
    if (packed) out.x = impulse_of(&Vec3Wide::x), out.y = impulse_of(&Vec3Wide::y);
    return out;
  };
  switch (law) {
    case Law::Contact: return project_strict(q->z, s - scaled(*p, beta));
    case Law::EllipticContact: return respond_elliptic(problem, s - scaled(*p, beta));
    case Law::Hard: return scalar([&](auto part) { return hard_impulse(s.*part, beta.*part, p->*part); });
    case Law::Equality: return scalar([&](auto part) { return equality_impulse(s.*part, beta.*part, p->*part); });
    case Law::Soft:
      return scalar([&](auto part) { return soft_impulse(s.*part, beta.*part, p->*part, q->*part, r->*part); });
    case Law::Limit: return scalar([&](auto part) { return limit_impulse(s.*part, beta.*part, p->*part, q->*part); });
    case Law::Friction: return scalar([&](auto part) { return friction_impulse(s.*part, p->*part); });
    case Law::Moment: return respond_moments(problem, s - scaled(*q, beta));
  }
  return {};
}

}  // namespace uzawa
