#include "uzawa/math/moment_cone.hpp"

#include <cmath>

namespace uzawa {

namespace {

Vec3 rolling_part(const Vec3& s, double n) { return {s.x(), s.y(), n}; }
/// A moment about the normal alone: a disc met along one of its axes is a segment.
Vec3 spinning_part(const Vec3& s, double n) { return {s.z(), 0, n}; }

/// The two parts, each with its slope over (moment, moment, n), as one response.
MomentResponse joined(const SmoothedImpulse& roll, const SmoothedImpulse& twist) {
  const Mat3 &r = roll.slope, &t = twist.slope;
  return {{roll.impulse.x(), roll.impulse.y(), twist.impulse.x()},
          {{{r(0, 0), r(1, 0), 0}, {r(0, 1), r(1, 1), 0}, {0, 0, t(0, 0)}}},
          {r(0, 2), r(1, 2), t(0, 2)}};
}

}  // namespace

Vec3 project_moment(const MomentCone& cone, const Vec3& s, double n) {
  const Vec3 roll = project_strict(cone.roll(), rolling_part(s, n));
  return {roll.x(), roll.y(), project_strict(cone.twist(), spinning_part(s, n)).x()};
}

MomentResponse moment_response(const MomentCone& cone, const Vec3& s, double n) {
  const auto respond = [](const FrictionCone& part, const Vec3& at) -> SmoothedImpulse {
    return {project_strict(part, at), strict_derivative(part, at)};
  };
  return joined(respond(cone.roll(), rolling_part(s, n)), respond(cone.twist(), spinning_part(s, n)));
}

MomentResponse smoothed_moment(const MomentCone& cone, const Vec3& s, double n, double tau, double lever) {
  // In units of impulses at that lever, so that one width fits all.
  const double inverse = 1 / lever;
  const auto respond = [&](const FrictionCone& part, const Vec3& at) {
    return smoothed_strict({part.mu1 * inverse, part.mu2 * inverse}, {at.x() * inverse, at.y() * inverse, at.z()}, tau);
  };
  MomentResponse out = joined(respond(cone.roll(), rolling_part(s, n)), respond(cone.twist(), spinning_part(s, n)));
  out.moment = out.moment * lever;
  out.by_normal = out.by_normal * lever;
  return out;
}

double turning_power(const MomentCone& cone, const Vec3& w) {
  return sliding_power(cone.roll(), w) + cone.spin * std::abs(w.z());
}

}  // namespace uzawa
