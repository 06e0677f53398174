/// A million steps of a small scene: what must stay as it is over hours of simulated time. A stack that stands, a box
/// that a pendulum pushes to and fro between its limits, and a double pendulum that whirls without any damping, whose
/// energy only the integrator could change: it may take some, but give none.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "step.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa::bench {

namespace {

constexpr int kSteps = 1000000, kWarmUp = 10000;
constexpr double kEnergyBound = 0.05;  // gain, of the energy at the start: sways of semi-implicit Euler at 2 ms
constexpr double kLowest = 1.1;        // m, the tip of the double pendulum
constexpr double kDriftBound = 1e-5;   // m, of the stack

constexpr const char* kScene = R"(<mujoco><option timestep="0.002"/><worldbody>
  <geom type="plane" size="5 5 1" friction="0.5"/>
  <body pos="0 0 0.05"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="1"/></body>
  <body pos="0 0 0.15"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="1"/></body>
  <body pos="0 0 0.25"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="3"/></body>
  <body pos="1 0 0.6"><joint name="striker" axis="0 1 0" range="-60 60" limited="true"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04" mass="0.5"/></body>
  <body pos="1.12 0 0.05"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="0.2"/></body>
  <body pos="3 0 2"><joint name="upper" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03" contype="0" conaffinity="0"/>
    <body pos="0 0 -0.5"><joint name="lower" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03" contype="0" conaffinity="0"/></body></body>
  </worldbody><actuator><motor joint="striker"/></actuator></mujoco>)";

/// Of this process, kB.
long resident_memory() {
  std::ifstream file("/proc/self/statm");
  long total = 0, resident = 0;
  file >> total >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/// Of the double pendulum, which nothing touches: everybody else's velocities are left out.
double whirl_energy(const World& world, DynamicsData& data) {
  const Model& model = world.model();
  std::vector<double> v(world.state().v.size(), 0.0);
  std::copy(world.state().v.end() - 2, world.state().v.end(), v.end() - 2);
  forward_kinematics(model, world.state().q, data);
  link_velocities(model, v, data);
  double potential = 0;  // from where it hangs lowest
  for (std::size_t link = model.links().size() - 2; link < model.links().size(); ++link) {
    potential += 9.81 * model.links()[link].mass * ((data.link_pose[link] * model.links()[link].com).z() - kLowest);
  }
  return kinetic_energy(model, v, data) + potential;
}

}  // namespace

bool run_long() {
  const ModelPair pair = load_pair_from_text(kScene);
  World world(pair.ours.model);
  DynamicsData data(world.model());
  State state = world.state();
  std::fill(state.v.end() - 2, state.v.end(), 6.0);
  world.set_state(state);
  const double start = whirl_energy(world, data), top = state.q[16];
  double gain = 0, loss = 0, drift = 0, residual = 0, control = 0;
  int unsolved = 0, failed = 0;
  long memory = 0;
  const double seconds_used = seconds([&] {
    for (int i = 0; i < kSteps; ++i) {
      control = 3 * std::sin(i * 0.002);
      const StepReport& report = world.step({&control, 1});
      if (i == kWarmUp) memory = resident_memory();
      unsolved += report.status == StepStatus::Solved ? 0 : 1;
      failed += report.status == StepStatus::Failed ? 1 : 0;
      residual = std::max(residual, report.residual);
      if (i % 10 == 0) {
        const double change = (whirl_energy(world, data) - start) / start;
        gain = std::max(gain, change);
        loss = std::max(loss, -change);
      }
      drift = std::max(drift, std::abs(world.state().q[16] - top));
    }
  });
  const long growth = resident_memory() - memory;
  fmt::print("{} steps of 2 ms, {:.1f} us each; {} not solved, {} failed, worst residual {:.1e}\n", kSteps,
             seconds_used / kSteps * 1e6, unsolved, failed, residual);
  fmt::print("memory: {} kB after {} steps, {:+} kB at the end\n", memory, kWarmUp, growth);
  fmt::print(
      "energy of the double pendulum, {:.1f} J: {:.2f} % above at the most, {:.1f} % below; stack: within {:.3f} um\n",
      start, 100 * gain, 100 * loss, drift * 1e6);
  return failed == 0 && growth <= 0 && gain < kEnergyBound && drift < kDriftBound;
}

}  // namespace uzawa::bench
