#pragma once

#include <string>
#include <vector>

#include "uzawa/plot/figure.hpp"
#include "uzawa/scenarios/scene.hpp"

/// What several benches do: run a scene with a method, and note something after every step.
namespace uzawa::papers {

/// A method with the settings under which it is compared, and how it is drawn.
struct Contender {
  std::string label;
  std::string solver;
  Settings settings = {};
  plot::Color color = plot::Color::Blue;
  bool dashed = false;
};

/// A scene by name with some parameters changed, its steps solved by this contender; `dt` 0: the scene's.
scenarios::SceneRun start_scene(const char* name, const std::vector<std::string>& changes, const Contender& contender,
                                bool warm_start = true, double dt = 0);
/// Gives a run that has not begun other settings.
void start_again(scenarios::SceneRun& run, const SimSettings& settings);
/// The same with the default solver.
scenarios::SceneRun start_scene(const char* name, const std::vector<std::string>& changes = {});

/// An empty curve for a contender.
plot::Series curve_of(const Contender& contender);

}  // namespace uzawa::papers
