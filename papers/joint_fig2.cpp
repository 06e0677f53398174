/// Joint friction against the torque that it has to hold: it equals the torque up to the bound and stays there.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"
#include "uzawa/scenarios/measure.hpp"

namespace uzawa::papers {

namespace {

constexpr std::array kBounds = {0.3, 0.6, 0.9, 1.2};  // N m; [JOINT] prints no numbers
constexpr std::array kColors = {plot::Color::Blue, plot::Color::Orange, plot::Color::Green, plot::Color::Violet};
constexpr double kError = 1e-4;  // N m; the residual's tolerance of 1e-8 N s over the step is 2.4e-6

Report run(const Options& options) {
  const std::array contenders = {Contender{"CANAL", "canal"}, Contender{"SubADMM", "subadmm", {}, {}, true}};
  Report report;
  report.setup =
      "Scene door-handle: one hinge with dry friction, far from its stops. The torque grows from 0 to 1.5 N m in 2 s; "
      "the "
      "friction that the solver finds is compared with min(torque, bound) in every step.";
  Table table{"largest error of the friction torque", {"bound, N m", "CANAL, N m", "SubADMM, N m"}, {}};
  report.figure = {.title = "Joint friction against joint torque (joint-fig2)",
                   .caption = "Friction equals the torque up to its bound, then stays there."};
  std::array<double, 2> worst{};
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    plot::Panel panel{
        .title = contenders[c].label, .x = {.label = "joint torque, N m"}, .y = {.label = "joint friction, N m"}};
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      const double bound = kBounds[i];
      scenarios::SceneRun scene =
          start_scene("door-handle", {fmt::format("friction={}", bound), "limit=1000"}, contenders[c]);
      plot::Series series{.label = fmt::format("bound {} N m", bound), .color = kColors[i]};
      double error = 0;
      for (int step = 0; step < 480; ++step) {
        scene.step();
        const double torque = scene.drive().external[0], friction = -scenarios::joint_friction(scene.world(), 0);
        series.x.push_back(torque);
        series.y.push_back(friction);
        error = std::max(error, std::abs(friction - std::min(torque, bound)));
      }
      worst[c] = std::max(worst[c], error);
      if (c == 0) table.rows.push_back({Cell::of(bound)});
      table.rows[i].push_back(Cell::of(error, 2));
      panel.series.push_back(std::move(series));
      options.show((static_cast<double>(c * kBounds.size() + i) + 1) / (2 * kBounds.size()));
    }
    report.claims.push_back({contenders[c].label + ": friction equals the torque up to the bound, then stays at it",
                             "seen in the plot", fmt::format("to {:.1e} N m", worst[c]), worst[c] < kError});
    report.figure.panels.push_back(std::move(panel));
  }
  report.tables.push_back(std::move(table));
  return report;
}

}  // namespace

Bench joint_fig2() { return {"joint-fig2", "joint friction against joint torque", "[JOINT] Fig. 2", run}; }

}  // namespace uzawa::papers
