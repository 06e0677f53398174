#include "uzawa/problem/compact_rows.hpp"

#include <algorithm>

namespace uzawa {

void CompactRows::build(const Problem& problem, const SparseRows& rows) {
  const std::size_t count = problem.constraints.size();
  auto& [dims, first_row, column_start, columns] = pattern_;
  dims.resize(count);
  first_row.resize(count);
  column_start.assign(1, 0);
  columns.clear();
  value_start_.resize(count);
  values_.clear();
  for (std::size_t c = 0; c < count; ++c) {
    dims[c] = problem.dims(static_cast<int>(c));
    first_row[c] = problem.constraints[c].row;
    value_start_[c] = values_.size();
    if (same_columns(rows, first_row[c], dims[c])) {
      copy_piece(rows, first_row[c], dims[c]);
    } else {
      gather_piece(rows, first_row[c], dims[c]);
    }
    column_start.push_back(static_cast<int>(columns.size()));
  }
}

/// The rule for contacts on links: then the rows are the piece already.
bool CompactRows::same_columns(const SparseRows& rows, int first, int dims) {
  const auto begin = rows.column.begin();
  const auto at = [&](std::size_t k) { return begin + static_cast<std::ptrdiff_t>(k); };
  for (int d = 1; d < dims; ++d) {
    if (!std::equal(at(rows.begin(first)), at(rows.end(first)), at(rows.begin(first + d)), at(rows.end(first + d)))) {
      return false;
    }
  }
  return true;
}

void CompactRows::copy_piece(const SparseRows& rows, int first, int dims) {
  const int* column = rows.column.data();
  const double* value = rows.value.data();
  pattern_.columns.insert(pattern_.columns.end(), column + rows.begin(first), column + rows.end(first));
  values_.insert(values_.end(), value + rows.begin(first), value + rows.end(first + dims - 1));
}

void CompactRows::gather_piece(const SparseRows& rows, int first, int dims) {
  const auto start = static_cast<std::ptrdiff_t>(pattern_.columns.size());
  for (int d = 0; d < dims; ++d) {
    for (std::size_t k = rows.begin(first + d); k < rows.end(first + d); ++k)
      pattern_.columns.push_back(rows.column[k]);
  }
  std::sort(pattern_.columns.begin() + start, pattern_.columns.end());
  pattern_.columns.erase(std::unique(pattern_.columns.begin() + start, pattern_.columns.end()), pattern_.columns.end());
  const std::size_t width = pattern_.columns.size() - static_cast<std::size_t>(start), base = values_.size();
  values_.resize(base + static_cast<std::size_t>(dims) * width, 0.0);
  for (int d = 0; d < dims; ++d) {
    double* out = values_.data() + base + static_cast<std::size_t>(d) * width;
    for (std::size_t k = rows.begin(first + d); k < rows.end(first + d); ++k) {
      const auto slot = std::lower_bound(pattern_.columns.begin() + start, pattern_.columns.end(), rows.column[k]);
      out[slot - pattern_.columns.begin() - start] = rows.value[k];
    }
  }
}

void CompactRows::multiply(const double* v, double* u) const {
  for (int c = 0; c < constraints(); ++c) {
    const int* column = columns(c);
    const int count = width(c);
    if (dims(c) == 3) {  // entries of v are loaded once, and three sums run side by side
      const double *x = row(c, 0), *y = row(c, 1), *z = row(c, 2);
      double sums[3] = {};
      for (int k = 0; k < count; ++k) {
        const double vk = v[column[k]];
        sums[0] += x[k] * vk;
        sums[1] += y[k] * vk;
        sums[2] += z[k] * vk;
      }
      std::copy_n(sums, 3, u + first_row(c));
      continue;
    }
    for (int d = 0; d < dims(c); ++d) {
      const double* entries = row(c, d);
      double sum = 0;
      for (int k = 0; k < count; ++k) sum += entries[k] * v[column[k]];
      u[first_row(c) + d] = sum;
    }
  }
}

void CompactRows::add_transposed(const double* lambda, double* v) const {
  for (int c = 0; c < constraints(); ++c) {
    const int* column = columns(c);
    const int count = width(c);
    if (dims(c) == 3) {
      const double *x = row(c, 0), *y = row(c, 1), *z = row(c, 2), *l = lambda + first_row(c);
      if (l[0] == 0 && l[1] == 0 && l[2] == 0) continue;
      for (int k = 0; k < count; ++k) {  // one after another: the same bits as row by row
        double vk = v[column[k]];
        vk += x[k] * l[0];
        vk += y[k] * l[1];
        vk += z[k] * l[2];
        v[column[k]] = vk;
      }
      continue;
    }
    for (int d = 0; d < dims(c); ++d) {
      const double l = lambda[first_row(c) + d];
      if (l == 0) continue;
      const double* entries = row(c, d);
      for (int k = 0; k < count; ++k) v[column[k]] += entries[k] * l;
    }
  }
}

}  // namespace uzawa
