#include "uzawa/control/arm.hpp"

#include <algorithm>
#include <cassert>

#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

ArmControl::ArmControl(const Model& model, std::span<const std::string> actuators, const LinkFrame& frame, int carrier)
    : model_(&model),
      frame_(frame),
      // From where the last step left it or not at all: a posture found from elsewhere would be a jump.
      kinematics_(model, frame, {.restarts = 0, .carrier = carrier}),
      impedance_(model, actuators),
      data_(model),
      lift_(static_cast<std::size_t>(model.nv())) {
  const std::span<const int> joints = kinematics_.joints();
  const auto moves = [&](std::size_t i) {
    return model.spec().actuators[static_cast<std::size_t>(model.actuator(actuators[i]))].target == joints[i];
  };
  bool all = joints.size() == actuators.size();
  for (std::size_t i = 0; all && i < joints.size(); ++i) all = moves(i);
  if (!all)
    throw InputError(model.spec().source, "actuators of the arm", "are not those of the joints that move its frame");
  for (std::vector<double>* list : {&position_, &velocity_, &last_velocity_, &acceleration_})
    list->resize(joints.size());
  start(model.reference_state());
}

void ArmControl::start(const State& state) {
  wanted_ = state.q;
  kinematics_.set_rest_from(state.q);
  impedance_.positions(wanted_, position_);
  std::fill(last_velocity_.begin(), last_velocity_.end(), 0.0);
}

/// Joint forces that lift the load.
void ArmControl::carry(const State& state, double load) {
  std::fill(lift_.begin(), lift_.end(), 0.0);
  if (load == 0) return;
  forward_kinematics(*model_, state, data_);
  const Vec3 point = data_.link_pose[static_cast<std::size_t>(frame_.link)] * frame_.local.position;
  add_link_wrench(*model_, data_, frame_.link, point, model_->options().gravity * -load, {}, lift_);
}

bool ArmControl::follow(const State& state, const Pose& target, double dt, double load, std::span<double> control) {
  assert(dt > 0);
  trial_ = state.q;
  for (const int joint : kinematics_.joints()) {
    const auto place = static_cast<std::size_t>(model_->joint_q(joint));
    trial_[place] = wanted_[place];
  }
  const bool reached = kinematics_.solve(target, trial_).reached;
  const std::vector<double>& next = reached ? trial_ : wanted_;
  for (std::size_t i = 0; i < position_.size(); ++i) {
    const auto place = static_cast<std::size_t>(model_->joint_q(kinematics_.joints()[i]));
    velocity_[i] = (next[place] - position_[i]) / dt;
    acceleration_[i] = (velocity_[i] - last_velocity_[i]) / dt;
    position_[i] = next[place];
  }
  if (reached) std::swap(wanted_, trial_);
  last_velocity_ = velocity_;
  carry(state, load);
  impedance_.write(state, {.position = position_, .velocity = velocity_, .acceleration = acceleration_, .extra = lift_},
                   control);
  return reached;
}

}  // namespace uzawa
