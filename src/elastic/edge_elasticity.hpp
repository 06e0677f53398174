#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "uzawa/elastic/nodal_place.hpp"
#include "uzawa/elastic/soft_material.hpp"

namespace uzawa {

/// Edges as springs and dampers along themselves: E = sum of k/2 (l - l0)^2, and forces -c dl/dt along the edge.
///
/// The stiffness is k n n^T + k (1 - l0/l) (1 - n n^T); its second part, by which a taut cord resists sidewards, is
/// left out where the edge is shorter than at rest, for it would be negative there. An edge without length has no
/// direction: no force, no stiffness.
class EdgeElasticity {
 public:
  EdgeElasticity() = default;
  /// Throws InputError: an edge of no length or a node that does not exist, a material out of range.
  EdgeElasticity(std::span<const Vec3> rest, std::span<const std::array<int, 2>> edges, const SoftMaterial& material);

  /// As those of TetElasticity (tet_elasticity.hpp).
  std::vector<std::pair<int, int>> couples() const;
  void place(std::span<const int> node_of, const NodalPattern& pattern);
  double energy(std::span<const Vec3> x) const;
  void add_force(std::span<const Vec3> x, std::span<Vec3> force) const;
  void evaluate(std::span<const Vec3> x, std::span<Vec3> force, NodalMatrix& k, double scale = 1) const;

  bool damped() const { return damping_ > 0; }
  /// Adds the forces of the dampers at velocities v, m/s.
  void add_damping_force(std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> force) const;
  /// Adds `scale` times their matrix, -dforce/dv, positive semidefinite.
  void add_damping(std::span<const Vec3> x, NodalMatrix& d, double scale = 1) const;

 private:
  struct Edge {
    int first, second;
    double rest_length;  ///< m
    NodalPlace at_first, at_second, between;
  };
  void add_blocks(const Edge& edge, const Mat3& block, NodalMatrix& k) const;

  std::vector<Edge> edges_;
  double stiffness_ = 0;  ///< N/m
  double damping_ = 0;    ///< N s/m
};

}  // namespace uzawa
