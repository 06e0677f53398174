/// The slowest steps of a run, ours beside MuJoCo's: a simulator that keeps up with time must do so in every step. Both
/// start from the same state and go their own way, one thread each, CPU time of whole steps. Short runs are made
/// several times; the same step has the same work every time (positions are compared bit by bit), and its least time
/// counts, so that caches and pages that are touched for the first time do not. Scenes of ours that MuJoCo has no model
/// of are judged by their own spread and their own check.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "step.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/scenarios/scene.hpp"
#include "worst_scenes.hpp"

namespace uzawa::bench {

namespace {

constexpr int kRuns = 3;
constexpr double kLongRun = 10;  // s; then a step is long, and one run is enough
constexpr double kMostOverMedian = 20, kMostOverMujoco = 3;

/// Least time of each step over all runs, us.
class StepTimes {
 public:
  void start_run() { step_ = 0; }
  void add(double time) {
    if (step_ == us_.size()) us_.push_back(1e6 * time);
    us_[step_] = std::min(us_[step_], 1e6 * time);
    ++step_;
  }
  double quantile(double share) const {
    std::vector<double> sorted = us_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  }
  std::ptrdiff_t worst_step() const { return std::max_element(us_.begin(), us_.end()) - us_.begin() + 1; }
  std::size_t size() const { return us_.size(); }
  double sum() const { return mean(us_) * static_cast<double>(us_.size()) * 1e-6; }  // s

 private:
  std::vector<double> us_;
  std::size_t step_ = 0;
};

struct Row {
  std::string name;
  StepTimes ours, theirs;  ///< theirs may be empty
  double residual = 0;     ///< the worst that is left
  int unsolved = 0;
  double gain = 0;    ///< of energy, J
  std::string wrong;  ///< what the scene's own check says

  void start_run() {
    ours.start_run();
    theirs.start_run();
    residual = gain = 0;
    unsolved = 0;
  }
  void add(const StepReport& report) {
    residual = std::max(residual, report.residual);
    gain = std::max(gain, report.energy.gain);
    unsolved += is_solved(report.status) ? 0 : 1;
  }
};

/// Runs until there are enough; `run` makes one and returns the positions at its end.
template <typename Run>
void repeat(Row& row, Run&& run) {
  std::vector<double> end;
  for (int i = 0; i < kRuns; ++i) {
    row.start_run();
    const std::vector<double> q = run();
    if (i > 0 && q != end) throw std::runtime_error(row.name + ": another run has ended elsewhere");
    end = q;
    if (row.ours.sum() + (row.theirs.size() > 0 ? row.theirs.sum() : 0) > kLongRun) break;
  }
}

Row run_beside_mujoco(const Scene& scene) {
  SceneRun run(scene);
  mjModel* m = run.pair().theirs.get();
  mjData* d = run.pair().their_data.get();
  World world(run.model(), {.solve = {.tolerance = kTolerance}});
  world.set_state(run.start());
  const World::Snapshot start = world.save();
  Row row{scene.name};
  repeat(row, [&] {
    world.restore(start);
    mj_resetData(m, d);
    std::copy(run.start().q.begin(), run.start().q.end(), d->qpos);
    std::copy(run.start().v.begin(), run.start().v.end(), d->qvel);
    std::copy(run.start().activation.begin(), run.start().activation.end(), d->act);
    std::copy(run.control().begin(), run.control().end(), d->ctrl);
    for (int i = 0; i < scene.steps; ++i) {
      row.ours.add(seconds([&] { world.step(run.control()); }));
      row.theirs.add(seconds([&] { mj_step(m, d); }));
      run.check("ours", world.state().q);
      run.check("MuJoCo's", {d->qpos, d->qpos + world.model().nq()});
      row.add(world.report());
    }
    return world.state().q;
  });
  return row;
}

Row run_scenario(const char* name) {
  const scenarios::Description& description = *scenarios::find_scene(name);
  const scenarios::Parameters parameters(description.parameters);
  const SimSettings settings = scenarios::SceneRun::settings(description, parameters);
  Row row{name};
  repeat(row, [&] {
    scenarios::SceneRun run(description, parameters, 1, settings);
    const auto steps = static_cast<int>(run.times().duration / run.world().dt());
    for (int i = 0; i < steps; ++i) {
      row.ours.add(seconds([&] { run.step(); }));
      row.add(run.world().report());
    }
    row.wrong = run.check().wrong;
    return run.world().state().q;
  });
  return row;
}

std::string time_text(double us) {
  return us < 1e4 ? fmt::format("{:.0f} us", us)
                  : (us < 1e7 ? fmt::format("{:.0f} ms", us * 1e-3) : fmt::format("{:.1f} s", us * 1e-6));
}

/// Prints the row; true where both targets hold.
bool judge(const Row& row) {
  const double worst = row.ours.quantile(1), spread = worst / row.ours.quantile(0.5);
  const bool alone = row.theirs.size() == 0;
  const double ratio = alone ? 0 : worst / row.theirs.quantile(1);
  const auto times = [](const StepTimes& t) {
    return t.size() == 0 ? fmt::format("{:>8} {:>8} {:>8}", "-", "-", "-")
                         : fmt::format("{:>8} {:>8} {:>8}", time_text(t.quantile(0.5)), time_text(t.quantile(0.99)),
                                       time_text(t.quantile(1)));
  };
  const bool holds = spread <= kMostOverMedian && ratio <= kMostOverMujoco && row.wrong.empty();
  fmt::print("{:<38} {} (step {:>4}) | {} | {:>6.1f} {:>6} | {:>7.1e} {:>4} of {:>4} | {:>7.1e} | {}\n", row.name,
             times(row.ours), row.ours.worst_step(), times(row.theirs), spread,
             alone ? "-" : fmt::format("{:.2f}", ratio), row.residual, row.unsolved, row.ours.size(), row.gain,
             row.wrong.empty() ? (holds ? "holds" : "missed") : "not as expected: " + row.wrong);
  std::fflush(stdout);
  return holds;
}

}  // namespace

bool compare_worst(const std::string& only) {
  fmt::print(
      "steps: median, 99 %, worst; ours to {:g}, MuJoCo {} with its defaults; targets: worst <= {} x median, <= {} x "
      "MuJoCo's worst\n",
      kTolerance, mujoco_version(), kMostOverMedian, kMostOverMujoco);
  fmt::print("{:<38} {:^38} | {:^26} | {:^13} | {:^20} | {:>7} | targets\n", "scene", "ours", "MuJoCo", "worst over",
             "worst residual,", "gain, J");
  fmt::print("{:<38} {:^38} | {:^26} | {:>6} {:>6} | {:^20} | {:>7} |\n", "", "", "", "median", "MuJoCo",
             "unsolved steps", "");
  int missed = 0;
  const auto run = [&](const std::string& name, auto&& make_row) {
    if (name.find(only) == std::string::npos) return;
    try {
      missed += judge(make_row()) ? 0 : 1;
    } catch (const std::exception& error) {  // the other scenes are worth their rows
      fmt::print("{}\n", error.what());
      ++missed;
    }
  };
  for (const Scene& scene : worst_scenes()) run(scene.name, [&] { return run_beside_mujoco(scene); });
  for (const char* name : {"laikago-drop", "dish-piling-robot"}) run(name, [&] { return run_scenario(name); });
  fmt::print("targets missed on {} scenes\n", missed);
  return missed == 0;
}

}  // namespace uzawa::bench
