#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/problem/constraint_law.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

namespace {

bool within(int i, std::size_t size) { return i >= 0 && at(i) < size; }

bool all_finite(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}
bool all_finite(const SpatialInertia& inertia) {
  return std::isfinite(inertia.mass) && all_finite(inertia.first) && all_finite(inertia.rotational.diagonal) &&
         all_finite(inertia.rotational.off);
}

/// Throws for one element of a problem.
class Complaint {
 public:
  Complaint(const Problem& problem, std::string element)
      : source_(problem.name.empty() ? "problem" : problem.name), element_(std::move(element)) {}
  void require(bool holds, const char* reason) const {
    if (!holds) throw InputError(source_, element_, reason);
  }

 private:
  std::string source_, element_;
};

/// Shape and order of a matrix by rows: pointers that fit, columns within range and increasing.
bool well_formed(const SparseRows& rows) {
  if (rows.start.empty() || rows.start.front() != 0 || rows.columns < 0) return false;
  if (rows.column.size() != rows.value.size() || at(rows.start.back()) != rows.column.size()) return false;
  if (!std::is_sorted(rows.start.begin(), rows.start.end())) return false;
  for (int r = 0; r < rows.rows(); ++r) {
    for (std::size_t k = rows.begin(r); k < rows.end(r); ++k) {
      if (rows.column[k] < 0 || rows.column[k] >= rows.columns) return false;
      if (k > rows.begin(r) && rows.column[k] <= rows.column[k - 1]) return false;
    }
  }
  return true;
}

void check_sparse(const SparseRows& lower, int size, const Complaint& block) {
  block.require(well_formed(lower), "its rows are malformed");
  block.require(lower.rows() == size && lower.columns == size, "its matrix has another size");
  block.require(all_finite(lower.value), "has an entry that is not finite");
  for (int r = 0; r < size; ++r) {
    block.require(lower.end(r) > lower.begin(r) && lower.column[lower.end(r) - 1] == r,
                  "must be a lower triangle with the diagonal last in each row");
  }
}

void check_tree(const TreeInertia& tree, int size, const Complaint& block) {
  block.require(tree.topology != nullptr, "has no topology");
  block.require(tree.topology->dofs() == size, "its tree has another number of dofs");
  block.require(tree.subspace.size() == at(size) && tree.diagonal.size() == at(size), "must have one entry a dof");
  block.require(tree.inertia.size() == at(tree.topology->links()), "must have one inertia a link");
  block.require(all_finite(tree.diagonal), "has a diagonal entry that is not finite");
  for (const Motion& s : tree.subspace) {
    block.require(all_finite(s.angular) && all_finite(s.linear), "has a subspace that is not finite");
  }
  for (const SpatialInertia& inertia : tree.inertia)
    block.require(all_finite(inertia), "has an inertia that is not finite");
}

void check_nodal(const NodalMatrix& matrix, int size, const Complaint& block) {
  block.require(matrix.pattern != nullptr, "has no pattern");
  const NodalPattern& pattern = *matrix.pattern;
  block.require(3 * pattern.nodes() == size, "its matrix has another size");
  block.require(matrix.value.size() == 9 * pattern.blocks(), "must have nine entries a block");
  block.require(all_finite(matrix.value), "has an entry that is not finite");
  for (int node = 0; node < pattern.nodes(); ++node) {
    const double* m = matrix.block(pattern.diagonal(node));
    block.require(m[1] == m[3] && m[2] == m[6] && m[5] == m[7], "has a diagonal block that is not symmetric");
  }
}

/// The pieces must add up to the block.
void check_pieces(const Problem& problem) {
  constexpr double kRounding = 1e-9;  // of the largest entry
  int last = -1;
  for (const BlockPieces& of : problem.pieces) {
    const Complaint complaint(problem, "pieces of block " + std::to_string(of.block));
    complaint.require(of.block > last && within(of.block, problem.blocks.size()) &&
                          problem.blocks[at(of.block)].kind == BlockKind::Nodal,
                      "there is no such block of nodes after the one before");
    last = of.block;
    const NodalMatrix& whole = problem.nodal[at(problem.blocks[at(of.block)].index)];
    complaint.require(of.pieces.layout != nullptr && of.pieces.part.size() == of.pieces.layout->pieces.size(),
                      "must have one matrix a piece");
    for (std::size_t p = 0; p < of.pieces.part.size(); ++p) {
      const NodalPieceLayout::Piece& piece = of.pieces.layout->pieces[p];
      check_nodal(of.pieces.part[p], 3 * static_cast<int>(piece.node.size()), complaint);
      const bool known = std::all_of(piece.place.begin(), piece.place.end(),
                                     [&](int place) { return within(place, whole.pattern->blocks()); });
      complaint.require(known && piece.place.size() == of.pieces.part[p].pattern->blocks(), "are of another matrix");
    }
    NodalMatrix sum(whole.pattern);
    add_pieces(of.pieces, sum);
    double most = 0, miss = 0;
    for (std::size_t i = 0; i < sum.value.size(); ++i) {
      most = std::max(most, std::abs(whole.value[i]));
      miss = std::max(miss, std::abs(whole.value[i] - sum.value[i]));
    }
    complaint.require(miss <= kRounding * most, "do not add up to the block");
  }
}

void check_blocks(const Problem& problem) {
  int offset = 0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    const Complaint complaint(problem, "block " + std::to_string(i));
    complaint.require(block.offset == offset && block.size >= 0, "does not start where the one before ends");
    const std::size_t stored = block.kind == BlockKind::FreeBody ? problem.bodies.size()
                               : block.kind == BlockKind::Tree   ? problem.trees.size()
                               : block.kind == BlockKind::Nodal  ? problem.nodal.size()
                                                                 : problem.sparse.size();
    complaint.require(within(block.index, stored), "its matrix does not exist");
    switch (block.kind) {
      case BlockKind::FreeBody:
        complaint.require(block.size == 6, "a free body has six dofs");
        complaint.require(all_finite(problem.bodies[at(block.index)]), "has an inertia that is not finite");
        break;
      case BlockKind::Tree: check_tree(problem.trees[at(block.index)], block.size, complaint); break;
      case BlockKind::Nodal: check_nodal(problem.nodal[at(block.index)], block.size, complaint); break;
      case BlockKind::Sparse: check_sparse(problem.sparse[at(block.index)].lower, block.size, complaint); break;
    }
    offset += block.size;
  }
  const Complaint b(problem, "b");
  b.require(offset == problem.n(), "has another size than the blocks together");
  b.require(all_finite(problem.b), "has an entry that is not finite");
}

