#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "uzawa/elastic/nodal_dilatation.hpp"
#include "uzawa/elastic/soft_material.hpp"
#include "uzawa/math/nodal/nodal_matrix.hpp"
#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

/// Elastic solid of linear tetrahedra. With F the deformation gradient of an element (constant in it), R its nearest
/// rotation and d its change of volume over volume, the energy per volume is
///   corotational:  mu |F - R|^2 + lambda/2 d^2,  d = tr(R^T F) - 3;  neo-Hookean: see neo_hookean.hpp, d = det F - 1.
/// Averaged dilatation (nodal_dilatation.hpp) takes kappa/2 d^2 with the bulk modulus kappa = lambda + 2/3 mu out of
/// the elements' energy and gives it to the nodes.
///
/// Forces are the exact gradients of these energies. The stiffness is positive semidefinite for every shape: that of
/// linear elasticity turned with the element, R K R^T, as usual for corotational solids; of the neo-Hookean energy the
/// second derivatives without negative curvatures.
///
/// Elements are evaluated several at a time, one a lane; scratch is in the object, so that one thread at a time may
/// evaluate it. Nothing is allocated after place().
class TetElasticity {
 public:
  TetElasticity() = default;
  /// Throws InputError: a tet that is inverted or flat, a node that does not exist, a material out of range.
  TetElasticity(std::span<const Vec3> rest, std::span<const std::array<int, 4>> tets, const SoftMaterial& material);

  /// Pairs of nodes that have a block in the stiffness, each once, the larger first.
  std::vector<std::pair<int, int>> couples() const;
  /// Where the system keeps the blocks. `node_of`: per node of the body its node in the system, -1 if pinned.
  void place(std::span<const int> node_of, const NodalPattern& pattern);

  /// `x`: the positions of the body's nodes, m; pinned ones, too.
  double energy(std::span<const Vec3> x);
  /// Adds -dE/dx, N, pinned nodes included (what they exert on the body that holds them).
  void add_force(std::span<const Vec3> x, std::span<Vec3> force);
  /// The same, and adds `scale` times the stiffness to `k` at the places.
  void evaluate(std::span<const Vec3> x, std::span<Vec3> force, NodalMatrix& k, double scale = 1);

 private:
  /// kWide elements, one a lane. The last group is filled up with elements without volume.
  struct Group {
    std::array<std::array<int, kWide>, 4> node;
    std::array<Vec3Wide, 4> gradient;              ///< of the four shape functions, 1/m
    WideLanes volume;                              ///< m^3
    std::array<std::array<int, kWide>, 10> place;  ///< per pair of nodes (a >= b) of an element; -1: pinned
    int count;                                     ///< of lanes in use
  };
  struct Deformation {
    Mat3Wide f;            ///< deformation gradient
    Mat3Wide rotation;     ///< the nearest rotation of f; of neo-Hookean solids only where stiffness is asked for
    Mat3Wide volume_rate;  ///< dd/dF
    WideLanes dilatation;  ///< d
  };

  void build_groups(std::span<const int> node_of, const NodalPattern* pattern);
  Deformation deform(const Group& group, std::span<const Vec3> x, bool for_stiffness) const;
  void average(std::span<const Vec3> x, bool for_stiffness);
  WideLanes mean_dilatation(std::size_t g) const;
  void add_forces(std::span<const Vec3> x, std::span<Vec3> force, NodalMatrix* k, double scale);
  Mat3Wide stress(const Deformation& d, const WideLanes& shared) const;
  void add_corotational_stiffness(const Group& group, const Deformation& d, NodalMatrix& k, double scale) const;
  void add_neo_hookean_stiffness(const Group& group, const Deformation& d, const WideLanes& shared, NodalMatrix& k,
                                 double scale) const;
  void add_dilatation_stiffness(NodalMatrix& k, double scale);

  SolidLaw law_ = SolidLaw::Corotational;
  bool averaged_ = false;
  double mu_ = 0;      ///< Pa, of the law (for the neo-Hookean one not Lamé's)
  double lambda_ = 0;  ///< Pa, of the elements' own energy
  double kappa_ = 0;   ///< Pa, of the averaged energy
  std::vector<Vec3> rest_;
  std::vector<std::array<int, 4>> tets_;
  std::vector<Group> groups_;
  NodalDilatation dilatation_;
  std::vector<Deformation> deformations_;  ///< scratch, per group, where dilatation is averaged
  std::vector<double> tet_dilatation_;     ///< scratch, per tet
};

}  // namespace uzawa
