#pragma once

#include <span>
#include <vector>

#include "uzawa/solver/lcp/lcp_basis.hpp"
#include "uzawa/solver/lcp/lcp_outcome.hpp"

namespace uzawa {

/// Ratio test of [LCP] section V-A.
struct TableauRule {
  bool lexicographic = false;  ///< ties are broken by the columns of the inverse; else by the least index
  double tie = 0;              ///< Delta: ratios within it of the least are ties; lexicographic only
};

/// Lemke's algorithm as textbooks and [LCP] section II-A have it, on the tableau of w - M z - c z0 = q with c = 1,
/// which each pivot updates: O(n^2), and errors stay in it. What the other methods are measured against.
class LemkeTableau {
 public:
  LcpEnd run(const LcpMatrix& matrix, std::span<const double> q, std::span<const LcpRole> roles,
             const TableauRule& rule, const LcpLimits& limits, LcpCounts& counts);
  /// z, clipped at zero.
  void solution(std::span<double> z) const;

 private:
  double& cell(int row, int column) {
    return cells_[static_cast<std::size_t>(row) * width_ + static_cast<std::size_t>(column)];
  }
  double cell(int row, int column) const {
    return cells_[static_cast<std::size_t>(row) * width_ + static_cast<std::size_t>(column)];
  }
  // Variables: w_i is i, z_i is n + i, z0 is 2 n; the last column is q.
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  bool counts_in_ratios(int row) const;
  void fill(const LcpMatrix& matrix, std::span<const double> q);
  bool enter_free();
  void exchange(int row, int column);
  int choose_row(int column, const TableauRule& rule);
  int break_ties(int column, double tie);

  int n_ = 0;
  std::size_t width_ = 0;
  std::span<const LcpRole> roles_;
  std::vector<double> cells_;
  std::vector<int> basic_;  ///< variable of each row
  std::vector<int> ties_, kept_;
  std::vector<double> unit_;
  HashSet visited_;
};

}  // namespace uzawa
