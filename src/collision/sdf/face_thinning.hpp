#pragma once

#include <vector>

#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// Predicted least gap of a face of a sampled surface, from the distance and its gradient at its corners.
struct FacePromise {
  int face = 0;    ///< place in SurfaceTree::faces()
  double gap = 0;  ///< m, least value of the linear model at the lowest corner
  Vec3 direction;  ///< of the gradient there
};

/// Selects faces to search where there are more than the contacts of a pair: faces are grouped by nodes of the tree;
/// each group keeps the face with the least predicted gap, and up to two more with other gradient directions (the
/// flanks of a thread). Groups are fixed parts of the surface and near ties go to the lower number, so that the
/// selection hardly changes from step to step.
class FaceThinning {
 public:
  /// `promises` in ascending order of their faces; at most `most` are left. Gaps within the tolerance are a tie.
  void run(int most, double tolerance, std::vector<FacePromise>& promises);

 private:
  void choose(const std::vector<FacePromise>& promises, std::size_t begin, std::size_t end, double tolerance);

  std::vector<FacePromise> kept_;
};

}  // namespace uzawa
