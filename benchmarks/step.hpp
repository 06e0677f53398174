#pragma once

#include "model_pair.hpp"
#include "step_scenes.hpp"
#include "uzawa/sim/world.hpp"

/// The tables of benchmark_step, one a file.
namespace uzawa::bench {

inline constexpr double kTolerance = 1e-6;  // what our solver is asked for; MuJoCo has its default

/// A scene on both sides, at its start.
class SceneRun {
 public:
  explicit SceneRun(const Scene& scene);

  const Scene& scene() const { return scene_; }
  ModelPair& pair() { return pair_; }
  const Model& model() const { return pair_.ours.model; }
  const State& start() const { return start_; }
  std::span<const double> control() const { return control_; }
  /// Throws with the scene's name where the positions are not what they should be.
  void check(const std::string& who, const std::vector<double>& q) const;

 private:
  const Scene& scene_;
  ModelPair pair_;
  State start_;
  std::vector<double> control_;
};

/// Ours against MuJoCo; false where the target is missed on a scene.
bool compare_with_mujoco(const std::string& only);
/// CANAL, SubADMM and `auto` over size, density and mass spread of the islands.
void compare_methods(const std::string& only);
/// Cold starts against warm ones.
void compare_starts(const std::string& only);
/// The slowest steps beside MuJoCo's; false where a target is missed on a scene.
bool compare_worst(const std::string& only);
/// The scenes of [SUB] on one thread and on two; throws where a bit differs.
void compare_threads(const std::string& only);
/// A million steps; false where memory grows, a step fails, or energy or a stack drifts.
bool run_long();

}  // namespace uzawa::bench
