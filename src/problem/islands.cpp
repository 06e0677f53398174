#include "uzawa/problem/islands.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Block of a constraint's first attachment; -1: it has none.
int first_block(const Problem& problem, std::size_t c) {
  const int a = problem.attachment_start[c];
  return a == problem.attachment_start[c + 1] ? -1 : problem.attachments[at(a)].block;
}

/// No blocks, no constraints; all memory stays. The elements that own memory stay too, to be written over.
void clear(Problem& problem) {
  problem.blocks.clear();
  problem.bodies.clear();
  problem.b.clear();
  problem.start_v.clear();
  problem.clear_constraints();
}

/// Element `count` of `used`, made of what is there: the one of last time, a spare one, or a new one.
template <typename T>
T& next_element(std::vector<T>& used, std::size_t count, std::vector<T>& spare) {
  if (count < used.size()) return used[count];
  if (spare.empty()) {
    used.emplace_back();
    spare.reserve(used.size());  // where all of them may be laid aside later, without allocating then
    return used.back();
  }
  used.push_back(std::move(spare.back()));
  spare.pop_back();
  return used.back();
}
/// Lays aside what `used` has beyond `count`.
template <typename T>
void trim(std::vector<T>& used, std::size_t count, std::vector<T>& spare) {
  for (; used.size() > count; used.pop_back()) spare.push_back(std::move(used.back()));
}

/// Calls visit(row of the whole problem, row of the island) for every row of the island.
template <typename Visit>
void for_each_row(const Problem& problem, const Island& island, Visit&& visit) {
  int part = 0;
  for (const int c : island.constraints) {
    const int whole = problem.constraints[at(c)].row;
    for (int d = 0; d < problem.dims(c); ++d) visit(at(whole + d), at(part++));
  }
}

}  // namespace

int IslandSplit::group_of(int block) {
  while (parent_[at(block)] != block) block = parent_[at(block)] = parent_[at(parent_[at(block)])];
  return block;
}

int IslandSplit::add_island() {
  if (at(count_) == slots_.size()) slots_.emplace_back();
  Island& island = slots_[at(count_)].island;
  island.blocks.clear();
  island.constraints.clear();
  island.rows = 0;
  return count_++;
}

void IslandSplit::split(const Problem& problem) {
  parent_.resize(problem.blocks.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const int first = first_block(problem, c);
    for (int a = problem.attachment_start[c]; a < problem.attachment_start[c + 1]; ++a) {
      parent_[at(group_of(problem.attachments[at(a)].block))] = group_of(first);
    }
  }
  count_ = 0;
  island_of_group_.assign(problem.blocks.size(), -1);
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const int block = first_block(problem, c);
    int i = block < 0 ? -1 : island_of_group_[at(group_of(block))];
    if (i < 0) {
      i = add_island();
      if (block >= 0) island_of_group_[at(group_of(block))] = i;
    }
    Island& island = slots_[at(i)].island;
    island.constraints.push_back(static_cast<int>(c));
    island.rows += problem.dims(static_cast<int>(c));
  }
  new_block_.assign(problem.blocks.size(), -1);
  rest_.island.blocks.clear();
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const int i = island_of_group_[at(group_of(static_cast<int>(b)))];
    Island& island = i < 0 ? rest_.island : slots_[at(i)].island;
    new_block_[b] = static_cast<int>(island.blocks.size());
    island.blocks.push_back(static_cast<int>(b));
  }
}

const Problem& IslandSplit::extract(const Problem& problem, int i) { return extract(problem, slots_[at(i)]); }

const Island& IslandSplit::extract_rest(const Problem& problem) {
  extract(problem, rest_);
  return rest_.island;
}

const Problem& IslandSplit::extract(const Problem& problem, Slot& slot) const {
  Problem& to = slot.island.problem;
  clear(to);
  to.name = problem.name;
  to.dt = problem.dt;
  copy_blocks(problem, slot);
  std::size_t explicit_rows = 0;
  for (const int c : slot.island.constraints) copy_constraint(problem, c, explicit_rows, slot);
  trim(to.attachment_rows, explicit_rows, slot.spare_rows);
  return to;
}

