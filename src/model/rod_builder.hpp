#pragma once

#include <optional>
#include <string>
#include <vector>

#include "uzawa/model/spec.hpp"

/// Rods from polylines: n segments make n links (free bodies with capsules) and n - 1 elastic joints, n where the rod
/// is closed.
namespace uzawa {

enum class RodShape {
  AsGiven,  ///< bends of the polyline are free of stress
  Straight  ///< it is a straight rod bent to the polyline
};

struct RodOptions {
  std::string name = "rod";
  double radius = 0.005;                ///< m
  double young = 1e6;                   ///< Pa
  double poisson = 0.3;                 ///< -, of the shear modulus young / (2 (1 + poisson))
  std::optional<double> shear_modulus;  ///< Pa, in place of Poisson's ratio
  /// Shear stiffness over G A. 0.9 is that of a solid circular section for poisson from 0.3 to 0.5
  /// (Cowper 1966: 6 (1 + nu) / (7 + 6 nu) = 0.89 to 0.90).
  double shear_factor = 0.9;
  double density = 1000;  ///< kg/m^3
  double damping = 0;     ///< s, D = damping * K
  PieceSpec pieces;
  bool closed = false;  ///< the last point is joined to the first, which is not repeated
  RodShape natural_shape = RodShape::AsGiven;
  /// rad, how far the frames turn about the axis from the first link to the last (once around, if closed), beyond
  /// frames that do not twist; and how much of this is free of stress. A closed rod is cut open, turned by the
  /// difference, and joined.
  double twist = 0, natural_twist = 0;
  Vec3 side;  ///< where x of the first link points, as far as its axis allows; zero: any direction
  std::array<double, 3> friction{1, 0.005, 0.0001};
  int contact_type = 1, contact_affinity = 1;
  std::array<float, 4> rgba{0.3F, 0.45F, 0.7F, 1};
};

/// Appends the links, named "name_0", ..., their joints, geoms and contact exclusions and the rod; returns the index of
/// the rod. z of a link is the direction of its segment, frames follow each other by parallel transport. Stiffnesses of
/// a joint are E A/l (stretch), shear_factor G A/l, E I/l (bending) and G J/l (twist), with l the length of rod from
/// centre to centre of the two links.
/// Links less than pi * radius of rod apart make no contact: a bend of radius r or more brings no two sides together
/// within half a turn, and capsules of neighbours overlap at rest.
/// Throws InputError that names `options.name`.
int add_rod(ModelSpec& spec, const std::vector<Vec3>& points, const RodOptions& options);

enum class RodEnd { First, Last };
/// Ties an end of a rod to a body (0: the ground) where it is at the reference configuration: Connect holds the point,
/// Weld the direction as well. Returns the index of the equality. The link does not touch that body, unless it is the
/// ground.
int tie_rod_end(ModelSpec& spec, int rod, RodEnd end, int body, EqualityType type = EqualityType::Weld);

}  // namespace uzawa
