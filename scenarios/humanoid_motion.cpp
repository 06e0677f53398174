#include "uzawa/scenarios/humanoid_motion.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/models.hpp"

namespace uzawa::scenarios {

namespace {

constexpr std::size_t kFirstLeg = 8, kLegJoints = 6;              // among the actuators: head, arms, legs
constexpr std::size_t kHipPitch = 2, kKnee = 3, kAnklePitch = 4;  // of a leg
constexpr const char* kFeet[] = {"robot/left_foot", "robot/right_foot"};

Model robot() { return load_model(models_folder() / "humanoid.xml").model; }

}  // namespace

HumanoidMotion::HumanoidMotion(double mu) : mu_(mu) {
  const Model model = robot();
  const std::span<const double> control = model.keyframe_control(model.keyframe("home"));
  home_.assign(control.begin(), control.end());
}

ModelSpec HumanoidMotion::model() const {
  ModelSpec spec = ground(mu_);
  spec.geoms.front().priority = 1;
  add_model(spec, robot().spec(), "robot/", {});
  return spec;
}

void HumanoidMotion::start(const Model& model, State& state) {
  const Model alone = robot();
  state.q = alone.keyframe_state(alone.keyframe("home")).q;
  first_ = lowest_ = state.q[2];
  for (const BodySpec& body : model.spec().bodies) weight_ += body.mass * kGravity;
  DynamicsData data(model);
  forward_kinematics(model, state.q, data);
  for (std::size_t side = 0; side < 2; ++side) {
    heels_[side] = heel(body_pose(model, data, model.body(kFeet[side])));
  }
}

void HumanoidMotion::drive(const World& world, Drive& drive) {
  drive.control = home_;
  const std::array<Leg, 2> asked = legs(world.state().time);
  for (std::size_t side = 0; side < 2; ++side) {
    double* leg = &drive.control[kFirstLeg + kLegJoints * side];
    leg[kHipPitch] = asked[side].back - asked[side].bend;
    leg[kKnee] = 2 * asked[side].bend;
    leg[kAnklePitch] = -asked[side].back - asked[side].bend - asked[side].toe_up;
  }
}

void HumanoidMotion::watch(const World& world) {
  steps_.watch(world);
  const State& state = world.state();
  const Model& model = world.model();
  lowest_ = std::min(lowest_, state.q[2]);
  upright_ = std::min(upright_, rotate(Quat::from(&state.q[3]), {0, 0, 1}).z());
  DynamicsData data(model);
  forward_kinematics(model, state.q, data);
  for (std::size_t side = 0; side < 2; ++side) {
    const Pose foot = body_pose(model, data, model.body(kFeet[side]));
    sole_pitch_[side] = std::asin(std::clamp((foot.rotation * Vec3{1, 0, 0}).z(), -1.0, 1.0));
    const Vec3 moved = heel(foot) - heels_[side];
    slip_ = std::max(slip_, std::hypot(moved.x(), moved.y()));
  }
  const std::array<double, 2> from_to = weighing();
  if (state.time < from_to[0] || state.time > from_to[1]) return;
  for (const int row : world.problem().contacts.row) force_ += world.result().lambda[static_cast<std::size_t>(row) + 2];
  weighed_ += world.dt();
}

Findings HumanoidMotion::common(const World& /*world*/, double slip) const {
  Findings findings;
  findings.at_least("cosine of the trunk's tilt", upright_, 0.97, {""})
      .below("slip of the heels", slip_, slip, kMillimetres)
      .below("penetration", steps_.penetration(), 1e-3, kMillimetres)
      .well_solved(steps_);
  if (weighed_ > 0)
    findings.near("mean force of the floor over the weight", force_ / weighed_ / weight_, 1, 0.02, kPercent);
  return findings;
}

}  // namespace uzawa::scenarios
