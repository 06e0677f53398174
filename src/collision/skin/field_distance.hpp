#pragma once

#include "uzawa/collision/distance/surface_distance.hpp"
#include "uzawa/collision/shapes/height_field.hpp"

namespace uzawa {

/// Signed distance of a point from a height field as a solid, in the field's frame: from its surface, and from its side
/// walls for points beside it. The base has no lower side. Exact up to `reach`; beyond, some distance above it.
SurfaceDistance distance_from_field(const HeightField& field, const Vec3& point, double reach);

}  // namespace uzawa
