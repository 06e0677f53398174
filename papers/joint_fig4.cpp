/// Residuals while a Panda with joint friction and stops carries a box under random actuation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/base/timing.hpp"
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"

namespace uzawa::papers {

namespace {

constexpr double kAsked = 1e-12;

Report run(const Options& options) {
  const std::array contenders = {
      Contender{"CANAL", "canal", {.tolerance = kAsked}},
      Contender{
          "SubADMM, 100 iterations", "subadmm", {.tolerance = kAsked, .max_iterations = 100}, plot::Color::Orange},
      Contender{"PGS, 100 iterations", "pgs", {.tolerance = kAsked, .max_iterations = 100}, plot::Color::Green}};
  const std::array<const char*, 3> printed = {"1e-12", "1e-4", "not given"};
  Report report;
  report.setup =
      "Scene franka-box: a Panda with dry friction and stops in all joints carries a box on a tray; random targets for "
      "its servos. 5 s in steps of 1/240 s, each method in a run of its own, asked for a residual of 1e-12.";
  Table table{"residual of the steps",
              {"method", "paper", "median", "worst", "steps <= 1e-12, %", "iterations, median", "solve, us, median"},
              {}};
  plot::Panel panel{.title = "residual of every step",
                    .x = {.label = "time, s"},
                    .y = {.label = "residual (m/s and N s)", .scale = plot::Scale::Log}};
  std::vector<double> medians, worsts, shares;
  int limits = 0, contacts = 0;
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    scenarios::SceneRun scene = start_scene("franka-box", {}, contenders[c]);
    plot::Series series = curve_of(contenders[c]);
    std::vector<double> residuals, times, iterations;
    const int steps = options.cases(1200, 60);
    for (int step = 0; step < steps; ++step) {
      const StepReport& done = scene.step();
      residuals.push_back(done.residual);
      times.push_back(1e6 * done.times.solve);
      iterations.push_back(done.iterations + done.inner_iterations);
      limits = std::max(limits, scene.world().problem().limits.size());
      contacts = std::max(contacts, scene.world().problem().contacts.size());
      series.x.push_back(scene.world().state().time);
      series.y.push_back(std::max(done.residual, 1e-17));
    }
    medians.push_back(bench::median(residuals));
    worsts.push_back(*std::max_element(residuals.begin(), residuals.end()));
    const auto reached = std::count_if(residuals.begin(), residuals.end(), [](double r) { return r <= kAsked; });
    shares.push_back(100.0 * static_cast<double>(reached) / steps);
    table.rows.push_back({contenders[c].label, printed[c], Cell::of(medians[c], 2), Cell::of(worsts[c], 2),
                          Cell::of(shares[c]), Cell::of(bench::median(iterations)), Cell::of(bench::median(times))});
    panel.series.push_back(std::move(series));
    options.show((static_cast<double>(c) + 1) / contenders.size());
  }
  report.tables.push_back(std::move(table));
  report.claims = {{"CANAL reaches 1e-12 in the median", "1e-12",
                    fmt::format("{:.1e} median, {:.0f} % of the steps, {:.1e} worst", medians[0], shares[0], worsts[0]),
                    medians[0] <= kAsked},
                   {"SubADMM reaches 1e-4 or better in every step", "1e-4",
                    fmt::format("{:.1e} median, {:.1e} worst", medians[1], worsts[1]), worsts[1] <= 1e-4}};
  report.notes = {
      fmt::format("All three kinds of constraints are there: up to {} contacts, 7 joints with friction, up to {} "
                  "joints near their stops.",
                  contacts, limits)};
  report.figure = {.title = "Residual under random actuation (joint-fig4)",
                   .caption = "A Panda with joint friction and stops carries a box; one run a method.",
                   .panels = {std::move(panel)}};
  return report;
}

}  // namespace

Bench joint_fig4() { return {"joint-fig4", "residual under random actuation", "[JOINT] Fig. 4", run}; }

}  // namespace uzawa::papers
