#include "uzawa/problem/islands.hpp"

#include <algorithm>
#include <numeric>

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Disjoint sets of blocks.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }
  void join(int a, int b) { parent_[at(find(a))] = find(b); }

 private:
  std::vector<int> parent_;
};

void copy_block(const Problem& from, const Block& block, Problem& to) {
  const double* b = from.b.data() + block.offset;
  switch (block.kind) {
    case BlockKind::FreeBody: to.add_body(from.bodies[at(block.index)], {b[0], b[1], b[2], b[3], b[4], b[5]}); break;
    case BlockKind::Tree: to.add_tree(from.trees[at(block.index)], {b, b + block.size}); break;
    case BlockKind::Sparse: to.add_sparse(from.sparse[at(block.index)], {b, b + block.size}); break;
  }
}

void copy_constraint(const Problem& from, int c, const std::vector<int>& new_block, Problem& to) {
  std::vector<Attachment> attachments;
  for (int a = from.attachment_start[at(c)]; a < from.attachment_start[at(c) + 1]; ++a) {
    Attachment attachment = from.attachments[at(a)];
    const int block = new_block[at(attachment.block)];
    if (attachment.kind == AttachmentKind::Rows) {
      attachment = to.explicit_rows(block, from.attachment_rows[at(attachment.entries)]);
    }
    attachment.block = block;
    attachments.push_back(attachment);
  }
  const ConstraintRef& ref = from.constraints[at(c)];
  const std::size_t i = at(ref.index);
  switch (ref.kind) {
    case ConstraintKind::Contact: to.add_contact(from.contacts.cone[i], from.contacts.e[i], attachments); break;
    case ConstraintKind::Hard: to.add_hard(from.hard.e[i], attachments); break;
    case ConstraintKind::Equality: to.add_equality(from.equality.e[i], attachments); break;
    case ConstraintKind::Soft: to.add_soft(from.soft.e[i], from.soft.k[i], from.soft.b[i], attachments); break;
    case ConstraintKind::Limit: to.add_limit(from.limits.lower[i], from.limits.upper[i], attachments); break;
    case ConstraintKind::Friction: to.add_friction(from.friction.bound[i], attachments); break;
  }
}

/// Calls visit(row of the whole problem, row of the island) for every row of the island.
template <typename Visit>
void for_each_row(const Problem& problem, const Island& island, Visit&& visit) {
  for (std::size_t k = 0; k < island.constraints.size(); ++k) {
    const int whole = problem.constraints[at(island.constraints[k])].row, part = island.problem.constraints[k].row;
    for (int d = 0; d < problem.dims(island.constraints[k]); ++d) visit(at(whole + d), at(part + d));
  }
}

}  // namespace

std::vector<Island> split_into_islands(const Problem& problem) {
  Groups groups(problem.blocks.size());
  const auto first_block = [&](std::size_t c) {
    const int a = problem.attachment_start[c];
    return a == problem.attachment_start[c + 1] ? -1 : problem.attachments[at(a)].block;
  };
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    for (int a = problem.attachment_start[c]; a < problem.attachment_start[c + 1]; ++a) {
      groups.join(problem.attachments[at(a)].block, first_block(c));
    }
  }
  std::vector<Island> islands;
  std::vector<int> island_of(problem.blocks.size(), -1), new_block(problem.blocks.size(), -1);
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const int block = first_block(c);
    int* slot = block < 0 ? nullptr : &island_of[at(groups.find(block))];
    if (slot == nullptr || *slot < 0) {
      islands.emplace_back();
      if (slot != nullptr) *slot = static_cast<int>(islands.size()) - 1;
    }
    islands[slot == nullptr ? islands.size() - 1 : at(*slot)].constraints.push_back(static_cast<int>(c));
  }
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const int i = island_of[at(groups.find(static_cast<int>(b)))];
    if (i < 0) continue;
    Island& island = islands[at(i)];
    new_block[b] = static_cast<int>(island.blocks.size());
    island.blocks.push_back(static_cast<int>(b));
    copy_block(problem, problem.blocks[b], island.problem);
  }
  for (Island& island : islands) {
    island.problem.name = problem.name;
    island.problem.dt = problem.dt;
    for (const int c : island.constraints) copy_constraint(problem, c, new_block, island.problem);
  }
  return islands;
}

void gather_impulses(const Problem& problem, const Island& island, std::span<const double> island_lambda,
                     std::span<double> lambda) {
  for_each_row(problem, island, [&](std::size_t whole, std::size_t part) { lambda[whole] = island_lambda[part]; });
}

void scatter_impulses(const Problem& problem, const Island& island, std::span<const double> lambda,
                      std::span<double> island_lambda) {
  for_each_row(problem, island, [&](std::size_t whole, std::size_t part) { island_lambda[part] = lambda[whole]; });
}

}  // namespace uzawa
