#include "uzawa/problem/problem.hpp"

#include <utility>

#include "uzawa/base/error.hpp"

namespace uzawa {

void Problem::clear_constraints() {
  const auto clear_all = [](auto&... vectors) { (vectors.clear(), ...); };
  clear_all(constraints, attachments);
  clear_all(contacts.row, contacts.constraint, contacts.cone, contacts.e);
  clear_all(hard.row, hard.constraint, hard.e);
  clear_all(equality.row, equality.constraint, equality.e);
  clear_all(soft.row, soft.constraint, soft.e, soft.k, soft.b);
  clear_all(limits.row, limits.constraint, limits.lower, limits.upper);
  clear_all(friction.row, friction.constraint, friction.bound);
  clear_all(moments.row, moments.constraint, moments.contact, moments.cone, moments.e);
  mobility_estimate.clear();
  rows = 0;
  attachment_start.assign(1, 0);
}

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

int Problem::add_nodal(NodalMatrix matrix, const std::vector<double>& impulse) {
  if (static_cast<int>(impulse.size()) != 3 * matrix.nodes()) {
    throw InputError(name, "nodal block", "its part of b has the wrong size");
  }
  nodal.push_back(std::move(matrix));
  return add_block(BlockKind::Nodal, static_cast<int>(impulse.size()), static_cast<int>(nodal.size()) - 1,
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
  rows += dims(kind);
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

void Problem::add_moment(const MomentCone& cone, const std::vector<Attachment>& at, const Vec3& e) {
  if (constraints.empty() || constraints.back().kind != ConstraintKind::Contact) {
    throw InputError(name, "moment constraint " + std::to_string(constraints.size()), "does not follow its contact");
  }
  moments.row.push_back(rows);
  moments.constraint.push_back(static_cast<int>(constraints.size()));
  moments.contact.push_back(constraints.back().index);
  moments.cone.push_back(cone);
  moments.e.push_back(e);
  add_constraint(ConstraintKind::Moment, moments.size() - 1, at);
}

Attachment Problem::explicit_rows(int block, SparseRows entries) {
  Attachment attachment;
  attachment.kind = AttachmentKind::Rows;
  attachment.block = block;
  attachment.entries = static_cast<int>(attachment_rows.size());
  attachment_rows.push_back(std::move(entries));
  return attachment;
}

}  // namespace uzawa
