#pragma once

#include <span>
#include <vector>

#include "uzawa/math/nodal/nodal_product.hpp"
#include "uzawa/problem/problem.hpp"
#include "uzawa/solver/cond/chain_inverse.hpp"
#include "uzawa/solver/cond/nodalization.hpp"
#include "uzawa/solver/settings/cond_settings.hpp"

namespace uzawa {

/// The step size matrix W of COND's iteration, an inverse of surrogate dynamics ([COND] eq. 20-25): one number a node
/// of a soft body. Deviation: for rigid bodies, trees and rods the exact inverse of their block with its virtual nodes'
/// dampers, A_j + sum of s k V^T V, where s is the number of virtual sides of a constraint. No contact acts on them
/// directly, so nothing asks for a diagonal there, and their blocks are small or chains.
class StepSizes {
 public:
  /// Sorts the blocks by what W has for them, and reads what W and the rule for gains need of A: diagonals and sums of
  /// its rows, dense copies of small blocks, and factors of rods. False where a rod's is not positive definite.
  [[nodiscard]] bool read(const Problem& problem, const CondSettings& settings);
  /// Per block: 1 where its dofs have step sizes of their own.
  std::span<const char> diagonal_blocks() const { return diagonal_block_; }
  /// Gain of each virtual node, kg, by slot.
  void choose_gains(const Problem& problem, const CondSettings& settings, const Nodalization& nodes);
  std::span<const double> gains() const { return gain_; }
  /// W, given the gains. False where A is not positive definite.
  [[nodiscard]] bool build(const Problem& problem, const CondSettings& settings, const Nodalization& nodes);
  /// All of W times a factor below 1: steps that turned out too long.
  void shrink(double factor);

  double scale() const { return scale_; }  ///< by which it was shortened

  /// v -= W g on a block with an inverse; g is destroyed.
  void step_inverse(int block, double* g, double* v) const;
  /// y = A x of a block whose matrix is kept dense.
  void multiply_dense(int block, const double* x, double* y) const;
  bool has_dense(int block) const { return dense_start_[static_cast<std::size_t>(block)] >= 0; }
  /// Whether W has an inverse for a block, not step sizes of its dofs.
  bool has_inverse(int block) const { return exact_ && (has_dense(block) || is_chain(block)); }
  std::span<const double> weights() const { return weight_; }  ///< W of dofs with step sizes of their own
  std::span<const double> metric() const { return metric_; }   ///< about the diagonal of W^-1, per dof
  const NodalProduct& product(int nodal) const { return product_[static_cast<std::size_t>(nodal)]; }
  /// D W D^T of a constraint is this times the identity, 1/kg.
  double direct_mobility(const Nodalization& nodes, int c) const;

 private:
  void read_dense(const Problem& problem, std::size_t b);
  void read_nodal(const Problem& problem, const Block& block);
  void read_sparse(const Problem& problem, const Block& block);
  void add_dampers(const Problem& problem, const Nodalization& nodes);
  void set_weights(const Problem& problem, CondSurrogate surrogate);
  bool is_chain(int block) const { return chain_of_[static_cast<std::size_t>(block)] >= 0; }
  double mobility(const Problem& problem, const RowPieces& part, int c);

  std::vector<char> diagonal_block_;
  std::vector<int> dense_start_, size_;  ///< per block: place of its dense matrices, or -1; dofs
  std::vector<double> matrix_, factor_;  ///< of dense blocks: A, and the Cholesky factor of W^-1
  std::vector<NodalProduct> product_;
  std::vector<int> chain_of_;  ///< per block: its place in chain_, or -1
  std::vector<ChainInverse> chain_;
  std::vector<double> diagonal_, sum_, square_;  ///< per dof: of the row of A with dampers, absolute and squared
  std::vector<double> weight_, metric_, gain_;
  std::vector<double> column_;
  double scale_ = 1;   ///< of the dense inverses
  bool exact_ = true;  ///< settings.exact_blocks
};

}  // namespace uzawa