/// A singular matrix may pass for positive definite by its rounding errors. It gives itself away by not solving
/// A x = A x0 for a known x0, scaled so that the units of the dofs don't matter.
void check_regular(const Problem& problem, const BlockFactor& factor) {
  constexpr double kWorst = 1e-2;  // relative: a condition number of 1e13 and more
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    if (block.kind != BlockKind::Sparse) continue;
    const SparseRows& lower = problem.sparse[at(block.index)].lower;
    std::vector<double> scale(at(block.size)), x(at(block.size), 0.0);
    for (int r = 0; r < block.size; ++r) scale[at(r)] = 1 / std::sqrt(lower.value[lower.end(r) - 1]);
    for (int r = 0; r < block.size; ++r) {
      for (std::size_t k = lower.begin(r); k < lower.end(r); ++k) {
        const int c = lower.column[k];
        x[at(r)] += lower.value[k] * scale[at(c)];
        if (c != r) x[at(c)] += lower.value[k] * scale[at(r)];
      }
    }
    factor.solve_block(static_cast<int>(i), x);
    double worst = 0;
    for (int r = 0; r < block.size; ++r) worst = std::max(worst, std::abs(x[at(r)] / scale[at(r)] - 1));
    Complaint(problem, "block " + std::to_string(i)).require(worst < kWorst, "A is singular to working precision");
  }
}

