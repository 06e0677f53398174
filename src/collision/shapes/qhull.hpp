#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// Convex hull of a point set, as computed by qhull.
struct QhullResult {
  std::vector<int> corners;                   ///< points that are corners of the hull
  std::vector<std::array<int, 3>> triangles;  ///< of corner positions in `corners`; counter-clockwise from outside
  std::vector<Vec3> normals;                  ///< per triangle, outward; also where the triangle has no area
};

/// Empty where the points span no volume; `reason` is then qhull's message.
std::optional<QhullResult> run_qhull(std::span<const Vec3> points, std::string& reason);

}  // namespace uzawa
