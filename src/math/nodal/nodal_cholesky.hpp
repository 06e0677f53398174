#pragma once

#include <span>
#include <vector>

#include "uzawa/math/nodal/nodal_fronts.hpp"
#include "uzawa/math/nodal/nodal_matrix.hpp"
#include "uzawa/math/nodal/nodal_ordering.hpp"
#include "uzawa/math/nodal/panel.hpp"

namespace uzawa {

/// Cholesky factor of a sparse symmetric positive definite matrix of 3x3 blocks: soft bodies and rods.
///
/// Some nodes c (those in contact) may be eliminated last: the others i are condensed out, which leaves the dense Schur
/// complement S = A_cc - A_ci A_ii^-1 A_ic. A contact problem can be solved on S alone, exactly, and brought back to
/// all nodes: `condense`, `expand`. Where only S changes (S + D), `factorize_last` does again what depends on it.
///
/// Multifrontal, in supernodes, on one thread. Once analysed, nothing allocates; analysing again for other last nodes
/// allocates only where it needs more memory than ever before. The const functions share scratch memory: one object is
/// for one thread at a time.
class NodalCholesky {
 public:
  /// Order, tree and memory. The order of all nodes is chosen when the pattern changes; where only `last` does, its
  /// nodes are moved to the end of it. Nothing happens where both are as before. Throws InputError where `last` has a
  /// node twice or one that isn't there.
  void analyse(const NodalPattern& pattern, std::span<const int> last = {});
  /// The same without the memory of the factor, which the first factorisation then gets: to know flops() and fill().
  void plan(const NodalPattern& pattern, std::span<const int> last = {});

  /// The factor of a matrix with the analysed pattern. False: not positive definite (to rounding errors); nothing may
  /// be solved then.
  [[nodiscard]] bool factorize(const NodalMatrix& matrix);
  /// The first half of it: eliminates all but the last nodes and finds `schur()`.
  [[nodiscard]] bool factorize_leading(const NodalMatrix& matrix);
  /// The second half: the factor of schur(), or of another matrix in its place, laid out like it (column after column
  /// of schur_stride() numbers, lower triangle). `solve` and `solve_many` use it; condense and expand don't.
  [[nodiscard]] bool factorize_last();
  [[nodiscard]] bool factorize_last(std::span<const double> trailing);

  /// x := A^-1 x; three numbers a node, in the nodes' own order.
  void solve(std::span<double> x) const;
  /// The same for `count` right sides, one after the other: faster than one by one from three on.
  void solve_many(std::span<double> x, int count) const;

  /// x^T A^-1 x: the forward half of a solve, on the fronts that x reaches only.
  double inverse_form(std::span<const double> x) const;

  int nodes() const { return plan_.leading + plan_.last; }
  std::span<const int> last() const { return last_; }
  /// S: column-major, columns of schur_stride() numbers, rows and columns by the order of `last`, three each. Only the
  /// lower triangle (with full 3x3 diagonal blocks) has a meaning.
  std::span<const double> schur() const {
    return {data(schur_), static_cast<std::size_t>(plan_.last_stride) * schur_size()};
  }
  int schur_stride() const { return plan_.last_stride; }
  /// S in full, without gaps between columns.
  void copy_schur(std::span<double> full) const;
  /// reduced = b_c - A_ci A_ii^-1 b_i, by the order of `last`.
  void condense(std::span<const double> b, std::span<double> reduced) const;
  /// The x of all nodes that has x_c = x_last and A_ii x_i + A_ic x_c = b_i; of b only b_i matters.
  void expand(std::span<const double> b, std::span<const double> x_last, std::span<double> x) const;
  /// The same for the b that was condensed last: half the work.
  void expand(std::span<const double> x_last, std::span<double> x) const;

  /// Multiplications and additions of a factorisation.
  double flops() const { return plan_.flops; }
  /// Numbers in the factor.
  std::size_t fill() const { return plan_.fill + schur_size() * (schur_size() + 1) / 2; }
  NodalOrdering::Kind ordering() const { return order_.kind; }
  std::size_t fronts() const { return plan_.fronts.size(); }

 private:
  struct alignas(64) Line {
    double number[8];
  };
  using Storage = std::vector<Line>;  ///< numbers that begin where a cache line does
  static double* data(Storage& s) { return s.empty() ? nullptr : s.data()->number; }
  static const double* data(const Storage& s) { return s.empty() ? nullptr : s.data()->number; }
  static void resize(Storage& s, std::size_t numbers) { s.resize((numbers + 7) / 8 + 1); }

  void check_last(int nodes, std::span<const int> last);
  void make_room();
  std::size_t schur_size() const { return 3 * static_cast<std::size_t>(plan_.last); }
  Matrix triangle(const NodalFront& f) const;
  Matrix rectangle(const NodalFront& f) const;
  Matrix update(const NodalFront& f);
  void assemble(const NodalMatrix& matrix, int entry, int end, double* target) const;
  void add_pivot_part(const NodalFront& child, const Matrix& to_triangle, const Matrix& to_rectangle);
  void add_later_part(const NodalFront& child, const Matrix& to_update);
  [[nodiscard]] bool factorize_front(const NodalFront& front, const NodalMatrix& matrix);

  void to_positions(std::span<const double> x) const;
  void from_positions(std::span<double> x, int end) const;
  void forward() const;
  void backward() const;
  void solve_eight(double* x, int count) const;
  void forward_many() const;
  void backward_many() const;

  NodalPattern pattern_;
  std::vector<int> last_;
  std::vector<char> named_;  ///< scratch of check_last
  NodalOrdering order_;
  NodalFronts plan_;
  Storage factor_, stack_[2];
  Storage schur_, last_factor_;
  mutable std::vector<double> x_;          ///< by position, one or eight right sides
  mutable std::vector<double> condensed_;  ///< L_ii^-1 b_i of the b that was condensed last
  mutable Storage pivot_part_, row_part_;  ///< of x, at a front
};

}  // namespace uzawa
