#pragma once

#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// A point of a triangle, and the part of its border that it lies on.
struct TrianglePoint {
  Vec3 weight;      ///< of the corners: not negative, sum 1; 0 exactly where the point is not of that corner
  int corners = 3;  ///< of how many corners it is: 3 the interior, 2 an edge, 1 a corner
};

/// The point of a triangle that is nearest to p, by the Voronoi regions of its features (Ericson, Real-Time Collision
/// Detection, section 5.1.5).
TrianglePoint nearest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p);

/// Share of the segment from a to b nearest to p, within 0 and 1.
double nearest_on_segment(const Vec3& a, const Vec3& b, const Vec3& p);

/// Shares of two segments where they are nearest to each other (Ericson, section 5.1.9). False where they are parallel.
bool nearest_of_segments(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double& first, double& second);

}  // namespace uzawa
