#include "uzawa/dynamics/gyroscopic.hpp"

namespace uzawa {

namespace {

constexpr int kMostNewtonSteps = 20;  // 2 to 4 do where a body turns by less than a radian in a step
constexpr double kRounding = 1e-15;

/// x with m x = y, by Cramer's rule.
Vec3 solve(const Mat3& m, const Vec3& y) {
  const Vec3 c = cross(m.col[1], m.col[2]);
  const double determinant = dot(m.col[0], c);
  return Vec3{dot(y, c), dot(m.col[0], cross(y, m.col[2])), dot(m.col[0], cross(m.col[1], y))} * (1 / determinant);
}

Mat3 full(const Sym3& s) { return {{s * Vec3::unit(0), s * Vec3::unit(1), s * Vec3::unit(2)}}; }

}  // namespace

Vec3 turned_velocity(const Sym3& inertia, const Vec3& w, double h) {
  const Mat3 full_inertia = full(inertia);
  Vec3 next = w;
  for (int i = 0; i < kMostNewtonSteps; ++i) {
    const Vec3 mean = (w + next) * 0.5, momentum = inertia * mean;
    const Vec3 error = inertia * (next - w) + cross(mean, momentum) * h;
    const Mat3 slope = full_inertia + (cross_matrix(mean) * full_inertia + cross_matrix(momentum) * -1) * (0.5 * h);
    const Vec3 step = solve(slope, error);
    next = next - step;
    if (dot(step, step) <= kRounding * kRounding * dot(w, w)) return next;
  }
  return w;  // many turns in a step: no rule is right; this one adds no energy
}

}  // namespace uzawa
