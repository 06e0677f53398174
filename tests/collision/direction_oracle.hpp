#pragma once

#include <mujoco/mujoco.h>

#include "uzawa/collision/contacts/contact.hpp"

/// The gap of two convex shapes by brute force: along a unit vector n from the first to the second their gap is
/// -(h1(n) + h2(-n)), h the support function in the world; the gap of the shapes is the largest of these. Support
/// functions are written out from MuJoCo's geoms, with no code of the collision room.
namespace uzawa::test {

class DirectionOracle {
 public:
  DirectionOracle(const mjModel* m, const mjData* d) : m_(m), d_(d) {}

  /// Along a direction from geom 0 to geom 1. The directions of a plane are its normal alone.
  double gap_along(const Vec3& n) const { return -(reach(0, n) + reach(1, -n)); }

  /// How much more than along n the gap is along directions turned by `angle` (rad) to eight sides, at the most. Not
  /// positive where n is right to about half the angle.
  double gain_nearby(const Vec3& n, double angle) const;

  /// The largest over the sphere: directions spread evenly, the best of them improved by a search that halves its step.
  double largest() const;

 private:
  double reach(int geom, const Vec3& n) const;
  double climb(Vec3 n) const;

  const mjModel* m_;
  const mjData* d_;
};

}  // namespace uzawa::test
