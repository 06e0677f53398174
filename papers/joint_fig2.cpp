/// Joint friction against the torque that it has to hold: it equals the torque up to the bound and stays there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/handle_sweep.hpp"
#include "uzawa/scenarios/measure.hpp"

namespace uzawa::papers {

namespace {

HandleRun run_with_bound(double bound, const Contender& method) {
  scenarios::SceneRun scene = start_scene("door-handle", {fmt::format("friction={}", bound), "limit=1000"}, method);
  HandleRun run{.curve = {.label = fmt::format("bound {} N m", bound)}};
  for (int step = 0; step < 480; ++step) {
    scene.step();
    const double torque = scene.drive().external[0], friction = -scenarios::joint_friction(scene.world(), 0);
    run.curve.x.push_back(torque);
    run.curve.y.push_back(friction);
    run.error = std::max(run.error, std::abs(friction - std::min(torque, bound)));
  }
  return run;
}

Report run(const Options& options) {
  Report report;
  report.setup =
      "Scene door-handle: one hinge with dry friction, far from its stops. The torque grows from 0 to 1.5 N m in 2 s; "
      "the friction that the solver finds is compared with min(torque, bound) in every step.";
  report.figure = {.title = "Joint friction against joint torque (joint-fig2)",
                   .caption = "Friction equals the torque up to its bound, then stays there."};
  add_sweep({.values = {0.3, 0.6, 0.9, 1.2},  // N m; [JOINT] prints no numbers
             .run = run_with_bound,
             .claim = "friction equals the torque up to the bound, then stays at it",
             .measured = [](double worst) { return fmt::format("to {:.1e} N m", worst); },
             .most = 1e-4,  // N m; the residual's tolerance of 1e-8 N s over the step is 2.4e-6
             .x = {.label = "joint torque, N m"},
             .y = {.label = "joint friction, N m"},
             .table = {"largest error of the friction torque", {"bound, N m", "CANAL, N m", "SubADMM, N m"}, {}}},
            options, report);
  return report;
}

}  // namespace

Bench joint_fig2() { return {"joint-fig2", "joint friction against joint torque", "[JOINT] Fig. 2", run}; }

}  // namespace uzawa::papers
