/// Time of a step over the number of nodes, for bodies at rest on a plane: a bar that gets longer (8 x 8 nodes across),
/// a mat of 4 layers that gets wider, a cube. Elimination is linear in the length of a bar; nested dissection has
/// exponent 1.5 on a mat and 2 on a cube at best, whoever does it. Iterations are linear in nodes on all of them, but
/// a matrix that has left the cache takes longer a node.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "soft.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/soft_builder.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa::bench {

namespace {

constexpr double kCell = 0.01;

struct Shape {
  const char* name;
  std::array<int, 3> (*cells)(double nodes);
};

const Shape kShapes[] = {
    {"bar",
     [](double nodes) {
       return std::array{static_cast<int>(std::lround(nodes / 64)) - 1, 7, 7};
     }},
    {"mat",
     [](double nodes) {
       const int side = static_cast<int>(std::lround(std::sqrt(nodes / 4))) - 1;
       return std::array{side, side, 3};
     }},
    {"cube",
     [](double nodes) {
       const int side = static_cast<int>(std::lround(std::cbrt(nodes))) - 1;
       return std::array{side, side, side};
     }},
};

struct Method {
  const char* solver;
  double target;  ///< exponent
};
constexpr Method kMethods[] = {{"canal", 1.4}, {"subadmm", 1.1}};

Model resting_body(const std::array<int, 3>& cells) {
  ModelSpec spec;
  spec.options.timestep = 0.002;
  GeomSpec floor;
  floor.shape = ShapeType::Plane;
  floor.size = {1, 1, 1};
  floor.friction = {0.5, 0, 0};
  spec.geoms.push_back(floor);
  SoftBodyOptions options;
  options.material.young = 1e5;
  options.material.poisson = 0.3;
  options.material.damping = 0.005;
  options.friction = floor.friction;
  options.position = {0, 0, kCell * cells[2] / 2};
  add_soft_body(spec, box_mesh(Vec3{1. * cells[0], 1. * cells[1], 1. * cells[2]} * kCell, cells), options);
  return Model(spec);
}

struct Measured {
  double ms = 0, solve = 0, residual = 0;
  int contacts = 0, unsolved = 0, inner = 0;
};

Measured measure(const Model& model, const char* solver) {
  constexpr int kFirst = 4, kSteps = 11;
  World world(model, {.solver = solver, .solve = {.tolerance = kSoftTolerance}});
  std::vector<double> ms, solve;
  Measured out;
  for (int i = 0; i < kSteps; ++i) {
    const double took = seconds([&] { world.step(); });
    const StepReport& report = world.report();
    if (report.status == StepStatus::Failed) throw std::runtime_error("a step has failed");
    if (i < kFirst) continue;
    ms.push_back(took * 1e3);
    solve.push_back(report.times.solve * 1e3);
    out.contacts = report.contacts;
    out.residual = std::max(out.residual, report.residual);
    out.unsolved += report.status == StepStatus::Solved ? 0 : 1;
    out.inner = report.inner_iterations;
  }
  for (const double q : world.state().q) {
    if (!std::isfinite(q)) throw std::runtime_error("a position is not finite");
  }
  out.ms = median(ms);
  out.solve = median(solve);
  return out;
}

bool measure_shape(const Shape& shape, const Method& method, int most) {
  std::vector<double> sizes, times;
  for (double wanted = 500; wanted <= 1.001 * most; wanted *= std::cbrt(10)) {
    const std::array<int, 3> cells = shape.cells(wanted);
    const int nodes = (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1);
    const Measured found = measure(resting_body(cells), method.solver);
    sizes.push_back(nodes);
    times.push_back(found.ms);
    fmt::print("{:<5} {:<8} | {:>6} {:>5} | {:>9.2f} {:>9.2f} | {:>5} {:>8.1e} {}\n", shape.name, method.solver, nodes,
               found.contacts, found.ms, found.solve, found.inner, found.residual,
               found.unsolved > 0 ? "not solved" : "");
    std::fflush(stdout);
  }
  if (sizes.size() < 2) return true;
  const double exponent = fitted_exponent(sizes, times);
  fmt::print("{:<5} {:<8} exponent {:.2f}, asked {:.1f}\n", shape.name, method.solver, exponent, method.target);
  return exponent <= method.target;
}

}  // namespace

bool measure_soft_growth(const std::string& only, int most) {
  fmt::print("{:<14} | {:>6} {:>5} | {:>9} {:>9} | {:>5} {:>8}\n", "", "nodes", "cont.", "ms a step", "solve", "inner",
             "residual");
  bool holds = true;
  for (const Shape& shape : kShapes) {
    for (const Method& method : kMethods) {
      if (fmt::format("{} {}", shape.name, method.solver).find(only) == std::string::npos) continue;
      holds = measure_shape(shape, method, most) && holds;
    }
  }
  return holds;
}

}  // namespace uzawa::bench
