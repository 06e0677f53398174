#pragma once

#include "uzawa/math/spatial.hpp"

namespace uzawa {

/// Response of a free body to impulses: the inverse of its 6x6 inertia, as centre of mass, mass and moment of inertia
/// about it. A third of the memory of the matrix, and no factorisation.
struct BodyResponse {
  Vec3 centre;          ///< of mass, from the reference point
  Mat3 inverse_moment;  ///< about the centre
  double inverse_mass = 0;
  Force impulse;  ///< b

  /// False where the inertia is not positive definite.
  [[nodiscard]] bool factorize(const SpatialInertia& inertia);

  Motion move(const Force& push) const {
    const Vec3 force = impulse.force + push.force;
    const Vec3 angular = inverse_moment * (impulse.moment + push.moment - cross(centre, force));
    return {angular, force * inverse_mass + cross(centre, angular)};
  }
};

inline bool BodyResponse::factorize(const SpatialInertia& inertia) {
  inverse_mass = 1 / inertia.mass;
  centre = inertia.first * inverse_mass;
  const Sym3 shift = SpatialInertia::point_moment(inertia.mass, centre);
  const Vec3 d = inertia.rotational.diagonal - shift.diagonal, o = inertia.rotational.off - shift.off;
  // Inverse of a symmetric matrix by cofactors: yz, zx, xy are the entries of `o`.
  const Vec3 square = scaled(yzx(d), zxy(d)) - scaled(o, o);
  const Vec3 mixed = scaled(yzx(o), zxy(o)) - scaled(d, o);
  const double determinant = d.x() * square.x() + o.z() * mixed.z() + o.y() * mixed.y();
  inverse_moment = to_matrix(Sym3{square, mixed} * (1 / determinant));
  return inertia.mass > 0 && d.x() > 0 && square.z() > 0 && determinant > 0;
}

}  // namespace uzawa
