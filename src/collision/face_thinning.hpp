#pragma once

#include <vector>

#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// What a face of a sampled surface promises, from the distance and its gradient at its corners.
struct FacePromise {
  int face = 0;    ///< place in SurfaceTree::faces()
  double gap = 0;  ///< m, the least that the slopes at the lowest corner promise
  Vec3 direction;  ///< unit, of the gradient there
};

/// Of more faces than a pair is to have contacts, those worth searching: the faces are grouped as the tree holds them,
/// and of each group the one that promises the least gap stays, and up to two more that are pushed in other directions
/// (the flanks of a thread). Groups are part of the surface, so that the choice hardly changes from step to step.
class FaceThinning {
 public:
  /// `promises` in ascending order of their faces; leaves about `most` at the most.
  void run(int most, std::vector<FacePromise>& promises);

 private:
  std::vector<FacePromise> kept_;
};

}  // namespace uzawa
