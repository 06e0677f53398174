/// Joint position under a periodic torque: it stays within the limits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"
#include "uzawa/scenarios/measure.hpp"

namespace uzawa::papers {

namespace {

constexpr std::array kLimits = {0.2, 0.4, 0.6, 0.8};  // rad; [JOINT] prints no numbers
constexpr std::array kColors = {plot::Color::Blue, plot::Color::Orange, plot::Color::Green, plot::Color::Violet};
constexpr double kError = 1e-6;    // rad
constexpr double kReached = 0.01;  // of the limit: it must have been put to the test

Report run(const Options& options) {
  const std::array contenders = {Contender{"CANAL", "canal"}, Contender{"SubADMM", "subadmm"}};
  Report report;
  report.setup =
      "Scene door-handle: one hinge with dry friction (0.6 N m) and two stops, driven by a torque of 1.5 N m sin(2 pi "
      "t), "
      "for 2 s.";
  Table table{"largest angle beyond the stop", {"stops at, rad", "CANAL, rad", "SubADMM, rad"}, {}};
  report.figure = {.title = "Joint position under a periodic torque (joint-fig3)",
                   .caption = "Each curve is a run with other stops; it rests on them and does not pass."};
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    plot::Panel panel{.title = contenders[c].label, .x = {.label = "time, s"}, .y = {.label = "joint angle, rad"}};
    double worst = 0;
    bool reached = true;
    for (std::size_t i = 0; i < kLimits.size(); ++i) {
      scenarios::SceneRun scene =
          start_scene("door-handle", {"periodic=1", fmt::format("limit={}", kLimits[i])}, contenders[c]);
      plot::Series series{.label = fmt::format("stops at ±{} rad", kLimits[i]), .color = kColors[i]};
      double beyond = 0, largest = 0;
      for (int step = 0; step < options.cases(480, 240); ++step) {
        scene.step();
        const State& state = scene.world().state();
        series.x.push_back(state.time);
        series.y.push_back(state.q[0]);
        largest = std::max(largest, std::abs(state.q[0]));
        beyond = std::max(beyond, scenarios::limit_violation(scene.world().model(), state));
      }
      worst = std::max(worst, beyond);
      reached = reached && largest > (1 - kReached) * kLimits[i];
      if (c == 0) table.rows.push_back({Cell::of(kLimits[i])});
      table.rows[i].push_back(Cell::of(beyond, 2));
      panel.series.push_back(std::move(series));
      options.show((static_cast<double>(c * kLimits.size() + i) + 1) / (2 * kLimits.size()));
    }
    report.claims.push_back({contenders[c].label + ": the joint reaches its stops and stays within them",
                             "seen in the plot", fmt::format("beyond by {:.1e} rad at the most", worst),
                             reached && worst < kError});
    report.figure.panels.push_back(std::move(panel));
  }
  report.tables.push_back(std::move(table));
  return report;
}

}  // namespace

Bench joint_fig3() { return {"joint-fig3", "joint position under a periodic torque", "[JOINT] Fig. 3", run}; }

}  // namespace uzawa::papers
