#include "uzawa/problem_io/triplets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

constexpr double kSymmetryTolerance = 1e-9;  // of sqrt(a_ii a_jj): far above rounding, far below a modelling error

double entry(const SparseRows& rows, int row, int column) {
  const auto first = rows.column.begin() + static_cast<std::ptrdiff_t>(rows.begin(row));
  const auto last = rows.column.begin() + static_cast<std::ptrdiff_t>(rows.end(row));
  const auto found = std::lower_bound(first, last, column);
  return found != last && *found == column ? rows.value[static_cast<std::size_t>(found - rows.column.begin())] : 0;
}

/// The common value of a_rc and a_cr.
double agreed(const SparseRows& a, int r, int c, double value, const std::string& source, const std::string& element) {
  const double mirrored = entry(a, c, r);
  if (value == mirrored) return value;  // not the mean, which would lose the last bit of a denormal
  const double scale = std::sqrt(std::abs(entry(a, r, r)) * std::abs(entry(a, c, c)));
  if (!(std::abs(value - mirrored) <= kSymmetryTolerance * scale)) {
    throw InputError(source, element,
                     "is not symmetric: entry (" + std::to_string(r) + ", " + std::to_string(c) + ") is " +
                         std::to_string(value) + ", its mirror " + std::to_string(mirrored));
  }
  return 0.5 * (value + mirrored);
}

}  // namespace

SparseRows compress(const Triplets& triplets) {
  std::vector<std::size_t> order(triplets.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return triplets.i[a] != triplets.i[b] ? triplets.i[a] < triplets.i[b] : triplets.j[a] < triplets.j[b];
  });
  SparseRows out;
  out.columns = triplets.columns;
  out.start.assign(at(triplets.rows) + 1, 0);
  int last_row = -1;
  for (const std::size_t k : order) {
    if (triplets.i[k] == last_row && triplets.j[k] == out.column.back()) {
      out.value.back() += triplets.x[k];
      continue;
    }
    last_row = triplets.i[k];
    out.column.push_back(triplets.j[k]);
    out.value.push_back(triplets.x[k]);
    ++out.start[at(last_row) + 1];
  }
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  return out;
}

Triplets expand(const SparseRows& rows) {
  Triplets out{rows.rows(), rows.columns, {}, rows.column, rows.value};
  for (int r = 0; r < rows.rows(); ++r) out.i.insert(out.i.end(), rows.end(r) - rows.begin(r), r);
  return out;
}

SparseRows without_zeros(const SparseRows& rows) {
  SparseRows out;
  out.columns = rows.columns;
  for (int r = 0; r < rows.rows(); ++r) {
    for (std::size_t k = rows.begin(r); k < rows.end(r); ++k) {
      if (rows.value[k] == 0) continue;
      out.column.push_back(rows.column[k]);
      out.value.push_back(rows.value[k]);
    }
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

SparseRows lower_triangle(const SparseRows& matrix, const std::string& source, const std::string& element) {
  SparseRows out;
  out.columns = matrix.columns;
  for (int r = 0; r < matrix.rows(); ++r) {
    for (std::size_t k = matrix.begin(r); k < matrix.end(r); ++k) {
      const int c = matrix.column[k];
      const double value = agreed(matrix, r, c, matrix.value[k], source, element);
      if (c >= r) continue;
      out.column.push_back(c);
      out.value.push_back(value);
    }
    out.column.push_back(r);
    out.value.push_back(entry(matrix, r, r));
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

SparseRows from_lower_triangle(const SparseRows& lower) {
  Triplets all = expand(lower);
  const std::size_t entries = all.x.size();
  for (std::size_t k = 0; k < entries; ++k) {
    if (all.i[k] != all.j[k]) all.add(all.j[k], all.i[k], all.x[k]);
  }
  return compress(all);
}

}  // namespace uzawa
