#include "uzawa/papers/contender.hpp"

namespace uzawa::papers {

using scenarios::Description;
using scenarios::Parameters;
using scenarios::SceneRun;

namespace {

Parameters changed(const Description& scene, const std::vector<std::string>& changes) {
  Parameters parameters(scene.parameters);
  for (const std::string& change : changes) parameters.set(change);
  return parameters;
}

}  // namespace

SceneRun start_scene(const char* name, const std::vector<std::string>& changes, const Contender& contender,
                     bool warm_start, double dt) {
  const Description& scene = *scenarios::find_scene(name);
  const Parameters parameters = changed(scene, changes);
  SimSettings settings = SceneRun::settings(scene, parameters);
  settings.solver = contender.solver;
  settings.solve = contender.settings;
  settings.warm_start = warm_start;
  if (dt > 0) settings.dt = dt;
  return {scene, parameters, 1, settings};
}

SceneRun start_scene(const char* name, const std::vector<std::string>& changes) {
  const Description& scene = *scenarios::find_scene(name);
  return {scene, changed(scene, changes)};
}

void start_again(SceneRun& run, const SimSettings& settings) {
  auto world = std::make_unique<World>(run.world().shared_model(), settings);
  world->set_state(run.world().state());
  run.replace_world(std::move(world));
}

plot::Series curve_of(const Contender& contender) {
  return {.label = contender.label, .color = contender.color, .dashed = contender.dashed};
}

}  // namespace uzawa::papers
