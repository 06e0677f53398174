#include "direction_oracle.hpp"

#include <algorithm>
#include <vector>

namespace uzawa::test {

namespace {

constexpr int kDirections = 1500, kClimbed = 6, kSides = 8;

Vec3 turned(const Vec3& n, double angle, int side) {
  const Mat3 frame = contact_frame(n);
  const double a = side * 2 * M_PI / kSides;
  const Vec3 t = n + (frame.col[0] * std::cos(a) + frame.col[1] * std::sin(a)) * angle;
  return t * (1 / norm(t));
}

}  // namespace

double DirectionOracle::reach(int geom, const Vec3& n) const {
  const mjtNum* r = d_->geom_xmat + 9 * geom;  // row-major
  const mjtNum* s = m_->geom_size + 3 * geom;
  const Vec3 l{r[0] * n.x() + r[3] * n.y() + r[6] * n.z(), r[1] * n.x() + r[4] * n.y() + r[7] * n.z(),
               r[2] * n.x() + r[5] * n.y() + r[8] * n.z()};
  const double center = dot(Vec3::from(d_->geom_xpos + 3 * geom), n);
  switch (m_->geom_type[geom]) {
    case mjGEOM_PLANE: return center;
    case mjGEOM_SPHERE: return center + s[0];
    case mjGEOM_CAPSULE: return center + s[0] + s[1] * std::abs(l.z());
    case mjGEOM_CYLINDER: return center + s[0] * std::hypot(l.x(), l.y()) + s[1] * std::abs(l.z());
    case mjGEOM_ELLIPSOID: return center + std::hypot(s[0] * l.x(), s[1] * l.y(), s[2] * l.z());
    default: return center + s[0] * std::abs(l.x()) + s[1] * std::abs(l.y()) + s[2] * std::abs(l.z());
  }
}

double DirectionOracle::gain_nearby(const Vec3& n, double angle) const {
  const double here = gap_along(n);
  double gain = -1e300;
  for (int side = 0; side < kSides; ++side) gain = std::max(gain, gap_along(turned(n, angle, side)) - here);
  return gain;
}

double DirectionOracle::climb(Vec3 n) const {
  double best = gap_along(n);
  for (double step = 0.05; step > 1e-8;) {
    bool better = false;
    for (int side = 0; side < kSides; ++side) {
      const Vec3 t = turned(n, step, side);
      const double gap = gap_along(t);
      if (gap > best) best = gap, n = t, better = true;
    }
    if (!better) step *= 0.5;
  }
  return best;
}

double DirectionOracle::largest() const {
  std::vector<std::pair<double, Vec3>> found;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1 - (2 * i + 1.0) / kDirections, angle = i * M_PI * (3 - std::sqrt(5)), r = std::sqrt(1 - z * z);
    const Vec3 n{r * std::cos(angle), r * std::sin(angle), z};
    found.emplace_back(gap_along(n), n);
  }
  std::partial_sort(found.begin(), found.begin() + kClimbed, found.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  double best = -1e300;
  for (int i = 0; i < kClimbed; ++i) best = std::max(best, climb(found[static_cast<std::size_t>(i)].second));
  return best;
}

}  // namespace uzawa::test
