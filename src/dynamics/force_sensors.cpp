#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/ray.hpp"
#include "uzawa/dynamics/sensors.hpp"

/// Forces within a body tree, and sums over it. Bodies, not links: a force plate is a body that is fixed to another.
namespace uzawa {

namespace {

using enum SensorType;

/// Calls visit(body, pose) for a body and all that it carries.
template <typename Visit>
void for_each_carried(const Model& model, const DynamicsData& data, int root, Visit&& visit) {
  const auto is_carried = [&](int body) {
    while (body > root) body = model.spec().bodies[at(body)].parent;
    return body == root;
  };
  for (int b = root; b < static_cast<int>(model.spec().bodies.size()); ++b) {
    if (is_carried(b)) visit(b, body_pose(model, data, b));
  }
}

/// Inertia of a body about its centre of mass, times a vector, world.
Vec3 times_inertia(const BodySpec& body, const Pose& pose, const Vec3& w) {
  const Mat3 axes = pose.rotation * to_matrix(normalized(body.inertia_orientation));
  Vec3 local = transpose_times(axes, w);
  for (int k = 0; k < 3; ++k) local.set(k, local[k] * body.principal_inertia[k]);
  return axes * local;
}

struct Wrench {
  Vec3 force, moment;
  void add(const Vec3& f, const Vec3& arm, const Vec3& m) {
    force += f;
    moment += cross(arm, f) + m;
  }
};

/// What the parent of `root` exerts on it, about `point`: all momentum that the carried bodies gain, against gravity,
/// but for what contacts and ties give them.
Wrench interaction(const Model& model, const SensorInput& in, int root, const Vec3& point) {
  Wrench sum;
  for_each_carried(model, in.data, root, [&](int b, const Pose& pose) {
    const BodySpec& body = model.spec().bodies[at(b)];
    const Vec3 com = pose * body.com;
    const int link = model.body_link(b);
    if (link < 0) {
      sum.add(model.options().gravity * -body.mass, com - point, {});
    } else {
      const Motion &velocity = in.data.velocity[at(link)], &acceleration = in.data.acceleration[at(link)];
      const Vec3 r = com - link_reference(model, in.data, link), w = velocity.angular;
      const Vec3 a = velocity_at(acceleration, r) + cross(w, velocity_at(velocity, r));
      sum.add(a * body.mass, com - point,
              times_inertia(body, pose, acceleration.angular) + cross(w, times_inertia(body, pose, w)));
    }
    for (const BodyForce& f : in.forces) {
      if (f.body == b) sum.add(-f.force, f.point - point, -f.moment);
    }
  });
  return sum;
}

/// A contact counts where the line of its force meets the zone.
double touch_force(const SensorInput& in, const SensorSpec& sensor, const Pose& zone) {
  double sum = 0;
  for (const TouchForce& touch : in.touches) {
    const bool first = touch.body1 == sensor.frame.body, second = touch.body2 == sensor.frame.body;
    if ((!first && !second) || touch.force <= 0) continue;
    const Vec3 direction = second ? -touch.normal : touch.normal;
    const Ray local{transpose_times(zone.rotation, touch.point - zone.position),
                    transpose_times(zone.rotation, direction)};
    if (ray_distance(local, sensor.zone, sensor.zone_size) >= 0) sum += touch.force;
  }
  return sum;
}

}  // namespace

void measure_force(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out) {
  const Pose site = body_pose(model, in.data, sensor.frame.body) *
                    Pose::from(sensor.frame.position, normalized(sensor.frame.orientation));
  if (sensor.type == Touch) {
    *out = touch_force(in, sensor, site);
    return;
  }
  const Wrench wrench = interaction(model, in, sensor.frame.body, site.position);
  transpose_times(site.rotation, sensor.type == Torque ? wrench.moment : wrench.force).store(out);
}

void measure_subtree(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out) {
  double mass = 0;
  Vec3 moment, momentum, spin;  // spin: angular momentum about the origin
  for_each_carried(model, in.data, sensor.object, [&](int b, const Pose& pose) {
    const BodySpec& body = model.spec().bodies[at(b)];
    const int link = model.body_link(b);
    const Vec3 com = pose * body.com, velocity = point_velocity(model, in.data, link, com);
    mass += body.mass;
    moment += com * body.mass;
    momentum += velocity * body.mass;
    spin += cross(com, velocity * body.mass);
    if (link >= 0) spin += times_inertia(body, pose, in.data.velocity[at(link)].angular);
  });
  const double inverse = 1 / std::max(mass, 1e-15);
  const Vec3 com = mass > 0 ? moment * inverse : body_pose(model, in.data, sensor.object).position;
  switch (sensor.type) {
    case SubtreeCom: com.store(out); break;
    case SubtreeVelocity: (momentum * inverse).store(out); break;
    default: (spin - cross(com, momentum)).store(out); break;
  }
}

}  // namespace uzawa
