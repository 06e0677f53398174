/// SubADMM on a soft body or rod as a whole and in pieces ([SUB] sections III-A and IV): the beam of [SUB] in 20
/// pieces, its cable of 640 links in groups of four, a cube. Each lies on a plane and slides; both forms get the same
/// problem, interleaved, and are judged on the whole.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "soft.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/rod_builder.hpp"
#include "uzawa/model/soft_builder.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa::bench {

namespace {

constexpr std::array<double, 3> kFriction{0.3, 0, 0};

ModelSpec plane() {
  ModelSpec spec;
  spec.options.timestep = 0.01;
  GeomSpec floor;
  floor.shape = ShapeType::Plane;
  floor.size = {1, 1, 1};
  floor.friction = kFriction;
  spec.geoms.push_back(floor);
  return spec;
}

ModelSpec box(const Vec3& size, const std::array<int, 3>& cells, int pieces) {
  ModelSpec spec = plane();
  SoftBodyOptions options;
  options.material.young = 1e7;
  options.material.poisson = 0.45;
  options.friction = kFriction;
  options.position = {0, 0, size.z() / 2 + 1e-4};
  options.pieces.count = pieces;
  add_soft_body(spec, box_mesh(size, cells), options);
  return spec;
}

ModelSpec cable(int links, int pieces) {
  ModelSpec spec = plane();
  RodOptions options;
  options.radius = 0.004;
  options.young = 1e5;
  options.poisson = 0.49;
  options.friction = kFriction;
  options.pieces.count = pieces;
  std::vector<Vec3> points;
  for (int i = 0; i <= links; ++i) points.push_back({1.2 * i / 640, 0.02 * std::sin(0.05 * i), 0.0042});
  add_rod(spec, points, options);
  return spec;
}

struct Case {
  const char* name;
  std::function<ModelSpec()> model;
};
const Case kCases[] = {
    {"beam, 20 pieces",
     [] {
       return box({0.5, 0.05, 0.05}, {43, 5, 5}, 20);
     }},
    {"beam, 5 pieces",
     [] {
       return box({0.5, 0.05, 0.05}, {43, 5, 5}, 5);
     }},
    {"cube, 20 pieces",
     [] {
       return box({0.1, 0.1, 0.1}, {11, 11, 11}, 20);
     }},
    {"cable, 160 pieces", [] { return cable(640, 160); }},
    {"cable, 4 pieces", [] { return cable(640, 4); }},
};

struct Measured {
  double setup = 1e300, iteration = 1e300;  ///< s
  int to_4 = -1, to_6 = -1;                 ///< iterations until the residual is below 1e-4, 1e-6
};

Settings settings_of(PieceUse use, int iterations) {
  Settings settings;
  settings.pieces = use;
  settings.tolerance = 1e-12;
  settings.require_siconos = false;
  settings.max_iterations = iterations;
  return settings;
}

void count_iterations(const Problem& problem, PieceUse use, Measured& out) {
  constexpr int kMost = 1000;
  Settings settings = settings_of(use, kMost);
  settings.history = true;
  settings.tolerance = 1e-6;
  Workspace workspace;
  Result result;
  find_solver("subadmm").solve(problem, settings, workspace, result);
  const auto& history = result.stats.history;
  for (int i = static_cast<int>(history.size()) - 1; i >= 0; --i) {
    if (history[static_cast<std::size_t>(i)].residual <= 1e-4) out.to_4 = i;
  }
  if (result.status == SolveStatus::Converged) out.to_6 = result.stats.iterations;
}

/// The quickest of several solves of 30 and of 90 iterations.
void measure_times(const Problem& problem, Measured (&out)[2]) {
  constexpr int kRounds = 8, kShort = 30, kLong = 90;
  Workspace workspace[2];
  double best[2][2] = {{1e300, 1e300}, {1e300, 1e300}};
  for (int round = 0; round < kRounds; ++round) {
    for (int form = 0; form < 2; ++form) {
      for (int k = 0; k < 2; ++k) {
        Settings settings = settings_of(form == 0 ? PieceUse::Whole : PieceUse::Split, k == 0 ? kShort : kLong);
        settings.subadmm.adapt_penalty = false;
        Result result;
        const double took = seconds([&] { find_solver("subadmm").solve(problem, settings, workspace[form], result); });
        best[form][k] = std::min(best[form][k], took);
      }
    }
  }
  for (int form = 0; form < 2; ++form) {
    out[form].iteration = (best[form][1] - best[form][0]) / (kLong - kShort);
    out[form].setup = best[form][0] - kShort * out[form].iteration;
  }
}

std::string or_dash(int count) { return count < 0 ? "-" : std::to_string(count); }

}  // namespace

bool measure_soft_pieces(const std::string& only) {
  fmt::print("{:20} {:>6} {:>6} {:>9} {:>9} {:>12} {:>7} {:>7}\n", "", "n", "rows", "form", "setup ms", "iteration us",
             "1e-4", "1e-6");
  for (const Case& each : kCases) {
    if (std::string(each.name).find(only) == std::string::npos) continue;
    World world(Model(each.model()), {.solver = "canal"});
    State state = world.state();
    const std::size_t stride = world.model().spec().rods.empty() ? 3 : 6;
    for (std::size_t d = 0; d < state.v.size(); d += stride) {
      state.v[d] = 0.2;
      state.v[d + 1] = 0.1 * std::sin(0.01 * static_cast<double>(d));
      state.v[d + 2] = -0.3;
    }
    world.set_state(state);
    for (int i = 0; i < 5; ++i) world.step();
    const Problem& problem = world.problem();
    if (problem.contacts.size() == 0 || problem.pieces.empty()) throw std::runtime_error("nothing touches, or is cut");
    Measured measured[2];
    count_iterations(problem, PieceUse::Whole, measured[0]);
    count_iterations(problem, PieceUse::Split, measured[1]);
    measure_times(problem, measured);
    for (int form = 0; form < 2; ++form) {
      const Measured& m = measured[form];
      fmt::print("{:20} {:6} {:6} {:>9} {:9.2f} {:12.1f} {:>7} {:>7}\n", form == 0 ? each.name : "", problem.n(),
                 problem.rows, form == 0 ? "whole" : "pieces", 1e3 * m.setup, 1e6 * m.iteration, or_dash(m.to_4),
                 or_dash(m.to_6));
    }
  }
  return true;
}

}  // namespace uzawa::bench
