#include "uzawa/scenarios/floating_gripper.hpp"

#include <array>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/scenarios/builders.hpp"

namespace uzawa::scenarios {

namespace {

constexpr double kPalmMass = 1;                           // kg
constexpr double kPalmDepth = 0.04, kPalmHeight = 0.015;  // m, half sizes
constexpr double kStiffness = 2e4;                        // N/m, of the palm's servos
constexpr double kTurnStiffness = 500;                    // N m/rad
constexpr double kDamping = 300, kTurnDamping = 8;        // N s/m, N m s/rad: critical, about
constexpr double kFingerDamping = 60;                     // N s/m

const std::array<std::string, 8>& servos() {
  static const std::array<std::string, 8> names = {"gripper_x",     "gripper_y",   "gripper_z",   "gripper_roll",
                                                   "gripper_pitch", "gripper_yaw", "left_finger", "right_finger"};
  return names;
}

void add_servo(ModelSpec& spec, const std::string& name, int joint, double stiffness, double damping) {
  ActuatorSpec servo;
  servo.name = name;
  servo.target = joint;
  servo.gain = {stiffness, 0, 0};
  servo.bias = {0, -stiffness, -damping};
  spec.actuators.push_back(std::move(servo));
}

}  // namespace

FloatingGripper add_floating_gripper(ModelSpec& spec, const FloatingGripperOptions& o) {
  FloatingGripper gripper;
  gripper.palm = static_cast<int>(spec.bodies.size());
  BodySpec palm;
  palm.name = "palm";
  palm.mass = kPalmMass;
  palm.position = o.position + Vec3{0, 0, o.reach};
  palm.principal_inertia = Vec3{2e-3, 2e-3, 2e-3};
  spec.bodies.push_back(std::move(palm));
  for (int k = 0; k < 6; ++k) {
    JointSpec joint;
    joint.name = servos()[at(k)];
    joint.type = k < 3 ? JointType::Slide : JointType::Hinge;
    joint.body = gripper.palm;
    joint.axis = Vec3{};
    joint.axis.set(k % 3, 1);
    add_servo(spec, joint.name, static_cast<int>(spec.joints.size()), k < 3 ? kStiffness : kTurnStiffness,
              k < 3 ? kDamping : kTurnDamping);
    spec.joints.push_back(std::move(joint));
  }
  GeomSpec plate;
  plate.name = "palm";
  plate.body = gripper.palm;
  plate.shape = ShapeType::Box;
  plate.size = {o.opening / 2 + 2 * o.pad.x(), kPalmDepth, kPalmHeight};
  plate.rgba = {0.3F, 0.32F, 0.35F, 1};
  spec.geoms.push_back(std::move(plate));

  const auto finger = [&](const std::string& name, double side) {
    const int body =
        add_finger(spec, name, o.pad, {side * (o.opening / 2 + o.pad.x()), 0, -o.reach}, {-side, 0, 0}, o.mu);
    spec.bodies[at(body)].parent = gripper.palm;
    spec.actuators.pop_back();  // a servo in place of the motor
    add_servo(spec, name, static_cast<int>(spec.joints.size()) - 1, o.stiffness, kFingerDamping);
    return body;
  };
  gripper.left = finger(servos()[6], -1);
  gripper.right = finger(servos()[7], 1);
  return gripper;
}

std::vector<double> FloatingGripperControl::coordinates(const GripperPlace& place) {
  return {place.moved.x(), place.moved.y(), place.moved.z(), 0, 0, place.yaw, place.closed, place.closed};
}

void FloatingGripperControl::then(double duration, const GripperPlace& place) {
  stops_.push_back({end() + duration, coordinates(place)});
}

void FloatingGripperControl::start(const Model& model) {
  path_ = Trajectory(stops_);
  servos_.emplace(model, servos());
}

void FloatingGripperControl::drive(const World& world, Drive& drive) {
  std::array<double, 8> position{}, velocity{}, acceleration{};
  path_.at(world.state().time + world.dt(), position, velocity, acceleration);
  servos_->write(world.state(), {.position = position, .velocity = velocity, .acceleration = acceleration},
                 drive.control);
}

Pose FloatingGripperControl::pose(const Model& model, const State& state, const FloatingGripper& gripper) {
  DynamicsData data(model);
  forward_kinematics(model, state.q, data);
  return body_pose(model, data, gripper.palm);
}

}  // namespace uzawa::scenarios
