#include "sim/scenes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa::test {

namespace {

BodySpec body_of(const std::string& name, double mass, const Vec3& position, const Vec3& inertia) {
  BodySpec body;
  body.name = name;
  body.mass = mass;
  body.position = position;
  body.principal_inertia = inertia;
  return body;
}

GeomSpec geom_of(int body, ShapeType shape, const Vec3& size, double mu) {
  GeomSpec geom;
  geom.name = "geom" + std::to_string(body);
  geom.body = body;
  geom.shape = shape;
  geom.size = size;
  geom.friction = {mu, 0, 0};
  return geom;
}

Vec3 box_inertia(const Vec3& half, double mass) {
  const Vec3 s = scaled(half, half);
  return Vec3{s.y() + s.z(), s.z() + s.x(), s.x() + s.y()} * (mass / 3);
}

int add_body(ModelSpec& spec, BodySpec body, JointType type, GeomSpec geom, const Vec3& axis = {0, 0, 1}) {
  const int index = static_cast<int>(spec.bodies.size());
  JointSpec joint;
  joint.name = body.name;
  joint.type = type;
  joint.body = index;
  joint.axis = axis;
  geom.body = index;
  spec.bodies.push_back(std::move(body));
  spec.joints.push_back(std::move(joint));
  spec.geoms.push_back(std::move(geom));
  return index;
}

}  // namespace

ModelSpec ground(double mu, double angle) {
  ModelSpec spec;
  spec.options.gravity = {0, 0, -kGravity};
  GeomSpec plane = geom_of(0, ShapeType::Plane, {0, 0, 1}, mu);
  plane.name = "ground";
  plane.orientation = exp_rotation({0, angle, 0});
  spec.geoms.push_back(std::move(plane));
  return spec;
}

int add_box(ModelSpec& spec, const BoxOptions& o) {
  BodySpec body = body_of(o.name, o.mass, o.position, box_inertia(o.half, o.mass));
  body.orientation = o.orientation;
  return add_body(spec, std::move(body), JointType::Free, geom_of(0, ShapeType::Box, o.half, o.mu));
}

int add_ball(ModelSpec& spec, const std::string& name, double radius, double mass, const Vec3& position, double mu) {
  const double inertia = 0.4 * mass * radius * radius;
  return add_body(spec, body_of(name, mass, position, {inertia, inertia, inertia}), JointType::Free,
                  geom_of(0, ShapeType::Sphere, {radius, 0, 0}, mu));
}

int add_finger(ModelSpec& spec, const std::string& name, const Vec3& half, const Vec3& position, const Vec3& axis,
               double mu) {
  const double mass = 0.2;
  ActuatorSpec motor;
  motor.name = name;
  motor.target = static_cast<int>(spec.joints.size());
  spec.actuators.push_back(std::move(motor));
  return add_body(spec, body_of(name, mass, position, box_inertia(half, mass)), JointType::Slide,
                  geom_of(0, ShapeType::Box, half, mu), axis);
}

ModelSpec card_house(int storeys) {
  const double lean = 0.35, mu = 0.6, thick = 0.0005, width = 0.03, tall = 0.045, mass = 0.002;  // half sizes
  const double height = 2 * (tall * std::cos(lean) + thick * std::sin(lean));                    // of a leaning card
  const double span = 2 * (tall * std::sin(lean) + thick * std::cos(lean));
  ModelSpec spec = ground(mu);
  const auto add = [&](const Vec3& half, const Vec3& position, double angle) {
    add_box(spec, {.name = "card" + std::to_string(spec.bodies.size()),
                   .half = half,
                   .mass = mass,
                   .position = position,
                   .orientation = exp_rotation({0, angle, 0}),
                   .mu = mu});
  };
  double z = 0;
  for (int pairs = storeys; pairs > 0; --pairs) {
    const double first = -(pairs - 1) * span;
    for (int i = 0; i < pairs; ++i) {
      for (const int side : {-1, 1}) {
        add({thick, width, tall}, {first + 2 * span * i + side * span / 2, 0, z + height / 2}, -side * lean);
      }
    }
    z += height;
    for (int i = 0; i + 1 < pairs; ++i) add({span, width, thick}, {first + 2 * span * i + span, 0, z + thick}, 0);
    if (pairs > 1) z += 2 * thick;
  }
  return spec;
}

double energy(const World& world) {
  const Model& model = world.model();
  DynamicsData data(model);
  forward_kinematics(model, world.state().q, data);
  link_velocities(model, world.state().v, data);
  return kinetic_energy(model, world.state().v, data) + potential_energy(model, data);
}

void run(World& world, int count, std::span<const double> control, std::span<const double> external) {
  for (int i = 0; i < count; ++i) {
    const StepReport& report = world.step(control, external);
    ASSERT_EQ(report.status, StepStatus::Solved)
        << "step " << i << ": " << to_string(report.solve_status) << ", residual " << report.residual;
  }
}

}  // namespace uzawa::test
