#include "uzawa/solver/linear/newton_nodes.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/base/mixed_bits.hpp"
#include "uzawa/math/nodal/nodal_rows.hpp"
#include "uzawa/solver/linear/block_sparse.hpp"

namespace uzawa {

namespace {

/// Spreads an index over 64 bits, so that sums of them tell sets apart.
std::uint64_t spread(int index) { return mixed_bits(static_cast<std::uint64_t>(index) + 0x9e3779b97f4a7c15ULL); }

}  // namespace

void LowerTriangle::add_row(int offset, std::span<const int> columns, const double* values) {
  rows_.value.insert(rows_.value.end(), values, values + columns.size());
  const std::size_t first = rows_.column.size();
  rows_.column.resize(rows_.value.size());
  for (std::size_t k = 0; k < columns.size(); ++k) rows_.column[first + k] = offset + columns[k];
  rows_.start.push_back(static_cast<int>(rows_.column.size()));
}

void LowerTriangle::add_body(const Block& block, const SpatialInertia& inertia) {
  constexpr int kColumns[6] = {0, 1, 2, 3, 4, 5};
  for (int r = 0; r < 6; ++r) {
    const Vec3 axis = Vec3::unit(r % 3);
    const Force momentum = inertia * (r < 3 ? Motion{{}, axis} : Motion{axis, {}});
    double values[6];
    momentum.force.store(values);
    momentum.moment.store(values + 3);
    add_row(block.offset, {kColumns, at(r) + 1}, values);
  }
}

const TreeMatrix& LowerTriangle::assembled(const TreeInertia& tree) {
  if (tree_matrix_.size() == 0 || &tree_matrix_.topology() != tree.topology.get()) tree_matrix_.reset(tree.topology);
  composite_.resize(std::max(composite_.size(), tree.inertia.size()));
  assemble(tree, {composite_.data(), tree.inertia.size()}, tree_matrix_);
  return tree_matrix_;
}

void LowerTriangle::add_tree(const Block& block, const TreeMatrix& matrix) {
  for (int r = 0; r < block.size; ++r) add_row(block.offset, matrix.topology().path(r), matrix.row(r));
}

void LowerTriangle::build(const Problem& problem, const BlockFactor* known) {
  rows_.clear(problem.n());
  for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
    const Block& block = problem.blocks[at(b)];
    switch (block.kind) {
      case BlockKind::FreeBody: add_body(block, problem.bodies[at(block.index)]); break;
      case BlockKind::Tree:
        add_tree(block, known != nullptr ? known->tree_matrix(b) : assembled(problem.trees[at(block.index)]));
        break;
      case BlockKind::Nodal: append_lower_rows(problem.nodal[at(block.index)], block.offset, rows_); break;
      case BlockKind::Sparse: {
        const SparseRows& lower = problem.sparse[at(block.index)].lower;
        for (int r = 0; r < block.size; ++r) {
          const std::size_t k = lower.begin(r);
          add_row(block.offset, {lower.column.data() + k, lower.end(r) - k}, lower.value.data() + k);
        }
        break;
      }
    }
  }
}

void NodePartition::build(const Problem& problem, const SparseRows& a, const CompactRows& rows) {
  start_.assign(1, 0);
  if (!problem.sparse.empty()) hash_neighbours(a, rows);
  for (const Block& block : problem.blocks) {
    switch (block.kind) {
      case BlockKind::FreeBody: start_.push_back(block.offset + block.size); break;
      case BlockKind::Tree: split_tree(block, *problem.trees[at(block.index)].topology); break;
      case BlockKind::Nodal:
        for (int end = 3; end <= block.size; end += 3) start_.push_back(block.offset + end);
        break;
      case BlockKind::Sparse: {
        const std::size_t n = at(block.size);
        if (problem.sparse[at(block.index)].lower.column.size() == n * (n + 1) / 2) {
          split_dense(block);
        } else {
          split_sparse(block);
        }
        break;
      }
    }
  }
  node_of_.resize(at(problem.n()));
  for (int k = 0; k + 1 < static_cast<int>(start_.size()); ++k) {
    std::fill(node_of_.begin() + start_[at(k)], node_of_.begin() + start_[at(k) + 1], k);
  }
}

void NodePartition::split_tree(const Block& block, const TreeTopology& topology) {
  children_.assign(at(block.size), 0);
  for (int d = 0; d < block.size; ++d) {
    if (topology.dof_parent(d) >= 0) ++children_[at(topology.dof_parent(d))];
  }
  for (int d = 1; d < block.size; ++d) {
    const bool goes_on = topology.dof_parent(d) == d - 1 && children_[at(d) - 1] == 1;
    if (!goes_on || block.offset + d - start_.back() == BlockSparse::kStride) start_.push_back(block.offset + d);
  }
  if (block.size > 0) start_.push_back(block.offset + block.size);
}

/// All are coupled with all: the larger the nodes, the better.
void NodePartition::split_dense(const Block& block) {
  for (int d = 0; d < block.size; d += BlockSparse::kStride) {
    start_.push_back(block.offset + std::min(block.size, d + BlockSparse::kStride));
  }
}

void NodePartition::hash_neighbours(const SparseRows& a, const CompactRows& rows) {
  neighbours_.assign(at(a.rows()), 0);
  constraints_.assign(at(a.rows()), 0);
  for (int r = 0; r < a.rows(); ++r) {
    for (std::size_t k = a.begin(r); k < a.end(r); ++k) {
      const int c = a.column[k];
      neighbours_[at(r)] += spread(c);
      if (c != r) neighbours_[at(c)] += spread(r);
    }
  }
  for (int c = 0; c < rows.constraints(); ++c) {
    for (int k = 0; k < rows.width(c); ++k) constraints_[at(rows.columns(c)[k])] += spread(c);
  }
}

void NodePartition::split_sparse(const Block& block) {
  // A dof that A couples with nothing goes with its neighbour if they share their constraints, across blocks too.
  const auto alone = [&](int dof) { return neighbours_[at(dof)] == spread(dof); };
  for (int d = block.offset; d < block.offset + block.size; ++d) {
    const bool goes_on = d > 0 && constraints_[at(d)] == constraints_[at(d) - 1] &&
                         (neighbours_[at(d)] == neighbours_[at(d) - 1] || (alone(d) && alone(d - 1))) &&
                         d - start_[start_.size() - 2] < BlockSparse::kStride;
    if (goes_on) start_.pop_back();
    start_.push_back(d + 1);
  }
}

}  // namespace uzawa
