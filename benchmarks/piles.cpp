/// Piles beside MuJoCo's conjugate gradients in one process, on the same models: bodies fall into a box and come to
/// rest, a step of ours, then one of MuJoCo's, each from its own state. CPU time of whole steps, one thread each.
///
///   benchmark_piles [spheres|boxes|mixed] [COUNT...]
///
/// Of both: time of a step over the whole run (mean) and at rest (median of the last third), deepest penetration at
/// rest as our collider finds it, and root mean square speed in the end. Ours by `auto` at kTolerances, then growth of
/// the time at rest with the number of bodies. Exit code 1 where a target is missed (kTargets).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <vector>

#include "model_pair.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa::bench {

namespace {

constexpr double kRadius = 0.01, kMass = 0.004;  // m, kg: as in the granular scenes of the papers
constexpr double kSpacing = 2.15;                // radii, at the start
constexpr double kStep = 0.002;                  // s
constexpr double kTolerances[] = {1e-4, 1e-6};
constexpr double kSlower[] = {1, 3};            // target: times MuJoCo's, by tolerance
constexpr double kDepth = 5e-5, kSpeed = 1e-3;  // targets at rest: m, m/s
constexpr double kGrowth = 1.15;                // target: exponent

/// MJCF of `count` bodies in a cube above the floor of a box that is as wide as the cube.
std::string pile(const std::string& shape, int count) {
  const int side = static_cast<int>(std::ceil(std::cbrt(count) - 1e-9));
  const double half = kRadius * (0.5 * kSpacing * side + 0.2), wall = half + kRadius, high = 2 * half;
  std::string bodies;
  for (const char* axis : {"x", "y"}) {
    for (const double sign : {-1.0, 1.0}) {
      const bool x = *axis == 'x';
      bodies +=
          fmt::format(R"(<geom type="box" pos="{} {} {}" size="{} {} {}" friction="0.3"/>)", x ? sign * wall : 0,
                      x ? 0 : sign * wall, high, x ? kRadius : wall + kRadius, x ? wall + kRadius : kRadius, high);
    }
  }
  std::mt19937_64 random(1);
  const auto jitter = [&] { return 0.06 * kRadius * (2.0 * static_cast<double>(random() >> 11) * 0x1p-53 - 1); };
  for (int k = 0; k < count; ++k) {
    const auto place = [&](int i) { return kRadius * kSpacing * (i - 0.5 * (side - 1)) + jitter(); };
    const double x = place(k % side), y = place(k / side % side), z = place(k / side / side);
    const double edge = 0.8 * kRadius;
    std::string geom = fmt::format(R"(type="sphere" size="{}")", kRadius);
    if (shape == "boxes" || (shape == "mixed" && k % 3 == 1))
      geom = fmt::format(R"(type="box" size="{0} {0} {0}")", edge);
    if (shape == "mixed" && k % 3 == 2) geom = fmt::format(R"(type="capsule" size="{} {}")", edge / 2, edge / 2);
    bodies += fmt::format(R"(<body pos="{} {} {}"><freejoint/><geom {} mass="{}" friction="0.3"/></body>)", x, y,
                          z + kRadius * (0.5 * kSpacing * (side - 1) + 1.2), geom, kMass);
  }
  return fmt::format(R"(<mujoco><option timestep="{}" solver="CG"/><size memory="2G"/><worldbody>
    <geom type="plane" size="10 10 0.1" friction="0.3"/>{}</worldbody></mujoco>)",
                     kStep, bodies);
}

double rms_speed(const double* v, int bodies) {
  double sum = 0;
  for (int b = 0; b < bodies; ++b) {
    for (int k = 0; k < 3; ++k) sum += v[6 * b + k] * v[6 * b + k];
  }
  return std::sqrt(sum / bodies);
}

struct Side {
  std::vector<double> all, rest;  ///< ms a step
  double depth = 0, speed = 0;    ///< m at rest, m/s in the end
};
struct Outcome {
  Side ours, theirs;
  double iterations = 0, inner = 0, solve = 0;  ///< means at rest; share of the time in the solver
  int unsolved = 0;
};

