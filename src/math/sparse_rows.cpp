#include "uzawa/math/sparse_rows.hpp"

#include <cassert>

namespace uzawa {

void SparseRows::multiply(std::span<const double> x, std::span<double> y) const {
  assert(static_cast<int>(x.size()) == columns && static_cast<int>(y.size()) == rows());
  for (int r = 0; r < rows(); ++r) {
    double sum = 0;
    for (std::size_t k = begin(r); k < end(r); ++k) sum += value[k] * x[static_cast<std::size_t>(column[k])];
    y[static_cast<std::size_t>(r)] = sum;
  }
}

void SparseRows::add_transposed(std::span<const double> x, std::span<double> y) const {
  assert(static_cast<int>(y.size()) == columns && static_cast<int>(x.size()) == rows());
  for (int r = 0; r < rows(); ++r) {
    const double xr = x[static_cast<std::size_t>(r)];
    if (xr == 0) continue;
    for (std::size_t k = begin(r); k < end(r); ++k) y[static_cast<std::size_t>(column[k])] += value[k] * xr;
  }
}

}  // namespace uzawa
