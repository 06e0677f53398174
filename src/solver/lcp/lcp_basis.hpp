#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "uzawa/solver/lcp/lcp_matrix.hpp"
#include "uzawa/solver/lcp/updated_inverse.hpp"

namespace uzawa {

/// What pivoting may do with a pair (w_i, z_i).
enum class LcpRole : char {
  Complementary,  ///< w, z >= 0
  Free,           ///< w = 0, z of any sign: z is always basic
  Locked          ///< z = 0, w of any sign: left out
};

/// An (almost) complementary basis of w = M z + q + c z0 ([LCP] eq. 8), and what pivoting asks of it. Of each pair
/// (w_i, z_i) one variable is basic; while z0 is basic, one pair, the missing one, has none. So a basis is a set of z
/// and the missing pair, and there is one value a pair, with z0 in the place of the missing pair.
///
/// Of the n x n basis matrix only the part K is kept whose rows are those with w nonbasic and whose columns are the
/// basic z and z0: as many as there are active constraints. Its inverse is updated with each pivot, and every answer is
/// corrected against M itself, so that nothing drifts: [LCP] section III updates M' and q' instead, whose errors stay.
class LcpBasis {
 public:
  /// All must outlive the use. Starts from the basis of the free z alone.
  void attach(const LcpMatrix& matrix, std::span<const double> q, std::span<const LcpRole> roles);
  int size() const { return matrix_->size(); }

  // -- complementary bases, without z0
  /// Back to the free z alone. False where M restricted to them is singular.
  [[nodiscard]] bool clear();
  /// z_i becomes basic, where that leaves K well conditioned.
  bool try_add(int i);
  /// The basis of these z, anew. False where it is singular.
  [[nodiscard]] bool load(std::span<const char> basic);

  // -- almost complementary bases
  /// z0 becomes basic in place of the variable with the least value. The covering vector c is the one with which each
  /// basic variable grows by 1 a unit of z0, or by `spread` (positive) where that is not empty. To be called after
  /// refresh(). Returns whether a z has left.
  bool enter_cover(std::span<const double> spread);
  /// The basis of these z, the missing pair and z0, for the covering vector in use. False where it is singular.
  [[nodiscard]] bool load(std::span<const char> basic, int missing);
  /// Change of all values for a unit of the driving variable, which is z or w of the missing pair. False where K is too
  /// ill-conditioned to say.
  [[nodiscard]] bool find_direction(bool driver_is_z);
  /// The driving variable of find_direction becomes basic instead of pair i's, by `step`; z0 leaves where i is
  /// missing().
  void pivot(int i, double step);

  /// Computes the values anew from M and q.
  [[nodiscard]] bool refresh();

  std::span<const double> values() const { return value_; }
  std::span<const double> direction() const { return direction_; }
  std::span<const char> basic() const { return basic_; }  ///< by pair: z is basic
  int missing() const { return missing_; }                ///< -1: z0 is not basic
  LcpRole role(int i) const { return roles_[static_cast<std::size_t>(i)]; }
  /// Identifies basis and missing pair.
  std::uint64_t hash() const { return hash_; }
  /// Norm of w - M z - c z0 - q for the present values: x'.error() of [LCP] algorithm 2. Overwrites the direction's
  /// scratch.
  double error();
  /// Number of inversions so far.
  int inversions() const { return inversions_; }
  /// z of the present values, clipped at zero.
  void solution(std::span<double> z) const;

 private:
  static std::uint64_t key(int i, bool is_missing);
  bool invert();
  void list_basis();
  double entry(int row, int column) const;
  /// product_ = (columns of K, c included) x
  void multiply_basis(std::span<const double> x);
  /// K x = rhs_, corrected once against M; false where the correction does not help. product_ gets `offset` + K x in
  /// all rows.
  bool solve_corrected(std::span<const double> offset);
  void set_values(std::span<double> out) const;
  void swap_row(int from, int to);
  void swap_column(int from, int to);
  void append(int row, int column);
  void remove(int row, int column);
  void update_inverse(int leaving, bool leaving_is_z);

  const LcpMatrix* matrix_ = nullptr;
  std::span<const double> q_;
  std::span<const LcpRole> roles_;
  std::vector<char> basic_;
  int missing_ = -1;
  bool driver_is_z_ = false;
  std::uint64_t hash_ = 0;
  int inversions_ = 0, updates_ = 0;
  std::size_t capacity_ = 0;  ///< rows of K that there is memory for: more than a regular K can have

  std::vector<int> rows_, columns_;                  ///< of K; column n is z0
  std::vector<int> place_of_row_, place_of_column_;  ///< in the lists above; -1: not there
  UpdatedInverse inverse_;
  std::vector<double> cover_, value_, direction_;
  std::vector<double> k_, rhs_, x_, fix_, line_, product_, column_;  ///< scratch
  std::vector<int> z_columns_;
  std::vector<double> z_values_;
};

}  // namespace uzawa
