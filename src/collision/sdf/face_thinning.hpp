#pragma once

#include <vector>

#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// What a face of a sampled surface promises, from the distance and its gradient at its corners.
struct FacePromise {
  int face = 0;    ///< place in SurfaceTree::faces()
  double gap = 0;  ///< m, the least that the slopes at the lowest corner promise
  Vec3 direction;  ///< of the gradient there
};

/// Of more faces than a pair is to have contacts, those worth searching: the faces are grouped as the tree holds them,
/// and of each group the one that promises the least gap stays, and up to two more that are pushed in other directions
/// (the flanks of a thread). Groups are parts of the surface and near ties go to the lower number, so that the choice
/// hardly changes from step to step.
class FaceThinning {
 public:
  /// `promises` in ascending order of their faces; at most `most` are left. Gaps within the tolerance are a tie.
  void run(int most, double tolerance, std::vector<FacePromise>& promises);

 private:
  void choose(const std::vector<FacePromise>& promises, std::size_t begin, std::size_t end, double tolerance);

  std::vector<FacePromise> kept_;
};

}  // namespace uzawa