Outcome run_pile(const std::string& shape, int count, double tolerance) {
  ModelPair pair = load_pair_from_text(pile(shape, count));
  mjData* d = pair.their_data.get();
  SimSettings settings{.solve = {.tolerance = tolerance}};
  World world(pair.ours.model, settings), eye(pair.ours.model, settings);
  const double side = std::cbrt(count);
  const int steps = static_cast<int>((0.5 + 0.05 * side) / kStep), rest = steps * 2 / 3;
  Outcome out;
  double solve = 0, total = 0;
  for (int i = 0; i < steps; ++i) {
    const double ours = 1e3 * seconds([&] { world.step({}); });
    const double theirs = 1e3 * seconds([&] { mj_step(pair.theirs.get(), d); });
    out.ours.all.push_back(ours);
    out.theirs.all.push_back(theirs);
    const StepReport& report = world.report();
    out.unsolved += report.status == StepStatus::Solved ? 0 : 1;
    if (i < rest) continue;
    out.ours.rest.push_back(ours);
    out.theirs.rest.push_back(theirs);
    out.ours.depth = std::max(out.ours.depth, report.penetration);
    out.iterations += report.iterations / static_cast<double>(steps - rest);
    out.inner += report.inner_iterations / static_cast<double>(steps - rest);
    solve += report.times.solve;
    total += report.times.total();
  }
  out.solve = solve / total;
  out.ours.speed = rms_speed(world.state().v.data(), count);
  out.theirs.speed = rms_speed(d->qvel, count);
  State seen = eye.state();
  std::copy(d->qpos, d->qpos + pair.theirs->nq, seen.q.begin());
  eye.set_state(seen);
  eye.step({});
  out.theirs.depth = eye.report().penetration;
  return out;
}

bool report_on(const std::string& shape, const std::vector<int>& counts) {
  bool holds = true;
  for (std::size_t t = 0; t < std::size(kTolerances); ++t) {
    std::vector<double> sizes, times;
    for (const int count : counts) {
      const Outcome o = run_pile(shape, count, kTolerances[t]);
      const double ours = median(o.ours.rest), theirs = median(o.theirs.rest);
      const bool good = ours <= kSlower[t] * theirs && o.ours.depth < kDepth && o.ours.speed < kSpeed;
      holds = holds && good;
      fmt::print(
          "{:<8} {:>6} {:>7.0e} | {:>8.2f} {:>8.2f} {:>6.2f} | {:>8.2f} {:>8.2f} {:>6.2f} | {:>8.4f} {:>8.4f} | "
          "{:>8.3f} "
          "{:>8.3f} | {:>5.1f} {:>6.1f} {:>4.0f} % {:>4} | {}\n",
          shape, count, kTolerances[t], ours, theirs, ours / theirs, mean(o.ours.all), mean(o.theirs.all),
          mean(o.ours.all) / mean(o.theirs.all), 1e3 * o.ours.depth, 1e3 * o.theirs.depth, 1e3 * o.ours.speed,
          1e3 * o.theirs.speed, o.iterations, o.inner, 100 * o.solve, o.unsolved, good ? "holds" : "missed");
      std::fflush(stdout);
      sizes.push_back(count);
      times.push_back(mean(o.ours.all));
    }
    if (sizes.size() < 2) continue;
    const double exponent = fitted_exponent(sizes, times);
    holds = holds && exponent <= kGrowth;
    fmt::print("{:<8} at {:.0e}: mean time grows like n^{:.2f} (target {})\n", shape, kTolerances[t], exponent,
               kGrowth);
  }
  return holds;
}

}  // namespace

}  // namespace uzawa::bench

int main(int argc, char** argv) {
  try {
    std::vector<std::string> shapes;
    std::vector<int> counts;
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word.find_first_not_of("0123456789") == std::string::npos) {
        counts.push_back(std::stoi(word));
      } else {
        shapes.push_back(word);
      }
    }
    if (shapes.empty()) shapes = {"spheres", "boxes", "mixed"};
    if (counts.empty()) counts = {216, 1000, 10000};
    fmt::print(
        "ms a step, ours and MuJoCo's CG: median at rest, mean of the run; penetration at rest (mm), rms speed in "
        "the end (mm/s); iterations and inner ones a step, share of the solver, steps not solved\n");
    bool holds = true;
    for (const std::string& shape : shapes) holds = uzawa::bench::report_on(shape, counts) && holds;
    return holds ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
