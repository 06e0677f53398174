/// Joint position under a periodic torque: it stays within the limits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/handle_sweep.hpp"
#include "uzawa/scenarios/measure.hpp"

namespace uzawa::papers {

namespace {

constexpr double kReached = 0.01;  // of the limit: it must have been put to the test

HandleRun run_with_stops(double limit, const Contender& method, int steps) {
  scenarios::SceneRun scene = start_scene("door-handle", {"periodic=1", fmt::format("limit={}", limit)}, method);
  HandleRun run{.curve = {.label = fmt::format("stops at ±{} rad", limit)}};
  double largest = 0;
  for (int step = 0; step < steps; ++step) {
    scene.step();
    const State& state = scene.world().state();
    run.curve.x.push_back(state.time);
    run.curve.y.push_back(state.q[0]);
    largest = std::max(largest, std::abs(state.q[0]));
    run.error = std::max(run.error, scenarios::limit_violation(scene.world().model(), state));
  }
  run.put_to_test = largest > (1 - kReached) * limit;
  return run;
}

Report run(const Options& options) {
  Report report;
  const int steps = options.cases(480, 240);
  report.setup = fmt::format(
      "Scene door-handle: one hinge with dry friction (0.6 N m) and two stops, driven by a torque of 1.5 N m sin(2 pi "
      "t), for {:g} s in steps of 1/240 s.",
      steps / 240.0);
  report.figure = {.title = "Joint position under a periodic torque (joint-fig3)",
                   .caption = "Each curve is a run with other stops; it rests on them and does not pass."};
  add_sweep({.values = {0.2, 0.4, 0.6, 0.8},  // rad; [JOINT] prints no numbers
             .run = [steps](double limit, const Contender& method) { return run_with_stops(limit, method, steps); },
             .claim = "the joint reaches its stops and stays within them",
             .measured = [](double worst) { return fmt::format("beyond by {:.1e} rad at the most", worst); },
             .most = 1e-6,  // rad
             .x = {.label = "time, s"},
             .y = {.label = "joint angle, rad"},
             .table = {"largest angle beyond the stop", {"stops at, rad", "CANAL, rad", "SubADMM, rad"}, {}}},
            options, report);
  return report;
}

}  // namespace

Bench joint_fig3() { return {"joint-fig3", "joint position under a periodic torque", "[JOINT] Fig. 3", run}; }

}  // namespace uzawa::papers
