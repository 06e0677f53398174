#pragma once

#include <span>
#include <string_view>

#include "uzawa/model/model.hpp"

namespace uzawa {

/// Force-controlled gripper: its fingers close until they touch an object and hold it by friction.
/// Its actuator is a force drive (set_force_drive) on a joint or tendon that grows as the gripper opens.
class Gripper {
 public:
  /// `rate`: N/s, bound on the change of the force; a step of the force would be an impact.
  /// Throws InputError where the actuator does not exist or is no force drive.
  Gripper(const Model& model, std::string_view actuator, double rate = 400);

  /// Target force, N at the actuator; bounded by its force range.
  void close(double force) { wanted_ = -force; }
  void open(double force) { wanted_ = force; }
  /// Advances the force by `dt` seconds and writes it to the actuator's control. Once a step.
  void write(double dt, std::span<double> control);
  double force() const { return force_; }  ///< N, of the last write; negative closes

 private:
  int actuator_;
  double rate_, wanted_ = 0, force_ = 0;
};

}  // namespace uzawa
