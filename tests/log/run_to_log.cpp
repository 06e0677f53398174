#include "log/run_to_log.hpp"

#include <cmath>

#include "uzawa/scenarios/builders.hpp"

namespace uzawa::test {

ModelSpec busy_scene() {
  ModelSpec spec = scenarios::ground(0.4);
  spec.name = "busy";
  for (int i = 0; i < 3; ++i) {
    scenarios::add_box(spec,
                       {.name = "box" + std::to_string(i), .position = {0.01 * i, 0, 0.06 + 0.11 * i}, .mu = 0.3});
  }
  scenarios::add_finger(spec, "a", {0.05, 0.05, 0.05}, {1, 0, 0.06}, {1, 0, 0}, 0.5);
  scenarios::add_finger(spec, "b", {0.05, 0.05, 0.05}, {1, 1, 0.06}, {1, 0, 0}, 0.5);
  spec.joints[3].range = Range{-0.1, 0.002};
  spec.joints[4].friction_loss = 0.3;
  spec.actuators[1].dynamics = ActuatorDynamics::Filter;
  spec.actuators[1].time_constant = 0.1;
  TendonSpec tendon{.name = "t", .joints = {3, 4}, .coefficients = {1, 1}};
  tendon.range = Range{-0.5, 0.01};
  spec.tendons.push_back(tendon);
  spec.equalities.push_back(
      {.name = "weld", .type = EqualityType::Weld, .first = 3, .second = 2, .first_anchor = {-0.01, 0, -0.11}});
  return spec;
}

Recorded run_to_log(const std::filesystem::path& path, int steps, int every) {
  World world(Model(busy_scene()), {.dt = 0.004});
  FrameMaker maker(world);
  Recorded out;
  out.info = describe(world);
  out.info.version = "1.2.3";
  out.info.scene = "busy";
  out.info.parameters = "count=3";
  out.info.seed = 0xFFFFFFFFFFFFFFFFULL;  // all 64 bits must survive
  out.info.every = every;
  LogWriter writer(path, out.info);
  std::vector<double> external(static_cast<std::size_t>(world.model().nv()), 0.0);
  for (int i = 1; i <= steps; ++i) {
    const std::vector<double> control = {std::sin(0.01 * i), 2};
    external[0] = std::cos(0.1 * i);
    world.step(control, external);
    if (i % every != 0) continue;
    writer.write(maker.make(control, external));
    out.frames.push_back(maker.make(control, external));
    out.states.push_back(world.state());
  }
  writer.close();
  return out;
}

}  // namespace uzawa::test
