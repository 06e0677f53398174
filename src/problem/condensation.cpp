#include "uzawa/problem/condensation.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nodal_solver.hpp"

namespace uzawa {

bool Condensation::condense(const Problem& whole, bool may_iterate) {
  if (whole.nodal.empty()) return false;
  while (slots_.size() < whole.nodal.size()) slots_.push_back(std::make_unique<Slot>());
  find_touched(whole);
  bool any = false;
  for (const Block& block : whole.blocks) {
    if (block.kind != BlockKind::Nodal) continue;
    Slot& slot = *slots_[at(block.index)];
    slot.condensed = is_worth_it(whole.nodal[at(block.index)], may_iterate && whole.blocks.size() == 1, slot);
    any = any || slot.condensed;
  }
  if (!any || !reduce_blocks(whole)) return false;
  copy_constraints(whole);
  return true;
}

/// Nodes that some constraint holds, by block.
void Condensation::find_touched(const Problem& whole) {
  for (std::size_t i = 0; i < whole.nodal.size(); ++i) slots_[i]->place.assign(at(whole.nodal[i].nodes()), -1);
  for (const Attachment& a : whole.attachments) {
    const Block& block = whole.blocks[at(a.block)];
    if (block.kind != BlockKind::Nodal) continue;
    std::vector<int>& place = slots_[at(block.index)]->place;
    switch (a.kind) {
      case AttachmentKind::Nodes:
        for (const int node : a.node) {
          if (node >= 0) place[at(node)] = 0;
        }
        if (a.turning >= 0) place[at(a.turning)] = 0;
        break;
      case AttachmentKind::Coordinate: place[at(a.dof / 3)] = 0; break;
      case AttachmentKind::Rows:
        for (const int column : whole.attachment_rows[at(a.entries)].column) place[at(column / 3)] = 0;
        break;
      case AttachmentKind::LinkPoint:
      case AttachmentKind::LinkTurn: break;
    }
  }
  for (std::size_t i = 0; i < whole.nodal.size(); ++i) {
    Slot& slot = *slots_[i];
    slot.touched.clear();
    for (int node = 0; node < whole.nodal[i].nodes(); ++node) {
      if (slot.place[at(node)] < 0) continue;
      slot.place[at(node)] = static_cast<int>(slot.touched.size());
      slot.touched.push_back(node);
    }
  }
}

bool Condensation::is_worth_it(const NodalMatrix& matrix, bool may_iterate, Slot& slot) const {
  if (slot.touched.empty()) return false;
  slot.plain.plan(*matrix.pattern);
  if (may_iterate && nodal_cost(matrix, slot.plain.flops()).iterates()) return false;
  const double dofs = 3 * static_cast<double>(slot.touched.size());
  return dofs * dofs * dofs / 3 < slot.plain.flops();
}

bool Condensation::reduce_blocks(const Problem& whole) {
  Problem& to = reduced_;
  to.name = whole.name;
  to.dt = whole.dt;
  to.blocks.clear();
  to.b.clear();
  to.bodies = whole.bodies;
  to.trees = whole.trees;
  // Elements that own memory are written over where they are there.
  std::size_t nodal = 0, sparse = 0;
  const auto next = [](auto& list, std::size_t index, auto& spare) -> auto& {
    if (index < list.size()) return list[index];
    if (spare.empty()) return list.emplace_back();
    list.push_back(std::move(spare.back()));
    spare.pop_back();
    return list.back();
  };
  for (const Block& block : whole.blocks) {
    const std::span<const double> b(whole.b.data() + block.offset, at(block.size));
    Block own{block.kind, to.n(), block.size, block.index};
    if (block.kind == BlockKind::Nodal && slots_[at(block.index)]->condensed) {
      Slot& slot = *slots_[at(block.index)];
      const NodalMatrix& matrix = whole.nodal[at(block.index)];
      slot.factor.analyse(*matrix.pattern, slot.touched);
      if (!slot.factor.factorize_leading(matrix)) return false;
      own.kind = BlockKind::Sparse;
      own.size = 3 * static_cast<int>(slot.touched.size());
      own.index = static_cast<int>(sparse);
      slot.b.resize(at(own.size));
      slot.factor.condense(b, slot.b);
      write_dense(slot, next(to.sparse, sparse++, spare_sparse_).lower);
      to.b.insert(to.b.end(), slot.b.begin(), slot.b.end());
    } else {
      if (block.kind == BlockKind::Nodal) {
        own.index = static_cast<int>(nodal);
        next(to.nodal, nodal++, spare_nodal_) = whole.nodal[at(block.index)];
      } else if (block.kind == BlockKind::Sparse) {
        own.index = static_cast<int>(sparse);
        next(to.sparse, sparse++, spare_sparse_) = whole.sparse[at(block.index)];
      }
      to.b.insert(to.b.end(), b.begin(), b.end());
    }
    to.blocks.push_back(own);
  }
  for (; to.nodal.size() > nodal; to.nodal.pop_back()) spare_nodal_.push_back(std::move(to.nodal.back()));
  for (; to.sparse.size() > sparse; to.sparse.pop_back()) spare_sparse_.push_back(std::move(to.sparse.back()));
  return true;
}

/// The Schur complement as a lower triangle by rows without gaps.
void Condensation::write_dense(const Slot& slot, SparseRows& lower) {
  const int size = 3 * static_cast<int>(slot.touched.size());
  const std::span<const double> schur = slot.factor.schur();
  const std::size_t stride = at(slot.factor.schur_stride());
  lower.clear(size);
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c <= r; ++c) {
      lower.column.push_back(c);
      lower.value.push_back(schur[at(c) * stride + at(r)]);
    }
    lower.start.push_back(static_cast<int>(lower.column.size()));
  }
}

