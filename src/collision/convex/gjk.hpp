#pragma once

#include "uzawa/collision/convex/convex_core.hpp"

namespace uzawa {

/// A point of the difference A - B with the two points that it is the difference of; all in A's frame.
struct DifferencePoint {
  Vec3 w, a, b;
};

struct Simplex {
  DifferencePoint point[4];
  double weight[4] = {};  ///< of the point of the simplex that is nearest to the origin
  int count = 0;
};

/// Two convex cores, the second one's pose in the frame of the first.
struct ConvexPair {
  const ConvexCore& a;
  const ConvexCore& b;
  Pose b_in_a;

  /// Furthest of A - B along a direction of A's frame.
  DifferencePoint support(const Vec3& direction) const {
    DifferencePoint p;
    p.a = uzawa::support(a, direction);
    p.b = b_in_a * uzawa::support(b, transpose_times(b_in_a.rotation, -direction));
    p.w = p.a - p.b;
    return p;
  }
};

/// Result of GJK, in A's frame.
struct Proximity {
  enum class State { Far, Apart, Overlap };
  State state = State::Far;    ///< Far: further apart than the limit, along `normal`; the other fields are not set
  Vec3 normal;                 ///< unit, from A to B
  double gap = 0;              ///< of the cores, m; negative: penetration
  Vec3 on_a, on_b;             ///< where the cores are closest, or deepest
  DifferencePoint support[3];  ///< points of A - B that span its feature nearest to the origin
  int support_count = 0;
};

/// Distance of two cores by GJK, from the simplex given (empty: from the line of centres) until its square has settled
/// to the relative tolerance. Far where the distance exceeds `limit`; Overlap, with the simplex that holds the origin
/// and a guess of the normal, where the cores meet or are closer than rounding lets them have a direction.
Proximity gjk(const ConvexPair& pair, double limit, double tolerance, Simplex& simplex);

}  // namespace uzawa
