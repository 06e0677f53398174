#include "uzawa/papers/scene_figures.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

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

}  // namespace

double SceneFigures::median_residual() const { return bench::median(residual); }
double SceneFigures::worst_residual() const { return *std::max_element(residual.begin(), residual.end()); }

SceneFigures follow(scenarios::SceneRun& scene, int steps, std::vector<Case>* cases, int wanted) {
  SceneFigures out{.steps = steps};
  const int every = std::max(1, steps / std::max(1, wanted));
  StageTimes sum;
  double solving = 0;
  int solves = 0;
  Jitter jitter;
  for (int i = 1; i <= steps; ++i) {
    const bool sampled = cases != nullptr && i % every == 0;
    const World::Snapshot before = sampled ? scene.world().save() : World::Snapshot{};
    const CpuShare share;
    const StepReport& done = scene.step();
    const StageTimes times = scaled(done.times, share.now());
    sum += times;
    if (done.constraints > 0) solving += times.solve, solves += 1 + done.resolves;
    if (sampled && done.constraints > 0) cases->push_back(case_of(scene.world(), before));
    out.jammed += done.status == StepStatus::Jammed ? 1 : 0;
    out.unsolved += is_solved(done.status) ? 0 : 1;
    out.contacts += static_cast<double>(done.contacts) / steps;
    out.most_contacts = std::max(out.most_contacts, done.contacts);
    out.time.push_back(scene.world().state().time);
    out.residual.push_back(done.residual);
    out.penetration = std::max(out.penetration, done.penetration);
    jitter.add(scene.world().state().v);
  }
  out.cost = scaled(sum, 1.0 / steps);
  out.solve = solves > 0 ? solving / solves : 0;
  out.jitter = jitter.median();
  out.outcome = scene.check();
  return out;
}

int SweepCost::sweeps_in(double seconds) const {
  return sweep > 0 ? std::max(1, static_cast<int>(std::lround((seconds - setup) / sweep))) : 1;
}

SweepCost sweep_cost(const std::vector<Case>& cases) {
  constexpr int kFew = 10, kMany = 60;
  if (cases.empty()) return {};
  Workspace workspace;
  Result result;
  const auto mean_of = [&](int sweeps) {
    // No residual is below -1: all sweeps are done.
    const Settings settings{.tolerance = -1, .siconos_too = false, .max_iterations = sweeps};
    return bench::seconds([&] {
             for (const Case& one : cases) {
               workspace.start = one.start;
               solve_islands(find_solver("pgs"), one.problem, settings, workspace, result);
             }
           }) /
           static_cast<double>(cases.size());
  };
  mean_of(kFew);  // memory is allocated
  const double few = mean_of(kFew), many = mean_of(kMany);
  const double sweep = (many - few) / (kMany - kFew);
  return {few - kFew * sweep, sweep};
}

}  // namespace uzawa::papers
