#include "uzawa/papers/lcp_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "uzawa/base/timing.hpp"
#include "uzawa/solver/lcp/lcp_methods.hpp"
#include "uzawa/solver/lcp/polyhedral_form.hpp"

namespace uzawa::papers {

namespace {

void count_end(std::string_view end, LcpFrames& out) {
  if (end == "no-solution") {
    ++out.no_solution;
  } else if (end == "cycle") {
    ++out.cycle;
  } else if (end == "error") {
    ++out.error;
  } else {
    ++out.other;
  }
}

int active_contacts(const World& world) {
  const std::vector<int>& rows = world.problem().contacts.row;
  return static_cast<int>(std::count_if(
      rows.begin(), rows.end(), [&](int row) { return world.result().lambda[static_cast<std::size_t>(row) + 2] > 0; }));
}

/// CPU time of pivoting alone: what the paper calls the time of the LCP. A warm start has the impulses of the last
/// step.
class PivotClock {
 public:
  double seconds(const World& world, const Contender& contender, bool warm) {
    const Problem& problem = world.problem();
    PreparedProblem prepared(problem);
    if (!form_.build(prepared, contender.settings.lcp, {})) return 0;
    const LcpOptions options = lcp_options(contender.settings, *find_lcp_method(contender.solver), {});
    if (warm) last_.fill(problem, world.keys(), world.contacts(), start_, least_);
    const double begin = bench::cpu_seconds();
    if (!start_.empty()) form_.set_guess(problem, start_);
    solver_.solve(form_.lcp(), options, answer_);
    const double seconds = bench::cpu_seconds() - begin;
    if (warm) last_.store(problem, world.keys(), world.contacts(), world.result().lambda, world.result().least);
    return seconds;
  }
  /// Of the last solution.
  long basic() const {
    return std::count_if(answer_.z.begin(), answer_.z.end(), [](double z) { return z > 0; });
  }

 private:
  PolyhedralForm form_;
  LcpSolver solver_;
  LcpAnswer answer_;
  WarmStart last_;
  std::vector<double> start_, least_;
};

scenarios::SceneRun start(const LcpRun& from, const Contender& contender) {
  scenarios::SceneRun run = start_scene(from.scene, from.changes, contender, from.warm_start, from.dt);
  if (from.smooth == SmoothRule::Theta) return run;
  SimSettings settings = run.world().settings();
  settings.smooth = from.smooth;
  start_again(run, settings);
  return run;
}

}  // namespace

Contender pivoting(const char* label, const char* solver, double tie, plot::Color color) {
  Settings settings;
  settings.lcp.tie = tie;
  return {label, solver, settings, color};
}

LcpFrames count_frames(const LcpRun& from, const Contender& contender, const Options& options) {
  scenarios::SceneRun run = start(from, contender);
  PivotClock clock;
  LcpFrames out;
  out.curve = curve_of(contender);
  for (int i = 0; i < from.steps && !out.fell; ++i) {
    const StepReport& report = run.step();
    options.beat();
    const World& world = run.world();
    out.fell = report.status == StepStatus::Failed;
    const PolyhedralReport& end = world.result().polyhedral;
    if (report.contacts == 0 || !end.used) continue;
    ++out.frames;
    if (end.solved) {
      ++out.solved;
    } else {
      count_end(end.end, out);
    }
    out.contacts += report.contacts;
    out.active += active_contacts(world);
    out.pivots += world.result().stats.iterations;
    out.lcp_ms += 1e3 * clock.seconds(world, contender, from.warm_start);
    out.basic += static_cast<double>(clock.basic());
    out.solve_ms += 1e3 * report.times.solve;
    out.step_ms += 1e3 * report.times.total();
    out.curve.x.push_back(world.state().time);
    out.curve.y.push_back(world.result().stats.iterations);
  }
  const double frames = std::max(1, out.frames);
  for (double* mean : {&out.contacts, &out.active, &out.basic, &out.lcp_ms, &out.solve_ms, &out.step_ms})
    *mean /= frames;
  return out;
}

Table frames_table(const std::string& title, const std::vector<std::pair<std::string, LcpFrames>>& found) {
  Table table{title,
              {"method", "contacts", "active", "frames", "success", "failure", "no solution", "cycle", "error", "limit",
               "pivots", "basic z", "LCP, ms", "solve, ms", "step, ms"},
              {}};
  for (const auto& [name, f] : found) {
    const auto whole = [](long number) { return Cell::of(static_cast<double>(number), 9); };
    table.rows.push_back({f.fell ? name + " (breaks off)" : name, Cell::of(f.contacts), Cell::of(f.active),
                          whole(f.frames), whole(f.solved), whole(f.failures()), whole(f.no_solution), whole(f.cycle),
                          whole(f.error), whole(f.other), whole(f.pivots), Cell::of(f.basic), Cell::of(f.lcp_ms),
                          Cell::of(f.solve_ms), Cell::of(f.step_ms)});
  }
  return table;
}

}  // namespace uzawa::papers
