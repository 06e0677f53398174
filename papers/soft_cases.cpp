/// Problems of [COND]'s soft scenes: steps of randomised trials, or of one run.
#include <algorithm>
#include <utility>

#include "uzawa/papers/soft_study.hpp"

namespace uzawa::papers {

SoftScene mat_scene() { return {"soft-mat", {"cells=8"}, 1e-4}; }
SoftScene ball_scene() { return {"soft-ball", {"layers=3"}, 1e-5}; }
SoftScene cable_scene() { return {"cable-winding", {"links=60", "turns=0.25"}, 1e-4}; }
SoftScene gripper_scene() { return {"soft-gripper", {"cell=8e-3"}, 1e-6}; }

namespace {

using scenarios::Drive;
using scenarios::Parameters;
using scenarios::SceneRun;

constexpr double kQuickShare = 0.2;  // of the task that a quick run goes through

/// Where a trial begins, and what drives it from there.
struct Moment {
  World::Snapshot begin;
  std::vector<Drive> drives;
};

Parameters parameters_of(const SoftScene& scene, const Options& options, const std::vector<std::string>& changes) {
  Parameters parameters(scenarios::find_scene(scene.name)->parameters);
  for (const std::string& change : changes) parameters.set(change);
  if (options.quick) {
    for (const std::string& change : scene.small) parameters.set(change);
  }
  return parameters;
}

/// The scene's own runs are solved no better than the methods that are compared: that is enough for its motion.
SceneRun start(const SoftScene& scene, const Parameters& parameters, std::uint64_t seed) {
  const scenarios::Description& description = *scenarios::find_scene(scene.name);
  SimSettings settings = SceneRun::settings(description, parameters);
  settings.solve.tolerance = kEqualError;
  return {description, parameters, seed, settings};
}

/// `count` moments, spread evenly over the run, the last of which has its steps at its end.
std::vector<Moment> moments_of(SceneRun& leader, int count, const Options& options) {
  const double share = options.quick ? kQuickShare : 1;
  const int steps = static_cast<int>(leader.times().check_time / leader.world().dt() * share);
  std::vector<Moment> moments;
  for (int k = 0, ends = 0; k < steps; ++k) {
    options.beat();
    if (k == (static_cast<int>(moments.size()) + 1) * steps / count - kTrialSteps) {
      moments.push_back({leader.world().save(), {}});
      ends = k + kTrialSteps;
    }
    leader.step();
    if (k < ends) moments.back().drives.push_back(leader.drive());
  }
  return moments;
}

}  // namespace

std::vector<SoftCase> trial_cases(const SoftScene& scene, const Options& options) {
  SceneRun leader = start(scene, parameters_of(scene, options, {}), 1);
  const std::vector<Moment> moments = moments_of(leader, options.cases(scene.trials, 2), options);
  const Parameters drawn = parameters_of(scene, options, {"random=1"});
  std::vector<SoftCase> out;
  for (std::size_t trial = 0; trial < moments.size(); ++trial) {
    options.beat();
    const Moment& moment = moments[trial];
    SceneRun run = start(scene, drawn, trial + 1);
    World& world = run.world();
    world.restore(moment.begin);
    for (std::size_t k = 0; k + 1 < moment.drives.size(); ++k) {
      world.step(moment.drives[k].control, moment.drives[k].external);
    }
    SoftCase one{next_case(world, moment.drives.back()), world.state().time, {}};
    if (one.one.problem.rows > 0) out.push_back(std::move(one));
  }
  return out;
}

std::vector<SoftCase> run_cases(const SoftScene& scene, const Options& options,
                                const std::vector<std::string>& changes) {
  SceneRun run = start(scene, parameters_of(scene, options, changes), 1);
  std::vector<SoftCase> out;
  for (const Moment& moment : moments_of(run, options.cases(scene.trials, 2), options)) {
    World& world = run.world();
    world.restore(moment.begin);
    world.step(moment.drives[0].control, moment.drives[0].external);
    SoftCase one{next_case(world, moment.drives[1]), world.state().time, {}};
    if (one.one.problem.rows > 0) out.push_back(std::move(one));
  }
  return out;
}

int add_solutions(std::vector<SoftCase>& cases, const Options& options) {
  Workspace workspace;
  Result result;
  for (SoftCase& one : cases) {
    options.beat();
    workspace.start = one.one.start;
    solve_islands(find_solver("auto"), one.one.problem, {.tolerance = kAsked, .require_siconos = false}, workspace,
                  result);
    if (result.verdict.residual <= kSolved) one.velocity = result.v;
  }
  const auto unsolved =
      std::remove_if(cases.begin(), cases.end(), [](const SoftCase& one) { return one.velocity.empty(); });
  const auto count = static_cast<int>(cases.end() - unsolved);
  cases.erase(unsolved, cases.end());
  return count;
}

}  // namespace uzawa::papers
