#include "uzawa/solver/linear/effective_mass.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Of the largest mobility: what is below moves nothing, its rows of J are rounding errors of a sum of levers that is
/// none, squared (1e-32). Masses and levers of one problem differ by less.
constexpr double kMovesNothing = 1e-24;

double largest(std::span<const double> mobility) {
  return mobility.empty() ? 0 : *std::max_element(mobility.begin(), mobility.end());
}

}  // namespace

double effective_mass(PreparedProblem& prepared) {
  const Problem& problem = prepared.problem();
  const std::span<const double> mobility = prepared.mobility();
  const double least = kMovesNothing * largest(mobility);
  double sum = 0;
  int counted = 0;
  const bool contacts_only = problem.contacts.size() > 0;
  for (int c = 0; c < std::ssize(mobility); ++c) {
    const int dims = problem.dims(c);
    if (contacts_only && dims != 3) continue;
    const double trace = mobility[at(c)];
    if (!(trace > least)) continue;
    sum += std::log(dims / trace);
    ++counted;
  }
  return counted == 0 ? 1.0 : std::exp(sum / counted);
}

void effective_masses(PreparedProblem& prepared, std::span<double> out) {
  const Problem& problem = prepared.problem();
  const std::span<const double> mobility = prepared.mobility();
  const double most = largest(mobility), least = kMovesNothing * most;
  for (int c = 0; c < std::ssize(mobility); ++c) {
    const int dims = problem.dims(c);
    const double trace = mobility[at(c)] > least ? mobility[at(c)] : most;
    std::fill_n(out.begin() + problem.constraints[at(c)].row, dims, trace > 0 ? dims / trace : 1);
  }
}

double block_mass(const Problem& problem, const Block& block) {
  double mass = 0;
  switch (block.kind) {
    case BlockKind::FreeBody: mass = problem.bodies[at(block.index)].mass; break;
    case BlockKind::Tree:
      for (const SpatialInertia& inertia : problem.trees[at(block.index)].inertia) mass += inertia.mass;
      break;
    case BlockKind::Nodal: {  // stiffness and moments of inertia are in it: a node moves as if it had
      const NodalMatrix& matrix = problem.nodal[at(block.index)];
      for (int node = 0; node < matrix.nodes(); ++node) {
        const double* m = matrix.block(matrix.pattern->diagonal(node));
        mass += (m[0] + m[4] + m[8]) / 3;
      }
      mass /= std::max(1, matrix.nodes());
      break;
    }
    case BlockKind::Sparse: {  // no mass to speak of: the mean of the diagonal
      const SparseRows& lower = problem.sparse[at(block.index)].lower;
      for (int r = 0; r < lower.rows(); ++r) mass += lower.value[lower.end(r) - 1];
      mass /= std::max(1, lower.rows());
      break;
    }
  }
  return mass;
}

}  // namespace uzawa
