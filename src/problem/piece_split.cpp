#include "uzawa/problem/piece_split.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/problem/constraint_law.hpp"

namespace uzawa {

namespace {

/// Element `index` of a list, which is written over: its memory stays.
template <typename T>
T& slot(std::vector<T>& list, std::size_t index) {
  if (index == list.size()) list.emplace_back();
  return list[index];
}

/// Sets `own` to the nodes of an attachment as they are numbered in the piece; false where it lacks one.
bool find_all(const NodalPieceLayout::Piece& piece, const Attachment& from, Attachment& own) {
  own = from;
  for (std::size_t i = 0; i < from.node.size() && from.node[i] >= 0; ++i) {
    own.node[i] = piece.find(from.node[i]);
    if (own.node[i] < 0) return false;
  }
  if (from.turning < 0) return true;
  own.turning = piece.find(from.turning);
  return own.turning >= 0;
}

}  // namespace

bool PieceSplit::split(const Problem& whole) {
  if (whole.pieces.empty()) return false;
  split_.name = whole.name;
  split_.dt = whole.dt;
  split_blocks(whole);
  copy_constraints(whole);
  add_ties(whole);
  return true;
}

void PieceSplit::split_blocks(const Problem& whole) {
  split_.blocks.clear();
  split_.b.clear();
  split_.bodies = whole.bodies;
  split_.trees = whole.trees;
  split_.sparse = whole.sparse;
  sources_.resize(whole.blocks.size());
  auto of = whole.pieces.begin();
  std::size_t nodal = 0;
  for (std::size_t i = 0; i < whole.blocks.size(); ++i) {
    const Block& block = whole.blocks[i];
    const bool cut = of != whole.pieces.end() && of->block == static_cast<int>(i);
    sources_[i] = {cut ? &*of++ : nullptr, static_cast<int>(split_.blocks.size())};
    const double* b = whole.b.data() + block.offset;
    if (!cut) {
      Block own{block.kind, split_.n(), block.size, block.index};
      if (block.kind == BlockKind::Nodal) {
        own.index = static_cast<int>(nodal);
        slot(split_.nodal, nodal++) = whole.nodal[at(block.index)];
      }
      split_.blocks.push_back(own);
      split_.b.insert(split_.b.end(), b, b + block.size);
      continue;
    }
    const NodalPieces& pieces = sources_[i].pieces->pieces;
    for (std::size_t p = 0; p < pieces.part.size(); ++p) {
      const NodalPieceLayout::Piece& piece = pieces.layout->pieces[p];
      split_.blocks.push_back(
          {BlockKind::Nodal, split_.n(), 3 * static_cast<int>(piece.node.size()), static_cast<int>(nodal)});
      slot(split_.nodal, nodal++) = pieces.part[p];
      for (std::size_t n = 0; n < piece.node.size(); ++n) {
        for (int k = 0; k < 3; ++k) split_.b.push_back(piece.share[n] * b[3 * piece.node[n] + k]);
      }
    }
  }
  split_.nodal.resize(nodal);
}

void PieceSplit::copy_constraints(const Problem& whole) {
  split_.clear_constraints();
  explicit_rows_ = 0;
  for (std::size_t c = 0; c < whole.constraints.size(); ++c) {
    sides_.clear();
    for (int a = whole.attachment_start[c]; a < whole.attachment_start[c + 1]; ++a) {
      attach(whole, whole.attachments[at(a)]);
    }
    add_constraint(split_, law_of(whole, static_cast<int>(c)), sides_);
  }
  split_.attachment_rows.resize(explicit_rows_);
}

void PieceSplit::attach(const Problem& whole, const Attachment& from) {
  const Source& to = sources_[at(from.block)];
  if (to.pieces != nullptr) {
    switch (from.kind) {
      case AttachmentKind::Nodes: return attach_nodes(from, to);
      case AttachmentKind::Rows: return attach_rows(whole.attachment_rows[at(from.entries)], from, to);
      case AttachmentKind::LinkPoint:
      case AttachmentKind::LinkTurn: break;  // not on nodes
      case AttachmentKind::Coordinate: {
        const NodalPieceLayout& layout = *to.pieces->pieces.layout;
        const std::size_t p = at(layout.first[at(from.dof / 3)]);
        Attachment& own = sides_.emplace_back(from);
        own.block = to.block + static_cast<int>(p);
        own.dof = 3 * layout.pieces[p].find(from.dof / 3) + from.dof % 3;
        return;
      }
    }
  }
  Attachment& own = sides_.emplace_back(from);
  own.block = to.block;
  if (from.kind != AttachmentKind::Rows) return;
  own.entries = static_cast<int>(explicit_rows_);
  slot(split_.attachment_rows, explicit_rows_++) = whole.attachment_rows[at(from.entries)];
}

void PieceSplit::attach_nodes(const Attachment& from, const Source& to) {
  const NodalPieceLayout& layout = *to.pieces->pieces.layout;
  Attachment own;
  // Only pieces that have the first node can have them all.
  for (std::size_t p = at(layout.first[at(from.node[0])]); p < layout.pieces.size(); ++p) {
    if (!find_all(layout.pieces[p], from, own)) continue;
    own.block = to.block + static_cast<int>(p);
    sides_.push_back(own);
    return;
  }
  for (std::size_t i = 0; i < from.node.size() && from.node[i] >= 0; ++i) {
    const std::size_t p = at(layout.first[at(from.node[i])]);
    own = from;
    own.block = to.block + static_cast<int>(p);
    own.node = {layout.pieces[p].find(from.node[i]), -1, -1, -1};
    own.weight = {from.weight[i], 0, 0, 0};
    own.turning = i == 0 && from.turning >= 0 ? layout.pieces[p].find(from.turning) : -1;
    sides_.push_back(own);
  }
}

/// Every entry goes to the first piece that has its node; entries of one piece make one attachment.
void PieceSplit::attach_rows(const SparseRows& rows, const Attachment& from, const Source& to) {
  const NodalPieceLayout& layout = *to.pieces->pieces.layout;
  piece_of_entry_.clear();
  for (const int column : rows.column) piece_of_entry_.push_back(layout.first[at(column / 3)]);
  used_ = piece_of_entry_;
  std::sort(used_.begin(), used_.end());
  used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
  for (const int p : used_) {
    const NodalPieceLayout::Piece& piece = layout.pieces[at(p)];
    SparseRows& own = slot(split_.attachment_rows, explicit_rows_);
    own.clear(3 * static_cast<int>(piece.node.size()));
    for (int r = 0; r < rows.rows(); ++r) {
      for (std::size_t k = rows.begin(r); k < rows.end(r); ++k) {
        if (piece_of_entry_[k] != p) continue;
        own.column.push_back(3 * piece.find(rows.column[k] / 3) + rows.column[k] % 3);
        own.value.push_back(rows.value[k]);
      }
      own.start.push_back(static_cast<int>(own.column.size()));
    }
    Attachment& side = sides_.emplace_back(from);
    side.block = to.block + p;
    side.entries = static_cast<int>(explicit_rows_++);
  }
}

/// Each copy of a node is tied to the one before.
void PieceSplit::add_ties(const Problem& whole) {
  ties_.clear();
  block_mean_.resize(split_.blocks.size());
  for (std::size_t i = 0; i < whole.blocks.size(); ++i) {
    const Source& to = sources_[i];
    if (to.pieces == nullptr) continue;
    const NodalPieces& pieces = to.pieces->pieces;
    last_copy_.assign(at(whole.blocks[i].size / 3), {});
    for (std::size_t p = 0; p < pieces.part.size(); ++p) {
      const int block = to.block + static_cast<int>(p), nodes = pieces.part[p].nodes();
      double sum = 0;
      for (int n = 0; n < nodes; ++n) sum += diagonal_mean({block, n});
      block_mean_[at(block)] = sum / nodes;
    }
    for (std::size_t p = 0; p < pieces.part.size(); ++p) {
      const std::vector<int>& nodes = pieces.layout->pieces[p].node;
      for (std::size_t n = 0; n < nodes.size(); ++n) {
        const Copy own{to.block + static_cast<int>(p), static_cast<int>(n)};
        Copy& last = last_copy_[at(nodes[n])];
        if (last.block >= 0) tie(last, own);
        last = own;
      }
    }
  }
}

void PieceSplit::tie(const Copy& first, const Copy& second) {
  const double weight = tie_weight(first, second);
  for (int k = 0; k < 3; ++k) {
    sides_.clear();
    for (const Copy* copy : {&first, &second}) {
      Attachment& side = sides_.emplace_back();
      side.kind = AttachmentKind::Coordinate;
      side.block = copy->block;
      side.dof = 3 * copy->node + k;
      side.coefficient = copy == &first ? weight : -weight;
    }
    split_.add_equality(0, sides_);
    const auto dof = [&](const Copy& copy) { return split_.blocks[at(copy.block)].offset + 3 * copy.node + k; };
    ties_.push_back({dof(first), dof(second), weight});
  }
}

/// Square root of a node's stiffness over the mean of its piece's: ADMM's penalty goes with the square of a row, and
/// has to be a moment of inertia on turning nodes of rods, smaller than a mass by the square of a length. The root of
/// it lies between penalties by stiffness and equal ones, with which a rod of 640 links in 160 pieces does not get to
/// 1e-6 in 1,000 iterations (with this: 286). On a beam penalties by stiffness are a little quicker to 1e-6.
double PieceSplit::tie_weight(const Copy& first, const Copy& second) const {
  const double relative =
      diagonal_mean(first) * diagonal_mean(second) / (block_mean_[at(first.block)] * block_mean_[at(second.block)]);
  return std::pow(relative, 0.25);
}

double PieceSplit::diagonal_mean(const Copy& copy) const {
  const NodalMatrix& a = split_.nodal[at(split_.blocks[at(copy.block)].index)];
  const double* m = a.block(a.pattern->diagonal(copy.node));
  return (m[0] + m[4] + m[8]) / 3;
}

/// Calls visit(dof of the whole, dof of a copy, share of the copy).
template <typename Visit>
void PieceSplit::for_each_copy(const Problem& whole, std::size_t block, Visit&& visit) const {
  const Source& to = sources_[block];
  const std::size_t offset = at(whole.blocks[block].offset);
  if (to.pieces == nullptr) {
    const Block& own = split_.blocks[at(to.block)];
    for (std::size_t k = 0; k < at(own.size); ++k) visit(offset + k, at(own.offset) + k, 1);
    return;
  }
  const NodalPieceLayout& layout = *to.pieces->pieces.layout;
  for (std::size_t p = 0; p < layout.pieces.size(); ++p) {
    const NodalPieceLayout::Piece& piece = layout.pieces[p];
    const std::size_t own = at(split_.blocks[at(to.block) + p].offset);
    for (std::size_t n = 0; n < piece.node.size(); ++n) {
      for (std::size_t k = 0; k < 3; ++k) visit(offset + 3 * at(piece.node[n]) + k, own + 3 * n + k, piece.share[n]);
    }
  }
}

/// Of a piece's equation what is left without ties; a node's copies, one after the other, hand it on.
void PieceSplit::split_impulses(const Problem& whole, const SparseRows& rows, std::span<const double> lambda,
                                std::span<const double> v, std::span<double> out) {
  copies_v_.resize(at(split_.n()));
  rest_.resize(at(split_.n()));
  for (std::size_t i = 0; i < whole.blocks.size(); ++i) {
    for_each_copy(whole, i, [&](std::size_t dof, std::size_t copy, double) { copies_v_[copy] = v[dof]; });
  }
  std::copy(lambda.begin(), lambda.end(), out.begin());
  std::fill(out.begin() + whole.rows, out.end(), 0.0);
  multiply(split_, copies_v_, rest_);
  for (double& x : rest_) x = -x;
  rows.add_transposed(out, rest_);
  for (std::size_t k = 0; k < rest_.size(); ++k) rest_[k] += split_.b[k];
  double* impulse = out.data() + whole.rows;
  for (const Tie& tie : ties_) {
    *impulse++ = -rest_[at(tie.first)] / tie.weight;
    rest_[at(tie.second)] += rest_[at(tie.first)];
  }
}

void PieceSplit::merge_velocity(const Problem& whole, std::span<const double> v_of_pieces, std::span<double> v) const {
  std::fill(v.begin(), v.end(), 0.0);
  for (std::size_t i = 0; i < whole.blocks.size(); ++i) {
    for_each_copy(whole, i,
                  [&](std::size_t dof, std::size_t copy, double share) { v[dof] += share * v_of_pieces[copy]; });
  }
}

}  // namespace uzawa
