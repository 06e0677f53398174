#include "uzawa/problem_io/semidefinite_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem_io/triplets.hpp"

namespace uzawa {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kPivotShare = 0.05;  // how far below the largest pivot one may be chosen for sparsity
constexpr double kDropped = 4;        // epsilons of sqrt(w_ii w_jj) that count as cancelled
constexpr double kIndefinite = 1e-6;  // of w_ii: a pivot this negative is no rounding error, not even of a file
                                      // that prints seven digits

constexpr double kShifts[] = {1e-9, 1e-8, 1e-7, 1e-6};  // shares of the diagonal that a file's rounding may have cost

struct Entry {
  int column;
  double value;
};
using Row = std::vector<Entry>;  // off-diagonal entries of the Schur complement, columns increasing

class Elimination {
 public:
  /// `shift`: share of the diagonal that is added to it.
  Elimination(const SparseRows& lower, double shift, const std::string& source, const std::string& element)
      : source_(source), element_(element), rows_(at(lower.rows())), active_(at(lower.rows()), true) {
    factor_.rows = lower;  // for its size only
    factor_.shift = shift;
    columns_ = {lower.rows(), 0, {}, {}, {}};
    const SparseRows whole = from_lower_triangle(lower);
    for (int r = 0; r < whole.rows(); ++r) {
      double diagonal = 0;
      for (std::size_t k = whole.begin(r); k < whole.end(r); ++k) {
        if (whole.column[k] == r) {
          diagonal = whole.value[k] * (1 + shift);
        } else if (whole.value[k] != 0) {
          rows_[at(r)].push_back({whole.column[k], whole.value[k]});
        }
      }
      diagonal_.push_back(diagonal);
      scale_.push_back(std::sqrt(std::max(0.0, diagonal)));
      if (diagonal < 0) fail(r, "has a negative diagonal entry");
      if (diagonal == 0 && !rows_[at(r)].empty()) fail(r, "has entries but a zero diagonal");
    }
  }

  SemidefiniteFactor run() {
    const double tolerance = static_cast<double>(rows_.size()) * kEpsilon;
    for (int pivot = choose(tolerance); pivot >= 0; pivot = choose(tolerance)) eliminate(pivot);
    check_remainder();
    columns_.columns = factor_.rank();
    factor_.rows = compress(columns_);
    return std::move(factor_);
  }

 private:
  [[noreturn]] void fail(int row, const std::string& reason) const {
    throw InputError(source_, element_, "is not positive semidefinite: row " + std::to_string(row) + " " + reason);
  }
  /// What is left of a diagonal entry, as a share of its original value.
  double share(int row) const {
    const double scale = scale_[at(row)];
    return scale > 0 ? diagonal_[at(row)] / (scale * scale) : 0;
  }

  /// The sparsest row among those with a large pivot; -1 when all that is left is rounding: ours, or the file's, which
  /// shows as negative pivots.
  int choose(double tolerance) const {
    const int size = static_cast<int>(rows_.size());
    double largest = 0;
    for (int r = 0; r < size; ++r) {
      if (!active_[at(r)]) continue;
      largest = std::max(largest, share(r));
      tolerance = std::max(tolerance, -share(r));
    }
    if (largest <= tolerance) return -1;
    int best = -1;
    for (int r = 0; r < size; ++r) {
      if (!active_[at(r)] || share(r) < std::max(kPivotShare * largest, tolerance)) continue;
      const bool sparser = best < 0 || rows_[at(r)].size() < rows_[at(best)].size();
      const bool tie = best >= 0 && rows_[at(r)].size() == rows_[at(best)].size();
      if (sparser || (tie && share(r) > share(best))) best = r;
    }
    return best;
  }

  void eliminate(int pivot) {
    const double root = std::sqrt(diagonal_[at(pivot)]);
    const int column = factor_.rank();
    Row column_entries = std::move(rows_[at(pivot)]);
    for (Entry& entry : column_entries) entry.value /= root;
    active_[at(pivot)] = false;
    factor_.pivot.push_back(pivot);
    columns_.add(pivot, column, root);
    for (const Entry& entry : column_entries) {
      columns_.add(entry.column, column, entry.value);
      diagonal_[at(entry.column)] -= entry.value * entry.value;
      if (share(entry.column) < -kIndefinite) fail(entry.column, "has a negative pivot");
    }
    for (const Entry& entry : column_entries) subtract(entry.column, entry.value, pivot, column_entries);
  }

  /// rows_[row] -= factor * column, without the pivot's entry and what cancels.
  void subtract(int row, double factor, int pivot, const Row& column) {
    const Row& old = rows_[at(row)];
    scratch_.clear();
    const auto keep = [&](int c, double value) {
      if (std::abs(value) > kDropped * kEpsilon * scale_[at(row)] * scale_[at(c)]) scratch_.push_back({c, value});
    };
    auto a = old.begin();
    auto b = column.begin();
    while (a != old.end() || b != column.end()) {
      if (b == column.end() || (a != old.end() && a->column < b->column)) {
        if (a->column != pivot) scratch_.push_back(*a);
        ++a;
      } else if (a == old.end() || b->column < a->column) {
        if (b->column != row) keep(b->column, -factor * b->value);
        ++b;
      } else {
        keep(a->column, a->value - factor * b->value);
        ++a;
        ++b;
      }
    }
    rows_[at(row)] = scratch_;
  }

  void check_remainder() {
    for (int r = 0; r < static_cast<int>(rows_.size()); ++r) {
      if (!active_[at(r)]) continue;
      factor_.remainder = std::max(factor_.remainder, std::abs(share(r)));
      for (const Entry& entry : rows_[at(r)]) {
        factor_.remainder =
            std::max(factor_.remainder, std::abs(entry.value) / (scale_[at(r)] * scale_[at(entry.column)]));
      }
      if (factor_.remainder > kIndefinite) fail(r, "couples to others more strongly than its pivot allows");
    }
  }

  const std::string &source_, &element_;
  std::vector<Row> rows_;
  std::vector<char> active_;
  std::vector<double> diagonal_, scale_;
  Row scratch_;
  Triplets columns_;
  SemidefiniteFactor factor_;
};

}  // namespace

SemidefiniteFactor factor_semidefinite(const SparseRows& lower, const std::string& source, const std::string& element) {
  try {
    return Elimination(lower, 0, source, element).run();
  } catch (const InputError&) {
    // The smallest that will do; where none does, the matrix as it is says what is wrong with it.
    for (const double shift : kShifts) {
      try {
        return Elimination(lower, shift, source, element).run();
      } catch (const InputError&) {
        continue;
      }
    }
    throw;
  }
}

}  // namespace uzawa
