#include "uzawa/solver/admm/nodal_penalty.hpp"

#include "uzawa/base/at.hpp"
#include "uzawa/solver/linear/nodal_newton.hpp"

namespace uzawa {

bool NodalPenalty::prepare(const NodalMatrix& a, const CompactRows& rows) { return keeps_pattern(*a.pattern, rows); }

bool NodalPenalty::factorize(const NodalMatrix& a, const CompactRows& rows, std::span<const double> weights,
                             double beta) {
  sum_ = a;
  for (int c = 0; c < rows.constraints(); ++c) {
    const int* column = rows.columns(c);
    for (int k = 0; k < rows.width(c); ++k) {
      for (int l = 0; l < rows.width(c); ++l) {
        const int row_node = column[k] / 3, column_node = column[l] / 3;
        if (row_node < column_node) continue;
        double sum = 0;
        for (int d = 0; d < rows.dims(c); ++d) sum += rows.row(c, d)[k] * rows.row(c, d)[l];
        sum_.block(a.pattern->place(row_node, column_node))[3 * (column[k] % 3) + column[l] % 3] +=
            beta * weights[at(c)] * sum;
      }
    }
  }
  last_.clear();
  return solver_.factorize(sum_, true);
}

/// An iteration of ADMM moves the solution a little further; its own error is left a hundred times as large as that of
/// the linear system, so that the path is that of exact solutions.
void NodalPenalty::solve(std::span<double> x) {
  constexpr double kShare = 0.01;
  if (last_.empty()) scale_ = solver_.energy_size(x);
  solver_.solve({last_, NodalSolver::kAccuracy * scale_, last_.empty() ? 0 : kShare}, x);
  if (solver_.iterates()) last_.assign(x.begin(), x.end());
}

}  // namespace uzawa
