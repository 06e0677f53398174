#include "uzawa/scenarios/stick_arm.hpp"

#include <algorithm>

#include "uzawa/io/load.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/manipulation.hpp"
#include "uzawa/scenarios/models.hpp"

namespace uzawa::scenarios {

namespace {

constexpr double kFlange = 0.107;  // m, from the frame of the last link to the flange, along its z
constexpr std::size_t kJoints = 7;

}  // namespace

StickArm::StickArm(StickOptions options)
    : options_(std::move(options)), robot_(load_model(models_folder() / options_.robot).model) {
  for (const std::string& servo : panda_servos()) servos_.push_back(name(servo.c_str()));
  home_ = InverseKinematics(robot_, site_frame(robot_, "tool")).pose(robot_.keyframe_state(0).q).rotation;
}

Vec3 StickArm::tip() const { return {0, 0, kFlange + options_.length}; }

int StickArm::add(ModelSpec& spec, const Vec3& position) const {
  ModelSpec robot = robot_.spec();
  soften_panda(robot, options_.stiffer);
  add_model(spec, robot, options_.prefix, position);
  const auto flange = std::find_if(spec.bodies.begin(), spec.bodies.end(),
                                   [&](const BodySpec& body) { return body.name == name("link7"); });
  GeomSpec stick;
  stick.name = name("stick");
  stick.body = static_cast<int>(flange - spec.bodies.begin());
  stick.shape = ShapeType::Capsule;
  stick.size = {options_.radius, options_.length / 2, 0};
  stick.position = {0, 0, kFlange + options_.length / 2};
  stick.friction = {options_.mu, 0, 0};
  if (!options_.touches) stick.contact_type = stick.contact_affinity = 0;
  spec.geoms.push_back(stick);
  return stick.body;
}

LinkFrame StickArm::frame(const Model& model) const {
  LinkFrame frame = site_frame(model, name("tool"));
  frame.local.position += frame.local.rotation * Vec3{0, 0, options_.length};
  return frame;
}

void StickArm::start(const Model& model, State& state, const Vec3& end, double turn) {
  const State home = robot_.keyframe_state(0);  // which the copy in the scene leaves behind
  const auto first = static_cast<std::size_t>(model.joint_q(model.joint(name("joint1"))));
  std::copy_n(home.q.begin() + robot_.joint_q(robot_.joint("joint1")), kJoints, &state.q[first]);
  state.q[first] += turn;
  const bool carried = *options_.carrier != '\0';
  const int carrier = carried ? body_frame(model, name(options_.carrier)).link : -1;
  InverseKinematics kinematics(model, frame(model), {.carrier = carrier});
  kinematics.set_rest_from(state.q);
  hand_ = kinematics.pose(state.q).rotation;
  reached_ = kinematics.solve({hand_, end}, state.q).reached;
  target_ = end;
  arm_.emplace(model, servos_, frame(model), carrier);
  arm_->start(state);
}

void StickArm::lead(const World& world, const Vec3& end, Drive& drive, double yaw) {
  error_ = std::max(error_, norm(arm_->pose(world.state().q).position - target_));
  const Mat3 hand = yaw == 0 ? hand_ : to_matrix(exp_rotation({0, 0, yaw})) * hand_;
  reached_ = arm_->follow(world.state(), {hand, end}, world.dt(), 0, drive.control) && reached_;
  target_ = end;
}

}  // namespace uzawa::scenarios
