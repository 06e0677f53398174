#include "uzawa/problem/mobility.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Estimate of j^T A_b^-1 j where that would take iterations.
double local_form(const Block& block, const BlockFactor& factor, int b, std::span<const int> columns,
                  const double* entries) {
  std::array<int, 12> own;  // as many as a contact has; of longer rows the first
  std::array<double, 12> values;
  std::size_t count = 0;
  for (std::size_t k = 0; k < columns.size() && count < own.size(); ++k) {
    if (columns[k] < block.offset || columns[k] >= block.offset + block.size) continue;
    own[count] = columns[k] - block.offset;
    values[count++] = entries[k];
  }
  return factor.local_form(b, std::span(own).first(count), values.data());
}

/// j^T A_b^-1 j for the part of a row of J on one block; `x` is zero on entry and on exit.
double inverse_form(const Problem& problem, const BlockFactor& factor, int b, std::span<const int> columns,
                    const double* entries, std::span<double> x) {
  const Block& block = problem.blocks[at(b)];
  if (factor.iterates(b)) return local_form(block, factor, b, columns, entries);
  const std::span<double> part(x.data() + block.offset, at(block.size));
  const auto inside = [&](int column) { return column >= block.offset && column < block.offset + block.size; };
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (inside(columns[k])) x[at(columns[k])] = entries[k];
  }
  double sum = 0;
  if (const std::optional<double> form = factor.inverse_form(b, part)) {
    sum = *form;
  } else {
    factor.solve_block(b, part);
    for (std::size_t k = 0; k < columns.size(); ++k) sum += inside(columns[k]) ? entries[k] * x[at(columns[k])] : 0;
  }
  std::fill(part.begin(), part.end(), 0.0);
  return sum;
}

/// For paths of some length; longer ones are looked at row by row.
struct PathScratch {
  std::array<Vec3, 64> vectors;
  std::array<double, 64> numbers;
};

/// trace(J_b A_b^-1 J_b^T) of a constraint that holds a tree by one link or one joint, along the path to it and for all
/// its rows at once; none where the path is too long.
std::optional<double> path_trace(const Problem& problem, const BlockFactor& factor, const CompactRows& rows, int c,
                                 int b, PathScratch& scratch) {
  const Block& block = problem.blocks[at(b)];
  const auto inside = [&](int column) { return column >= block.offset && column < block.offset + block.size; };
  const int *first = rows.columns(c), *last = first + rows.width(c);
  const int* begin = std::find_if(first, last, inside);
  const int* end = std::find_if_not(begin, last, inside);
  if (begin == end) return 0;
  const TreeMatrix& tree = factor.tree_factor(b);
  const int dof = end[-1] - block.offset;
  const std::size_t length = tree.topology().path(dof).size(), width = static_cast<std::size_t>(end - begin);
  std::array<Vec3, 64>& x = scratch.vectors;
  if (length > x.size()) return {};
  const double* entries = rows.row(c, 0) + (begin - first);
  if (width == 1 && rows.dims(c) == 1) return *entries * *entries * tree.inverse_diagonal(dof, scratch.numbers);
  // A link moves with its whole path, a joint coordinate is the end of it.
  std::fill_n(x.begin(), length - width, Vec3{});
  const int stride = rows.dims(c) == 3 ? rows.width(c) : 0;
  for (std::size_t k = 0; k < width; ++k) {
    const double* e = entries + k;
    x[length - width + k] = stride == 0 ? Vec3{e[0], 0, 0} : Vec3{e[0], e[stride], e[2 * stride]};
  }
  return tree.inverse_trace(dof, {x.data(), length});
}

/// trace(J_c A^-1 J_c^T); `x` is zero on entry and on exit.
double trace_of(const Problem& problem, const BlockFactor& factor, const CompactRows& rows, int c, std::span<double> x,
                PathScratch& on_path) {
  double trace = 0;
  const int begin = problem.attachment_start[at(c)], end = problem.attachment_start[at(c) + 1];
  for (int a = begin; a < end; ++a) {
    const Attachment& attachment = problem.attachments[at(a)];
    const int b = attachment.block;
    // Several attachments may be on one block: it counts once.
    int first = begin, count = 0;
    while (problem.attachments[at(first)].block != b) ++first;
    for (int e = begin; e < end; ++e) count += problem.attachments[at(e)].block == b ? 1 : 0;
    if (first != a) continue;
    const BlockKind kind = problem.blocks[at(b)].kind;
    if (kind == BlockKind::FreeBody && attachment.kind == AttachmentKind::LinkPoint && rows.dims(c) == 3 &&
        count == 1) {
      trace += factor.point_mobility(b, attachment.point);  // does not depend on the frame
      continue;
    }
    if (kind == BlockKind::Tree && attachment.kind != AttachmentKind::Rows && count == 1) {
      if (const std::optional<double> share = path_trace(problem, factor, rows, c, b, on_path)) {
        trace += *share;
        continue;
      }
    }
    for (int d = 0; d < rows.dims(c); ++d) {
      trace += inverse_form(problem, factor, b, {rows.columns(c), at(rows.width(c))}, rows.row(c, d), x);
    }
  }
  return trace;
}

}  // namespace

void Mobility::build(const Problem& problem, const BlockFactor& factor, const CompactRows& rows) {
  x_.assign(at(problem.n()), 0.0);
  traces_.resize(at(rows.constraints()));
  PathScratch on_path;
  for (int c = 0; c < rows.constraints(); ++c) traces_[at(c)] = trace_of(problem, factor, rows, c, x_, on_path);
}

double Mobility::trace(const Problem& problem, const BlockFactor& factor, const CompactRows& rows, int c) {
  x_.assign(at(problem.n()), 0.0);
  PathScratch on_path;
  return trace_of(problem, factor, rows, c, x_, on_path);
}

}  // namespace uzawa
