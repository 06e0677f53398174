#pragma once

#include <span>
#include <utility>
#include <vector>

#include "uzawa/elastic/nodal_place.hpp"
#include "uzawa/math/pose.hpp"

namespace uzawa {

/// Elastic joint between two rigid links of a rod; z of the links' frames is the rod's axis.
struct RodJoint {
  int first = 0, second = 1;
  Vec3 first_anchor, second_anchor;  ///< m, from the centres of mass, in the links' frames: coincide at rest
  Quat relative_orientation;         ///< of the second link in the frame of the first, at rest
  Vec3 stiffness;                    ///< N/m: shear along x and y, stretch along z
  Vec3 angular_stiffness;            ///< N m/rad: bending about x and y, twist about z
};

struct RodStiffness {
  Vec3 stiffness;          ///< N/m: shear, shear, stretch
  Vec3 angular_stiffness;  ///< N m/rad: bending, bending, twist
};

/// Stiffness of the piece of a round rod that a joint stands for: k G A/l, E A/l, E I/l, G J/l with A = pi r^2,
/// I = pi r^4/4, J = pi r^4/2 and Cowper's shear factor k = 6 (1 + nu)/(7 + 6 nu), nu = E/(2 G) - 1. `length` is that
/// between the middles of the links that are joined: half a link where a rod is clamped at its end, which keeps second
/// order in the length of the links. Pa, m.
RodStiffness rod_stiffness(double young, double shear_modulus, double radius, double length);
/// G = E/(2 (1 + nu)), Pa.
inline double shear_modulus(double young, double poisson) { return young / (2 * (1 + poisson)); }

/// Cosserat rod of rigid links. The strains of a joint are taken in the frame M halfway between its links (the second
/// turned back by the rest orientation): u = M^T (second anchor - first anchor), and the rotation vector p from the
/// first to the second, with angle up to pi. E = sum of (u . C u + p . D p)/2. Neither link is preferred, and moving
/// all links as one changes nothing, so that forces and moments sum to zero.
///
/// Generalised velocities of link k are the velocity of its centre of mass, node 2 k, and its angular velocity, world
/// axes, node 2 k + 1. Forces and moments are the exact gradient of E. The stiffness is
///   sum of B^T diag(C, D) B, B: from velocities to the rates of p and of C^-1 n, where n is the pull C u in world
///   axes,
///   + the part without negative curvature of what the pull n adds by turning the arms r it acts on,
///     (n r^T + r n^T)/2 - (n . r) 1 for each link,
/// which is what keeps a taut rope straight. For a straight rod under tension that is the second derivative of E but
/// for terms of the order of n u. Left out are curvatures of p itself (of the order of D p: small against D where the
/// joints are bent and twisted little), and what buckles a pressed rod: both only make steps of an implicit rule
/// shorter or longer, for the forces know them.
class RodElasticity {
 public:
  RodElasticity() = default;
  /// Throws InputError: a link that does not exist, or is joined to itself, a negative stiffness.
  RodElasticity(int links, std::vector<RodJoint> joints);

  /// Pairs of nodes that have a block in the stiffness, each once, the larger first.
  std::vector<std::pair<int, int>> couples() const;
  /// Where the system keeps the blocks. `node_of`: per node (two a link) its node in the system, -1 if held.
  void place(std::span<const int> node_of, const NodalPattern& pattern);

  /// `links`: poses of the links' frames, but with the centres of mass as positions.
  double energy(std::span<const Pose> links) const;
  /// Adds the force on link k to force[2 k], N, and the moment about its centre of mass to force[2 k + 1], N m.
  void add_force(std::span<const Pose> links, std::span<Vec3> force) const;
  /// The same, and adds `scale` times the stiffness to `k` at the places. Returns the largest rotation of a joint, rad.
  double evaluate(std::span<const Pose> links, std::span<Vec3> force, NodalMatrix& k, double scale = 1) const;

 private:
  /// Of the nodes (first, first turning, second, second turning): pairs (a >= b) at a (a + 1)/2 + b.
  using Places = std::array<NodalPlace, 10>;

  std::vector<RodJoint> joints_;
  int links_ = 0;
  std::vector<Places> places_;
};

}  // namespace uzawa
