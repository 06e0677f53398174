#pragma once

#include <vector>

#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// Length scales that convert radians to metres. ADMM's penalty is a mass where a constraint acts on a point; on a
/// hinge it has to be a moment of inertia, that mass times the square of a length, or convergence would depend on the
/// unit of length. [AL] does not say which; we take the diameter of a ball with the tree's radius of gyration or, where
/// that is longer, the distance of the joint's subtree from the joint's axis.
class JointScales {
 public:
  /// Forgets the last problem.
  void prepare() { tree_ = -1; }
  /// Factor of the penalty of a constraint; 1 where it acts on anything but joints.
  double penalty_weight(const Problem& problem, int constraint);

 private:
  void measure(const TreeInertia& tree);
  double square_of(const Problem& problem, const Attachment& joint);

  int tree_ = -1;                          ///< tree of the problem that size_, mass_ and composite_ belong to
  double size_ = 0;                        ///< square of that diameter, m^2
  double mass_ = 0;                        ///< kg
  std::vector<SpatialInertia> composite_;  ///< per link: inertia of its subtree
};

}  // namespace uzawa