void Condensation::copy_constraints(const Problem& whole) {
  Problem& to = reduced_;
  to.constraints = whole.constraints;
  to.contacts = whole.contacts;
  to.hard = whole.hard;
  to.equality = whole.equality;
  to.soft = whole.soft;
  to.limits = whole.limits;
  to.friction = whole.friction;
  to.moments = whole.moments;
  to.rows = whole.rows;
  to.attachments = whole.attachments;
  to.attachment_start = whole.attachment_start;
  to.attachment_rows = whole.attachment_rows;
  for (Attachment& a : to.attachments) {
    const Block& block = whole.blocks[at(a.block)];
    if (block.kind != BlockKind::Nodal || !slots_[at(block.index)]->condensed) continue;
    const std::vector<int>& place = slots_[at(block.index)]->place;
    const auto moved = [&](int dof) { return 3 * place[at(dof / 3)] + dof % 3; };
    if (a.kind == AttachmentKind::Nodes) {
      for (int& node : a.node) node = node < 0 ? node : place[at(node)];
      if (a.turning >= 0) a.turning = place[at(a.turning)];
    } else if (a.kind == AttachmentKind::Coordinate) {
      a.dof = moved(a.dof);
    } else {
      SparseRows& rows = to.attachment_rows[at(a.entries)];
      rows.columns = to.blocks[at(a.block)].size;
      for (int& column : rows.column) column = moved(column);
    }
  }
}

void Condensation::expand(const Problem& whole, std::span<const double> reduced_v, std::span<double> v) {
  for (std::size_t k = 0; k < whole.blocks.size(); ++k) {
    const Block &block = whole.blocks[k], &own = reduced_.blocks[k];
    const std::span<const double> from = reduced_v.subspan(at(own.offset), at(own.size));
    const std::span<double> to = v.subspan(at(block.offset), at(block.size));
    if (block.kind == BlockKind::Nodal && slots_[at(block.index)]->condensed) {
      slots_[at(block.index)]->factor.expand(from, to);
    } else {
      std::copy(from.begin(), from.end(), to.begin());
    }
  }
}

}  // namespace uzawa
