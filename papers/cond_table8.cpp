/// Cable winding: COND beside position-based dynamics, by the force on the hand.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"
#include "uzawa/papers/pbd_cable.hpp"
#include "uzawa/scenarios/ropes.hpp"

namespace uzawa::papers {

namespace {

/// One run, step by step.
struct Winding {
  std::vector<double> time, force, deepest, ms;  ///< s; N on the hand; mm; ms a step
  std::vector<Vec3> end;                         ///< m, of the cable
  std::vector<Vec3> begin;                       ///< points of the cable at the start
  bool broken = false;                           ///< states that no step goes on from: it ends there
};

/// The hand's tie is the last equality of the scene: three rows in world axes.
double hand_force(const World& world) {
  const std::vector<int>& rows = world.problem().equality.row;
  Vec3 sum;
  for (int k = 0; k < 3; ++k) sum.set(k, world.result().lambda[at(rows[rows.size() - 3 + at(k)])] / world.dt());
  return norm(sum);
}

Winding wind(const Contender& contender, int links, int steps, const Options& options, double from, double to) {
  scenarios::SceneRun scene = start_scene("cable-winding", {fmt::format("links={}", links)}, contender);
  const World& world = scene.world();
  Winding out;
  out.begin = scenarios::axis_of_rod(world.model(), 0, world.state());
  for (int k = 0; k < steps; ++k) {
    double seconds = 0;
    try {
      seconds = bench::seconds([&] { scene.step(); });
    } catch (const InputError&) {
      out.broken = true;
      break;
    }
    out.time.push_back(world.state().time);
    out.force.push_back(hand_force(world));
    out.deepest.push_back(1e3 * std::max(0.0, world.report().penetration));
    out.ms.push_back(1e3 * seconds);
    out.end.push_back(scenarios::axis_of_rod(world.model(), 0, world.state()).back());
    options.show(from + (to - from) * (k + 1) / steps);
  }
  return out;
}

/// The same cable of `links` links by position-based dynamics, its end where the hand of `led` had it. The scene's
/// material (density, radii) with no damping but that of the method.
Winding wind_by_positions(const Winding& led, int links, int substeps, const Options& options, double from, double to) {
  const scenarios::SceneRun scene = start_scene("cable-winding");
  const ModelSpec& spec = scene.world().model().spec();
  const auto drum =
      std::find_if(spec.geoms.begin(), spec.geoms.end(), [](const GeomSpec& geom) { return geom.name == "cylinder"; });
  const PbdCable::Options material{.mu = drum->friction[0],
                                   .cylinder = PbdCable::Cylinder{drum->position, {0, 0, 1}, drum->size[0]}};
  std::vector<Vec3> points;
  const Vec3 first = led.begin.front(), along = led.begin.back() - first;
  for (int i = 0; i <= links; ++i) points.push_back(first + along * (1.0 * i / links));
  PbdCable cable(std::move(points), material);
  cable.hold(0);
  cable.hold_segment(0);
  cable.hold(links);
  Winding out;
  double before = 0;
  for (std::size_t k = 0; k < led.end.size(); ++k) {
    cable.move(0, first);
    cable.move(links, led.end[k]);
    const double dt = led.time[k] - before;
    before = led.time[k];
    const double seconds = bench::seconds([&] { cable.step(dt, substeps); });
    out.time.push_back(led.time[k]);
    out.force.push_back(norm(cable.force_on(links)));
    out.deepest.push_back(1e3 * cable.penetration());
    out.ms.push_back(1e3 * seconds);
    options.show(from + (to - from) * static_cast<double>(k + 1) / static_cast<double>(led.end.size()));
  }
  return out;
}

/// Mean over the run, N.
double force_error(const Winding& run, const Winding& exact) {
  double sum = 0;
  for (std::size_t k = 0; k < run.force.size(); ++k) sum += std::abs(run.force[k] - exact.force[k]);
  return sum / static_cast<double>(std::max<std::size_t>(1, run.force.size()));
}

double end_of(const Winding& run) { return run.time.empty() ? 0 : run.time.back(); }

struct Row {
  const char* label;
  double penetration, force, time;  ///< printed: mm, N, ms
  plot::Color color;
  bool dashed;
};
constexpr Row kRows[] = {{"COND (100)", 0.0031, 0.553, 3.949, plot::Color::Blue, false},
                         {"COND (200)", 0.0032, 0.553, 7.125, plot::Color::Green, false},
                         {"PBD (100)", 0.0036, 2.654, 94.45, plot::Color::Orange, false},
                         {"PBD (200)", 0.0026, 1.575, 187.6, plot::Color::Violet, false}};

Report run(const Options& options) {
  Report report;
  const int steps = options.cases(800, 5), links = options.quick ? 60 : 320, few = options.quick ? 40 : 120;
  report.setup = fmt::format(
      "Scene cable-winding: a Panda winds a Cosserat cable around a cylinder, {} steps of 10 ms. COND with {} links "
      "and "
      "100 or 200 iterations a step; position-based dynamics with {} links and 100 or 200 substeps a step, its end led "
      "along the path that the hand takes in the exact run. Force error: mean over the run of the difference of the "
      "force "
      "on the hand from that of the exact run (auto, {} links); the paper's is beside an experiment, its own model "
      "error "
      "included. Time: processor time of a step as a whole, collision and assembly included.",
      steps, links, few, links);
  const Winding exact = wind({"exact", "auto"}, links, steps, options, 0, 0.25);
  const auto fixed = [](int iterations) { return Settings{.tolerance = 1e-300, .max_iterations = iterations}; };
  const Winding runs[] = {wind({"", "cond", fixed(100)}, links, steps, options, 0.25, 0.45),
                          wind({"", "cond", fixed(200)}, links, steps, options, 0.45, 0.65),
                          wind_by_positions(exact, few, 100, options, 0.65, 0.8),
                          wind_by_positions(exact, few, 200, options, 0.8, 1)};
  Table table{"mean of the steps",
              {"method (iterations or substeps)", "penetration, mm", "force error, N", "time, ms", "paper: mm",
               "paper: N", "paper: ms"},
              {}};
  plot::Panel panel{.title = "force on the hand", .x = {.label = "time, s"}, .y = {.label = "force, N"}};
  panel.series.push_back({.label = "exact", .x = exact.time, .y = exact.force, .color = plot::Color::Grey});
  double error[4];
  for (std::size_t i = 0; i < 4; ++i) {
    error[i] = force_error(runs[i], exact);
    table.rows.push_back(
        {runs[i].broken ? fmt::format("{} (breaks off at {:.2f} s)", kRows[i].label, end_of(runs[i])) : kRows[i].label,
         Cell::of(bench::mean(runs[i].deepest), 2), Cell::of(error[i]), Cell::of(bench::mean(runs[i].ms)),
         Cell::of(kRows[i].penetration), Cell::of(kRows[i].force), Cell::of(kRows[i].time, 4)});
    panel.series.push_back({.label = kRows[i].label, .x = runs[i].time, .y = runs[i].force, .color = kRows[i].color});
  }
  report.tables.push_back(std::move(table));
  report.figure = {.title = "Cable winding: force on the hand (cond-table8)",
                   .caption = "Norm of the force on the end of the cable.",
                   .panels = {std::move(panel)}};
  report.claims = {{"COND is nearer to the exact force than position-based dynamics", "0.553 against 1.575 to 2.654 N",
                    fmt::format("{:.2g} against {:.2g} to {:.2g} N", error[0], error[3], error[2]),
                    !runs[0].broken && error[0] < error[3] && error[0] < error[2]},
                   {"the force of position-based dynamics depends on the number of substeps, and gets better with it",
                    "2.654, 1.575 N", fmt::format("{:.3g}, {:.3g} N", error[2], error[3]), error[3] < error[2]}};
  report.notes = {
      fmt::format("Position-based dynamics here takes {:.2g} ms for {} substeps of {} links, {:.0f} x less "
                  "than printed: no collision detection but that with the one cylinder.",
                  bench::mean(runs[2].ms), 100, few, kRows[2].time / bench::mean(runs[2].ms))};
  return report;
}

}  // namespace

Bench cond_table8() { return {"cond-table8", "COND and position-based dynamics", "[COND] Table VIII", run}; }

}  // namespace uzawa::papers
