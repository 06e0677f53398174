#include "uzawa/problem/problem.hpp"

#include <algorithm>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

int Problem::add_block(BlockKind kind, int size, int index, const double* impulse) {
  blocks.push_back({kind, n(), size, index});
  b.insert(b.end(), impulse, impulse + size);
  return static_cast<int>(blocks.size()) - 1;
}

int Problem::add_body(const SpatialInertia& inertia, const std::array<double, 6>& impulse) {
  bodies.push_back(inertia);
  return add_block(BlockKind::FreeBody, 6, static_cast<int>(bodies.size()) - 1, impulse.data());
}

int Problem::add_tree(TreeInertia tree, const std::vector<double>& impulse) {
  if (static_cast<int>(impulse.size()) != tree.topology->dofs()) {
    throw InputError(name, "tree block", "its part of b has the wrong size");
  }
  trees.push_back(std::move(tree));
  return add_block(BlockKind::Tree, static_cast<int>(impulse.size()), static_cast<int>(trees.size()) - 1,
                   impulse.data());
}

int Problem::add_sparse(SparseBlock block, const std::vector<double>& impulse) {
  if (static_cast<int>(impulse.size()) != block.lower.rows()) {
    throw InputError(name, "sparse block", "its part of b has the wrong size");
  }
  sparse.push_back(std::move(block));
  return add_block(BlockKind::Sparse, static_cast<int>(impulse.size()), static_cast<int>(sparse.size()) - 1,
                   impulse.data());
}

void Problem::add_constraint(ConstraintKind kind, int index, const std::vector<Attachment>& at) {
  constraints.push_back({kind, index, rows});
  rows += kind == ConstraintKind::Contact ? 3 : 1;
  attachments.insert(attachments.end(), at.begin(), at.end());
  attachment_start.push_back(static_cast<int>(attachments.size()));
}

void Problem::add_contact(const FrictionCone& cone, const Vec3& e, const std::vector<Attachment>& at) {
  contacts.row.push_back(rows);
  contacts.constraint.push_back(static_cast<int>(constraints.size()));
  contacts.cone.push_back(cone);
  contacts.e.push_back(e);
  add_constraint(ConstraintKind::Contact, contacts.size() - 1, at);
}

void Problem::add_hard(double e, const std::vector<Attachment>& at) {
  hard.row.push_back(rows);
  hard.constraint.push_back(static_cast<int>(constraints.size()));
  hard.e.push_back(e);
  add_constraint(ConstraintKind::Hard, hard.size() - 1, at);
}

void Problem::add_equality(double e, const std::vector<Attachment>& at) {
  equality.row.push_back(rows);
  equality.constraint.push_back(static_cast<int>(constraints.size()));
  equality.e.push_back(e);
  add_constraint(ConstraintKind::Equality, equality.size() - 1, at);
}

void Problem::add_soft(double e, double k, double damping, const std::vector<Attachment>& at) {
  soft.row.push_back(rows);
  soft.constraint.push_back(static_cast<int>(constraints.size()));
  soft.e.push_back(e);
  soft.k.push_back(k);
  soft.b.push_back(damping);
  add_constraint(ConstraintKind::Soft, soft.size() - 1, at);
}

void Problem::add_limit(double lower, double upper, const std::vector<Attachment>& at) {
  limits.row.push_back(rows);
  limits.constraint.push_back(static_cast<int>(constraints.size()));
  limits.lower.push_back(lower);
  limits.upper.push_back(upper);
  add_constraint(ConstraintKind::Limit, limits.size() - 1, at);
}

void Problem::add_friction(double bound, const std::vector<Attachment>& at) {
  friction.row.push_back(rows);
  friction.constraint.push_back(static_cast<int>(constraints.size()));
  friction.bound.push_back(bound);
  add_constraint(ConstraintKind::Friction, friction.size() - 1, at);
}

Attachment Problem::explicit_rows(int block, SparseRows entries) {
  Attachment attachment;
  attachment.kind = AttachmentKind::Rows;
  attachment.block = block;
  attachment.entries = static_cast<int>(attachment_rows.size());
  attachment_rows.push_back(std::move(entries));
  return attachment;
}

namespace {

/// Collects the rows of one constraint after another; attachments of one block may overlap and add up.
class RowCollector {
 public:
  explicit RowCollector(const Problem& problem) : problem_(problem) {}

  void add(const Attachment& attachment, int dims) {
    const Block& block = problem_.blocks[at(attachment.block)];
    switch (attachment.kind) {
      case AttachmentKind::Rows: add_entries(block, problem_.attachment_rows[at(attachment.entries)], dims); break;
      case AttachmentKind::Coordinate:
        entries_[0].push_back({block.offset + attachment.dof, attachment.coefficient});
        break;
      case AttachmentKind::LinkPoint: add_point(block, attachment, dims); break;
    }
  }
  void flush(int dims, SparseRows& out) {
    for (int d = 0; d < dims; ++d) {
      // Stable, so that entries of one column add up in the order of the attachments.
      std::stable_sort(entries_[d].begin(), entries_[d].end(),
                       [](const Entry& x, const Entry& y) { return x.column < y.column; });
      const std::size_t row_begin = out.column.size();
      for (const Entry& entry : entries_[d]) {
        if (out.column.size() > row_begin && out.column.back() == entry.column) {
          out.value.back() += entry.value;
        } else {
          out.column.push_back(entry.column);
          out.value.push_back(entry.value);
        }
      }
      out.start.push_back(static_cast<int>(out.column.size()));
      entries_[d].clear();
    }
  }

 private:
  struct Entry {
    int column;
    double value;
  };

  void add_entries(const Block& block, const SparseRows& rows, int dims) {
    for (int d = 0; d < dims; ++d) {
      for (std::size_t k = rows.begin(d); k < rows.end(d); ++k) {
        entries_[d].push_back({block.offset + rows.column[k], rows.value[k]});
      }
    }
  }
  void add_point(const Block& block, const Attachment& attachment, int dims) {
    if (block.kind == BlockKind::FreeBody) {
      for (int k = 0; k < 6; ++k) {
        const Vec3 axis = Vec3::unit(k % 3);
        add_column(block.offset + k, k < 3 ? Motion{{}, axis} : Motion{axis, {}}, attachment, dims);
      }
      return;
    }
    const TreeInertia& tree = problem_.trees[at(block.index)];
    const int last = tree.topology->last_dof(attachment.link);
    if (last < 0) return;
    for (const int dof : tree.topology->path(last)) {
      add_column(block.offset + dof, tree.subspace[at(dof)], attachment, dims);
    }
  }
  void add_column(int column, const Motion& motion, const Attachment& attachment, int dims) {
    const Vec3 velocity = velocity_at(motion, attachment.point) * attachment.sign;
    // A scalar row takes the normal.
    for (int d = 0; d < dims; ++d) {
      entries_[d].push_back({column, dot(attachment.frame.col[dims == 1 ? 2 : d], velocity)});
    }
  }

  const Problem& problem_;
  std::vector<Entry> entries_[3];  ///< of the constraint under way
};

}  // namespace

SparseRows constraint_rows(const Problem& problem) {
  SparseRows out;
  out.columns = problem.n();
  RowCollector rows(problem);
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const int dims = problem.dims(static_cast<int>(c));
    for (int a = problem.attachment_start[c]; a < problem.attachment_start[c + 1]; ++a) {
      rows.add(problem.attachments[at(a)], dims);
    }
    rows.flush(dims, out);
  }
  return out;
}

}  // namespace uzawa
