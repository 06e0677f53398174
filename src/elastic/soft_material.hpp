#pragma once

namespace uzawa {

/// Law of a solid made of tetrahedra.
enum class SolidLaw {
  Corotational,  ///< linear elasticity in the frame that turns with each element
  NeoHookean     ///< stable neo-Hookean: large strains, elements that recover from inversion
};

/// What a soft body is made of. Which parts count depends on its elements: tetrahedra, triangles, edges.
struct SoftMaterial {
  double young = 1e5;       ///< Pa, > 0
  double poisson = 0.3;     ///< -, -1 < poisson < 0.5
  double damping = 0;       ///< s, >= 0: D = damping * K (Rayleigh)
  double mass_damping = 0;  ///< 1/s, >= 0: D += mass_damping * M (Rayleigh)
  SolidLaw law = SolidLaw::Corotational;
  /// Volume changes are averaged over the elements around each node, so that nearly incompressible solids (poisson
  /// above 0.4) do not lock.
  bool averaged_dilatation = false;
  double thickness = 0;       ///< m, of the triangles of a shell
  bool stretching = true;     ///< a shell resists stretching in its plane
  bool bending = true;        ///< a shell resists bending
  double edge_stiffness = 0;  ///< N/m, of each edge as a spring
  double edge_damping = 0;    ///< N s/m, of each edge
};

/// Lamé's parameters, Pa.
double lame_lambda(const SoftMaterial& material);
double lame_mu(const SoftMaterial& material);

/// Throws InputError where a number is out of its range.
void check_material(const SoftMaterial& material);

}  // namespace uzawa
