#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "uzawa/math/nodal/nodal_matrix.hpp"
#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// Averages of a solid's volume changes over the tetrahedra around each node (Bonet & Burton, "A simple average nodal
/// pressure tetrahedral element", Commun. Numer. Meth. Engng 1998). A constant-strain tetrahedron that keeps its volume
/// can hardly bend; the elements around a node together can. The energy is
///   sum over nodes a of V_a kappa/2 d_a^2,  V_a d_a = sum over elements e around a of V_e/4 d_e:
/// as many constraints as nodes, not as elements. All nodes of the elements around a node are coupled by it.
class NodalDilatation {
 public:
  NodalDilatation() = default;
  NodalDilatation(int nodes, std::span<const std::array<int, 4>> tets, std::span<const double> volumes);

  std::vector<std::pair<int, int>> couples() const;
  /// Remembers the places; the tets may have their nodes in another order than before.
  void place(std::span<const std::array<int, 4>> tets, std::span<const int> node_of, const NodalPattern& pattern);

  /// Takes the change of volume over volume, d, of each tet, and averages them.
  void average(std::span<const std::array<int, 4>> tets, std::span<const double> of_tet);
  /// dE/dd_e / (V_e kappa): the mean of the four nodes' averages.
  double mean(const std::array<int, 4>& tet) const;
  /// E / kappa.
  double energy() const;

  void clear_gradients();
  /// of_node[b]: V_e dd_e/dx of the four nodes of tet number e.
  void add_gradient(std::size_t e, const std::array<Vec3, 4>& of_node);
  /// Adds the second derivatives of the energy as far as they come from changes of d_a, which are positive
  /// semidefinite.
  void add_stiffness(NodalMatrix& k, double kappa) const;

 private:
  std::vector<double> tet_volume_;   ///< per tet: m^3
  std::vector<double> node_volume_;  ///< per node: V_a, m^3
  std::vector<double> average_;      ///< per node: d_a
  /// Nodes of the elements around node a: entries start_[a] to start_[a + 1] of node_ and gradient_ (dd_a V_a/dx).
  std::vector<int> start_, node_;
  std::vector<Vec3> gradient_;
  std::vector<std::array<int, 16>> entry_;  ///< per tet: the entry of its node b among those of its node a at 4 a + b
  std::vector<int> pair_start_;             ///< per node: its first pair of entries in place_
  std::vector<int> place_;                  ///< per pair of entries, the first not before the second; -1: pinned
};

}  // namespace uzawa
