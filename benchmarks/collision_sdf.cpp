/// Contact generation of shapes given by signed distances: a nut on its bolt, a stack of dishes, and a ball's mesh in a
/// bowl; then single distances, and the sampling of a mesh. Times are CPU time of one thread, best of several rounds.
///
/// Usage: benchmark_collision_sdf; exit code 1 where a scene that is timed has not the contacts it should have.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "uzawa/base/timing.hpp"
#include "uzawa/collision/contacts/reduction.hpp"
#include "uzawa/collision/distance/grid_sdf.hpp"
#include "uzawa/collision/distance/mesh_sdf_closed.hpp"
#include "uzawa/collision/distance/revolved.hpp"
#include "uzawa/collision/distance/screw_thread.hpp"
#include "uzawa/collision/sdf/sdf_contacts.hpp"

namespace {

using namespace uzawa;
using bench::cpu_seconds;

template <typename Work>
double best_seconds(int rounds, int repeats, Work&& work) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const double start = cpu_seconds();
    for (int k = 0; k < repeats; ++k) work();
    best = std::min(best, (cpu_seconds() - start) / repeats);
  }
  return best;
}

struct Scene {
  std::string name;
  const SignedDistance& shape;
  const SurfaceTree& surface;
  std::vector<Pose> poses;  ///< of the surface
  double margin;            ///< m
};

/// True where the scene has contacts in every pose.
bool report(const Scene& scene, int most_contacts) {
  SdfContactFinder finder;
  const SurfaceSearch search{.margin = scene.margin, .most_contacts = most_contacts};
  std::size_t contacts = 0;
  int searched = 0;
  double deepest = 1;
  bool good = true;
  for (const Pose& pose : scene.poses) {
    const auto found = finder.find(scene.surface, pose, {&scene.shape, {}}, search);
    contacts += found.size();
    searched += finder.stats().faces;
    good = good && !found.empty();
    for (const SurfaceContact& contact : found) deepest = std::min(deepest, contact.gap);
  }
  const double seconds = best_seconds(9, 10, [&] {
    for (const Pose& pose : scene.poses) finder.find(scene.surface, pose, {&scene.shape, {}}, search);
  });
  const auto poses = static_cast<double>(scene.poses.size());
  const auto faces = static_cast<double>(scene.surface.faces().size());
  fmt::print("{:<22} {:>7} faces {:>7.0f} searched {:>6.0f} contacts {:>9.1e} deepest {:>8.3f} ms {:>7.1f} M faces/s\n",
             scene.name, scene.surface.faces().size(), searched / poses, static_cast<double>(contacts) / poses, deepest,
             1e3 * seconds / poses, 1e-6 * faces * poses / seconds);
  return good;
}

/// All minima, and as a simulation has them: at most as many as a pair may have contacts.
bool report(const Scene& scene) {
  const bool all = report(scene, std::numeric_limits<int>::max());
  return report(scene, ReductionSettings().cap) && all;
}

/// Lowers a surface onto a shape until its deepest point has the wanted gap.
void settle(const SignedDistance& shape, const SurfaceTree& surface, double wanted, Pose& pose) {
  SdfContactFinder finder;
  for (int i = 0; i < 60; ++i) {
    double least = 2e-3;
    for (const SurfaceContact& contact : finder.find(surface, pose, {&shape, {}}, {.margin = least})) {
      least = std::min(least, contact.gap);
    }
    pose.position -= Vec3{0, 0, 0.7 * (least - wanted)};
  }
}

