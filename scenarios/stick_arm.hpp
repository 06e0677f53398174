#pragma once

#include <optional>
#include <string>
#include <vector>

#include "uzawa/control/arm.hpp"
#include "uzawa/model/model.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::scenarios {

struct StickOptions {
  const char* robot = "panda_arm.xml";  ///< of models_folder()
  const char* carrier = "";             ///< body that the arm stands on and that others drive; empty: the ground
  std::string prefix;                   ///< of all names, for several robots
  double length = 0.2, radius = 3e-3;   ///< m, of the stick
  bool touches = false;                 ///< things touch the stick
  double mu = 0;                        ///< friction of the stick
  double stiffer = 1;                   ///< multiplies the joint impedances of soften_panda
};

/// A Panda arm without fingers that leads the end of a stick on its flange along a path. At home the stick points down.
class StickArm {
 public:
  explicit StickArm(StickOptions options);

  /// Adds the robot at a position and the stick, after the other pieces of a scene; returns the body of the flange.
  int add(ModelSpec& spec, const Vec3& position = {}) const;
  /// End of the stick in the frame of the flange's body, m.
  Vec3 tip() const;
  /// Orientation of the stick's frame in the home posture of the robot by itself.
  const Mat3& home() const { return home_; }
  /// Takes the home posture with the first joint turned by `turn` (rad), then the posture near it in which the end of
  /// the stick is at `end`, with that orientation.
  void start(const Model& model, State& state, const Vec3& end, double turn = 0);
  /// Leads the end of the stick to a place within this step; it keeps its orientation, or that and `yaw` about the
  /// vertical.
  void lead(const World& world, const Vec3& end, Drive& drive, double yaw = 0);
  /// All targets so far were in reach.
  bool reached() const { return reached_; }
  /// m, farthest that the end of the stick has been from its target at the beginning of a step.
  double error() const { return error_; }

 private:
  std::string name(const char* element) const { return options_.prefix + element; }
  LinkFrame frame(const Model& model) const;

  StickOptions options_;
  Model robot_;
  std::vector<std::string> servos_;
  Mat3 home_, hand_;  ///< orientations of the stick: at home; at the start
  std::optional<ArmControl> arm_;
  Vec3 target_;
  bool reached_ = true;
  double error_ = 0;
};

}  // namespace uzawa::scenarios
