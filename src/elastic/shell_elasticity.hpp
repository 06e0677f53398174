#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "uzawa/elastic/hinge.hpp"
#include "uzawa/elastic/membrane.hpp"
#include "uzawa/elastic/nodal_place.hpp"
#include "uzawa/elastic/soft_material.hpp"

namespace uzawa {

/// Thin shell of triangles, whose rest shape may be curved. SoftMaterial::stretching gives it the membrane energy of
/// membrane.hpp, SoftMaterial::bending one of its curvature (MuJoCo's elastic2d: stretch, bend, both or none).
///
/// The curvature of a triangle is that of the normals at the middles of its edges (Grinspun, Gingold, Reisman, Zorin,
/// "Computing discrete shape operators on general meshes", 2006; Morley's plate element): with l_i and m_i the lengths
/// and normals of its edges, A its area and t_i the change of the angle between it and its neighbour,
///   k = sum of l_i/A w_i t_i m_i m_i^T,  w_i = its height over that of both (1/2 in a regular mesh),
/// exact for constant curvature where neighbours form parallelograms. Its energy is that of a plate,
///   A D/2 ((1 - nu) k : k + nu (tr k)^2),  D = E t^3/(12 (1 - nu^2)).
/// At an edge without neighbour the normal is free: it takes the angle that minimises the energy, so that the free
/// edges of a strip may curl. MuJoCo's bending energy is that of the sum of the principal curvatures alone, with the
/// same D.
///
/// Forces are the exact gradient; the stiffness leaves out what moments add by turning edges, which may be negative,
/// and is positive semidefinite.
class ShellElasticity {
 public:
  ShellElasticity() = default;
  /// Throws InputError: a triangle without area, a node that does not exist, more than two triangles at an edge, a
  /// material out of range, no thickness.
  ShellElasticity(std::span<const Vec3> rest, std::span<const std::array<int, 3>> triangles,
                  const SoftMaterial& material);

  /// As those of TetElasticity (tet_elasticity.hpp); scratch is in the object.
  std::vector<std::pair<int, int>> couples() const;
  void place(std::span<const int> node_of, const NodalPattern& pattern);
  double energy(std::span<const Vec3> x);
  void add_force(std::span<const Vec3> x, std::span<Vec3> force);
  void evaluate(std::span<const Vec3> x, std::span<Vec3> force, NodalMatrix& k, double scale = 1);

 private:
  struct Hinge {
    std::array<int, 4> node;  ///< the edge and the third corners of its triangles
    double rest_angle = 0;    ///< rad
  };
  /// Bending of one triangle: moments of its hinges are `stiffness` times their angles.
  struct Bend {
    std::array<int, 3> hinge{-1, -1, -1};              ///< -1: no neighbour
    std::array<std::array<double, 3>, 3> stiffness{};  ///< N m/rad
    std::array<int, 6> node{};                         ///< all nodes of its hinges, each once
    int nodes = 0;
    std::array<std::array<int, 4>, 3> local{};  ///< per hinge: its nodes among these
    std::array<NodalPlace, 21> place{};         ///< pairs (a >= b) at a (a + 1)/2 + b
  };
  struct Membrane {
    MembraneTriangle triangle;
    std::array<int, 3> node;
    std::array<NodalPlace, 6> place{};
  };

  /// An edge of a triangle, as building the hinges sees it.
  struct Side {
    std::size_t triangle, edge;
    int opposite;     ///< node
    bool along_edge;  ///< the triangle runs from the node of the smaller number to the other
  };

  void build_hinges(std::span<const Vec3> rest, std::span<const std::array<int, 3>> triangles,
                    const SoftMaterial& material);
  void add_hinge(std::span<const Vec3> rest, const std::array<int, 2>& edge, const Side& first, const Side& second);
  static MembraneState state_of(const Membrane& m, std::span<const Vec3> x);
  void add_membrane_force(const Membrane& m, const MembraneState& state, std::span<Vec3> force) const;
  void update_hinges(std::span<const Vec3> x);
  std::array<double, 3> moments_of(const Bend& bend) const;
  void add_bending_force(std::span<Vec3> force) const;
  void add_bending_stiffness(const Bend& bend, NodalMatrix& k, double scale) const;

  MembraneModuli moduli_;
  std::vector<Membrane> membranes_;
  std::vector<Hinge> hinges_;
  std::vector<Bend> bends_;
  std::vector<HingeAngle> angles_;  ///< scratch, per hinge: change of the angle, and its gradient
};

}  // namespace uzawa
