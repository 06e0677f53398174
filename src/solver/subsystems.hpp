#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/problem/problem.hpp"

/// What SubADMM needs of a problem ([AL] section VI): the sides of the constraints (one slack a side) and the subsystem
/// matrices A_j + beta sum J_ij^T J_ij, which keep the sparsity of A_j because each side is split off by itself: a side
/// on a link is a point mass beta there, a side on a joint coordinate is beta on the diagonal.
namespace uzawa {

/// One side of one constraint. Side velocities and slacks are 3-vectors in the constraint's frame (t1, t2, n); a scalar
/// constraint uses n. A scalar side on a link is given free tangents, so that its penalty is a point mass too.
struct Side {
  AttachmentKind kind = AttachmentKind::Rows;
  int constraint = 0;
  int block = 0;
  int link = 0;            ///< LinkPoint: into the twists of Subsystems
  bool tangents = false;   ///< the constraint is a contact, or the side is a point: t1 and t2 take part
  Vec3 point;              ///< LinkPoint
  Mat3 frame;              ///< LinkPoint: columns t1, t2, n, times the side's sign
  int dof = 0;             ///< Coordinate: in v
  double coefficient = 1;  ///< Coordinate
  int entries = 0;         ///< Rows
};

class Subsystems {
 public:
  Subsystems();
  ~Subsystems();
  Subsystems(Subsystems&&) noexcept;
  Subsystems& operator=(Subsystems&&) noexcept;

  void prepare(const Problem& problem);
  /// Factorises every A_j + beta sum J_ij^T J_ij. False where one is not positive definite.
  [[nodiscard]] bool factorize(const Problem& problem, double beta);

  std::span<const Side> sides() const { return sides_; }
  /// Sides of constraint c: [side_start(c), side_start(c + 1)).
  int side_start(int c) const { return side_start_[static_cast<std::size_t>(c)]; }

  /// v <- (A_j + beta ...)^-1 (b_j + sum J_ij^T g_ij) for all subsystems ([AL] eq. 35), g per side. Leaves the twists
  /// of the links for side_velocity.
  void solve(const Problem& problem, std::span<const Vec3> g, std::span<double> v);
  /// J_ij v_j of a side, for the v of the last solve.
  Vec3 side_velocity(const Problem& problem, const Side& side, std::span<const double> v) const;
  /// Twists for a v that did not come from solve.
  void set_velocity(const Problem& problem, std::span<const double> v);

  /// Mass over number of sides, per body with sides: geometric mean. What the first penalty is measured against.
  double pseudo_density(const Problem& problem) const;

 private:
  struct Impl;
  void solve_body(const Problem& problem, int block, std::span<const Vec3> g, std::span<double> v);
  void solve_tree(const Problem& problem, int block, std::span<const Vec3> g, std::span<double> v);
  void solve_sparse(const Problem& problem, int block, std::span<const Vec3> g, std::span<double> v);
  void tree_twists(const Problem& problem, const Block& block, std::span<const double> v);

  std::unique_ptr<Impl> impl_;
  std::vector<Side> sides_;
  std::vector<int> side_start_;
  std::vector<int> block_side_start_, block_side_;  ///< sides of a block
  std::vector<int> link_start_;                     ///< first link of a block in twist_
  std::vector<Motion> twist_;
  std::vector<Force> force_;
};

}  // namespace uzawa
