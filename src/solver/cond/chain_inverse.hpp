#pragma once

#include <span>
#include <vector>

#include "uzawa/math/nodal/nodal_cholesky.hpp"
#include "uzawa/solver/cond/nodalization.hpp"

namespace uzawa {

/// COND's surrogate of a rod: the inverse of its block of A with its virtual nodes' dampers, as rigid bodies have it. A
/// rod is stiff along its axis and long, so steps of single links take ten thousands of iterations; contacts on links
/// turn them, and so have virtual nodes anyway; and the factor of a chain is no larger than the chain.
class ChainInverse {
 public:
  /// Whether the factor has about as many numbers as the matrix.
  [[nodiscard]] bool suits(const NodalPattern& pattern);
  /// Takes over a block that suits, whose dofs begin at `offset`. False where it is not positive definite.
  [[nodiscard]] bool read(const NodalMatrix& matrix, int offset);
  /// sum over the axes of V A^-1 V^T for columns [begin, end) of `part`, all in this block; before factorize().
  double mobility(const RowPieces& part, std::size_t begin, std::size_t end);
  /// Adds a bound of gain V^T V that keeps the pattern: nodes apart, times their number.
  void add_damper(const RowPieces& part, std::size_t begin, std::size_t end, double gain);
  [[nodiscard]] bool factorize();
  /// x := (A + dampers)^-1 x.
  void solve(std::span<double> x) const { factor_.solve(x); }
  double diagonal(int dof) const;

 private:
  int node_of(int column) const { return (column - offset_) / 3; }

  int offset_ = 0;
  NodalMatrix matrix_;
  NodalCholesky factor_;
  std::vector<double> column_;
};

}  // namespace uzawa
