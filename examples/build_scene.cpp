// A scene without a file: a box slides down a slope of 30 degrees. Coulomb's law gives its speed; the program exits
// with 1 where the simulation does not come to the same.
#include <cmath>
#include <cstdio>
#include <uzawa/uzawa.hpp>

namespace {

constexpr double kAngle = M_PI / 6, kFriction = 0.3, kGravity = 9.81;

uzawa::ModelSpec box_on_slope() {
  uzawa::ModelSpec spec;  // has the ground, body 0
  spec.name = "box on a slope";
  // Gravity is turned instead of the ground.
  spec.options.gravity = {kGravity * std::sin(kAngle), 0, -kGravity * std::cos(kAngle)};

  uzawa::GeomSpec ground;
  ground.name = "ground";
  ground.shape = uzawa::ShapeType::Plane;
  ground.friction = {kFriction, 0, 0};
  spec.geoms.push_back(ground);

  uzawa::BodySpec box;
  box.name = "box";
  box.mass = 1;
  box.position = {0, 0, 0.05};
  box.principal_inertia = uzawa::Vec3{1, 1, 1} * (box.mass * 0.1 * 0.1 / 6);
  spec.bodies.push_back(box);

  uzawa::JointSpec joint;
  joint.name = "box";
  joint.type = uzawa::JointType::Free;
  joint.body = 1;
  spec.joints.push_back(joint);

  uzawa::GeomSpec shape = ground;  // the pair's friction is the larger of the two
  shape.name = "box";
  shape.body = 1;
  shape.shape = uzawa::ShapeType::Box;
  shape.size = {0.05, 0.05, 0.05};
  spec.geoms.push_back(shape);
  return spec;
}

}  // namespace

int main() {
  uzawa::SimSettings settings;
  settings.dt = 0.002;
  settings.solver = "canal";
  uzawa::World world(uzawa::Model(box_on_slope()), settings);
  while (world.state().time < 1 - 1e-9) world.step();
  const double speed = world.state().v[0];
  const double expected = kGravity * (std::sin(kAngle) - kFriction * std::cos(kAngle)) * world.state().time;
  std::printf("speed after 1 s: %.6f m/s, by Coulomb's law %.6f m/s\n", speed, expected);
  return std::abs(speed - expected) < 1e-3 * expected ? 0 : 1;
}
