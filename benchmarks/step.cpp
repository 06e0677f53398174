/// Whole steps of a simulation.
///
///   benchmark_step [mujoco] [SCENE]   ours against MuJoCo, interleaved in one run on the same models
///   benchmark_step auto [SCENE]       what `auto` goes by: CANAL and SubADMM over size, density and masses of islands
///   benchmark_step warm [SCENE]       what warm starts save
///   benchmark_step worst [SCENE]      the slowest steps, ours beside MuJoCo's
///   benchmark_step threads [SCENE]    the scenes of [SUB] on one thread and on two
///   benchmark_step long               a million steps of a small scene
///
/// SCENE: part of a name. Exit code 1 where a target is missed, 2 where a run does not do what it should.
#include "step.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace uzawa::bench {

SceneRun::SceneRun(const Scene& scene)
    : scene_(scene),
      pair_(scene.xml.empty() ? load_pair(scene.path) : load_pair_from_text(scene.xml)),
      start_(model().reference_state()),
      control_(static_cast<std::size_t>(model().nu()), 0.0) {
  if (!scene.q.empty()) {
    start_.q = scene.q;
    if (!scene.v.empty()) start_.v = scene.v;
    if (!scene.control.empty()) control_ = scene.control;
  } else if (!model().spec().keyframes.empty()) {
    start_ = model().keyframe_state(0);
    const std::span<const double> given = model().keyframe_control(0);
    std::copy(given.begin(), given.end(), control_.begin());
  }
}

void SceneRun::check(const std::string& who, const std::vector<double>& q) const {
  std::string complaint = scene_.complaint(q);
  for (const double x : q) {
    if (!std::isfinite(x)) complaint = "a position is not finite";
  }
  if (!complaint.empty()) throw std::runtime_error(fmt::format("{}, {}: {}", scene_.name, who, complaint));
}

}  // namespace uzawa::bench

int main(int argc, char** argv) {
  try {
    const std::string table = argc > 1 ? argv[1] : "mujoco", only = argc > 2 ? argv[2] : "";
    if (table == "auto") {
      uzawa::bench::compare_methods(only);
    } else if (table == "warm") {
      uzawa::bench::compare_starts(only);
    } else if (table == "worst") {
      return uzawa::bench::compare_worst(only) ? 0 : 1;
    } else if (table == "threads") {
      uzawa::bench::compare_threads(only);
    } else if (table == "long") {
      return uzawa::bench::run_long() ? 0 : 1;
    } else {
      return uzawa::bench::compare_with_mujoco(table == "mujoco" ? only : table) ? 0 : 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
