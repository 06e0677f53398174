#pragma once

#include "uzawa/collision/manifold.hpp"

namespace uzawa {

struct ReductionSettings {
  /// Points closer than this with like normals are one, the deeper of them. m; in CollisionSettings, a fraction of the
  /// smaller shape's radius.
  double merge_distance = 1e-4;
  double merge_cosine = 0.999;  ///< of the angle between like normals (2.6 degrees)
  int cap = 120;                ///< points a pair at the most
};

/// Thins the points of one pair, in place and in their order: near-duplicates are merged; above the cap, the deepest
/// point stays, and then those that are furthest from all that stay, which keeps the extremes and covers the rest.
class Reducer {
 public:
  /// Returns how many points the cap dropped.
  int reduce(const ReductionSettings& settings, std::vector<ManifoldPoint>& points);

 private:
  void merge(const ReductionSettings& settings, std::vector<ManifoldPoint>& points);
  void thin(int cap, std::vector<ManifoldPoint>& points);

  std::vector<int> order_;
  std::vector<char> stays_;
  std::vector<double> distance_;  ///< of each point from the nearest that stays, squared
};

}  // namespace uzawa