void check_law(const ConstraintLaw& law, const Complaint& complaint) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  complaint.require(all_finite(law.e), "e is not finite");
  const double mu1 = law.cone.mu1, mu2 = law.cone.mu2;
  complaint.require(std::isfinite(mu1) && std::isfinite(mu2) && mu1 >= 0 && mu2 >= 0,
                    "mu must be finite, not negative");
  complaint.require((mu1 == 0) == (mu2 == 0), "mu must be positive along both tangents, or zero along both");
  complaint.require(std::isfinite(law.k) && law.k >= 0, "k must be finite, not negative");
  complaint.require(std::isfinite(law.b) && law.b >= 0, "b must be finite, not negative");
  complaint.require(law.lower <= law.upper, "the range from lower to upper is empty");
  complaint.require(law.lower < kInfinity && law.upper > -kInfinity, "the range from lower to upper is empty");
  complaint.require(std::isfinite(law.bound) && law.bound >= 0, "bound must be finite, not negative");
  for (const double length : {law.moment.roll1, law.moment.roll2, law.moment.spin}) {
    complaint.require(std::isfinite(length) && length >= 0, "roll and spin must be finite, not negative");
  }
  complaint.require((law.moment.roll1 == 0) == (law.moment.roll2 == 0),
                    "roll must be positive along both tangents, or zero along both");
}

bool has_finite_frame(const Attachment& a) {
  return all_finite(a.point) && std::isfinite(a.sign) &&
         std::all_of(std::begin(a.frame.col), std::end(a.frame.col), [](const Vec3& axis) { return all_finite(axis); });
}

void check_nodes(const Attachment& a, const Block& block, const Complaint& complaint) {
  complaint.require(block.kind == BlockKind::Nodal || block.kind == BlockKind::Sparse,
                    "is attached to nodes of a block that has none");
  int last = -1;
  bool finite = has_finite_frame(a);
  for (std::size_t i = 0; i < a.node.size() && a.node[i] >= 0; ++i) {
    complaint.require(a.node[i] > last, "its nodes are not in ascending order");
    last = a.node[i];
    finite = finite && std::isfinite(a.weight[i]);
  }
  complaint.require(a.turning < 0 || a.turning > last, "its turning node is not after the others");
  complaint.require(last >= 0 && within(std::max(last, a.turning), at(block.size / 3)),
                    "is attached to a node that does not exist");
  complaint.require(finite, "has an attachment that is not finite");
}

void check_attachment(const Problem& problem, const Attachment& a, int dims, const Complaint& complaint) {
  complaint.require(within(a.block, problem.blocks.size()), "is attached to a block that does not exist");
  const Block& block = problem.blocks[at(a.block)];
  switch (a.kind) {
    case AttachmentKind::LinkPoint:
    case AttachmentKind::LinkTurn: {
      complaint.require(block.kind == BlockKind::FreeBody || block.kind == BlockKind::Tree,
                        "is attached to a link of a block that has none");
      const int links = block.kind == BlockKind::FreeBody ? 1 : problem.trees[at(block.index)].topology->links();
      complaint.require(within(a.link, at(links)), "is attached to a link that does not exist");
      complaint.require(has_finite_frame(a), "has an attachment that is not finite");
      break;
    }
    case AttachmentKind::Nodes: check_nodes(a, block, complaint); break;
    case AttachmentKind::Coordinate:
      complaint.require(dims == 1, "a contact can't be attached to one coordinate");
      complaint.require(within(a.dof, at(block.size)), "is attached to a dof that does not exist");
      complaint.require(std::isfinite(a.coefficient), "has an attachment that is not finite");
      break;
    case AttachmentKind::Rows: {
      complaint.require(within(a.entries, problem.attachment_rows.size()), "its rows do not exist");
      const SparseRows& rows = problem.attachment_rows[at(a.entries)];
      complaint.require(well_formed(rows), "its rows are malformed");
      complaint.require(rows.rows() == dims && rows.columns == block.size, "its rows have the wrong size");
      complaint.require(all_finite(rows.value), "its rows have an entry that is not finite");
      break;
    }
  }
}

