#include "uzawa/papers/scene_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "uzawa/base/error.hpp"
#include "uzawa/base/timing.hpp"

namespace uzawa::papers {

namespace {

StageTimes scaled(const StageTimes& t, double factor) {
  return {.dynamics = factor * t.dynamics,
          .collision = factor * t.collision,
          .assembly = factor * t.assembly,
          .solve = factor * t.solve,
          .integrate = factor * t.integrate};
}

/// From wall time to CPU time: which share of the time since it was made the thread has had. Where others have the
/// processor in the middle of a step, all stages of that one step are cut alike.
class CpuShare {
 public:
  double now() const {
    return (bench::cpu_seconds() - cpu_) / std::chrono::duration<double>(Clock::now() - wall_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point wall_ = Clock::now();
  double cpu_ = bench::cpu_seconds();
};

/// Of each step, the root mean square over the dofs of v_{k+1} - 2 v_k + v_{k-1}.
class Jitter {
 public:
  void add(const std::vector<double>& v) {
    if (earlier_.size() == v.size()) {
      double squares = 0;
      for (std::size_t d = 0; d < v.size(); ++d) {
        const double bend = v[d] - 2 * last_[d] + earlier_[d];
        squares += bend * bend;
      }
      steps_.push_back(std::sqrt(squares / static_cast<double>(v.size())));
    }
    earlier_ = std::exchange(last_, v);
  }
  double median() const { return steps_.empty() ? 0 : bench::median(steps_); }

 private:
  std::vector<double> last_, earlier_, steps_;
};

/// False where the scene can't go on, for the reason that is left in `end`: what was badly solved may fly apart until
/// its controller has no numbers any more.
bool try_step(scenarios::SceneRun& scene, std::string& end) {
  try {
    if (scene.step().status == StepStatus::Failed) end = "no finite velocities were found";
  } catch (const InputError& error) {
    end = error.what();
  }
  return end.empty();
}

}  // namespace

double SceneFigures::median_residual() const { return residual.empty() ? 1 : bench::median(residual); }
double SceneFigures::worst_residual() const {
  return residual.empty() ? 1 : *std::max_element(residual.begin(), residual.end());
}

SceneFigures follow(scenarios::SceneRun& scene, int steps, const Options& options, std::vector<Case>* cases,
                    int wanted) {
  const int every = std::max(1, steps / std::max(1, wanted));
  SceneFigures out{.steps = steps};
  StageTimes sum;
  double solving = 0;
  int solves = 0;
  Jitter jitter;
  const CpuShare whole;
  std::string end;
  for (int i = 1; i <= steps; ++i) {
    options.beat();
    const bool sampled = cases != nullptr && i % every == 0;
    const World::Snapshot before = sampled ? scene.world().save() : World::Snapshot{};
    const CpuShare share;
    if (!try_step(scene, end)) break;
    const StepReport& done = scene.world().report();
    const StageTimes times = scaled(done.times, share.now());
    sum += times;
    if (done.constraints > 0) solving += times.solve, solves += 1 + done.resolves;
    if (sampled && done.constraints > 0) cases->push_back(case_of(scene.world(), before));
    out.worst_solve = std::max(out.worst_solve, times.solve);
    out.capped += done.status == StepStatus::Capped ? 1 : 0;
    out.unsolved += is_solved(done.status) ? 0 : 1;
    out.contacts += static_cast<double>(done.contacts) / steps;
    out.most_contacts = std::max(out.most_contacts, done.contacts);
    out.time.push_back(scene.world().state().time);
    out.residual.push_back(done.residual);
    out.penetration = std::max(out.penetration, done.penetration);
    jitter.add(scene.world().state().v);
  }
  out.processor_share = whole.now();
  out.cost = scaled(sum, 1.0 / steps);
  out.solve = solves > 0 ? solving / solves : 0;
  out.jitter = jitter.median();
  out.outcome = scene.check();
  if (!end.empty()) {
    out.outcome.holds = false;
    out.outcome.measured = fmt::format("the simulation ended in step {}: {}", out.time.size() + 1, end);
  }
  return out;
}

double SolveCosts::sweeps() const { return sweep > 0 ? std::max(1.0, (canal - setup) / sweep) : 1; }

SolveCosts solve_costs(const std::vector<Case>& cases, const Options& options) {
  constexpr int kRounds = 3, kFew = 10, kMany = 60;
  Workspace workspaces[3];
  Result result;
  // No residual is below -1: all sweeps are done.
  const Settings canal{.require_siconos = false},
      few{.tolerance = -1, .require_siconos = false, .max_iterations = kFew},
      many{.tolerance = -1, .require_siconos = false, .max_iterations = kMany};
  const auto time = [&](const char* solver, const Case& one, const Settings& settings, Workspace& workspace) {
    workspace.start = one.start;
    return bench::seconds([&] { solve_islands(find_solver(solver), one.problem, settings, workspace, result); });
  };
  double sums[3] = {};
  for (const Case& one : cases) {
    options.beat();
    double best[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int round = 0; round < kRounds; ++round) {
      best[0] = std::min(best[0], time("canal", one, canal, workspaces[0]));
      best[1] = std::min(best[1], time("pgs", one, few, workspaces[1]));
      best[2] = std::min(best[2], time("pgs", one, many, workspaces[2]));
    }
    for (int i = 0; i < 3; ++i) sums[i] += best[i] / static_cast<double>(cases.size());
  }
  const double sweep = (sums[2] - sums[1]) / (kMany - kFew);
  return {sums[0], std::max(0.0, sums[1] - kFew * sweep), sweep};
}

}  // namespace uzawa::papers
