#include "uzawa/sim/step_end.hpp"

#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

void StepEnd::set(std::span<const double> q, std::span<const double> v, double h, std::span<const Pose> mocap) {
  q_ = q;
  v_ = v;
  h_ = h;
  mocap_ = mocap;
  is_made_ = false;
}

std::span<const Pose> StepEnd::poses() {
  if (!is_made_) {
    end_q_.assign(q_.begin(), q_.end());
    end_v_.assign(v_.begin(), v_.end());
    move_on(model_, h_, end_q_, end_v_);
    poses_.resize(model_.links().size());
    link_poses(model_, end_q_, mocap_, poses_);
    is_made_ = true;
  }
  return poses_;
}

}  // namespace uzawa
