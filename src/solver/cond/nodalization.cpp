#include "uzawa/solver/cond/nodalization.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr double kRounding = 1e-9;  // of a frame's columns, relative

/// Column k of a constraint's rows; a scalar row is the third.
Vec3 column_of(const CompactRows& rows, int c, int k) {
  if (rows.dims(c) == 1) return {0, 0, rows.row(c, 0)[k]};
  return {rows.row(c, 0)[k], rows.row(c, 1)[k], rows.row(c, 2)[k]};
}

/// Whether the columns are whole nodes of three dofs, each with a frame times a weight: then any step sizes, one number
/// a node, leave a multiple of the identity.
bool has_whole_nodes(const CompactRows& rows, int c, int first, int count, int block_offset) {
  if (count % 3 != 0) return false;
  for (int k = first; k < first + count; k += 3) {
    const int dof = rows.columns(c)[k] - block_offset;
    if (dof % 3 != 0 || rows.columns(c)[k + 2] != rows.columns(c)[k] + 2) return false;
    const Vec3 x = column_of(rows, c, k), y = column_of(rows, c, k + 1), z = column_of(rows, c, k + 2);
    const double size = dot(x, x), slack = kRounding * size;
    if (std::abs(dot(y, y) - size) > slack || std::abs(dot(z, z) - size) > slack || std::abs(dot(x, y)) > slack ||
        std::abs(dot(x, z)) > slack || std::abs(dot(y, z)) > slack) {
      return false;
    }
  }
  return true;
}

}  // namespace

void Nodalization::build(const Problem& problem, const CompactRows& rows, std::span<const char> diagonal_blocks) {
  find_sides(problem, rows);
  choose_direct(problem, rows, diagonal_blocks);
  split(rows);
  transpose(problem.n());
}

/// Runs of columns in one block.
void Nodalization::find_sides(const Problem& problem, const CompactRows& rows) {
  block_of_.resize(at(problem.n()));
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    std::fill_n(block_of_.begin() + problem.blocks[b].offset, problem.blocks[b].size, static_cast<int>(b));
  }
  side_start_.assign(1, 0);
  side_.clear();
  for (int c = 0; c < rows.constraints(); ++c) {
    for (int k = 0; k < rows.width(c); ++k) {
      const bool goes_on = k > 0 && block_of_[at(rows.columns(c)[k])] == block_of_[at(rows.columns(c)[k - 1])];
      if (!goes_on) side_.push_back({k, 0, false});
      ++side_.back().count;
    }
    side_start_.push_back(static_cast<int>(side_.size()));
  }
}

/// Contacts on single nodes choose first: a point within a face would take three nodes from them.
void Nodalization::choose_direct(const Problem& problem, const CompactRows& rows,
                                 std::span<const char> diagonal_blocks) {
  taken_.assign(at(problem.n()), 0);
  for (const bool single : {true, false}) {
    for (int c = 0; c < rows.constraints(); ++c) {
      const bool contact = rows.dims(c) == 3;
      for (int s = side_start_[at(c)]; s < side_start_[at(c) + 1]; ++s) {
        Side& side = side_[at(s)];
        if (single != (contact && side.count == 3)) continue;
        const int* columns = rows.columns(c) + side.first;
        const int b = block_of_[at(columns[0])];
        if (!diagonal_blocks[at(b)]) continue;
        if (std::any_of(columns, columns + side.count, [&](int dof) { return taken_[at(dof)] != 0; })) continue;
        if (contact && !has_whole_nodes(rows, c, side.first, side.count, problem.blocks[at(b)].offset)) continue;
        side.direct = true;
        for (int k = 0; k < side.count; ++k) taken_[at(columns[k])] = 1;
      }
    }
  }
}

void Nodalization::split(const CompactRows& rows) {
  direct_.clear();
  virtual_.clear();
  slot_.clear();
  owner_.clear();
  sides_.clear();
  shares_.clear();
  for (int c = 0; c < rows.constraints(); ++c) {
    int virtual_sides = 0;
    bool shares = false;
    for (int s = side_start_[at(c)]; s < side_start_[at(c) + 1]; ++s) {
      const Side& side = side_[at(s)];
      RowPieces& to = side.direct ? direct_ : virtual_;
      virtual_sides += side.direct ? 0 : 1;
      for (int k = side.first; k < side.first + side.count; ++k) {
        shares = shares || (!side.direct && taken_[at(rows.columns(c)[k])] != 0);
        to.column.push_back(rows.columns(c)[k]);
        to.value.push_back(column_of(rows, c, k));
      }
    }
    direct_.start.push_back(static_cast<int>(direct_.column.size()));
    virtual_.start.push_back(static_cast<int>(virtual_.column.size()));
    // A constraint that holds nothing has a virtual node, too, so that its law has something to act on.
    const bool is_virtual = virtual_sides > 0 || direct_.empty(c);
    slot_.push_back(is_virtual ? static_cast<int>(owner_.size()) : -1);
    shares_.push_back(shares ? 1 : 0);
    sides_.push_back(std::max(1, virtual_sides));
    if (is_virtual) owner_.push_back(c);
  }
}

void Nodalization::transpose(int dofs) {
  dof_start_.assign(at(dofs) + 1, 0);
  for (const int dof : virtual_.column) ++dof_start_[at(dof) + 1];
  for (int i = 0; i < dofs; ++i) dof_start_[at(i) + 1] += dof_start_[at(i)];
  of_dof_.resize(virtual_.column.size());
  for (const int c : owner_) {
    for (std::size_t k = virtual_.begin(c); k < virtual_.end(c); ++k) {
      of_dof_[at(dof_start_[at(virtual_.column[k])]++)] = {virtual_.value[k], slot_[at(c)]};
    }
  }
  for (int i = dofs; i > 0; --i) dof_start_[at(i)] = dof_start_[at(i) - 1];
  dof_start_[0] = 0;
}

}  // namespace uzawa
