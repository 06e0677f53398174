#pragma once

#include <string>
#include <vector>

#include "uzawa/scenarios/scene.hpp"

namespace uzawa::scenarios {

/// A run of a scene.
struct Case {
  const char* scene;
  std::vector<std::string> changes = {};
  double time = 0;  ///< s; 0: until it can be judged
  const char* solver = "auto";
  int most_iterations = 0;  ///< 0: the method's own
  double dt = 0;            ///< s; 0: the scene's own
  int threads = 1;
  SmoothRule smooth = SmoothRule::Theta;
};

/// Counted over all steps of a run.
struct StepCounts {
  int unsolved = 0;    ///< not to the tolerance
  double deepest = 0;  ///< m, penetration
};

SceneRun prepare(const Case& c, std::uint64_t seed = 1);
SceneRun run_for(const Case& c, std::uint64_t seed = 1, StepCounts* counts = nullptr);

}  // namespace uzawa::scenarios
