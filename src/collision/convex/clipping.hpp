#pragma once

#include <cstdint>
#include <vector>

#include "uzawa/collision/convex/convex_core.hpp"

namespace uzawa {

/// The part of a convex core that faces a direction: a polygon, a segment or a point; in one frame of the caller.
struct Patch {
  struct Corner {
    Vec3 point;
    std::uint64_t id = 0;  ///< of the shape
  };
  std::vector<Corner> corners;  ///< three or more: counter-clockwise from outside
  Vec3 normal;                  ///< outward; of a segment on a curved side: of the surface there

  bool is_face() const { return corners.size() > 2; }
};

/// The face of a core that is best aligned with a direction of its frame; where it has none, the segment (of a capsule,
/// or of a cylinder's side) or the supporting point.
void facing_patch(const ConvexCore& core, const Vec3& direction, Patch& patch);

/// The cap of a cylinder on the side of a direction: points of its rim, first the one furthest along it.
void cylinder_cap(const ConvexCore& core, const Vec3& direction, Patch& patch);

/// The edge through the supporting corner along `direction` that is at right angles to it; false where there is none.
bool facing_edge(const ConvexCore& core, const Vec3& direction, Patch& patch);

void transform(const Pose& pose, Patch& patch);

/// Clips a patch with the sides of another one (Sutherland and Hodgman) and assigns feature ids to the result.
class Clipper {
 public:
  struct Point {
    Vec3 point;             ///< on the incident patch
    std::uint64_t feature;  ///< as in manifold.hpp
  };
  /// Seen along `outward`, the contact normal out of the reference. `reference_first`: the reference face belongs to
  /// the first shape of the pair.
  const std::vector<Point>& clip(const Patch& incident, const Patch& reference, const Vec3& outward,
                                 bool reference_first);

 private:
  /// A corner of the polygon that is being cut: the incident corner, or where two lines cross.
  struct Vertex {
    Vec3 point;
    double side = 0;           ///< distance from the line that cuts, inward
    int corner = -1;           ///< of the incident patch
    int on_edge = -1;          ///< otherwise: on this incident edge (or -1) ...
    int cut1 = -1, cut2 = -1;  ///< ... and on these reference edges
    int next_edge = -1;  ///< the side that leads to the next vertex: incident edge k, or -2 - k for reference edge k
  };
  void clip_segment(const Patch& segment, const Patch& reference, const Vec3& outward);
  void clip_polygon(const Patch& polygon, const Patch& reference, const Vec3& outward);
  void cut(const Patch& reference, const Vec3& outward, int edge);
  Vertex crossing(const Vertex& from, const Vertex& to, int edge) const;
  std::uint64_t name(const Vertex& v, const Patch& incident, const Patch& reference, bool reference_first) const;

  std::vector<Vertex> polygon_, next_;
  std::vector<Point> out_;
};

}  // namespace uzawa
