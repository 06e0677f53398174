#include "uzawa/papers/soft_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "uzawa/base/timing.hpp"
#include "uzawa/problem/block_matrix.hpp"

namespace uzawa::papers {

SoftScene mat_scene() { return {"soft-mat", {"cells=8"}, 1e-4}; }
SoftScene ball_scene() { return {"soft-ball", {"layers=3"}, 1e-5}; }
SoftScene cable_scene() { return {"cable-winding", {"links=60", "turns=0.25"}, 1e-4}; }
SoftScene gripper_scene() { return {"soft-gripper", {"cell=8e-3"}, 1e-6}; }

std::vector<SoftCase> soft_cases(const SoftScene& scene, const Options& options,
                                 const std::vector<std::string>& changes) {
  const scenarios::Description& description = *scenarios::find_scene(scene.name);
  scenarios::Parameters parameters(description.parameters);
  for (const std::string& change : changes) parameters.set(change);
  if (options.quick) {
    for (const std::string& change : scene.small) parameters.set(change);
  }
  if (changes.empty()) parameters.set("random", 1);
  const int trials = options.cases(scene.trials, 1), samples = options.cases(scene.samples, 2);
  std::vector<SoftCase> out;
  Workspace workspace;
  Result truth;
  for (int trial = 1; trial <= trials; ++trial) {
    scenarios::SceneRun run(description, parameters, static_cast<std::uint64_t>(trial));
    const int steps = static_cast<int>(run.times().check_time / run.world().dt() * (options.quick ? 0.2 : 1));
    for (Case& one : sampled_cases(run, steps, std::max(1, steps / samples), options)) {
      workspace.start = one.start;
      solve_islands(find_solver("auto"), one.problem, {.tolerance = 1e-12, .require_siconos = false}, workspace, truth);
      out.push_back({std::move(one), truth.v});
    }
  }
  return out;
}

Contender published_cond(double threshold, bool chebyshev) {
  Contender out{chebyshev ? "COND as published" : "without Chebyshev", "cond", {}, plot::Color::Blue, true};
  CondSettings& cond = out.settings.cond;
  cond.surrogate = CondSurrogate::Frobenius;
  cond.acceleration = chebyshev ? CondAcceleration::Chebyshev : CondAcceleration::None;
  cond.lag = CondLag::None;
  cond.stop = CondStop::VelocityChange;
  cond.velocity_change = threshold;
  cond.exact_blocks = false;
  return out;
}

std::vector<Contender> equal_error_contenders() {
  const Settings settings{.tolerance = kEqualError, .require_siconos = false};
  Settings pgs = settings, apgd = settings, free = settings;
  pgs.max_iterations = apgd.max_iterations = free.max_iterations = 2000;
  pgs.pgs.form = apgd.apgd.form = DelassusForm::Explicit;
  free.apgd.form = DelassusForm::MatrixFree;
  return {{"COND", "cond", settings, plot::Color::Blue},
          {"PGS, explicit", "pgs", pgs, plot::Color::Orange},
          {"APGD, explicit", "apgd", apgd, plot::Color::Green},
          {"APGD, matrix-free", "apgd", free, plot::Color::Green, true},
          {"auto", "auto", settings, plot::Color::Violet}};
}

namespace {

/// m, of the deepest contact at the end of the step: its gap and what the velocity makes of it.
double penetration(const Problem& problem, const std::vector<double>& v) {
  std::vector<double> u(static_cast<std::size_t>(problem.rows));
  constraint_rows(problem).multiply(v, u);
  double deepest = 0;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto c = static_cast<std::size_t>(i);
    const double normal = u[static_cast<std::size_t>(problem.contacts.row[c]) + 2] + problem.contacts.e[c].z();
    deepest = std::max(deepest, -normal);
  }
  return deepest * problem.dt;
}

double force_error(const Problem& problem, const std::vector<double>& v, const std::vector<double>& truth) {
  std::vector<double> difference(v.size()), force(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) difference[i] = v[i] - truth[i];
  multiply(problem, difference, force);
  double sum = 0;
  for (const double f : force) sum += f * f;
  return std::sqrt(sum) / problem.dt;
}

}  // namespace

SoftFigures measure(const std::vector<SoftCase>& cases, const Contender& contender, const Options& options) {
  Workspace workspace;
  Result result;
  SoftFigures mean;
  const double share = 1 / static_cast<double>(cases.size());
  for (const SoftCase& one : cases) {
    options.beat();
    const Problem& problem = one.one.problem;
    workspace.start = one.one.start;
    mean.milliseconds += share * 1e3 * bench::seconds([&] {
                           solve_islands(find_solver(contender.solver), problem, contender.settings, workspace, result);
                         });
    mean.iterations += share * std::max(result.stats.iterations, result.stats.inner_iterations);
    mean.penetration += share * penetration(problem, result.v);
    mean.force_error += share * force_error(problem, result.v, one.velocity);
    mean.residual += share * result.verdict.residual;
    mean.reached += result.verdict.residual <= kEqualError ? 1 : 0;
  }
  return mean;
}

}  // namespace uzawa::papers
