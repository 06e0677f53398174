#include "support/simple_models.hpp"

namespace uzawa::test {

namespace {

ModelSpec one_body(JointType type, double mass, const Vec3& com, const Vec3& inertia) {
  ModelSpec spec;
  BodySpec body;
  body.name = "body";
  body.mass = mass;
  body.com = com;
  body.principal_inertia = inertia;
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "joint";
  joint.type = type;
  joint.body = 1;
  spec.joints.push_back(joint);
  return spec;
}

}  // namespace

ModelSpec pendulum(double mass) {
  ModelSpec spec = one_body(JointType::Hinge, mass, {0, 0, -1}, {1e-12, 1e-12, 1e-12});
  spec.joints[0].axis = {0, 1, 0};
  return spec;
}

ModelSpec free_body(const Vec3& principal_inertia, double mass) {
  return one_body(JointType::Free, mass, {}, principal_inertia);
}

ModelSpec top(double height) { return one_body(JointType::Ball, 0.5, {0, 0, height}, {4e-4, 4e-4, 6e-4}); }

ModelSpec slider(double mass) {
  ModelSpec spec = one_body(JointType::Slide, mass, {}, {0.1, 0.1, 0.1});
  spec.joints[0].axis = {1, 0, 0};
  return spec;
}

}  // namespace uzawa::test
