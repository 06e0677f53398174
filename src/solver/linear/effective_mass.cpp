#include "uzawa/solver/linear/effective_mass.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Levers, squared, over those of the others: a constraint with less than this moves nothing. Where two links cannot
/// move against each other in some direction, rows of J in it are sums of levers that cancel, but for rounding errors
/// and the links' drift, and impulses along them would be errors over errors. Masses of one problem differ by less.
constexpr double kMovesNothing = 1e-12;
constexpr double kRoundingError = 1e-16;  // of the largest mobility: not even worth a place in the mean

/// Geometric mean of the mobility of a row over the constraints that are `counted`; 0 where none moves.
template <typename Counted>
double mean_mobility(const Problem& problem, std::span<const double> mobility, Counted&& counted) {
  const double largest = mobility.empty() ? 0 : *std::max_element(mobility.begin(), mobility.end());
  double sum = 0;
  int count = 0;
  for (int c = 0; c < std::ssize(mobility); ++c) {
    if (!counted(c) || !(mobility[at(c)] > kRoundingError * largest)) continue;
    sum += std::log(mobility[at(c)] / problem.dims(c));
    ++count;
  }
  return count == 0 ? 0 : std::exp(sum / count);
}

}  // namespace

double effective_mass(PreparedProblem& prepared) {
  const Problem& problem = prepared.problem();
  const bool contacts_only = problem.contacts.size() > 0;
  const double mean = mean_mobility(problem, prepared.mobility(), [&](int c) {
    return !contacts_only || problem.constraints[at(c)].kind == ConstraintKind::Contact;
  });
  return mean > 0 ? 1 / mean : 1;
}

void effective_masses(PreparedProblem& prepared, std::span<double> out) {
  const Problem& problem = prepared.problem();
  const std::span<const double> mobility = prepared.mobility();
  const double mean = mean_mobility(problem, mobility, [](int) { return true; });
  for (int c = 0; c < std::ssize(mobility); ++c) {
    const int dims = problem.dims(c);
    const double trace = mobility[at(c)];
    const double mass = trace > kMovesNothing * mean * dims ? dims / trace : (mean > 0 ? 1 / mean : 1);
    std::fill_n(out.begin() + problem.constraints[at(c)].row, dims, mass);
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
