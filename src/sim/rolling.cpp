#include "uzawa/sim/rolling.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/collision/convex/convex_core.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

constexpr double kTilt = 0.05;   // sine of the angle from which a cylinder is on its rim, and no longer on a line
constexpr double kTouch = 1e-5;  // m: other contacts of the pair that are nearer share its load

/// A shape that rolls from point to point: an ellipsoid, or a cylinder that does not lie on its side.
bool is_rim(const ShapeSet::Geom& geom, const Vec3& normal, std::span<const Pose> poses) {
  if (geom.shape.type != ShapeType::Cylinder) return geom.shape.type == ShapeType::Ellipsoid;
  const Pose pose = geom.link < 0 ? geom.pose : poses[at(geom.link)] * geom.pose;
  return std::abs(dot(pose.rotation.col[2], normal)) > kTilt;
}

/// Furthest extent of a geom along the normal, m; sign -1: against it.
double extent(const ShapeSet::Geom& geom, const Vec3& normal, double sign, std::span<const Pose> poses) {
  const Pose pose = geom.link < 0 ? geom.pose : poses[at(geom.link)] * geom.pose;
  if (geom.shape.is_plane()) return dot(normal, pose.position);
  const ConvexCore core = core_of(geom.shape);
  return dot(normal, pose * support(core, transpose_times(pose.rotation, normal * sign))) + sign * core.radius;
}

/// The contact is the nearest of its pair by far.
bool touches_alone(std::span<const Contact> contacts, std::size_t i) {
  const auto same_pair = [&](std::size_t k) {
    return contacts[k].geom1 == contacts[i].geom1 && contacts[k].geom2 == contacts[i].geom2;
  };
  std::size_t first = i, end = i + 1;
  while (first > 0 && same_pair(first - 1)) --first;
  while (end < contacts.size() && same_pair(end)) ++end;
  for (std::size_t k = first; k < end; ++k) {
    if (k != i && contacts[k].gap < std::max(2 * contacts[i].gap, kTouch)) return false;
  }
  return true;
}

}  // namespace

void measure_rolling(const Model& model, const ShapeSet& shapes, const DynamicsData& now, double h, StepEnd& end,
                     std::span<Contact> contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Contact& contact = contacts[i];
    contact.bend = 0;
    if (contact.on_skin()) continue;
    const ShapeSet::Geom &first = shapes.geoms()[at(contact.geom1)], &second = shapes.geoms()[at(contact.geom2)];
    if (!is_rim(first, contact.normal, now.link_pose) && !is_rim(second, contact.normal, now.link_pose)) continue;
    if (!first.shape.is_convex() || !second.shape.is_convex()) continue;
    if (!touches_alone(contacts, i)) continue;
    const auto separation = [&](std::span<const Pose> poses) {
      return extent(second, contact.normal, -1, poses) - extent(first, contact.normal, 1, poses);
    };
    const auto velocity = [&](int link) { return point_velocity(model, now, link, contact.position); };
    const double rate = dot(contact.normal, velocity(second.link) - velocity(first.link));
    const double bend = (separation(end.poses()) - separation(now.link_pose)) / h - rate;
    if (bend < 0 && contact.gap <= -2 * bend * h) contact.bend = bend;
  }
}

}  // namespace uzawa
