#include "uzawa/problem/invertible_contact.hpp"

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem/constraint_law.hpp"

namespace uzawa {

namespace {

/// A matrix of three rows, `value` on the diagonal.
SparseRows diagonal(double value) {
  SparseRows out;
  out.columns = 3;
  for (int i = 0; i < 3; ++i) {
    out.column.push_back(i);
    out.value.push_back(value);
    out.start.push_back(i + 1);
  }
  return out;
}

}  // namespace

Problem with_invertible_contacts(const Problem& problem, double omega) {
  if (!(omega > 0)) throw InputError(problem.name, "omega", "must be positive");
  Problem out = problem;
  out.clear_constraints();
  const int first = static_cast<int>(problem.blocks.size());
  for (int i = 0; i < problem.contacts.size(); ++i) out.add_sparse({diagonal(1 / omega)}, {0, 0, 0});
  std::vector<Attachment> held;
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    held.clear();
    for (int a = problem.attachment_start[c]; a < problem.attachment_start[c + 1]; ++a) {
      const Attachment& attachment = problem.attachments[at(a)];
      held.push_back(attachment.kind == AttachmentKind::Rows
                         ? out.explicit_rows(attachment.block, problem.attachment_rows[at(attachment.entries)])
                         : attachment);
    }
    const ConstraintRef& ref = problem.constraints[c];
    if (ref.kind == ConstraintKind::Contact) held.push_back(out.explicit_rows(first + ref.index, diagonal(1)));
    add_constraint(out, law_of(problem, static_cast<int>(c)), held);
  }
  return out;
}

void contact_impulses_from_velocities(const Problem& problem, double omega, std::span<const double> v,
                                      std::span<double> lambda) {
  const SparseRows rows = constraint_rows(problem);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const int row = problem.contacts.row[at(i)];
    Vec3 u = problem.contacts.e[at(i)];
    for (int d = 0; d < 3; ++d) {
      double speed = u[d];
      for (std::size_t k = rows.begin(row + d); k < rows.end(row + d); ++k)
        speed += rows.value[k] * v[at(rows.column[k])];
      u.set(d, speed);
    }
    project_strict(problem.contacts.cone[at(i)], u * (-1 / omega)).store(&lambda[at(row)]);
  }
}

}  // namespace uzawa
