#pragma once

#include <limits>

#include "uzawa/collision/contacts/manifold.hpp"
#include "uzawa/collision/convex/clipping.hpp"
#include "uzawa/collision/convex/epa.hpp"
#include "uzawa/collision/sdf/sdf_shape.hpp"
#include "uzawa/collision/shapes/shape.hpp"

namespace uzawa {

/// Memory of the narrow phase that lives from pair to pair.
struct NarrowWorkspace {
  Epa epa;
  Patch patch1, patch2;
  Clipper clipper;
  SdfContactFinder sdf;
  int most_contacts = std::numeric_limits<int>::max();  ///< of a sampled surface: see SurfaceSearch
  std::vector<int> visited, queue;                      ///< per corner of a hull: the last search that came by
  int search = 0;
  /// A separating direction found earlier for this pair, in the frame of the first shape; zero: none. Where it still
  /// separates the shapes, the search ends early with the same result.
  Vec3 far_normal;
};

/// Appends the contacts of two placed shapes whose gap is below `margin`. The normals go from `a` to `b`.
void collide(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& workspace, Manifold& out);

/// True where the pair has contacts at all: two planes, or a plane and a height field, have none.
bool collides(const Shape& a, const Shape& b);

}  // namespace uzawa
