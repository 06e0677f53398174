#include "uzawa/math/nodal/nodal_solver.hpp"

#include <algorithm>
#include <limits>

namespace uzawa {

bool NodalSolver::factorize(const NodalMatrix& matrix, bool may_iterate) {
  matrix_ = &matrix;
  failed_ = false;
  factor_.plan(*matrix.pattern);
  cost_ = may_iterate ? nodal_cost(matrix, factor_.flops()) : NodalCost{};
  iterates_ = cost_.iterates();
  if (iterates_) {
    sweeps_.start(*matrix.pattern, matrix.value.data(), matrix.value.data());
    iterates_ = sweeps_.finish();
  }
  return iterates_ || factor_.factorize(matrix);
}

void NodalSolver::solve_by_factor(std::span<double> x) const {
  if (iterates_) {
    iterates_ = false;
    failed_ = !factor_.factorize(*matrix_);
  }
  if (failed_) {
    std::fill(x.begin(), x.end(), std::numeric_limits<double>::quiet_NaN());
  } else {
    factor_.solve(x);
  }
}

void NodalSolver::solve(std::span<double> x) const {
  solve({{}, iterates_ ? kAccuracy * krylov_.energy_size(sweeps_, x) : 0, 0}, x);
}

void NodalSolver::solve(const Near& near, std::span<double> x) const {
  if (!iterates_) return solve_by_factor(x);
  constexpr int kPatience = 4;  // times what was expected: beyond, the estimate was wrong
  right_.assign(x.begin(), x.end());
  if (near.guess.empty()) {
    std::fill(x.begin(), x.end(), 0.0);
  } else {
    std::copy(near.guess.begin(), near.guess.end(), x.begin());
  }
  const int most = kPatience * cost_.iterations;
  if (krylov_.solve_symmetric(sweeps_, right_, near.goal, near.share, most, x).solved) return;
  std::copy(right_.begin(), right_.end(), x.begin());
  solve_by_factor(x);
}

/// By the node's own block and the body's mass. A node of a lattice gives way 1.5 times as much as with its neighbours
/// held (Watson 1939), and then the body moves as a whole.
double NodalSolver::local_form(int node, std::span<const double, 3> x) const {
  constexpr double kLattice = 1.516;
  const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  return kLattice * sweeps_.inverse_form(node, x) + square / cost_.mass;
}

}  // namespace uzawa
