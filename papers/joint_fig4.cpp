/// Residuals while a Panda with joint friction and stops carries a box under random actuation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/base/timing.hpp"
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"
#include "uzawa/papers/worst_of_stretches.hpp"

namespace uzawa::papers {

namespace {

constexpr double kAsked = 1e-12;
constexpr int kIterations = 100;       // of the first-order methods
constexpr std::size_t kPlotted = 120;  // points of a curve

struct Method {
  Contender contender;
  double paper;  ///< residual that it reaches there; 0: not given
};

std::array<Method, 3> methods() {
  const Settings first_order{.tolerance = kAsked, .max_iterations = kIterations};
  return {
      Method{{"CANAL", "canal", {.tolerance = kAsked}}, 1e-12},
      Method{{fmt::format("SubADMM, {} iterations", kIterations), "subadmm", first_order, plot::Color::Orange}, 1e-4},
      Method{{fmt::format("PGS, {} iterations", kIterations), "pgs", first_order, plot::Color::Green}, 0}};
}

/// One run.
struct Figures {
  std::vector<double> time, residuals, solve_us, iterations, newton;
  int limits = 0, contacts = 0;  ///< of a step, at the most

  double median() const { return bench::median(residuals); }
  double worst() const { return *std::max_element(residuals.begin(), residuals.end()); }
  /// Of the steps, %.
  double share_within() const {
    const auto reached = std::count_if(residuals.begin(), residuals.end(), [](double r) { return r <= kAsked; });
    return 100.0 * static_cast<double>(reached) / static_cast<double>(residuals.size());
  }
};

Figures follow(const Contender& contender, int steps) {
  scenarios::SceneRun scene = start_scene("franka-box", {}, contender);
  Figures out;
  for (int step = 0; step < steps; ++step) {
    const StepReport& done = scene.step();
    out.time.push_back(scene.world().state().time);
    out.residuals.push_back(done.residual);
    out.solve_us.push_back(1e6 * done.times.solve);
    out.iterations.push_back(done.iterations);
    out.newton.push_back(done.inner_iterations);
    out.limits = std::max(out.limits, scene.world().problem().limits.size());
    out.contacts = std::max(out.contacts, scene.world().problem().contacts.size());
  }
  return out;
}

/// A panel a method, with the paper's residual where it prints one: curves over each other can't be read.
plot::Panel panel_of(const Method& method, const Figures& f) {
  plot::Series curve = curve_of(method.contender);
  curve.label = "worst of a stretch of steps";
  fill_worst_of_stretches(f.time, f.residuals, kPlotted, curve);
  plot::Panel panel{.title = method.contender.label,
                    .x = {.label = "time, s"},
                    .y = {.label = "residual", .scale = plot::Scale::Log, .from = kLeastPlotted, .to = 1e-3},
                    .series = {std::move(curve)}};
  if (method.paper > 0) {
    panel.series.push_back({.label = fmt::format("paper: {:g}", method.paper),
                            .x = {f.time.front(), f.time.back()},
                            .y = {method.paper, method.paper},
                            .color = plot::Color::Grey,
                            .dashed = true});
  }
  return panel;
}

Report run(const Options& options) {
  Report report;
  const int steps = options.cases(1200, 60);
  report.setup = fmt::format(
      "Scene franka-box: a Panda with dry friction and stops in all joints carries a box on a tray; random targets for "
      "its servos. {} steps of 1/240 s, each method in a run of its own, asked for a residual of {:g}. Loops and "
      "iterations are those of the hardest island of a step, Newton steps those of all islands; CANAL takes Newton "
      "steps before its first loop, and most steps need no loop.",
      steps, kAsked);
  report.figure = {.title = "Residual under random actuation (joint-fig4)",
                   .caption =
                       "A Panda with joint friction and stops carries a box; one run a method. Each point is the "
                       "worst residual of a stretch of steps."};
  Table table{"residual of the steps",
              {"method", "paper", "median", "worst", fmt::format("steps <= {:g}, %", kAsked),
               "loops or iterations, median", "Newton steps, median", "solve, us, median"},
              {}};
  std::vector<Figures> found;
  for (const Method& method : methods()) {
    const Figures& f = found.emplace_back(follow(method.contender, steps));
    table.rows.push_back({method.contender.label, method.paper > 0 ? Cell::of(method.paper) : "not given",
                          Cell::of(f.median(), 2), Cell::of(f.worst(), 2), Cell::of(f.share_within()),
                          Cell::of(bench::median(f.iterations)), Cell::of(bench::median(f.newton)),
                          Cell::of(bench::median(f.solve_us))});
    report.figure.panels.push_back(panel_of(method, f));
    options.show(static_cast<double>(found.size()) / 3);
  }
  report.tables.push_back(std::move(table));
  const Figures &canal = found[0], &subadmm = found[1];
  report.claims = {
      {"CANAL reaches 1e-12 in the median", "1e-12",
       fmt::format("{:.1e} median, {:.1f} % of the steps within 1e-12, {:.1e} worst", canal.median(),
                   canal.share_within(), canal.worst()),
       canal.median() <= kAsked},
      {"SubADMM reaches 1e-4 or better in every step", "1e-4",
       fmt::format("{:.1e} median, {:.1e} worst", subadmm.median(), subadmm.worst()), subadmm.worst() <= 1e-4}};
  report.notes = {fmt::format(
      "All three kinds of constraints are there: up to {} contacts, joints with friction, up to {} joints near their "
      "stops.",
      canal.contacts, canal.limits)};
  return report;
}

}  // namespace

Bench joint_fig4() { return {"joint-fig4", "residual under random actuation", "[JOINT] Fig. 4", run}; }

}  // namespace uzawa::papers
