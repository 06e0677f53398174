/// Factor, solve and product of soft bodies and rods (NodalCholesky, NodalMatrix) beside CHOLMOD, where it is
/// installed, and Eigen's SimplicialLLT: bodies of the papers' sizes, then growing ones, rods, and contact nodes
/// ordered last. CPU time of one thread, medians of interleaved rounds.
///
/// Usage: benchmark_soft_factor [most nodes, 50000]; exit code 1 where a residual is too large, or where ours takes
/// more than 1.5 times as long as CHOLMOD on a body of the papers' sizes.

#include <fmt/format.h>

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

#include "cholmod_oracle.hpp"
#include "soft_meshes.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/math/nodal/nodal_cholesky.hpp"

namespace {

using namespace uzawa;
using bench::CholmodOracle;
using bench::SoftBox;

/// Medians of all works, each done once a round, in ms.
std::vector<double> interleaved(int rounds, const std::vector<std::function<void()>>& works) {
  std::vector<std::vector<double>> times(works.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t w = 0; w < works.size(); ++w) {
      const double start = bench::cpu_seconds();
      works[w]();
      times[w].push_back(1e3 * (bench::cpu_seconds() - start));
    }
  }
  std::vector<double> out;
  for (auto& t : times) {
    std::nth_element(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(t.size() / 2), t.end());
    out.push_back(t[t.size() / 2]);
  }
  return out;
}

Eigen::SparseMatrix<double> eigen_lower(const NodalMatrix& matrix) {
  const NodalPattern& pattern = *matrix.pattern;
  std::vector<Eigen::Triplet<double>> triplets;
  for (int i = 0; i < pattern.nodes(); ++i) {
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1]; ++k) {
      for (int r = 0; r < 9; ++r) {
        const int row = 3 * i + r / 3, column = 3 * pattern.column[at(k)] + r % 3;
        if (row >= column) triplets.emplace_back(row, column, matrix.block(at(k))[r]);
      }
    }
  }
  Eigen::SparseMatrix<double> out(3 * pattern.nodes(), 3 * pattern.nodes());
  out.setFromTriplets(triplets.begin(), triplets.end());
  return out;
}

const char* name(NodalOrdering::Kind kind) {
  switch (kind) {
    case NodalOrdering::Kind::natural: return "natural";
    case NodalOrdering::Kind::minimum_degree: return "minimum degree";
    case NodalOrdering::Kind::nested_dissection: return "nested dissection";
  }
  return "";
}

/// |A x - b| / |b|, b all ones.
double residual(const NodalMatrix& matrix, std::span<const double> x) {
  std::vector<double> product(x.size());
  matrix.multiply(x, product);
  double error = 0;
  for (const double y : product) error += (y - 1) * (y - 1);
  return std::sqrt(error / static_cast<double>(x.size()));
}

/// A body beside the others; false where ours is wrong or too slow.
bool compare(const SoftBox& box) {
  const NodalMatrix matrix = bench::soft_matrix(box);
  const std::size_t size = 3 * at(matrix.nodes());
  NodalCholesky ours;
  const double start = bench::cpu_seconds();
  ours.analyse(*matrix.pattern);
  const double analysis = 1e3 * (bench::cpu_seconds() - start);
  CholmodOracle chosen(matrix, false), supernodal(matrix, true);
  const Eigen::SparseMatrix<double> lower = eigen_lower(matrix);
  const Eigen::SparseMatrix<double> full = lower.selfadjointView<Eigen::Lower>();
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> simplicial;
  simplicial.analyzePattern(lower);
  std::vector<double> x(size), y(size, 1.0), z(size, 1.0);
  Eigen::VectorXd ones = Eigen::VectorXd::Ones(static_cast<int>(size)), other = ones;
  bool fine = true;
  const auto factor = interleaved(41, {[&] { fine = ours.factorize(matrix) && fine; }, [&] { chosen.factorize(); },
                                       [&] { supernodal.factorize(); }});
  const auto slow = interleaved(3, {[&] { simplicial.factorize(lower); }});
  const auto solve = interleaved(
      101, {[&] { std::fill(x.begin(), x.end(), 1.0), ours.solve(x); },
            [&] { std::fill(z.begin(), z.end(), 1.0), chosen.solve(z); },
            [&] { std::fill(z.begin(), z.end(), 1.0), supernodal.solve(z); }, [&] { other = simplicial.solve(ones); }});
  const auto product = interleaved(301, {[&] { matrix.multiply(z, y); }, [&] { other.noalias() = full * ones; }});
  const double error = residual(matrix, x);
  const bool there = CholmodOracle::is_there();
  const double factor_bound = std::min(factor[1], factor[2]), solve_bound = std::min(solve[2], solve[1]);
  fmt::print(
      "{:6} {:5} nodes, {:6} blocks; {}, {} fronts, {:.0f}k numbers, {:.0f} Mflop (CHOLMOD {:.0f}k, {:.0f}); residual "
      "{:.0e}\n",
      box.name, matrix.nodes(), matrix.pattern->blocks(), name(ours.ordering()), ours.fronts(),
      static_cast<double>(ours.fill()) / 1e3, ours.flops() / 1e6, supernodal.fill() / 1e3, supernodal.flops() / 1e6,
      error);
  const auto line = [&](const char* what, double own, double automatic, double super, double eigen, double bound) {
    fmt::print("       {:8} ours {:7.3f} ms   Eigen {:8.3f}", what, own, eigen);
    if (there)
      fmt::print("   CHOLMOD {:7.3f}, supernodal {:7.3f}   ours / better {:.2f}", automatic, super, own / bound);
    fmt::print("\n");
  };
  fmt::print("       analysis ours {:7.3f} ms; {:.1f} Gflop/s\n", analysis, ours.flops() / factor[0] / 1e6);
  line("factor", factor[0], factor[1], factor[2], slow[0], factor_bound);
  line("solve", solve[0], solve[1], solve[2], solve[3], solve_bound);
  fmt::print("       product  ours {:7.3f} ms   Eigen {:8.3f}\n", product[0], product[1]);
  return fine && error < 1e-9 && (!there || (factor[0] < 1.5 * factor_bound && solve[0] < 1.5 * solve_bound));
}