/// One kind's arrays against the list of all constraints.
template <typename Kind>
void check_places(const Problem& problem, const Kind& kind, std::initializer_list<std::size_t> sizes,
                  ConstraintKind which) {
  const Complaint complaint(problem, std::string(kind_name(which)) + " constraints");
  complaint.require(kind.constraint.size() == kind.row.size(), "their arrays differ in size");
  for (const std::size_t size : sizes) complaint.require(size == kind.row.size(), "their arrays differ in size");
  for (int i = 0; i < kind.size(); ++i) {
    complaint.require(within(kind.constraint[at(i)], problem.constraints.size()), "one is not among the constraints");
    const ConstraintRef& ref = problem.constraints[at(kind.constraint[at(i)])];
    complaint.require(ref.kind == which && ref.index == i && ref.row == kind.row[at(i)],
                      "one is not where the list of constraints says");
  }
}

void check_constraints(const Problem& problem) {
  const Complaint all(problem, "constraints");
  const std::size_t count = problem.constraints.size();
  std::array<std::size_t, kConstraintKinds> sizes{};
  int row = 0;
  for (std::size_t c = 0; c < count; ++c) {
    all.require(problem.constraints[c].row == row, "their rows do not follow each other");
    row += problem.dims(static_cast<int>(c));
    ++sizes[static_cast<std::size_t>(problem.constraints[c].kind)];
  }
  all.require(problem.rows == row, "the number of rows is wrong");
  check_places(problem, problem.contacts, {problem.contacts.cone.size(), problem.contacts.e.size(), sizes[0]},
               ConstraintKind::Contact);
  check_places(problem, problem.hard, {problem.hard.e.size(), sizes[1]}, ConstraintKind::Hard);
  check_places(problem, problem.equality, {problem.equality.e.size(), sizes[2]}, ConstraintKind::Equality);
  const SoftRows& soft = problem.soft;
  check_places(problem, soft, {soft.e.size(), soft.k.size(), soft.b.size(), sizes[3]}, ConstraintKind::Soft);
  check_places(problem, problem.limits, {problem.limits.lower.size(), problem.limits.upper.size(), sizes[4]},
               ConstraintKind::Limit);
  check_places(problem, problem.friction, {problem.friction.bound.size(), sizes[5]}, ConstraintKind::Friction);
  const MomentRows& moments = problem.moments;
  check_places(problem, moments, {moments.contact.size(), moments.cone.size(), moments.e.size(), sizes[6]},
               ConstraintKind::Moment);
  for (std::size_t i = 0; i < moments.contact.size(); ++i) {
    const int contact = moments.contact[i];
    all.require(within(contact, problem.contacts.row.size()) &&
                    problem.contacts.constraint[at(contact)] + 1 == moments.constraint[i],
                "a moment does not follow its contact");
  }

  const std::vector<int>& start = problem.attachment_start;
  all.require(start.size() == count + 1 && start.front() == 0 && std::is_sorted(start.begin(), start.end()) &&
                  at(start.back()) == problem.attachments.size(),
              "the list of their attachments is malformed");
  for (std::size_t c = 0; c < count; ++c) {
    const std::string name = std::string(kind_name(problem.constraints[c].kind)) + " constraint " + std::to_string(c);
    const Complaint complaint(problem, name);
    check_law(law_of(problem, static_cast<int>(c)), complaint);
    for (int a = start[c]; a < start[c + 1]; ++a) {
      check_attachment(problem, problem.attachments[at(a)], problem.dims(static_cast<int>(c)), complaint);
    }
  }
}

}  // namespace

void validate(const Problem& problem) {
  Complaint(problem, "dt").require(std::isfinite(problem.dt) && problem.dt >= 0, "must be finite, not negative");
  check_blocks(problem);
  check_pieces(problem);
  check_constraints(problem);
  BlockFactor factor;
  const bool positive = factor.factorize(problem);
  Complaint(problem, "block " + std::to_string(factor.bad_block())).require(positive, "A is not positive definite");
  check_regular(problem, factor);
}

}  // namespace uzawa
