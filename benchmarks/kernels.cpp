/// The dynamics kernels one by one (Google Benchmark): where the time of a step goes.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "build_folders.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/io/load.hpp"

namespace {

using namespace uzawa;

/// A model at its reference configuration with everything computed once.
struct Fixture {
  explicit Fixture(const std::string& name)
      : model(load_model(std::string(UZAWA_MODELS) + '/' + name + ".xml").model),
        data(model),
        state(model.reference_state()),
        x(state.v.size(), 0.1),
        control(static_cast<std::size_t>(model.nu())),
        workspace(model) {
    for (double& v : state.v) v = 0.5;
    forward_kinematics(model, state.q, data);
    link_velocities(model, state.v, data);
    mass_matrix(data);
    if (!factorize_mass(data)) std::abort();
  }
  Model model;
  DynamicsData data;
  State state;
  std::vector<double> x, control;
  IntegratorWorkspace workspace;
};

template <typename Kernel>
void run(benchmark::State& timer, const std::string& model, Kernel kernel) {
  Fixture f(model);
  for (auto _ : timer) {
    kernel(f);
    benchmark::ClobberMemory();
  }
}

void register_model(const std::string& model) {
  const auto add = [&](const char* name, auto kernel) {
    benchmark::RegisterBenchmark((model + '/' + name).c_str(),
                                 [=](benchmark::State& timer) { run(timer, model, kernel); });
  };
  add("forward_kinematics", [](Fixture& f) { forward_kinematics(f.model, f.state.q, f.data); });
  add("link_velocities", [](Fixture& f) { link_velocities(f.model, f.state.v, f.data); });
  add("mass_matrix", [](Fixture& f) { mass_matrix(f.data); });
  add("factorize_mass", [](Fixture& f) { benchmark::DoNotOptimize(factorize_mass(f.data)); });
  add("solve", [](Fixture& f) { f.data.mass_factor.solve(f.x); });
  add("bias_force", [](Fixture& f) { bias_force(f.model, f.state.v, f.data, f.x); });
  add("forward_dynamics",
      [](Fixture& f) { benchmark::DoNotOptimize(forward_dynamics(f.model, f.state.v, f.state.v, f.data, f.x)); });
  add("discretize", [](Fixture& f) { discretize(f.model, f.state, f.control, {}, {}, f.data, f.workspace); });
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* model : {"panda", "quadruped", "humanoid"}) register_model(model);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
