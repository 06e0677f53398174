#include "uzawa/scenarios/builders.hpp"

namespace uzawa::scenarios {

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

void add_wall(ModelSpec& spec, const BoxOptions& o) {
  GeomSpec geom = geom_of(0, ShapeType::Box, o.half, o.mu);
  geom.name = o.name;
  geom.position = o.position;
  geom.orientation = o.orientation;
  spec.geoms.push_back(std::move(geom));
}

int add_ball(ModelSpec& spec, const std::string& name, double radius, double mass, const Vec3& position, double mu) {
  const double inertia = 0.4 * mass * radius * radius;
  return add_body(spec, body_of(name, mass, position, {inertia, inertia, inertia}), JointType::Free,
                  geom_of(0, ShapeType::Sphere, {radius, 0, 0}, mu));
}

int add_disc(ModelSpec& spec, const DiscOptions& o) {
  const double across = o.mass * (o.radius * o.radius / 4 + o.half_height * o.half_height / 3);
  BodySpec body = body_of(o.name, o.mass, o.position, {across, across, o.mass * o.radius * o.radius / 2});
  body.orientation = o.orientation;
  return add_body(spec, std::move(body), JointType::Free,
                  geom_of(0, ShapeType::Cylinder, {o.radius, o.half_height, 0}, o.mu));
}

int add_hanging_ball(ModelSpec& spec, const std::string& name, double radius, double mass, const Vec3& anchor,
                     double rod) {
  const double inertia = 0.4 * mass * radius * radius;
  const int body = add_body(spec, body_of(name, mass, anchor - Vec3{0, 0, rod}, {inertia, inertia, inertia}),
                            JointType::Hinge, geom_of(0, ShapeType::Sphere, {radius, 0, 0}, 0), {0, 1, 0});
  spec.joints.back().position = {0, 0, rod};
  return body;
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

namespace {

GeomSpec sdf_geom(const SdfOptions& o) {
  GeomSpec geom = geom_of(0, ShapeType::Cylinder, {o.radius, o.half_height, 0}, o.mu);
  geom.name = o.name;
  geom.sdf = o.shape;
  geom.rgba = o.rgba;
  return geom;
}

}  // namespace

int add_sdf_body(ModelSpec& spec, const SdfOptions& o) {
  BodySpec body = body_of(o.name, o.mass, o.position, o.inertia);
  body.orientation = o.orientation;
  body.com = o.com;
  return add_body(spec, std::move(body), JointType::Free, sdf_geom(o));
}

void add_sdf_wall(ModelSpec& spec, const SdfOptions& o) {
  GeomSpec geom = sdf_geom(o);
  geom.position = o.position;
  geom.orientation = o.orientation;
  spec.geoms.push_back(std::move(geom));
}

}  // namespace uzawa::scenarios
