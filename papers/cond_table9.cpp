/// COND as published, without and with Chebyshev acceleration.
#include <fmt/format.h>

#include <array>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/soft_study.hpp"

namespace uzawa::papers {

namespace {

struct Line {
  SoftScene scene;
  double without, with;  ///< printed iterations
};

Report run(const Options& options) {
  const std::array lines = {Line{mat_scene(), 167.4, 39.72}, Line{ball_scene(), 138.8, 37.51},
                            Line{cable_scene(), 40.14, 18.28}, Line{gripper_scene(), 155.7, 30.88}};
  Report report;
  report.setup =
      "Problems of the four soft scenes, one of each of 20 trials, with the velocities of the step before to start "
      "from. The "
      "published form of COND with its stop test on the change of velocities, at the published thresholds.";
  Table table{"mean iterations",
              {"scene", "without", "paper's without", "with Chebyshev", "paper's with", "ratio", "paper's ratio"},
              {}};
  plot::Panel panel{.title = "iterations",
                    .x = {.label = "without acceleration, mean", .scale = plot::Scale::Log},
                    .y = {.label = "with Chebyshev acceleration, mean", .scale = plot::Scale::Log}};
  double done = 0;
  for (const Line& line : lines) {
    const std::vector<SoftCase> cases = trial_cases(line.scene, options);
    const double without = measure(cases, published_cond(line.scene.threshold, false), options).iterations;
    const double with = measure(cases, published_cond(line.scene.threshold), options).iterations;
    table.rows.push_back({line.scene.name, Cell::of(without, 4), Cell::of(line.without, 4), Cell::of(with, 4),
                          Cell::of(line.with, 4), Cell::of(without / with), Cell::of(line.without / line.with)});
    panel.series.push_back({.label = line.scene.name, .x = {without}, .y = {with}, .dots = true});
    report.claims.push_back({fmt::format("{}: with acceleration at most twice the printed iterations", line.scene.name),
                             fmt::format("{:g}", line.with), fmt::format("{:.4g}", with), with <= 2 * line.with});
    report.claims.push_back({fmt::format("{}: acceleration at least halves the iterations", line.scene.name),
                             fmt::format("1/{:.1f}", line.without / line.with), fmt::format("1/{:.2f}", without / with),
                             without >= 2 * with});
    options.show(++done / lines.size());
  }
  report.tables.push_back(std::move(table));
  report.figure = {.title = "Chebyshev acceleration (cond-table9)", .panels = {std::move(panel)}};
  return report;
}

}  // namespace

Bench cond_table9() { return {"cond-table9", "COND without and with Chebyshev acceleration", "[COND] Table IX", run}; }

}  // namespace uzawa::papers
