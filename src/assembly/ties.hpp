#pragma once

#include <string>
#include <vector>

#include "uzawa/model/model.hpp"

namespace uzawa {

/// A point of a body that does not slip, along a direction, over another body: J v = speed, without any position to
/// hold. Such a constraint is nonholonomic: a wheel that rolls (two rows, along and across), a skate (one row, across).
///
/// The point is `offset` from the origin of `body`; offset and direction are in the axes of the body `axes`. A wheel
/// has its lowest point and its heading in the axes of its fork: the wheel itself turns away under its point.
struct NoSlip {
  std::string name;
  int body = 0, ground = 0;  ///< body that must not slip, and the body under it
  int axes = 0;              ///< body
  Vec3 offset;               ///< m
  Vec3 direction{1, 0, 0};   ///< not zero
  double speed = 0;          ///< m/s, of the point along the direction relative to the ground body: a conveyor
};

/// A point of a body that is kept at a point of another: three rows, as a connect of the model, but made and undone
/// while the world runs.
struct PointTie {
  std::string name;
  int first = 0, second = 0;         ///< bodies
  Vec3 first_anchor, second_anchor;  ///< m, in the two body frames
};

/// Constraints in addition to those of the model.
struct Ties {
  std::vector<NoSlip> no_slip;
  std::vector<PointTie> points;
};

/// Throws InputError that names the tie where a body does not exist, a direction is zero or a number is not finite.
void validate(const Ties& ties, const Model& model);

}  // namespace uzawa
