#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/math/nodal/nodal_pattern.hpp"

namespace uzawa {

/// A symmetric matrix of 3x3 blocks: mass and stiffness of a soft body or rod.
struct NodalMatrix {
  std::shared_ptr<const NodalPattern> pattern;
  std::vector<double> value;  ///< 9 numbers a block, row by row; diagonal blocks are full and symmetric

  NodalMatrix() = default;
  /// All zero.
  explicit NodalMatrix(std::shared_ptr<const NodalPattern> of) : pattern(std::move(of)) { clear(); }

  int nodes() const { return pattern ? pattern->nodes() : 0; }
  /// Sets all blocks to zero, as many as the pattern has.
  void clear();
  double* block(std::size_t place) { return value.data() + 9 * place; }
  const double* block(std::size_t place) const { return value.data() + 9 * place; }
  /// Adds a multiple of the identity to the diagonal block of a node: a lumped mass.
  void add_to_diagonal(int node, double added);
  /// Adds a symmetric 3x3 block, row by row, to the diagonal block of a node.
  void add_to_diagonal(int node, std::span<const double, 9> added);

  /// y = A x; x and y must not overlap.
  void multiply(std::span<const double> x, std::span<double> y) const;
};

}  // namespace uzawa
