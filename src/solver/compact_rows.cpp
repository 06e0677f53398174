#include "uzawa/solver/compact_rows.hpp"

#include <algorithm>

namespace uzawa {

void CompactRows::build(const Problem& problem, const SparseRows& rows) {
  dims_.clear();
  first_row_.clear();
  column_start_.assign(1, 0);
  columns_.clear();
  value_start_.clear();
  values_.clear();
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const int first = problem.constraints[c].row, dims = problem.dims(static_cast<int>(c));
    const auto begin = columns_.size();
    const auto start = static_cast<std::ptrdiff_t>(begin);
    for (int d = 0; d < dims; ++d) {
      for (std::size_t k = rows.begin(first + d); k < rows.end(first + d); ++k) columns_.push_back(rows.column[k]);
    }
    std::sort(columns_.begin() + start, columns_.end());
    columns_.erase(std::unique(columns_.begin() + start, columns_.end()), columns_.end());
    const std::size_t width = columns_.size() - begin;
    dims_.push_back(dims);
    first_row_.push_back(first);
    column_start_.push_back(static_cast<int>(columns_.size()));
    value_start_.push_back(values_.size());
    values_.resize(values_.size() + static_cast<std::size_t>(dims) * width, 0.0);
    for (int d = 0; d < dims; ++d) {
      double* out = values_.data() + value_start_.back() + static_cast<std::size_t>(d) * width;
      for (std::size_t k = rows.begin(first + d); k < rows.end(first + d); ++k) {
        const auto slot = std::lower_bound(columns_.begin() + start, columns_.end(), rows.column[k]);
        out[slot - columns_.begin() - start] = rows.value[k];
      }
    }
  }
}

void CompactRows::multiply(const double* v, double* u) const {
  for (int c = 0; c < constraints(); ++c) {
    const int* column = columns(c);
    const int count = width(c);
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
    for (int d = 0; d < dims(c); ++d) {
      const double l = lambda[first_row(c) + d];
      if (l == 0) continue;
      const double* entries = row(c, d);
      for (int k = 0; k < count; ++k) v[column[k]] += entries[k] * l;
    }
  }
}

}  // namespace uzawa
