#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "uzawa/math/friction_cone.hpp"
#include "uzawa/math/moment_cone.hpp"
#include "uzawa/math/nodal/nodal_matrix.hpp"
#include "uzawa/math/nodal/nodal_pieces.hpp"
#include "uzawa/math/sparse_rows.hpp"
#include "uzawa/math/tree_inertia.hpp"

/// The interface between bodies and solvers: the nonlinear complementarity problem of one time step ([AL] eq. 8),
///
///     A v = b + J^T lambda,        (J v, lambda) in S
///
/// as plain data, immutable while it is solved. v is the (representative) generalised velocity vhat; lambda are
/// impulses; S is the product of the constraints' laws below. Solvers see nothing else: no body, no joint, no shape.
///
/// Units: v in m/s or rad/s, lambda in N s or N m s, A in kg or kg m^2, b in N s or N m s, e in m/s.
namespace uzawa {

/// A is block-diagonal over subsystems. A block is one of four kinds; all offer apply, factorise and solve
/// (block_matrix.hpp).
enum class BlockKind {
  FreeBody,  ///< 6 dofs: linear velocity of the reference point, angular velocity, world axes
  Tree,      ///< dofs of a kinematic tree (TreeInertia)
  Nodal,     ///< nodes of three dofs each: a soft body; a rod, whose links are two nodes, linear and angular velocity
  Sparse     ///< any symmetric positive definite matrix
};

struct Block {
  BlockKind kind = BlockKind::Sparse;
  int offset = 0;  ///< first dof in v
  int size = 0;    ///< dofs
  int index = 0;   ///< into Problem::bodies, trees, nodal or sparse
};

/// Symmetric matrix as its lower triangle by rows (diagonal last in each row); columns relative to the block.
struct SparseBlock {
  SparseRows lower;
};

/// A Nodal block as the sum of pieces, for methods that solve it piece by piece (PieceSplit).
struct BlockPieces {
  int block = 0;
  NodalPieces pieces;
};

/// Attachment of a constraint to a block: its share of J. A constraint has one attachment per side (link, joint
/// coordinate, set of nodes); two for a contact between two bodies.
enum class AttachmentKind {
  LinkPoint,   ///< a point of a link (tree) or of a free body: J = sign * frame * (velocity of the point)
  LinkTurn,    ///< a link or a free body as a whole: J = sign * frame * (angular velocity)
  Nodes,       ///< weighted nodes (three dofs each) of a Nodal or Sparse block: J = sign * frame * (their velocity)
  Coordinate,  ///< one dof of any block: J = coefficient at that dof; scalar rows only
  Rows         ///< explicit entries, dims x columns: coupled coordinates, or rows from a file
};

struct Attachment {
  AttachmentKind kind = AttachmentKind::Rows;
  int block = 0;
  int link = 0;     ///< LinkPoint, LinkTurn: link of the tree; 0 for a free body
  Vec3 point;       ///< LinkPoint: from the block's reference point, Nodes: from the link's; world axes, m
  Mat3 frame;       ///< LinkPoint, LinkTurn, Nodes: columns t1, t2, n in world axes (a scalar row uses n)
  double sign = 1;  ///< LinkPoint, LinkTurn, Nodes: +1 on the side the normal points to, -1 on the other
  /// Nodes: up to four, ascending, and their weights; node k has the dofs 3 k to 3 k + 2 of the block. The rest is -1.
  std::array<int, 4> node{-1, -1, -1, -1};
  std::array<double, 4> weight{};
  int turning = -1;        ///< Nodes: node of an angular velocity, after the others: w x point adds to the velocity
  int dof = 0;             ///< Coordinate: relative to the block
  double coefficient = 1;  ///< Coordinate
  int entries = 0;         ///< Rows: index into Problem::attachment_rows
};

enum class ConstraintKind { Contact, Hard, Equality, Soft, Limit, Friction, Moment };
inline constexpr int kConstraintKinds = 7;

/// A constraint in the order in which it was added: its kind, its place among its kind, its first row in lambda.
struct ConstraintRef {
  ConstraintKind kind = ConstraintKind::Contact;
  int index = 0;
  int row = 0;
};

// The laws, structure-of-arrays by kind. `row` is the first row in J, lambda and J v; `constraint` the position in
// Problem::constraints.

/// Signorini-Coulomb on u = J v + e, three rows t1, t2, n ([AL] eq. 5).
struct Contacts {
  std::vector<int> row, constraint;
  std::vector<FrictionCone> cone;
  std::vector<Vec3> e;  ///< m/s
  int size() const { return static_cast<int>(row.size()); }
};
/// Hard: 0 <= lambda, J v + e >= 0, complementary ([AL] eq. 3). Equality: J v + e = 0.
struct ErrorRows {
  std::vector<int> row, constraint;
  std::vector<double> e;  ///< m/s
  int size() const { return static_cast<int>(row.size()); }
};
/// lambda = -k e - b J v ([AL] eq. 4), k, b >= 0.
struct SoftRows {
  std::vector<int> row, constraint;
  std::vector<double> e, k, b;
  int size() const { return static_cast<int>(row.size()); }
};
/// J v within [lower, upper] ([JOINT] eq. 8-10); either bound may be infinite.
struct LimitRows {
  std::vector<int> row, constraint;
  std::vector<double> lower, upper;  ///< m/s or rad/s
  int size() const { return static_cast<int>(row.size()); }
};
/// |lambda| <= bound, opposing J v ([JOINT] eq. 6-7).
struct FrictionRows {
  std::vector<int> row, constraint;
  std::vector<double> bound;  ///< N s or N m s: step times friction torque
  int size() const { return static_cast<int>(row.size()); }
};

/// Rolling and torsional friction of the contact that was added just before: moments along the axes t1, t2, n of its
/// frame, three rows of relative angular velocity w, bounded by the contact's normal impulse lambda_n (MomentCone) and
/// opposing w = J v + e.
struct MomentRows {
  std::vector<int> row, constraint;
  std::vector<int> contact;  ///< among Problem::contacts; its constraint is the one before
  std::vector<MomentCone> cone;
  std::vector<Vec3> e;  ///< rad/s: turning of what is driven, as a turntable; mostly zero
  int size() const { return static_cast<int>(row.size()); }
};

struct Problem {
  std::string name, comment;
  double dt = 0;  ///< s; 0: unknown

