#pragma once

#include <span>
#include <utility>
#include <vector>

#include "uzawa/base/aligned_vector.hpp"
#include "uzawa/base/deadline.hpp"
#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/linear/block_sparse.hpp"
#include "uzawa/solver/linear/newton_nodes.hpp"
#include "uzawa/solver/linear/nodal_newton.hpp"

namespace uzawa {

/// H = A + beta J^T D J ([AL] eq. 25), assembled and factorised by small dense blocks. Ordering and fill are kept from
/// step to step and from problem to problem while the same bodies, limbs and mesh nodes are coupled, however many
/// constraints couple them; then nothing is allocated. A large soft body by itself keeps the pattern of A, and is
/// solved by iterations (NodalNewton).
class NewtonMatrix {
 public:
  /// Takes over A and J; `known`: trees' blocks of A that were assembled before, or null.
  void prepare(const Problem& problem, const CompactRows& rows, const BlockFactor* known = nullptr);
  void prepare(PreparedProblem& p) { prepare(p.problem(), p.compact_rows(), &p.factor()); }
  /// Symmetric D (the cascade). False where H is not positive definite to working precision.
  [[nodiscard]] bool factorize(const Problem& problem, double beta, const LawDerivatives& d);
  /// D of the strict law is not symmetric. False where H is singular.
  [[nodiscard]] bool factorize_general(const Problem& problem, double beta, const LawDerivatives& d);
  /// Factorisations of large matrices fail from then on, and iterations end.
  void set_deadline(const Deadline& deadline) { matrix_.set_deadline(deadline), nodal_.set_deadline(deadline); }
  /// There are no factors, and a solve costs as much as all else.
  bool iterates() const { return is_nodal_; }
  /// Multiply-adds of a Newton step with a general factorisation, about.
  double work() const;
  /// Of the factorisation of a symmetric H alone; 0 where there is none.
  double factor_work() const { return is_nodal_ ? 0 : matrix_.work(); }
  /// x <- H^-1 x with the last factors. `goal`: residual, a norm, at which iterations may end; 0: at ten digits.
  void solve(std::span<double> x, double goal = 0);
  /// u = J v, v += J^T lambda: with J in blocks, in lanes.
  void multiply_rows(std::span<const double> v, std::span<double> u);
  void add_transposed_rows(std::span<const double> lambda, std::span<double> v);

 private:
  /// A constraint's share of J on one node: dims columns of J^T, BlockSparse::kStride numbers each.
  struct Segment {
    int node;
    std::size_t values;
  };
  /// A constraint on one coordinate (limits, dry friction): one entry of J, and one of the diagonal of H.
  struct Single {
    int row, column;
    double value;
    std::size_t place;
  };
  /// Sparsity pattern of A and J; all data except numerical values depend on it alone.
  class Pattern {
   public:
    /// False where the pattern is unchanged.
    bool update(const Problem& problem, const SparseRows& a, const CompactRows& rows);

   private:
    std::vector<int> a_start_, a_column_, moments_;
    CompactRows::Pattern rows_;
    std::vector<Block> blocks_;
  };
  [[nodiscard]] bool prepare_nodal(const Problem& problem, const CompactRows& rows, const BlockFactor* known);
  void find_segments(const CompactRows& rows);
  void fill_segments(const CompactRows& rows);
  void find_couplings(const Problem& problem);
  void find_places(const Problem& problem);
  void assemble(const Problem& problem, double beta, const LawDerivatives& d, bool general);
  void add_constraint(std::size_t c, const Mat3& weight, bool general);
  void add_scalar(std::size_t c, double weight, bool general);
  void add_coupling(std::size_t moment, const Mat3& weight);

  bool is_nodal_ = false;  ///< nodal_ is used in place of all below
  NodalNewton nodal_;
  const CompactRows* compact_ = nullptr;  ///< J, for nodal_

  LowerTriangle a_;
  int rows_ = 0;  ///< of J
  Pattern pattern_;
  NodePartition partition_;
  BlockSparse matrix_;
  std::vector<Segment> segments_;
  std::vector<Single> singles_;     ///< these have no segments
  std::vector<int> segment_start_;  ///< per constraint
  AlignedVector<double> values_;
  std::vector<int> first_row_, dims_;  ///< per constraint: rows of lambda
  AlignedVector<double> padded_;       ///< a vector over the dofs, node by node, kStride numbers each
  std::vector<std::pair<int, int>> couplings_;
  std::vector<BlockSparse::Place> places_;  ///< per constraint, per pair of its segments (second before first)
  std::vector<std::size_t> place_start_;
  /// Per moment: of a pair of segments, one of its own and one of its contact's, which is the constraint before.
  struct CrossPlace {
    int own, other;
    std::size_t offset;
    enum class Part : char { Diagonal, Lower, Upper } part;
  };
  std::vector<CrossPlace> cross_places_;
  std::vector<std::size_t> cross_start_;
  /// Destination of an entry of A: in a diagonal block (with the mirrored entry) or in a lower one.
  struct EntryPlace {
    std::size_t first, mirrored;
    bool diagonal;
  };
  std::vector<EntryPlace> entry_places_;
};

}  // namespace uzawa
