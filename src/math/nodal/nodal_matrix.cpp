#include "uzawa/math/nodal/nodal_matrix.hpp"

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/block_rows.hpp"

namespace uzawa {

namespace {

using Pair = double __attribute__((vector_size(16)));

/// y += (x, y, z of) added. By two and one: where a load of four would reach over two stores just made, it would wait.
inline void add3(double* y, const Lanes& added) {
  Pair xy;
  std::memcpy(&xy, y, sizeof(xy));
  xy += __builtin_shufflevector(added, added, 0, 1);
  std::memcpy(y, &xy, sizeof(xy));
  y[2] += added[2];
}

}  // namespace

void NodalMatrix::clear() { value.assign(9 * pattern->blocks(), 0.0); }

void NodalMatrix::add_to_diagonal(int node, double added) {
  double* b = block(pattern->diagonal(node));
  b[0] += added, b[4] += added, b[8] += added;
}

void NodalMatrix::add_to_diagonal(int node, std::span<const double, 9> added) {
  double* b = block(pattern->diagonal(node));
  for (std::size_t k = 0; k < 9; ++k) b[k] += added[k];
}

/// Each block is loaded once for both triangles. A row of y is first touched by its own row of blocks, so that nothing
/// has to be cleared before. Fourth lanes hold what follows in memory and are dropped at the end.
void NodalMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  const int count = nodes();
  const double* b = value.data();
  for (int i = 0; i < count; ++i) {
    const double* xi = &x[at(3 * i)];
    const Lanes x0 = Lanes{} + xi[0], x1 = Lanes{} + xi[1], x2 = Lanes{} + xi[2];
    Lanes y0{}, y1{}, y2{};
    const int end = pattern->start[at(i) + 1] - 1;
    for (int k = pattern->start[at(i)]; k < end; ++k, b += 9) {
      const int j = 3 * pattern->column[at(k)];
      const BlockRows r(b);
      const Lanes xj = load_lanes(&x[at(j)]);
      y0 += r.row[0] * xj, y1 += r.row[1] * xj, y2 += r.row[2] * xj;
      add3(&y[at(j)], r.row[0] * x0 + r.row[1] * x1 + r.row[2] * x2);
    }
    const BlockRows d(b);
    const Lanes own = d.row[0] * x0 + d.row[1] * x1 + d.row[2] * x2;
    b += 9;
    double* yi = &y[at(3 * i)];
    yi[0] = own[0] + sum3(y0), yi[1] = own[1] + sum3(y1), yi[2] = own[2] + sum3(y2);
  }
}

}  // namespace uzawa
