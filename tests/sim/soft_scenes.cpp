#include "sim/soft_scenes.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/model/spec_append.hpp"
#include "uzawa/problem/block_matrix.hpp"

namespace uzawa::test {

ModelSpec empty_space(double timestep) {
  ModelSpec spec;
  spec.options.gravity = {};
  spec.options.timestep = timestep;
  return spec;
}

SoftBodyOptions jelly(const std::string& name, const Vec3& position, double damping) {
  SoftBodyOptions options;
  options.name = name;
  options.position = position;
  options.material.young = 1e5;
  options.material.poisson = 0.3;
  options.material.damping = damping;
  options.friction = kSmooth;
  return options;
}

ModelSpec large_jelly() {
  ModelSpec spec = ground(0.5);
  SoftBodyOptions options = jelly("large", {0, 0, 0.1005}, 1e-3);
  options.material.young = 2e4;
  add_soft_body(spec, box_mesh({0.2, 0.2, 0.2}, {10, 10, 10}), options);
  return spec;
}

bool iterates(const World& world) {
  BlockFactor factor;
  return factor.factorize(world.problem(), true) && factor.iterates();
}

std::vector<Vec3> line(const Vec3& from, const Vec3& to, int links) {
  std::vector<Vec3> points;
  for (int i = 0; i <= links; ++i) points.push_back(from + (to - from) * (static_cast<double>(i) / links));
  return points;
}

int add_plate(ModelSpec& spec, const std::string& name, const PlateOptions& options) {
  const int body = static_cast<int>(spec.bodies.size());
  BodySpec plate{.name = name, .position = options.position, .mass = options.mass};
  plate.principal_inertia = Vec3{1, 1, 1} * (options.mass * 1e-2);
  spec.bodies.push_back(plate);
  ActuatorSpec servo;
  servo.name = name;
  servo.target = static_cast<int>(spec.joints.size());
  servo.gain = {options.stiffness, 0, 0};
  servo.bias = {0, -options.stiffness, -options.damping};
  spec.actuators.push_back(servo);
  constexpr double kReference[1] = {0};
  append_joint(spec, JointSpec{.name = name, .type = JointType::Slide, .body = body, .axis = options.axis}, kReference);
  GeomSpec geom;
  geom.name = name;
  geom.body = body;
  geom.shape = ShapeType::Box;
  geom.size = options.half;
  geom.friction = {options.mu, 0, 0};
  spec.geoms.push_back(geom);
  return body;
}

namespace {

const ModelSpec& spec_of(const World& world) { return world.model().spec(); }

int first_joint(const World& world, int body) {
  const std::vector<JointSpec>& joints = spec_of(world).joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const JointSpec& j) { return j.body == body; });
  return static_cast<int>(found - joints.begin());
}

}  // namespace

std::size_t first_q(const World& world, int body) { return at(world.model().joint_q(first_joint(world, body))); }
std::size_t first_v(const World& world, int body) { return at(world.model().joint_v(first_joint(world, body))); }

Vec3 node_position(const World& world, int node, int soft_body) {
  const SoftNode& place = world.model().soft_nodes(soft_body)[at(node)];
  if (place.link < 0) return place.point;
  return data_of(world).link_pose[at(place.link)] * place.point;
}

Vec3 node_velocity(const World& world, int node, int soft_body) {
  const int body = spec_of(world).soft_bodies[at(soft_body)].bodies[at(node)];
  return Vec3::from(&world.state().v[first_v(world, body)]);
}

Vec3 link_position(const World& world, int link, int rod) {
  return Vec3::from(&world.state().q[first_q(world, spec_of(world).rods[at(rod)].bodies[at(link)])]);
}

Vec3 link_velocity(const World& world, int link, int rod) {
  return Vec3::from(&world.state().v[first_v(world, spec_of(world).rods[at(rod)].bodies[at(link)])]);
}

DynamicsData data_of(const World& world) {
  DynamicsData data(world.model());
  forward_kinematics(world.model(), world.state().q, data);
  link_velocities(world.model(), world.state().v, data);
  return data;
}

Momentum momentum_of(const World& world) { return momentum(world.model(), data_of(world)); }

double total_energy(const World& world) {
  DynamicsData data = data_of(world);
  evaluate_elastic(world.model(), world.state().v, data);
  return kinetic_energy(world.model(), world.state().v, data) + potential_energy(world.model(), data) +
         elastic_energy(world.model(), data);
}

double largest_speed(const World& world) {
  double largest = 0;
  for (const double v : world.state().v) largest = std::max(largest, std::abs(v));
  return largest;
}

Vec3 force_on(const World& world, int geom) {
  const Contacts& rows = world.problem().contacts;
  Vec3 sum;
  std::size_t next = 0;  // the problem has the contacts in the same order, but for those that hold nothing that moves
  for (const Contact& contact : world.contacts()) {
    if (next == rows.row.size() || world.keys()[at(rows.constraint[next])] != contact.key) continue;
    const Vec3 impulse = contact_frame(contact.normal) * Vec3::from(&world.result().lambda[at(rows.row[next++])]);
    if (contact.geom2 == geom) sum += impulse * (1 / world.dt());
    if (contact.geom1 == geom) sum += impulse * (-1 / world.dt());
  }
  return sum;
}

}  // namespace uzawa::test
