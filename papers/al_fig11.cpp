/// Pouring with more and more particles: how time and residual grow with the dofs at a fixed number of iterations.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include "uzawa/base/timing.hpp"
#include "uzawa/papers/cases.hpp"
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"

namespace uzawa::papers {

namespace {

constexpr std::size_t kPrinted = 5;  // of the numbers of particles; the others are our own
constexpr int kSteps = 1440, kEvery = 96, kQuickSteps = 60, kQuickEvery = 30;
constexpr double kMuch = 30;  // ratio of residuals

struct Point {
  double milliseconds = 0, residual = 0;  ///< means
};

std::vector<Contender> contenders() {
  Settings canal{.tolerance = 1e-14, .max_iterations = 5}, first_order{.tolerance = 1e-14, .max_iterations = 100};
  canal.canal.polish = canal.canal.anderson = false;
  return {{"CANAL, 5 loops", "canal", canal, plot::Color::Blue},
          {"SubADMM, 100 iterations", "subadmm", first_order, plot::Color::Orange},
          {"PGS, 100 iterations", "pgs", first_order, plot::Color::Green}};
}

int steps_of(const Options& options) { return options.cases(kSteps, kQuickSteps); }
int every_of(const Options& options) { return options.cases(kEvery, kQuickEvery); }

/// Steps of the task, the same for every number of particles.
std::vector<Case> pouring_cases(int particles, const Options& options) {
  scenarios::SceneRun scene =
      start_scene("pouring", {fmt::format("particles={}", particles)}, {"SubADMM", "subadmm", {.max_iterations = 100}});
  return sampled_cases(scene, steps_of(options), every_of(options), options);
}

Point measure(const std::vector<Case>& cases, const Contender& contender, const Options& options) {
  Workspace workspace;
  Result result;
  std::vector<double> milliseconds, residuals;
  for (const Case& one : cases) {
    options.beat();
    workspace.start = one.start;
    const double seconds = bench::seconds(
        [&] { solve_islands(find_solver(contender.solver), one.problem, contender.settings, workspace, result); });
    milliseconds.push_back(1e3 * seconds);
    residuals.push_back(result.verdict.residual);
  }
  return {bench::mean(milliseconds), bench::mean(residuals)};
}

/// Growth of the time with the dofs: fitted over all, over the paper's numbers of particles, and beyond them.
struct Exponent {
  double all = 0, printed = 0, beyond = 0;