bool bolt_and_nut(double chord_error, double margin) {
  const ThreadSdf bolt(
      {.diameter = 0.048, .pitch = 0.005, .length = 0.1, .clearance = 2e-4, .width = 0.075, .head_height = 0.03});
  const ThreadSdf nut(
      {.internal = true, .diameter = 0.048, .pitch = 0.005, .length = 0.038, .clearance = 2e-4, .width = 0.075});
  const SurfaceTree surface(surface_of(nut, {.chord_error = chord_error}));
  std::mt19937 random(1);
  std::uniform_real_distribution<> uniform(-1, 1);
  Scene scene{fmt::format("bolt-nut {:.0f} um", 1e6 * margin), bolt, surface, {}, margin};
  for (int i = 0; i < 10; ++i) {
    // Loaded: the nut rests on the flanks, a little aslant.
    const double height = 0.05 + 0.02 * uniform(random);
    const Quat turn = exp_rotation({0.001 * uniform(random), 0.001 * uniform(random), 0}) *
                      exp_rotation({0, 0, 2 * M_PI * height / 0.005});
    scene.poses.push_back(Pose::from({0, 0, height - 2e-4}, turn));
  }
  return report(scene);
}

bool dishes(const std::string& name, const RevolvedSpec& below, const RevolvedSpec& above, double margin) {
  const RevolvedSdf lower(below), upper(above);
  const SurfaceTree surface(surface_of(upper, {}));
  std::mt19937 random(2);
  std::uniform_real_distribution<> uniform(-1, 1);
  Scene scene{fmt::format("{} {:.0f} um", name, 1e6 * margin), lower, surface, {}, margin};
  for (int i = 0; i < 10; ++i) {
    Pose pose = Pose::from({2e-3 * uniform(random), 2e-3 * uniform(random), 0.08},
                           exp_rotation({0.01 * uniform(random), 0.01 * uniform(random), uniform(random)}));
    settle(lower, surface, -1e-5, pose);
    scene.poses.push_back(pose);
  }
  return report(scene);
}

void distances() {
  const ThreadSdf bolt({.diameter = 0.048, .pitch = 0.005, .length = 0.1});
  const RevolvedSdf plate_shape(plate(0.12, 0.02, 0.004));
  const Surface mesh = surface_of(plate_shape, {});
  const double begin = cpu_seconds();
  const GridSdf grid(sample_on_grid(MeshSdf(closed_mesh(mesh, "plate")), default_cell(mesh), 1));
  fmt::print("\nsampling a plate of {} faces with cells of {:.2f} mm: {:.2f} s, error {:.1e} m (bound {:.1e})\n",
             mesh.faces.size(), 1e3 * grid.grid().cell, cpu_seconds() - begin, grid.grid().measured_error,
             grid.max_error());
  const auto time = [](const char* name, const SignedDistance& shape, const std::vector<Vec3>& points) {
    std::vector<SignedDistance::Sample> samples(points.size());
    const double single = best_seconds(9, 10, [&] {
      for (std::size_t i = 0; i < points.size(); ++i) samples[i] = shape.evaluate(points[i]);
    });
    const double batch = best_seconds(9, 10, [&] { evaluate_all(shape, points, samples); });
    const double scale = 1e9 / static_cast<double>(points.size());
    fmt::print("{:<22} {:>7.1f} ns a distance, {:>7.1f} ns in batches\n", name, scale * single, scale * batch);
  };
  time("bolt", bolt, surface_of(bolt, {}).vertices);
  time("plate", plate_shape, mesh.vertices);
  time("plate, sampled", grid, mesh.vertices);
}

}  // namespace

int main() {
  bool good = true;
  for (const double chord : {1e-4, 5e-5}) {
    for (const double margin : {5e-5, 2e-4}) good = bolt_and_nut(chord, margin) && good;
  }
  const RevolvedSpec bowl_spec = bowl(0.08, 0.05, 0.004), plate_spec = plate(0.1, 0.02, 0.004),
                     pot_spec = pot(0.08, 0.1, 0.004);
  for (const double margin : {5e-5, 5e-4}) {
    good = dishes("bowl in bowl", bowl_spec, bowl_spec, margin) && good;
    good = dishes("plate on bowl", bowl_spec, plate_spec, margin) && good;
    good = dishes("pot on plate", plate_spec, pot_spec, margin) && good;
  }
  distances();
  return good ? 0 : 1;
}