/// Cubes of about so many nodes: time over nodes.
bool grow(int most) {
  fmt::print("\ncubes: nodes, ms of analysis, factor, solve, exponent of factor, Gflop/s, order\n");
  bool fine = true;
  double last_time = 0, last_nodes = 0;
  for (const int wanted : {500, 1000, 2000, 5000, 10000, 20000, 50000}) {
    if (wanted > most) break;
    const int side = static_cast<int>(std::lround(std::cbrt(wanted)));
    const NodalMatrix matrix = bench::soft_matrix({"", side, side, side});
    NodalCholesky ours;
    const double start = bench::cpu_seconds();
    ours.analyse(*matrix.pattern);
    const double analysis = 1e3 * (bench::cpu_seconds() - start);
    std::vector<double> x(3 * at(matrix.nodes()));
    const auto times = interleaved(
        wanted > 10000 ? 3 : 11,
        {[&] { fine = ours.factorize(matrix) && fine; }, [&] { std::fill(x.begin(), x.end(), 1.0), ours.solve(x); }});
    fine = fine && residual(matrix, x) < 1e-9;
    fmt::print("{:6} {:9.2f} {:9.2f} {:8.3f}", matrix.nodes(), analysis, times[0], times[1]);
    if (last_nodes > 0) {
      fmt::print(" {:6.2f}", std::log(times[0] / last_time) / std::log(matrix.nodes() / last_nodes));
    } else {
      fmt::print("       ");
    }
    fmt::print(" {:6.1f} {}\n", ours.flops() / times[0] / 1e6, name(ours.ordering()));
    last_time = times[0];
    last_nodes = matrix.nodes();
  }
  return fine;
}

bool rods() {
  fmt::print("\nrods: links, us a link to factor, to solve, to multiply\n");
  bool fine = true;
  for (const bool closed : {false, true}) {
    for (const int links : {10, 100, 1000, 10000}) {
      const NodalMatrix matrix = bench::rod_matrix(links, closed);
      NodalCholesky ours;
      ours.analyse(*matrix.pattern);
      std::vector<double> x(at(6 * links)), y(x.size());
      const auto times = interleaved(
          101, {[&] { fine = ours.factorize(matrix) && fine; },
                [&] { std::fill(x.begin(), x.end(), 1.0), ours.solve(x); }, [&] { matrix.multiply(x, y); }});
      fine = fine && residual(matrix, x) < 1e-9;
      fmt::print("{:6} {} {:7.3f} {:7.3f} {:7.3f}\n", links, closed ? "closed" : "open  ", 1e3 * times[0] / links,
                 1e3 * times[1] / links, 1e3 * times[2] / links);
    }
  }
  return fine;
}

/// Contact nodes last: one side of the body.
bool contacts(const SoftBox& box) {
  const NodalMatrix matrix = bench::soft_matrix(box);
  bool fine = true;
  for (const int count : {0, 20, 60, 121, 250}) {
    std::vector<int> last;
    for (int i = 0; i < count; ++i) last.push_back(i * matrix.nodes() / std::max(1, count));
    std::vector<int> shifted = last;
    for (int& node : shifted) node = (node + 1) % matrix.nodes();
    NodalCholesky ours;
    ours.analyse(*matrix.pattern, last);
    std::vector<double> x(3 * at(matrix.nodes())), many(8 * x.size(), 1.0), b(x.size(), 1.0), reduced(3 * last.size());
    const auto times = interleaved(
        21, {[&] { ours.analyse(*matrix.pattern, shifted), std::swap(last, shifted); },
             [&] { fine = ours.factorize_leading(matrix) && fine; }, [&] { fine = ours.factorize_last() && fine; },
             [&] { std::fill(x.begin(), x.end(), 1.0), ours.solve(x); }, [&] { ours.solve_many(many, 8); },
             [&] { ours.condense(b, reduced); }, [&] { ours.expand(b, reduced, x); }});
    std::fill(x.begin(), x.end(), 1.0);
    ours.solve(x);
    fine = fine && residual(matrix, x) < 1e-9;
    fmt::print("{:6} {:4} {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:8.3f}\n", box.name, count, times[0],
               times[1], times[2], times[3], times[4] / 8, times[5], times[6]);
  }
  return fine;
}

}  // namespace

int main(int argc, char** argv) {
  CholmodOracle::use_one_thread(argv);
  const int most = argc > 1 ? std::atoi(argv[1]) : 50000;
  if (!CholmodOracle::is_there()) fmt::print("CHOLMOD (libsuitesparse-dev) is not installed: its column is left out\n");
  const SoftBox bodies[] = {{"mat", 27, 27, 2}, {"ball", 11, 11, 12}, {"beam", 5, 5, 64}};
  bool fine = true;
  for (const SoftBox& body : bodies) fine = compare(body) && fine;
  fmt::print(
      "\nlast nodes, ms to analyse again, factor the others, the last; solve, a solve of eight, condense, expand\n");
  for (const SoftBox& body : bodies) fine = contacts(body) && fine;
  fine = rods() && fine;
  fine = grow(most) && fine;
  return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
