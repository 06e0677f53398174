#include "uzawa/collision/distance/sdf_primitives.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

namespace {

constexpr double kTiny = 1e-14;  ///< m; below it a difference of coordinates has no direction

Vec3 with_signs_of(const Vec3& a, const Vec3& signs) {
  return {std::copysign(a.x(), signs.x()), std::copysign(a.y(), signs.y()), std::copysign(a.z(), signs.z())};
}

/// Distance to an ellipsoid with semi-axes e of the point y, both in the first octant: the root of
/// sum (e_i y_i / (t + e_i^2))^2 = 1 beyond the largest pole, where the left side falls (Eberly's formulation).
Vec3 nearest_on_ellipsoid(const Vec3& e, const Vec3& y) {
  const double shortest = std::min({e.x(), e.y(), e.z()});
  const auto residual = [&](double t) {
    double sum = -1;
    for (int k = 0; k < 3; ++k) {
      const double term = e[k] * y[k] / (t + e[k] * e[k]);
      sum += term * term;
    }
    return sum;
  };
  double low = -shortest * shortest, high = norm(scaled(e, y));
  // Bisection to the last bit: the interval may span many orders of magnitude near the shortest axis.
  for (int i = 0; i < 100 && high - low > 0; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (residual(middle) > 0 ? low : high) = middle;
  }
  Vec3 foot;
  for (int k = 0; k < 3; ++k) {
    const double weight = high + e[k] * e[k];
    foot.set(k, weight > 0 ? e[k] * e[k] * y[k] / weight : 0);
  }
  // Inside, on the mid-plane of the shortest axis, the foot leaves the plane: what is missing of 1 goes that way.
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += (foot[k] / e[k]) * (foot[k] / e[k]);
  if (sum < 1) {
    for (int k = 0; k < 3; ++k) {
      if (e[k] != shortest) continue;
      const double share = foot[k] / e[k];
      foot.set(k, e[k] * std::sqrt(share * share + 1 - sum));
      break;
    }
  }
  return foot;
}

}  // namespace

Aabb PlaneSdf::bounds() const {
  constexpr double kFar = 1e9;  // m; a finite stand-in keeps the arithmetic of boxes free of infinities
  return {{-kFar, -kFar, -kFar}, {kFar, kFar, 0}};
}

SignedDistance::Sample CapsuleSdf::evaluate(const Vec3& point) const {
  const Vec3 away = point - Vec3{0, 0, std::clamp(point.z(), -half_length_, half_length_)};
  const double distance = norm(away);
  return {distance - radius_, distance > kTiny ? away * (1 / distance) : Vec3{1, 0, 0}};
}

Aabb CapsuleSdf::bounds() const {
  const Vec3 size{radius_, radius_, radius_ + half_length_};
  return {-size, size};
}

SignedDistance::Sample CylinderSdf::evaluate(const Vec3& point) const {
  const double radius = length(point.x(), point.y());
  const Vec3 outwards = radius > kTiny ? Vec3{point.x() / radius, point.y() / radius, 0} : Vec3{1, 0, 0};
  const Vec3 upwards{0, 0, point.z() >= 0 ? 1. : -1.};
  const double side = radius - radius_, cap = std::abs(point.z()) - half_length_;
  if (side > 0 && cap > 0) {
    const double distance = length(side, cap);
    return {distance, (side / distance) * outwards + (cap / distance) * upwards};
  }
  return side > cap ? Sample{side, outwards} : Sample{cap, upwards};
}

Aabb CylinderSdf::bounds() const {
  const Vec3 size{radius_, radius_, half_length_};
  return {-size, size};
}

SignedDistance::Sample EllipsoidSdf::evaluate(const Vec3& point) const {
  const Vec3 y = absolute(point);
  const Vec3 foot = nearest_on_ellipsoid(radii_, y);
  Vec3 normal;
  double level = 0;
  for (int k = 0; k < 3; ++k) {
    normal.set(k, foot[k] / (radii_[k] * radii_[k]));
    level += (y[k] / radii_[k]) * (y[k] / radii_[k]);
  }
  normal *= 1 / norm(normal);
  const double distance = norm(y - foot);
  return {level >= 1 ? distance : -distance, with_signs_of(normal, point)};
}

SignedDistance::Sample BoxSdf::evaluate(const Vec3& point) const {
  const Vec3 beyond = absolute(point) - core_;
  const Vec3 outside = larger(beyond, {});
  const double distance = norm(outside);
  if (distance > kTiny) return {distance - rounding_, with_signs_of(outside, point) * (1 / distance)};
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (beyond[k] > beyond[axis]) axis = k;
  }
  return {beyond[axis] - rounding_, with_signs_of(Vec3::unit(axis), point)};
}

Aabb BoxSdf::bounds() const {
  const Vec3 size = core_ + Vec3{rounding_, rounding_, rounding_};
  return {-size, size};
}

namespace {

/// Coordinate lines along one side of a face: directions of the rounding, from -45 to 45 degrees, and in the middle,
/// between two equal directions, the straight part.
struct SideLine {
  double direction = 0;  ///< tangent of the angle
  double core = 0;       ///< m, place along the straight part
};

std::vector<SideLine> side_lines(double half, double rounding, const SurfaceResolution& resolution) {
  const int bends = rounding > 0 ? arc_steps(rounding, M_PI / 4, resolution) : 0;
  const int straight = std::max(1, static_cast<int>(std::ceil(2 * half / resolution.longest_edge)));
  std::vector<SideLine> lines;
  for (int k = -bends; k < 0; ++k) lines.push_back({std::tan(M_PI / 4 * k / bends), -half});
  for (int k = 0; k <= straight; ++k) lines.push_back({0, -half + 2 * half * k / straight});
  for (int k = 1; k <= bends; ++k) lines.push_back({std::tan(M_PI / 4 * k / bends), half});
  return lines;
}

}  // namespace

Surface surface_of(const BoxSdf& shape, const SurfaceResolution& resolution) {
  Surface surface;
  const Vec3& core = shape.core();
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto rows = side_lines(core[u], shape.rounding(), resolution);
    const auto columns = side_lines(core[v], shape.rounding(), resolution);
    for (const double sign : {-1., 1.}) {
      append_grid(surface, static_cast<int>(rows.size()) - 1, static_cast<int>(columns.size()) - 1, [&](int i, int j) {
        const SideLine &row = rows[static_cast<std::size_t>(i)], &column = columns[static_cast<std::size_t>(j)];
        Vec3 direction = Vec3::unit(axis) * sign, centre = direction * core[axis];
        direction.set(u, row.direction);
        direction.set(v, column.direction);
        centre.set(u, row.core);
        centre.set(v, column.core);
        return centre + direction * (shape.rounding() / norm(direction));
      });
    }
  }
  surface = welded(surface, 1e-9);
  orient(surface, shape);
  return surface;
}

}  // namespace uzawa
