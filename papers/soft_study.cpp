#include "uzawa/papers/soft_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "uzawa/base/timing.hpp"
#include "uzawa/problem/block_matrix.hpp"

namespace uzawa::papers {

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
  pgs.max_iterations = apgd.max_iterations = free.max_iterations = kMostIterations;
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

double force_error(const Problem& problem, const std::vector<double>& v, const std::vector<double>& solution) {
  std::vector<double> difference(v.size()), force(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) difference[i] = v[i] - solution[i];
  multiply(problem, difference, force);
  double sum = 0;
  for (const double f : force) sum += f * f;
  return std::sqrt(sum) / problem.dt;
}

}  // namespace

double method_share(const Stats& stats) {
  return 1 - std::clamp(stats.judging_seconds / std::max(stats.seconds, 1e-12), 0.0, 1.0);
}

SoftFigures measure(const std::vector<SoftCase>& cases, const Contender& contender, const Options& options) {
  Workspace workspace;
  Result result;
  SoftFigures mean;
  const double share = 1 / static_cast<double>(cases.size());
  for (const SoftCase& one : cases) {
    options.beat();
    const Problem& problem = one.one.problem;
    workspace.start = one.one.start;
    workspace.start_velocity = one.one.start_velocity;
    const double seconds = bench::seconds(
        [&] { solve_islands(find_solver(contender.solver), problem, contender.settings, workspace, result); });
    mean.judged += share * 1e3 * seconds;
    mean.milliseconds += share * 1e3 * seconds * method_share(result.stats);
    mean.iterations += share * std::max(result.stats.iterations, result.stats.inner_iterations);
    mean.penetration += share * penetration(problem, result.v);
    if (!one.velocity.empty()) mean.force_error += share * force_error(problem, result.v, one.velocity);
    mean.residual += share * result.verdict.residual;
    mean.reached += result.verdict.residual <= kEqualError ? 1 : 0;
  }
  return mean;
}

}  // namespace uzawa::papers
