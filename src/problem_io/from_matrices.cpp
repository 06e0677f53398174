#include "uzawa/problem_io/from_matrices.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>

#include "uzawa/base/at.hpp"
#include "uzawa/problem_io/triplets.hpp"

namespace uzawa {

namespace {

/// Positions where v is cut; position k separates dof k - 1 from dof k.
using Cuts = std::set<int>;

/// Dofs that a constraint touches, increasing, once each.
std::vector<int> touched(const SparseRows& rows) {
  std::vector<int> dofs = rows.column;
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  return dofs;
}

/// Cuts that no entry of A crosses.
Cuts finest_cuts(const SparseRows& lower) {
  const int n = lower.rows();
  std::vector<int> crossing(at(n) + 1, 0);  // differences of the number of entries across each cut
  for (int r = 0; r < n; ++r) {
    for (std::size_t k = lower.begin(r); k < lower.end(r); ++k) {
      ++crossing[at(lower.column[k]) + 1];
      --crossing[at(r) + 1];
    }
  }
  Cuts cuts{0, n};
  int open = 0;
  for (int position = 1; position < n; ++position) {
    open += crossing[at(position)];
    if (open == 0) cuts.insert(position);
  }
  return cuts;
}

/// Start of the block that holds a dof.
int block_start(const Cuts& cuts, int dof) { return *std::prev(cuts.upper_bound(dof)); }

/// Starts of the blocks on which a constraint takes hold, increasing.
std::vector<int> touched_blocks(const Cuts& cuts, const std::vector<int>& dofs) {
  std::vector<int> starts;
  for (const int dof : dofs) {
    const int start = block_start(cuts, dof);
    if (starts.empty() || starts.back() != start) starts.push_back(start);
  }
  return starts;
}

bool pairs_only(const Cuts& cuts, const std::vector<std::vector<int>>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(),
                     [&](const std::vector<int>& dofs) { return touched_blocks(cuts, dofs).size() <= 2; });
}

/// Cuts at the multiples of `size`; empty where A forbids one.
Cuts aligned_cuts(const Cuts& finest, int n, int size) {
  Cuts cuts;
  if (n % size != 0) return cuts;
  for (int position = 0; position <= n; position += size) {
    if (!finest.contains(position)) return {};
    cuts.insert(cuts.end(), position);
  }
  return cuts;
}

/// Joins the blocks of one constraint until there are two.
void merge_to_pair(Cuts& cuts, const std::vector<int>& dofs) {
  const std::vector<int> starts = touched_blocks(cuts, dofs);
  const int count = static_cast<int>(starts.size());
  if (count <= 2) return;
  const auto block_end = [&](int k) { return *cuts.upper_bound(starts[at(k)]); };
  int split = 1;  // blocks [0, split) and [split, count)
  for (int k = 2; k < count; ++k) {
    const int gap = starts[at(k)] - block_end(k - 1), best = starts[at(split)] - block_end(split - 1);
    if (gap > best || (gap == best && std::abs(2 * k - count) < std::abs(2 * split - count))) split = k;
  }
  const auto join = [&](int first, int last) {
    cuts.erase(cuts.upper_bound(starts[at(first)]), cuts.lower_bound(starts[at(last)] + 1));
  };
  join(0, split - 1);
  join(split, count - 1);
}

/// Rows of A's lower triangle within [first, last), columns relative to it.
SparseBlock diagonal_block(const SparseRows& lower, int first, int last) {
  SparseBlock block;
  block.lower.columns = last - first;
  for (int r = first; r < last; ++r) {
    for (std::size_t k = lower.begin(r); k < lower.end(r); ++k) {
      block.lower.column.push_back(lower.column[k] - first);
      block.lower.value.push_back(lower.value[k]);
    }
    block.lower.start.push_back(static_cast<int>(block.lower.column.size()));
  }
  return block;
}

/// Columns [first, last) of a constraint's rows.
SparseRows columns_of(const SparseRows& rows, int first, int last) {
  SparseRows out;
  out.columns = last - first;
  for (int r = 0; r < rows.rows(); ++r) {
    for (std::size_t k = rows.begin(r); k < rows.end(r); ++k) {
      if (rows.column[k] < first || rows.column[k] >= last) continue;
      out.column.push_back(rows.column[k] - first);
      out.value.push_back(rows.value[k]);
    }
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

}  // namespace

std::vector<int> subsystem_cuts(const SparseRows& lower, std::span<const MatrixConstraint> constraints) {
  std::vector<std::vector<int>> dofs;
  std::transform(constraints.begin(), constraints.end(), std::back_inserter(dofs),
                 [](const MatrixConstraint& constraint) { return touched(constraint.rows); });
  Cuts cuts = finest_cuts(lower);
  if (!pairs_only(cuts, dofs)) {
    for (const int size : {6, 3}) {
      const Cuts aligned = aligned_cuts(cuts, lower.rows(), size);
      if (!aligned.empty() && pairs_only(aligned, dofs)) return {aligned.begin(), aligned.end()};
    }
    // Joining never raises the number of blocks that a constraint touches, so one pass is enough.
    for (const std::vector<int>& constraint : dofs) merge_to_pair(cuts, constraint);
  }
  return {cuts.begin(), cuts.end()};
}

std::vector<Attachment> attach_rows(Problem& problem, const SparseRows& rows) {
  std::vector<Attachment> attachments;
  for (const int dof : touched(rows)) {
    const auto next = std::upper_bound(problem.blocks.begin(), problem.blocks.end(), dof,
                                       [](int d, const Block& block) { return d < block.offset; });
    const int index = static_cast<int>(next - problem.blocks.begin()) - 1;
    if (!attachments.empty() && attachments.back().block == index) continue;
    const Block& block = problem.blocks[at(index)];
    attachments.push_back(problem.explicit_rows(index, columns_of(rows, block.offset, block.offset + block.size)));
  }
  return attachments;
}

Problem from_matrices(const SparseRows& a, const std::vector<double>& b,
                      const std::vector<MatrixConstraint>& constraints, const std::string& source) {
  const SparseRows lower = lower_triangle(without_zeros(a), source, "A");
  const std::vector<int> cuts = subsystem_cuts(lower, constraints);
  Problem problem;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    problem.add_sparse(diagonal_block(lower, cuts[k], cuts[k + 1]), {b.begin() + cuts[k], b.begin() + cuts[k + 1]});
  }
  for (const MatrixConstraint& constraint : constraints) {
    add_constraint(problem, constraint.law, attach_rows(problem, constraint.rows));
  }
  return problem;
}

}  // namespace uzawa
