#include "scenarios/scene_cases.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa::scenarios {

SceneRun prepare(const Case& c, std::uint64_t seed) {
  const Description& description = *find_scene(c.scene);
  Parameters parameters(description.parameters);
  for (const std::string& change : c.changes) parameters.set(change);
  SimSettings settings = SceneRun::settings(description, parameters);
  settings.solver = c.solver;
  settings.solve.max_iterations = c.most_iterations;
  settings.solve.threads = c.threads;
  settings.smooth = c.smooth;
  if (c.dt > 0) settings.dt = c.dt;
  return {description, parameters, seed, settings};
}

SceneRun run_for(const Case& c, std::uint64_t seed, StepCounts* counts) {
  SceneRun run = prepare(c, seed);
  const double time = c.time > 0 ? c.time : run.times().check_time;
  const long steps = std::lround(time / run.world().dt());
  for (long i = 0; i < steps; ++i) {
    const StepReport& report = run.step();
    if (counts == nullptr) continue;
    counts->unsolved += is_solved(report.status) ? 0 : 1;
    counts->deepest = std::max(counts->deepest, report.penetration);
  }
  return run;
}

}  // namespace uzawa::scenarios
