#pragma once

#include "uzawa/collision/contacts/manifold.hpp"
#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

struct ReductionSettings {
  /// Points closer than this with like normals are one, the deeper of them. m; in CollisionSettings, a fraction of the
  /// smaller shape's radius.
  double merge_distance = 1e-4;
  double merge_cosine = 0.999;  ///< of the angle between like normals (2.6 degrees)
  int cap = 120;                ///< points a pair at the most
};

/// Thins the points of one pair, in place and in their order: near-duplicates are merged; above the cap, the deepest
/// point is kept, then repeatedly the point furthest from all kept points, which keeps the extremes and covers the
/// manifold. A kept point is replaced by one that is clearly deeper and nearer to it than to the other kept points.
class Reducer {
 public:
  /// Returns how many points the cap dropped.
  int reduce(const ReductionSettings& settings, std::vector<ManifoldPoint>& points);

 private:
  void merge(const ReductionSettings& settings, std::vector<ManifoldPoint>& points);
  void thin(int cap, std::vector<ManifoldPoint>& points);

  /// Four points, one a lane.
  struct Places {
    Vec3x4 position;
    Vec3x4 direction;            ///< the normal, in m
    Lanes distance{0, 0, 0, 0};  ///< from the nearest that stays, squared; 0 in a lane without a point
    Lanes cell{0, 0, 0, 0};      ///< the place in `chosen_` of the nearest that stays
  };
  void list_places(const std::vector<ManifoldPoint>& points);
  /// Assigns to a newly kept point the points nearer to it than to the others. Returns the point furthest from all kept
  /// points, or -1 where none is apart from them.
  int add_cell(int center, int number);

  std::vector<int> order_, chosen_;
  std::vector<char> stays_;
  std::vector<Places> places_;
};

}  // namespace uzawa