void IslandSplit::copy_blocks(const Problem& problem, Slot& slot) const {
  Problem& to = slot.island.problem;
  std::size_t trees = 0, nodal = 0, sparse = 0;
  for (const int b : slot.island.blocks) {
    const Block& block = problem.blocks[at(b)];
    int index = 0;
    switch (block.kind) {
      case BlockKind::FreeBody:
        index = static_cast<int>(to.bodies.size());
        to.bodies.push_back(problem.bodies[at(block.index)]);
        break;
      case BlockKind::Tree:
        index = static_cast<int>(trees);
        next_element(to.trees, trees++, slot.spare_trees) = problem.trees[at(block.index)];
        break;
      case BlockKind::Nodal:
        index = static_cast<int>(nodal);
        next_element(to.nodal, nodal++, slot.spare_nodal) = problem.nodal[at(block.index)];
        break;
      case BlockKind::Sparse:
        index = static_cast<int>(sparse);
        next_element(to.sparse, sparse++, slot.spare_sparse) = problem.sparse[at(block.index)];
        break;
    }
    to.blocks.push_back({block.kind, to.n(), block.size, index});
    const double* b_part = problem.b.data() + block.offset;
    to.b.insert(to.b.end(), b_part, b_part + block.size);
    if (problem.start_v.empty()) continue;
    const double* v_part = problem.start_v.data() + block.offset;
    to.start_v.insert(to.start_v.end(), v_part, v_part + block.size);
  }
  trim(to.trees, trees, slot.spare_trees);
  trim(to.nodal, nodal, slot.spare_nodal);
  trim(to.sparse, sparse, slot.spare_sparse);
  copy_pieces(problem, slot);
}

void IslandSplit::copy_pieces(const Problem& problem, Slot& slot) {
  const std::vector<int>& blocks = slot.island.blocks;
  Problem& to = slot.island.problem;
  std::size_t count = 0;
  for (const BlockPieces& of : problem.pieces) {
    const auto found = std::lower_bound(blocks.begin(), blocks.end(), of.block);
    if (found == blocks.end() || *found != of.block) continue;
    BlockPieces& own = next_element(to.pieces, count++, slot.spare_pieces);
    own = of;
    own.block = static_cast<int>(found - blocks.begin());
  }
  trim(to.pieces, count, slot.spare_pieces);
}

void IslandSplit::copy_constraint(const Problem& problem, int c, std::size_t& explicit_rows, Slot& slot) const {
  Problem& to = slot.island.problem;
  slot.attachments.clear();
  for (int a = problem.attachment_start[at(c)]; a < problem.attachment_start[at(c) + 1]; ++a) {
    Attachment& attachment = slot.attachments.emplace_back(problem.attachments[at(a)]);
    attachment.block = new_block_[at(attachment.block)];
    if (attachment.kind != AttachmentKind::Rows) continue;
    const SparseRows& entries = problem.attachment_rows[at(attachment.entries)];
    attachment.entries = static_cast<int>(explicit_rows);
    next_element(to.attachment_rows, explicit_rows++, slot.spare_rows) = entries;
  }
  if (at(c) < problem.mobility_estimate.size()) {
    to.mobility_estimate.resize(to.constraints.size(), 0.0);
    to.mobility_estimate.push_back(problem.mobility_estimate[at(c)]);
  }
  const ConstraintRef& ref = problem.constraints[at(c)];
  const std::size_t i = at(ref.index);
  const std::vector<Attachment>& at_blocks = slot.attachments;
  switch (ref.kind) {
    case ConstraintKind::Contact: to.add_contact(problem.contacts.cone[i], problem.contacts.e[i], at_blocks); break;
    case ConstraintKind::Hard: to.add_hard(problem.hard.e[i], at_blocks); break;
    case ConstraintKind::Equality: to.add_equality(problem.equality.e[i], at_blocks); break;
    case ConstraintKind::Soft: to.add_soft(problem.soft.e[i], problem.soft.k[i], problem.soft.b[i], at_blocks); break;
    case ConstraintKind::Limit: to.add_limit(problem.limits.lower[i], problem.limits.upper[i], at_blocks); break;
    case ConstraintKind::Friction: to.add_friction(problem.friction.bound[i], at_blocks); break;
    case ConstraintKind::Moment: to.add_moment(problem.moments.cone[i], at_blocks, problem.moments.e[i]); break;
  }
}

void gather_impulses(const Problem& problem, const Island& island, std::span<const double> island_lambda,
                     std::span<double> lambda) {
  for_each_row(problem, island, [&](std::size_t whole, std::size_t part) { lambda[whole] = island_lambda[part]; });
}

void scatter_impulses(const Problem& problem, const Island& island, std::span<const double> lambda,
                      std::span<double> island_lambda) {
  for_each_row(problem, island, [&](std::size_t whole, std::size_t part) { island_lambda[part] = lambda[whole]; });
}

void gather_velocities(const Problem& problem, const Island& island, std::span<const double> island_v,
                       std::span<double> v) {
  const double* from = island_v.data();
  for (const int b : island.blocks) {
    const Block& block = problem.blocks[at(b)];
    std::copy_n(from, block.size, v.begin() + block.offset);
    from += block.size;
  }
}

void scatter_velocities(const Problem& problem, const Island& island, std::span<const double> v,
                        std::span<double> island_v) {
  double* to = island_v.data();
  for (const int b : island.blocks) {
    const Block& block = problem.blocks[at(b)];
    to = std::copy_n(v.begin() + block.offset, block.size, to);
  }
}

}  // namespace uzawa
