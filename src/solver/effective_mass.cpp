#include "uzawa/solver/effective_mass.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// trace(J_c A^-1 J_c^T); `x` is zero on entry and on exit.
double trace_of(const Problem& problem, const Judge& judge, const CompactRows& rows, int c, std::span<double> x) {
  double trace = 0;
  const int* column = rows.columns(c);
  for (int d = 0; d < rows.dims(c); ++d) {
    const double* entries = rows.row(c, d);
    for (int k = 0; k < rows.width(c); ++k) x[at(column[k])] = entries[k];
    for (int a = problem.attachment_start[at(c)]; a < problem.attachment_start[at(c) + 1]; ++a) {
      const int b = problem.attachments[at(a)].block;
      // Two attachments may be on one block: solve it once.
      bool seen = false;
      for (int e = problem.attachment_start[at(c)]; e < a; ++e) seen = seen || problem.attachments[at(e)].block == b;
      const Block& block = problem.blocks[at(b)];
      const std::span<double> part(x.data() + block.offset, at(block.size));
      if (!seen) judge.factor().solve_block(b, part);
    }
    for (int k = 0; k < rows.width(c); ++k) trace += entries[k] * x[at(column[k])];
    for (int a = problem.attachment_start[at(c)]; a < problem.attachment_start[at(c) + 1]; ++a) {
      const Block& block = problem.blocks[at(problem.attachments[at(a)].block)];
      std::fill_n(x.begin() + block.offset, block.size, 0.0);
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

}  // namespace uzawa
