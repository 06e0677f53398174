/// What the rule of `auto` goes by, and what warm starts save: steps of real simulations, each method or kind of start
/// in a run of its own from the same state. `not solved`: steps whose residual by the judge is above kTolerance; the
/// time of such a step is the time until the method gave up. A run that takes longer than kPatience ends early.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "step.hpp"
#include "uzawa/base/timing.hpp"

namespace uzawa::bench {

namespace {

constexpr double kPatience = 5;  // s of CPU time a run

struct MethodRun {
  std::vector<double> us;  // CPU time of a whole step
  double constraints = 0, islands = 0, iterations = 0, inner = 0, worst = 0;
  int unsolved = 0;

  double per_step(double sum) const { return sum / std::max(1.0, static_cast<double>(us.size())); }
};

MethodRun run_method(const SceneRun& run, const SimSettings& settings) {
  World world(run.model(), settings);
  world.set_state(run.start());
  MethodRun out;
  double spent = 0;
  for (int i = 0; i < run.scene().steps && spent < kPatience; ++i) {
    const double before = cpu_seconds();
    const StepReport& report = world.step(run.control());
    const double took = cpu_seconds() - before;
    spent += took;
    run.check(settings.solver, world.state().q);
    if (i < run.scene().first) continue;
    out.us.push_back(took * 1e6);
    out.constraints += report.constraints;
    out.islands += report.islands;
    out.iterations += report.iterations;
    out.inner += report.inner_iterations;
    out.worst = std::max(out.worst, report.residual);
    out.unsolved += report.status == StepStatus::Solved ? 0 : 1;
  }
  return out;
}

std::vector<Scene> method_scenes() {
  std::vector<Scene> scenes = step_scenes();
  for (const int side : {2, 3, 4, 5, 8}) scenes.push_back(spheres(side));
  for (const double heavy : {10., 100., 1000.}) scenes.push_back(spheres(5, heavy));
  scenes.push_back(stack(std::vector<double>(10, 1.0)));
  scenes.push_back(stack(std::vector<double>(20, 1.0)));
  scenes.push_back(stack({1, 1, 1, 1, 1000}));
  for (const int side : {2, 4, 6}) scenes.push_back(towers(side, 4));
  scenes.push_back(towers(4, 4, 100));
  return scenes;
}

template <typename Visit>
void for_each_scene(const std::vector<Scene>& scenes, const std::string& only, Visit&& visit) {
  for (const Scene& scene : scenes) {
    if (scene.name.find(only) != std::string::npos) visit(SceneRun(scene));
  }
}

void print_row(const Scene& scene, const char* what, const MethodRun& r) {
  fmt::print("{:<34} {:<8} | {:>5.0f} {:>4.1f} | {:>9.1f} {:>9.1f} | {:>6.1f} {:>7.1f} | {:>4} of {:>4} | {:.1e}\n",
             scene.name, what, r.per_step(r.constraints), r.per_step(r.islands), median(r.us), mean(r.us),
             r.per_step(r.iterations), r.per_step(r.inner), r.unsolved, r.us.size(), r.worst);
  std::fflush(stdout);
}

void print_head(const char* what) {
  fmt::print("to {:g}; CPU time of a step, us\n", kTolerance);
  fmt::print("{:<34} {:<8} | {:>10} | {:>9} {:>9} | {:>6} {:>7} | {:>12} | worst\n", "", "", "problem", "", "", "", "",
             "");
  fmt::print("{:<34} {:<8} | {:>5} {:>4} | {:>9} {:>9} | {:>6} {:>7} | {:>12} | residual\n", "scene", what, "con.",
             "isl.", "median", "mean", "loops", "inner", "not solved");
}

}  // namespace

void compare_methods(const std::string& only) {
  print_head("method");
  for_each_scene(method_scenes(), only, [&](const SceneRun& run) {
    for (const char* solver : {"canal", "subadmm", "auto"}) {
      print_row(run.scene(), solver, run_method(run, {.solver = solver, .solve = {.tolerance = kTolerance}}));
    }
  });
}

void compare_starts(const std::string& only) {
  print_head("start");
  for_each_scene(step_scenes(), only, [&](const SceneRun& run) {
    for (const char* solver : {"canal", "subadmm", "pgs"}) {
      fmt::print("{}\n", solver);
      for (const bool warm : {false, true}) {
        print_row(run.scene(), warm ? "warm" : "cold",
                  run_method(run, {.solver = solver, .solve = {.tolerance = kTolerance}, .warm_start = warm}));
      }
    }
  });
}

}  // namespace uzawa::bench
