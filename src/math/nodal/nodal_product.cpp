#include "uzawa/math/nodal/nodal_product.hpp"

#include "uzawa/base/at.hpp"
#include "uzawa/math/vec3.hpp"

namespace uzawa {

namespace {

/// The third row of a block, without a look beyond the block's end; the last lane has no meaning.
inline Lanes third_row(const double* block) {
  const Lanes end = load_lanes(block + 5);
  return __builtin_shufflevector(end, end, 1, 2, 3, 3);
}
inline double sum3(const Lanes& l) { return (l[0] + l[1]) + l[2]; }
/// Three numbers, without a look beyond them.
inline Lanes load3(const double* x) { return Lanes{x[0], x[1], x[2], 0}; }

}  // namespace

void NodalProduct::prepare(const std::shared_ptr<const NodalPattern>& pattern) {
  if (pattern_ == pattern) return;
  pattern_ = pattern;
  const int nodes = pattern->nodes();
  below_start_.assign(at(nodes) + 1, 0);
  const auto for_each_below = [&](auto&& visit) {
    for (int row = 0; row < nodes; ++row) {
      for (int k = pattern->start[at(row)]; k + 1 < pattern->start[at(row) + 1]; ++k) {
        visit(row, k, pattern->column[at(k)]);
      }
    }
  };
  for_each_below([&](int, int, int column) { ++below_start_[at(column) + 1]; });
  for (int i = 0; i < nodes; ++i) below_start_[at(i) + 1] += below_start_[at(i)];
  below_.resize(at(below_start_.back()));
  // Filled through the starts themselves, which are then those of the next node, and moved back by one.
  for_each_below([&](int row, int k, int column) { below_[at(below_start_[at(column)]++)] = {row, k}; });
  for (int i = nodes; i > 0; --i) below_start_[at(i)] = below_start_[at(i) - 1];
  below_start_[0] = 0;
}

void NodalProduct::multiply(const NodalMatrix& matrix, int begin, int end, const double* x, double* y) const {
  for (int i = begin; i < end; ++i) {
    Lanes y0{}, y1{}, y2{}, below{};
    for (int k = pattern_->start[at(i)]; k < pattern_->start[at(i) + 1]; ++k) {
      const double* b = matrix.block(at(k));
      const Lanes xj = load3(x + 3 * pattern_->column[at(k)]);
      y0 += load_lanes(b) * xj, y1 += load_lanes(b + 3) * xj, y2 += third_row(b) * xj;
    }
    for (int k = below_start_[at(i)]; k < below_start_[at(i) + 1]; ++k) {
      const double* b = matrix.block(at(below_[at(k)].place));
      const double* xj = x + 3 * below_[at(k)].row;
      below += load_lanes(b) * xj[0] + load_lanes(b + 3) * xj[1] + third_row(b) * xj[2];
    }
    double* yi = y + 3 * i;
    yi[0] = sum3(y0) + below[0], yi[1] = sum3(y1) + below[1], yi[2] = sum3(y2) + below[2];
  }
}

}  // namespace uzawa
