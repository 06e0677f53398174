#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

namespace {

/// Writes J row by row into memory of the right size: nothing is allocated on the way.
class RowWriter {
 public:
  RowWriter(const Problem& problem, SparseRows& out)
      : problem_(problem), out_(out), column_(out.column.data()), value_(out.value.data()) {}

  void write_constraint(int c) {
    const int begin = problem_.attachment_start[at(c)], end = problem_.attachment_start[at(c) + 1];
    bool in_order = true;
    for (int a = begin + 1; a < end; ++a) in_order = in_order && block_of(a - 1) < block_of(a);
    const int dims = problem_.dims(c);
    for (int d = 0; d < dims; ++d) {
      if (in_order) {
        for (int a = begin; a < end; ++a) write(a, d, dims);
      } else {
        write_sorted(begin, end, d, dims);
      }
      out_.start.push_back(static_cast<int>(size_));
    }
  }
  std::size_t size() const { return size_; }

 private:
  int block_of(int attachment) const { return problem_.attachments[at(attachment)].block; }

  /// Block after block; attachments of one block (two links of a tree that touch) overlap and add up.
  void write_sorted(int begin, int end, int d, int dims) {
    int last = -1;
    while (true) {
      int block = static_cast<int>(problem_.blocks.size());
      for (int a = begin; a < end; ++a) {
        if (block_of(a) > last) block = std::min(block, block_of(a));
      }
      if (block == static_cast<int>(problem_.blocks.size())) return;
      const std::size_t first = size_;
      for (int a = begin; a < end; ++a) {
        if (block_of(a) != block) continue;
        const std::size_t middle = size_;
        write(a, d, dims);
        if (middle > first) merge(first, middle);
      }
      last = block;
    }
  }

  /// Row d of one attachment.
  void write(int a, int d, int dims) {
    const Attachment& attachment = problem_.attachments[at(a)];
    const Block& block = problem_.blocks[at(attachment.block)];
    switch (attachment.kind) {
      case AttachmentKind::Rows: {
        const SparseRows& rows = problem_.attachment_rows[at(attachment.entries)];
        for (std::size_t k = rows.begin(d); k < rows.end(d); ++k) put(block.offset + rows.column[k], rows.value[k]);
        break;
      }
      case AttachmentKind::Coordinate: put(block.offset + attachment.dof, attachment.coefficient); break;
      case AttachmentKind::Nodes: write_nodes(block, attachment, axis_of(attachment, d, dims)); break;
      case AttachmentKind::LinkPoint:
        // A row of J is what a unit impulse along the axis does to each dof. A scalar row takes the normal.
        write_link(block, attachment, force_at(axis_of(attachment, d, dims), attachment.point));
        break;
      case AttachmentKind::LinkTurn: write_link(block, attachment, {axis_of(attachment, d, dims), {}}); break;
    }
  }
  static Vec3 axis_of(const Attachment& attachment, int d, int dims) {
    return attachment.frame.col[dims == 1 ? 2 : d] * attachment.sign;
  }
  void write_nodes(const Block& block, const Attachment& attachment, const Vec3& axis) {
    for (std::size_t i = 0; i < attachment.node.size() && attachment.node[i] >= 0; ++i) {
      for (int k = 0; k < 3; ++k) put(block.offset + 3 * attachment.node[i] + k, attachment.weight[i] * axis[k]);
    }
    if (attachment.turning < 0) return;
    const Vec3 moment = cross(attachment.point, axis);
    for (int k = 0; k < 3; ++k) put(block.offset + 3 * attachment.turning + k, moment[k]);
  }
  void write_link(const Block& block, const Attachment& attachment, const Force& unit) {
    if (block.kind == BlockKind::FreeBody) {
      for (int k = 0; k < 3; ++k) put(block.offset + k, unit.force[k]);
      for (int k = 0; k < 3; ++k) put(block.offset + 3 + k, unit.moment[k]);
      return;
    }
    const TreeInertia& tree = problem_.trees[at(block.index)];
    const int last = tree.topology->last_dof(attachment.link);
    if (last < 0) return;
    for (const int dof : tree.topology->path(last)) put(block.offset + dof, dot(tree.subspace[at(dof)], unit));
  }
  void put(int column, double value) {
    column_[size_] = column;
    value_[size_++] = value;
  }

  /// Two runs of increasing columns, [first, middle) and [middle, size), become one. The first run steps aside, behind
  /// the second; the merged one can then grow from the front without overtaking what is still to be read.
  void merge(std::size_t first, std::size_t middle) {
    const std::size_t end = size_, aside_end = end + (middle - first);
    std::copy(column_ + first, column_ + middle, column_ + end);
    std::copy(value_ + first, value_ + middle, value_ + end);
    std::size_t a = end, b = middle;
    size_ = first;
    while (a < aside_end || b < end) {
      const bool both = a < aside_end && b < end;
      if (both && column_[a] == column_[b]) {
        put(column_[a], value_[a] + value_[b]);
        ++a;
        ++b;
      } else if (b == end || (both && column_[a] < column_[b])) {
        put(column_[a], value_[a]);
        ++a;
      } else {
        put(column_[b], value_[b]);
        ++b;
      }
    }
  }

  const Problem& problem_;
  SparseRows& out_;
  int* column_;
  double* value_;
  std::size_t size_ = 0;
};

/// Entries of one row of an attachment; of its longest, for explicit ones.
std::size_t width(const Problem& problem, const Attachment& attachment) {
  const Block& block = problem.blocks[at(attachment.block)];
  switch (attachment.kind) {
    case AttachmentKind::Coordinate: return 1;
    case AttachmentKind::Rows: {
      const SparseRows& rows = problem.attachment_rows[at(attachment.entries)];
      std::size_t most = 0;
      for (int r = 0; r < rows.rows(); ++r) most = std::max(most, rows.end(r) - rows.begin(r));
      return most;
    }
    case AttachmentKind::Nodes: return 3 * (attachment.node.size() + 1);
    case AttachmentKind::LinkPoint:
    case AttachmentKind::LinkTurn: break;
  }
  if (block.kind == BlockKind::FreeBody) return 6;
  const TreeTopology& topology = *problem.trees[at(block.index)].topology;
  const int last = topology.last_dof(attachment.link);
  return last < 0 ? 0 : at(topology.depth(last));
}

}  // namespace

SparseRows constraint_rows(const Problem& problem) {
  SparseRows out;
  constraint_rows(problem, out);
  return out;
}

void constraint_rows(const Problem& problem, SparseRows& out) {
  std::size_t entries = 0, widest = 0;
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    std::size_t row = 0;
    for (int a = problem.attachment_start[c]; a < problem.attachment_start[c + 1]; ++a) {
      row += width(problem, problem.attachments[at(a)]);
    }
    entries += row * at(problem.dims(static_cast<int>(c)));
    widest = std::max(widest, row);
  }
  out.clear(problem.n());
  out.start.reserve(at(problem.rows) + 1);
  out.column.resize(entries + widest);  // the rest is where merged runs step aside
  out.value.resize(entries + widest);
  RowWriter writer(problem, out);
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) writer.write_constraint(static_cast<int>(c));
  out.column.resize(writer.size());
  out.value.resize(writer.size());
}

}  // namespace uzawa