  // A and b
  std::vector<Block> blocks;           ///< in the order of their offsets, without gaps
  std::vector<SpatialInertia> bodies;  ///< FreeBody blocks, about the reference point
  std::vector<TreeInertia> trees;      ///< Tree blocks
  std::vector<NodalMatrix> nodal;      ///< Nodal blocks
  std::vector<SparseBlock> sparse;     ///< Sparse blocks
  std::vector<BlockPieces> pieces;     ///< of some of the Nodal blocks, ascending; A is the same without them
  std::vector<double> b;               ///< n
  std::vector<double> start_v;         ///< n; v before the step, for soft methods in a simulation; empty: unknown

  // constraints
  std::vector<ConstraintRef> constraints;  ///< in the order they were added; lambda follows it
  Contacts contacts;
  ErrorRows hard, equality;
  SoftRows soft;
  LimitRows limits;
  FrictionRows friction;
  MomentRows moments;
  int rows = 0;  ///< of J: three a contact or moment, one a scalar constraint
  /// Per constraint, for soft methods: the mobility (mean diagonal of J A^-1 J^T) by which a contact is soft, where
  /// that is an estimate as MuJoCo has it. 0, or a list that ends before: the true one.
  std::vector<double> mobility_estimate;

  // attachments of constraint c: [attachment_start[c], attachment_start[c + 1])
  std::vector<Attachment> attachments;
  std::vector<int> attachment_start{0};
  std::vector<SparseRows> attachment_rows;  ///< of Rows attachments; columns relative to the block

  int n() const { return static_cast<int>(b.size()); }
  static int dims(ConstraintKind kind) {
    return kind == ConstraintKind::Contact || kind == ConstraintKind::Moment ? 3 : 1;
  }
  int dims(int constraint) const { return dims(constraints[static_cast<std::size_t>(constraint)].kind); }

  // -- building: blocks first, then constraints with their attachments
  int add_body(const SpatialInertia& inertia, const std::array<double, 6>& impulse);
  int add_tree(TreeInertia tree, const std::vector<double>& impulse);
  int add_nodal(NodalMatrix matrix, const std::vector<double>& impulse);
  int add_sparse(SparseBlock block, const std::vector<double>& impulse);
  /// Forgets all constraints and keeps their memory.
  void clear_constraints();
  void add_contact(const FrictionCone& cone, const Vec3& e, const std::vector<Attachment>& at);
  void add_hard(double e, const std::vector<Attachment>& at);
  void add_equality(double e, const std::vector<Attachment>& at);
  void add_soft(double e, double k, double damping, const std::vector<Attachment>& at);
  void add_limit(double lower, double upper, const std::vector<Attachment>& at);
  void add_friction(double bound, const std::vector<Attachment>& at);
  /// Of the contact that was added just before.
  void add_moment(const MomentCone& cone, const std::vector<Attachment>& at, const Vec3& e = {});
  /// An attachment with explicit entries.
  Attachment explicit_rows(int block, SparseRows entries);

 private:
  int add_block(BlockKind kind, int size, int index, const double* impulse);
  void add_constraint(ConstraintKind kind, int index, const std::vector<Attachment>& at);
};

/// Throws InputError naming the constraint or block of the first error: sizes, NaN, A not symmetric positive definite,
/// negative mu or bounds, empty ranges.
void validate(const Problem& problem);

/// J as explicit sparse rows (rows x n), from the attachments.
SparseRows constraint_rows(const Problem& problem);
/// The same into existing memory.
void constraint_rows(const Problem& problem, SparseRows& out);

}  // namespace uzawa
