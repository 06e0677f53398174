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

/// CPU time of pivoting alone, cold: what the paper calls the time of the LCP.
class PivotClock {
 public:
  double seconds(const Problem& problem, const Contender& contender) {
    PreparedProblem prepared(problem);
    if (!form_.build(prepared, contender.settings.lcp, {})) return 0;
    const LcpOptions options = lcp_options(contender.settings, *find_lcp_method(contender.solver), {});
    const double start = bench::cpu_seconds();
    solver_.solve(form_.lcp(), options, answer_);
    return bench::cpu_seconds() - start;
  }

 private:
  PolyhedralForm form_;
  LcpSolver solver_;
  LcpAnswer answer_;
};

}  // namespace

Contender pivoting(const char* label, const char* solver, double tie, plot::Color color) {
  Settings settings;
  settings.lcp.tie = tie;
  return {label, solver, settings, color};
}

LcpFrames count_frames(const char* scene, const std::vector<std::string>& changes, const Contender& contender,
                       int steps, double dt, bool warm_start, const Options& options) {
  scenarios::SceneRun run = start_scene(scene, changes, contender, warm_start, dt);
  PivotClock clock;
  LcpFrames out;
  out.curve = curve_of(contender);
  for (int i = 0; i < steps && !out.fell; ++i) {
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
    out.lcp_ms += 1e3 * clock.seconds(world.problem(), contender);
    out.solve_ms += 1e3 * report.times.solve;
    out.step_ms += 1e3 * report.times.total();
    out.curve.x.push_back(world.state().time);
    out.curve.y.push_back(world.result().stats.iterations);
  }
  const double frames = std::max(1, out.frames);
  for (double* mean : {&out.contacts, &out.active, &out.lcp_ms, &out.solve_ms, &out.step_ms}) *mean /= frames;
  return out;
}

Table frames_table(const std::string& title, const std::vector<std::pair<std::string, LcpFrames>>& found) {
  Table table{title,
              {"method", "contacts", "active", "frames", "success", "failure", "no solution", "cycle", "error", "limit",
               "pivots", "LCP, ms", "solve, ms", "step, ms"},
              {}};
  for (const auto& [name, f] : found) {
    const auto whole = [](long number) { return Cell::of(static_cast<double>(number), 9); };
    table.rows.push_back({f.fell ? name + " (breaks off)" : name, Cell::of(f.contacts), Cell::of(f.active),
                          whole(f.frames), whole(f.solved), whole(f.failures()), whole(f.no_solution), whole(f.cycle),
                          whole(f.error), whole(f.other), whole(f.pivots), Cell::of(f.lcp_ms), Cell::of(f.solve_ms),
                          Cell::of(f.step_ms)});
  }
  return table;
}

}  // namespace uzawa::papers
