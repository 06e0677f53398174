/// Whole steps on one thread and on two: the scenes of [SUB], whose subsystems are meant for it. Both runs are the same
/// bit for bit, which is checked, and take turns, so that what else the machine does hits both. Wall time; efficiency:
/// that of one thread over twice that of two.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "step.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::bench {

namespace {

struct Part {
  const char* scene;
  const char* solver;
  int first, steps;  ///< steps before, and those that are timed
};
constexpr Part kParts[] = {{"granular-stir", "auto", 60, 60},  {"granular-stir", "subadmm", 60, 60},
                           {"cable-carry", "auto", 20, 40},    {"cable-carry", "subadmm", 20, 40},
                           {"beam-insertion", "auto", 20, 40}, {"beam-insertion", "subadmm", 20, 40}};

double wall_ms(scenarios::SceneRun& run) {
  const auto start = std::chrono::steady_clock::now();
  run.step();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void compare(const Part& part) {
  const scenarios::Description& scene = *scenarios::find_scene(part.scene);
  const scenarios::Parameters parameters(scene.parameters);
  SimSettings settings = scenarios::SceneRun::settings(scene, parameters);
  settings.solver = part.solver;
  scenarios::SceneRun alone(scene, parameters, 1, settings);
  settings.solve.threads = 2;
  scenarios::SceneRun together(scene, parameters, 1, settings);
  std::vector<double> one, two;
  for (int i = 0; i < part.first + part.steps; ++i) {
    const double a = wall_ms(alone), b = wall_ms(together);
    if (alone.world().state().q != together.world().state().q ||
        alone.world().state().v != together.world().state().v) {
      throw std::runtime_error(fmt::format("{}: step {} differs on two threads", part.scene, i));
    }
    if (i < part.first) continue;
    one.push_back(a);
    two.push_back(b);
  }
  fmt::print("{:<16} {:<8} {:>9.2f} {:>9.2f} {:>6.2f} {:>6.0f} %\n", part.scene, part.solver, median(one), median(two),
             median(one) / median(two), 50 * median(one) / median(two));
  std::fflush(stdout);
}

}  // namespace

void compare_threads(const std::string& only) {
  fmt::print("{:<16} {:<8} {:>9} {:>9} {:>6} {:>8}\n", "scene", "method", "1, ms", "2, ms", "gain", "efficiency");
  for (const Part& part : kParts) {
    if (std::string(part.scene).find(only) != std::string::npos) compare(part);
  }
}

}  // namespace uzawa::bench
