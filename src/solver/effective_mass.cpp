#include "uzawa/solver/effective_mass.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// j^T A_b^-1 j for the part of a row of J on one block; `x` is zero on entry and on exit.
double inverse_form(const Problem& problem, const Judge& judge, int b, std::span<const int> columns,
                    const double* entries, std::span<double> x) {
  const Block& block = problem.blocks[at(b)];
  const std::span<double> part(x.data() + block.offset, at(block.size));
  const auto inside = [&](int column) { return column >= block.offset && column < block.offset + block.size; };
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (inside(columns[k])) x[at(columns[k])] = entries[k];
  }
  double sum = 0;
  if (block.kind == BlockKind::Tree) {
    sum = judge.factor().tree_inverse_form(b, part);
  } else {
    judge.factor().solve_block(b, part);
    for (std::size_t k = 0; k < columns.size(); ++k) sum += inside(columns[k]) ? entries[k] * x[at(columns[k])] : 0;
  }
  std::fill(part.begin(), part.end(), 0.0);
  return sum;
}

/// trace(J_c A^-1 J_c^T); `x` is zero on entry and on exit.
double trace_of(const Problem& problem, const Judge& judge, const CompactRows& rows, int c, std::span<double> x) {
  double trace = 0;
  for (int a = problem.attachment_start[at(c)]; a < problem.attachment_start[at(c) + 1]; ++a) {
    const int b = problem.attachments[at(a)].block;
    // Two attachments may be on one block: it counts once.
    bool seen = false;
    for (int e = problem.attachment_start[at(c)]; e < a; ++e) seen = seen || problem.attachments[at(e)].block == b;
    for (int d = 0; d < rows.dims(c) && !seen; ++d) {
      trace += inverse_form(problem, judge, b, {rows.columns(c), at(rows.width(c))}, rows.row(c, d), x);
    }
  }
  return trace;
}

}  // namespace

double effective_mass(const Problem& problem, Judge& judge, const CompactRows& rows) {
  const std::span<double> x = judge.scratch();
  std::fill(x.begin(), x.end(), 0.0);
  double sum = 0;
  int counted = 0;
  const bool contacts_only = problem.contacts.size() > 0;
  for (int c = 0; c < rows.constraints(); ++c) {
    if (contacts_only && rows.dims(c) != 3) continue;
    const double trace = trace_of(problem, judge, rows, c, x);
    if (!(trace > 0)) continue;  // a constraint that moves nothing
    sum += std::log(rows.dims(c) / trace);
    ++counted;
  }
  return counted == 0 ? 1.0 : std::exp(sum / counted);
}

void effective_masses(const Problem& problem, Judge& judge, const CompactRows& rows, std::span<double> out) {
  const std::span<double> x = judge.scratch();
  std::fill(x.begin(), x.end(), 0.0);
  for (int c = 0; c < rows.constraints(); ++c) {
    const double trace = trace_of(problem, judge, rows, c, x);
    std::fill_n(out.begin() + rows.first_row(c), rows.dims(c), trace > 0 ? rows.dims(c) / trace : 1);
  }
}

}  // namespace uzawa
