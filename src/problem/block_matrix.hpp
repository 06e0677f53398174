#pragma once

#include <memory>
#include <optional>
#include <span>

#include "uzawa/math/tree_matrix.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// y = A x
void multiply(const Problem& problem, std::span<const double> x, std::span<double> y);
/// The same of one block; x and y have the block's size.
void multiply_block(const Problem& problem, int block, const double* x, double* y);

/// Factors of A, block by block: x <- A^-1 x. Factorising again allocates only for blocks that are larger than before
/// and for sparse blocks with a new pattern. Solving never allocates, and several threads may solve at once.
class BlockFactor {
 public:
  BlockFactor();
  ~BlockFactor();
  BlockFactor(BlockFactor&&) noexcept;
  BlockFactor& operator=(BlockFactor&&) noexcept;

  /// False where A is not positive definite; `bad_block` then says which block.
  [[nodiscard]] bool factorize(const Problem& problem);
  int bad_block() const;
  void solve(std::span<double> x) const;
  /// One block only: x has the block's size.
  void solve_block(int block, std::span<double> x) const;
  /// x^T A_b^-1 x where half a solve gives it; x is destroyed. None (x stays) where it takes a solve.
  std::optional<double> inverse_form(int block, std::span<double> x) const;
  /// Trace of the 3x3 inverse mass matrix at a point of a free body (velocity there per unit impulse there), 1/kg;
  /// `point` as in Attachment.
  double point_mobility(int block, const Vec3& point) const;
  /// A tree's block, and its factors.
  const TreeMatrix& tree_matrix(int block) const;
  const TreeMatrix& tree_factor(int block) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The diagonal of A; `factor`: of the problem, which has the trees' blocks assembled.
void diagonal(const Problem& problem, const BlockFactor& factor, std::span<double> out);

}  // namespace uzawa
