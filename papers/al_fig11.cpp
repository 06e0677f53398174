/// Pouring with more and more particles: how time and residual grow with the dofs at a fixed number of iterations.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/base/timing.hpp"
#include "uzawa/papers/cases.hpp"
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"

namespace uzawa::papers {

namespace {

constexpr int kPrinted = 45;  // particles; more are our own

struct Point {
  double milliseconds = 0, residual = 0;  ///< means
};

std::vector<Contender> contenders() {
  Settings canal{.tolerance = 1e-14, .max_iterations = 5}, first_order{.tolerance = 1e-14, .max_iterations = 100};
  canal.canal.polish = canal.canal.anderson = false;
  return {{"CANAL, 5 loops, published form", "canal", canal, plot::Color::Blue},
          {"SubADMM, 100 iterations", "subadmm", first_order, plot::Color::Orange},
          {"PGS, 100 iterations", "pgs", first_order, plot::Color::Green}};
}

/// Steps of the whole task; of its beginning where there are more particles than the paper has.
std::vector<Case> pouring_cases(int particles, const Options& options) {
  scenarios::SceneRun scene =
      start_scene("pouring", {fmt::format("particles={}", particles)}, {"SubADMM", "subadmm", {.max_iterations = 100}});
  const bool whole = particles <= kPrinted && !options.quick;
  return sampled_cases(scene, whole ? 1440 : options.cases(360, 60), whole ? 72 : options.cases(60, 30));
}

Point measure(const std::vector<Case>& cases, const Contender& contender) {
  Workspace workspace;
  Result result;
  std::vector<double> milliseconds, residuals;
  for (const Case& one : cases) {
    workspace.start = one.start;
    const double seconds = bench::seconds(
        [&] { solve_islands(find_solver(contender.solver), one.problem, contender.settings, workspace, result); });
    milliseconds.push_back(1e3 * seconds);
    residuals.push_back(result.verdict.residual);
  }
  return {bench::mean(milliseconds), bench::mean(residuals)};
}

/// Claims and caption, from the curves of CANAL, SubADMM and PGS.
void conclude(const std::vector<int>& counts, const plot::Panel& time, const plot::Panel& residual, Report& report) {
  std::array<double, 3> exponent{}, worst{}, spread{};
  for (std::size_t m = 0; m < exponent.size(); ++m) {
    exponent[m] = bench::fitted_exponent(time.series[m].x, time.series[m].y);
    const auto [least, most] = std::minmax_element(residual.series[m].y.begin(), residual.series[m].y.end());
    worst[m] = *most;
    spread[m] = *most / *least;
  }
  bool ahead = true;
  for (std::size_t i = 0; i < counts.size(); ++i) ahead = ahead && residual.series[1].y[i] < residual.series[2].y[i];
  const double share = residual.series[1].y[0] / residual.series[2].y[0];
  report.claims = {
      {"SubADMM's time grows with an exponent of 1.1 or less", "least of the three", fmt::format("{:.2f}", exponent[1]),
       exponent[1] <= 1.1},
      {"PGS's exponent is above SubADMM's", "SubADMM < PGS < CANAL",
       fmt::format("{:.2f}, {:.2f}, {:.2f}", exponent[1], exponent[2], exponent[0]), exponent[2] > exponent[1]},
      {"CANAL's exponent is below 2", "significantly below 3", fmt::format("{:.2f}", exponent[0]), exponent[0] < 2},
      {"CANAL's residual is below 1e-5", "below 1e-5", fmt::format("{:.1e} at the most", worst[0]), worst[0] < 1e-5},
      {"SubADMM is more accurate than PGS", "about 0.1 x PGS's residual",
       fmt::format("{:.2g} x with {} particles", share, counts.front()), ahead},
      {"the residual does not depend much on the number of particles", "not significantly",
       fmt::format("largest over smallest: CANAL {:.1f}, SubADMM {:.1f}, PGS {:.1f}", spread[0], spread[1], spread[2]),
       *std::max_element(spread.begin(), spread.end()) < 30}};
  report.figure = {.title = "Pouring: time and residual over dofs (al-fig11)",
                   .caption = fmt::format("Fitted exponents of the time: CANAL {:.2f}, SubADMM {:.2f}, PGS {:.2f}.",
                                          exponent[0], exponent[1], exponent[2])};
}

Report run(const Options& options) {
  const std::vector<int> counts = options.quick ? std::vector{9, 18} : std::vector{9, 18, 27, 36, 45, 100, 300, 1000};
  const std::vector<Contender> methods = contenders();
  Report report;
  report.setup =
      "Scene pouring: a robot of 28 dofs takes a bottle and pours its particles into another vessel; beyond 45 the "
      "others lie in that vessel. Steps are taken from the whole task (beyond 45: from its first 1.5 s), with the "
      "impulses of the step before to start from; every method does the number of iterations that the paper gives it. "
      "CPU time of one thread.";
  Table table{"mean time and residual of a step", {"particles", "dofs", "contacts"}, {}};
  plot::Panel time{.title = "time of a step",
                   .x = {.label = "dofs", .scale = plot::Scale::Log},
                   .y = {.label = "time, ms, mean", .scale = plot::Scale::Log}};
  plot::Panel residual{.title = "residual of a step",
                       .x = {.label = "dofs", .scale = plot::Scale::Log},
                       .y = {.label = "residual, mean", .scale = plot::Scale::Log}};
  for (const Contender& method : methods) {
    table.columns.push_back(method.label + ", ms");
    table.columns.emplace_back("residual");
    for (plot::Panel* panel : {&time, &residual}) {
      panel->series.push_back(curve_of(method));
      panel->series.back().dots = true;
    }
  }
  double done = 0;
  for (const int particles : counts) {
    const std::vector<Case> cases = pouring_cases(particles, options);
    double contacts = 0;
    for (const Case& one : cases) contacts += one.problem.contacts.size() / static_cast<double>(cases.size());
    const double dofs = cases.front().problem.n();
    std::vector<Cell>& row =
        table.rows.emplace_back(std::vector<Cell>{Cell::of(particles, 4), Cell::of(dofs, 4), Cell::of(contacts)});
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const Point point = measure(cases, methods[m]);
      row.push_back(Cell::of(point.milliseconds));
      row.push_back(Cell::of(point.residual, 2));
      time.series[m].x.push_back(dofs);
      time.series[m].y.push_back(point.milliseconds);
      residual.series[m].x.push_back(dofs);
      residual.series[m].y.push_back(point.residual);
    }
    options.show(++done / static_cast<double>(counts.size()));
  }
  report.tables.push_back(std::move(table));
  report.notes = {
      "Our PGS applies the Delassus operator without forming it where that is cheaper, solves each contact against its "
      "own 3x3 block and starts from the last step's impulses: it is more accurate than the one of the paper, and its "
      "set-up does not grow faster than its sweeps.",
      "Averages are dominated by the steps in which particles collide; the fewer particles, the fewer of those."};
  conclude(counts, time, residual, report);
  report.figure.panels = {std::move(time), std::move(residual)};
  return report;
}

}  // namespace

Bench al_fig11() { return {"al-fig11", "time and residual over the number of poured particles", "[AL] Fig. 11", run}; }

}  // namespace uzawa::papers
