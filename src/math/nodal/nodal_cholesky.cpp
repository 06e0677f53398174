#include "uzawa/math/nodal/nodal_cholesky.hpp"

#include <algorithm>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/math/eight.hpp"

namespace uzawa {

namespace {

/// Three columns, `rows` rows each (a multiple of three): to += from.
inline void add_columns(const Matrix& to, const Matrix& from, int rows) {
  for (int j = 0; j < 3; ++j) {
    double* t = to.data + static_cast<std::ptrdiff_t>(j) * to.stride;
    const double* f = from.data + static_cast<std::ptrdiff_t>(j) * from.stride;
    int r = 0;
    for (; r + 8 <= rows; r += 8) (Eight::load(t + r) + Eight::load(f + r)).store(t + r);
    for (; r < rows; ++r) t[r] += f[r];
  }
}

}  // namespace

/// Throws where a node isn't there or is named twice.
void NodalCholesky::check_last(int nodes, std::span<const int> last) {
  named_.assign(at(nodes), 0);
  for (const int node : last) {
    if (node < 0 || node >= nodes || named_[at(node)]) {
      throw InputError("nodal factorisation", "last node " + std::to_string(node), "is no node, or named twice");
    }
    named_[at(node)] = 1;
  }
}

void NodalCholesky::analyse(const NodalPattern& pattern, std::span<const int> last) {
  plan(pattern, last);
  make_room();
}

void NodalCholesky::plan(const NodalPattern& pattern, std::span<const int> last) {
  const bool same_pattern = nodes() > 0 && pattern == pattern_;
  if (same_pattern && std::equal(last.begin(), last.end(), last_.begin(), last_.end())) return;
  check_last(pattern.nodes(), last);
  if (!same_pattern) {
    pattern_ = pattern;
    order_ = choose_nodal_ordering(pattern);
  }
  plan_.plan(pattern_, order_.nodes, last);
  last_.assign(last.begin(), last.end());
}

void NodalCholesky::make_room() {
  resize(factor_, plan_.factor_size);
  for (std::size_t k = 0; k < 2; ++k) resize(stack_[k], plan_.stack_size[k]);
  const std::size_t square = at(plan_.last_stride) * schur_size();
  resize(schur_, square);
  resize(last_factor_, square);
  x_.resize(at(3 * nodes()) * 8);
  condensed_.resize(at(3 * plan_.leading));
  resize(pivot_part_, 8 * at(3 * std::max(plan_.most_pivots, plan_.last) + kPanelRows));
  resize(row_part_, 8 * at(3 * plan_.most_rows + kPanelRows));
}

Matrix NodalCholesky::triangle(const NodalFront& f) const {
  return {const_cast<double*>(data(factor_)) + f.triangle, f.triangle_stride};
}
Matrix NodalCholesky::rectangle(const NodalFront& f) const {
  return {const_cast<double*>(data(factor_)) + f.rectangle, f.rectangle_stride};
}
Matrix NodalCholesky::update(const NodalFront& f) { return {data(stack_[f.stack]) + f.update, f.rectangle_stride}; }

void NodalCholesky::assemble(const NodalMatrix& matrix, int entry, int end, double* target) const {
  for (; entry < end; ++entry) {
    const NodalEntry& e = plan_.entries[at(entry)];
    const double* b = matrix.block(at(e.block));
    double *c0 = target + e.offset, *c1 = c0 + e.stride, *c2 = c1 + e.stride;
    if (e.transposed) {
      c0[0] = b[0], c0[1] = b[1], c0[2] = b[2];
      c1[0] = b[3], c1[1] = b[4], c1[2] = b[5];
      c2[0] = b[6], c2[1] = b[7], c2[2] = b[8];
    } else {
      c0[0] = b[0], c0[1] = b[3], c0[2] = b[6];
      c1[0] = b[1], c1[1] = b[4], c1[2] = b[7];
      c2[0] = b[2], c2[1] = b[5], c2[2] = b[8];
    }
  }
}

/// The columns of a child's update that are pivots here.
void NodalCholesky::add_pivot_part(const NodalFront& child, const Matrix& to_triangle, const Matrix& to_rectangle) {
  const Matrix from = update(child);
  int run = child.run_start;
  for (int column = 0; column < child.own_pivot_rows; ++column) {
    while (plan_.runs[at(run)].from + plan_.runs[at(run)].length <= column) ++run;
    const int to_column = 3 * plan_.relative[at(child.row_start + column)];
    for (int r = run; r < child.run_end; ++r) {
      const NodalRun& rows = plan_.runs[at(r)];
      const int skipped = std::max(0, column - rows.from);
      const Matrix& to = rows.below ? to_rectangle : to_triangle;
      add_columns(to.from(3 * (rows.to + skipped), to_column), from.from(3 * (rows.from + skipped), 3 * column),
                  3 * (rows.length - skipped));
    }
  }
}

/// The other columns.
void NodalCholesky::add_later_part(const NodalFront& child, const Matrix& to_update) {
  const Matrix from = update(child);
  for (int run = child.run_start; run < child.run_end; ++run) {
    const NodalRun& columns = plan_.runs[at(run)];
    if (!columns.below) continue;
    for (int k = 0; k < columns.length; ++k) {
      const int column = columns.from + k, to_column = columns.to + k;
      add_columns(to_update.from(3 * to_column, 3 * to_column), from.from(3 * column, 3 * column),
                  3 * (columns.length - k));
      for (int r = run + 1; r < child.run_end; ++r) {
        const NodalRun& rows = plan_.runs[at(r)];
        add_columns(to_update.from(3 * rows.to, 3 * to_column), from.from(3 * rows.from, 3 * column), 3 * rows.length);
      }
    }
  }
}

/// The update is found before the children's parts of it are added, so that it need not be cleared.
bool NodalCholesky::factorize_front(const NodalFront& front, const NodalMatrix& matrix) {
  const Matrix pivots = triangle(front), below = rectangle(front);
  const int columns = 3 * front.pivots, rows = 3 * front.rows;
  std::fill(pivots.data, below.data + static_cast<std::ptrdiff_t>(below.stride) * columns, 0.0);
  assemble(matrix, front.entry_start, front.entry_end, data(factor_));
  for (int c = front.first_child; c >= 0; c = plan_.fronts[at(c)].sibling) {
    add_pivot_part(plan_.fronts[at(c)], pivots, below);
  }
  if (!factorize_panel(pivots, columns, below, rows)) return false;
  if (rows == 0) return true;
  const Matrix rest = update(front);
  subtract_product(rest, below, below, {rows, rows, columns, true, true});
  for (int c = front.first_child; c >= 0; c = plan_.fronts[at(c)].sibling) add_later_part(plan_.fronts[at(c)], rest);
  return true;
}

bool NodalCholesky::factorize_leading(const NodalMatrix& matrix) {
  if (matrix.value.size() != 9 * pattern_.blocks()) {
    throw InputError("nodal factorisation", "matrix", "has another number of blocks than the analysed pattern");
  }
  make_room();
  const Matrix last{data(schur_), plan_.last_stride};
  std::fill(schur_.begin(), schur_.end(), Line{});
  assemble(matrix, plan_.last_entry_start, static_cast<int>(plan_.entries.size()), last.data);
  for (const NodalFront& front : plan_.fronts) {
    if (!factorize_front(front, matrix)) return false;
    if (front.parent == static_cast<int>(plan_.fronts.size())) add_pivot_part(front, last, {});
  }
  return true;
}

bool NodalCholesky::factorize_last(std::span<const double> trailing) {
  if (trailing.size() != schur().size()) {
    throw InputError("nodal factorisation", "last nodes", "the matrix given has another size than schur()");
  }
  std::copy(trailing.begin(), trailing.end(), data(last_factor_));
  return factorize_panel({data(last_factor_), plan_.last_stride}, static_cast<int>(schur_size()), {}, 0);
}

bool NodalCholesky::factorize_last() { return factorize_last(schur()); }

bool NodalCholesky::factorize(const NodalMatrix& matrix) { return factorize_leading(matrix) && factorize_last(); }

void NodalCholesky::copy_schur(std::span<double> full) const {
  const std::size_t size = schur_size();
  for (std::size_t j = 0; j < size; ++j) {
    const double* column = data(schur_) + j * at(plan_.last_stride);
    for (std::size_t i = j; i < size; ++i) full[j * size + i] = full[i * size + j] = column[i];
  }
}

}  // namespace uzawa