  explicit Exponent(const plot::Series& time) : all(bench::fitted_exponent(time.x, time.y)) {
    const std::span<const double> x = time.x, y = time.y;
    const std::size_t split = std::min(kPrinted, x.size());
    printed = bench::fitted_exponent(x.first(split), y.first(split));
    beyond = split < x.size() ? bench::fitted_exponent(x.subspan(split - 1), y.subspan(split - 1)) : printed;
  }
  std::string text() const {
    return fmt::format("{:.2f} ({:.2f} to the paper's 45 particles, {:.2f} beyond)", all, printed, beyond);
  }
};

/// "2.6, 1.2, ..." for 9, 18, ... particles.
std::string shares(const plot::Series& one, const plot::Series& other) {
  std::string out;
  for (std::size_t i = 0; i < one.y.size(); ++i)
    out += fmt::format("{}{:.2g}", i > 0 ? ", " : "", one.y[i] / other.y[i]);
  return out;
}

/// Claims and caption, from the curves of CANAL, SubADMM and PGS.
void conclude(const plot::Panel& time, const plot::Panel& residual, Report& report) {
  const Exponent canal(time.series[0]), subadmm(time.series[1]), pgs(time.series[2]);
  std::array<double, 3> worst{}, spread{};
  for (std::size_t m = 0; m < worst.size(); ++m) {
    const auto [least, most] = std::minmax_element(residual.series[m].y.begin(), residual.series[m].y.end());
    worst[m] = *most;
    spread[m] = *most / *least;
  }
  const auto [first, second, third] = std::tie(residual.series[0].y, residual.series[1].y, residual.series[2].y);
  bool ahead = true, most_accurate = true;
  for (std::size_t i = 0; i < first.size(); ++i) {
    ahead = ahead && second[i] < third[i];
    most_accurate = most_accurate && first[i] < std::min(second[i], third[i]);
  }
  report.claims = {
      {"SubADMM's time grows with an exponent of 1.1 or less", "least of the three", subadmm.text(),
       subadmm.all <= 1.1},
      {"PGS's exponent is above SubADMM's", "SubADMM < PGS < CANAL",
       fmt::format("PGS {}; SubADMM {:.2f}", pgs.text(), subadmm.all), pgs.all > subadmm.all},
      {"CANAL's exponent is above PGS's and below 2", "above PGS's, significantly below 3", canal.text(),
       canal.all > pgs.all && canal.all < 2},
      {"CANAL's residual is below 1e-5", "below 1e-5", fmt::format("{:.1e} at the most", worst[0]), worst[0] < 1e-5},
      {"CANAL is more accurate than SubADMM and PGS, with every number of particles", "outperforms both",
       fmt::format("over SubADMM's residual: {}; over PGS's: {}", shares(residual.series[0], residual.series[1]),
                   shares(residual.series[0], residual.series[2])),
       most_accurate},
      {"SubADMM is more accurate than PGS, with every number of particles", "about 0.1 x PGS's residual",
       fmt::format("over PGS's residual: {}", shares(residual.series[1], residual.series[2])), ahead},
      {fmt::format("the residual does not depend much on the number of particles: largest over smallest below {:g}",
                   kMuch),
       "not significantly", fmt::format("CANAL {:.1f}, SubADMM {:.1f}, PGS {:.1f}", spread[0], spread[1], spread[2]),
       *std::max_element(spread.begin(), spread.end()) < kMuch}};
  report.figure = {.title = "Pouring: time and residual over dofs (al-fig11)",
                   .caption = fmt::format("Fitted exponents of the time: CANAL {:.2f}, SubADMM {:.2f}, PGS {:.2f}.",
                                          canal.all, subadmm.all, pgs.all)};
}

Report run(const Options& options) {
  const std::vector<int> counts = options.quick ? std::vector{9, 18} : std::vector{9, 18, 27, 36, 45, 100, 300, 1000};
  const std::vector<Contender> methods = contenders();
  Report report;
  report.setup = fmt::format(
      "Scene pouring: a robot of 28 dofs takes a bottle and pours its particles into another vessel; beyond 45 the "
      "others lie in that vessel. Problems are every {}th of {} steps of the task, alike for all numbers of particles, "
      "with the impulses of the step before to start from; every method does the number of iterations that the paper "
      "gives it, CANAL in its published form. CPU time of one thread.",
      every_of(options), steps_of(options));
  Table table{"mean time and residual of a step", {"particles", "dofs", "steps", "contacts"}, {}};
  plot::Panel time{.title = "time of a step",
                   .x = {.label = "dofs", .scale = plot::Scale::Log},
                   .y = {.label = "time, ms, mean", .scale = plot::Scale::Log}};
  plot::Panel residual{.title = "residual of a step",
                       .x = {.label = "dofs", .scale = plot::Scale::Log},
                       .y = {.label = "residual, mean", .scale = plot::Scale::Log}};
  for (const Contender& method : methods) {
    table.columns.push_back(method.label + ": ms");
    table.columns.push_back(method.solver + ": residual");
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
    std::vector<Cell>& row = table.rows.emplace_back(std::vector<Cell>{
        Cell::of(particles, 4), Cell::of(dofs, 4), Cell::of(static_cast<double>(cases.size())), Cell::of(contacts, 4)});
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const Point point = measure(cases, methods[m], options);
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
      "Our PGS applies the Delassus operator without forming it where that is cheaper, so that its set-up does not "
      "grow faster than its sweeps, solves each contact against its own 3x3 block and starts from the last step's "
      "impulses. The paper's forms that operator, which is why it grows faster there.",
      "Averages are dominated by the steps in which particles collide; the fewer particles, the fewer of those."};
  conclude(time, residual, report);
  report.figure.panels = {std::move(time), std::move(residual)};
  return report;
}

}  // namespace

Bench al_fig11() { return {"al-fig11", "time and residual over the number of poured particles", "[AL] Fig. 11", run}; }

}  // namespace uzawa::papers
