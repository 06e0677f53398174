#pragma once

#include <vector>

#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// What a radian is worth in metres. ADMM's penalty is a mass where a constraint holds on to a point; on a hinge it has
/// to be a moment of inertia, that mass times the square of a length, or convergence would depend on the unit of
/// length. [AL] does not say which; we take the diameter of a ball with the tree's radius of gyration or, where that is
/// longer, how far from its axis what hangs on the joint is.
class JointScales {
 public:
  /// Forgets the last problem.
  void prepare() { tree_ = -1; }
  /// By which the penalty of a constraint is to be multiplied; one where it holds on to anything but joints.
  double penalty_weight(const Problem& problem, int constraint);

 private:
  void measure(const TreeInertia& tree);
  double square_of(const Problem& problem, const Attachment& joint);

  int tree_ = -1;    ///< of the problem, which the rest is about: constraints of one tree come together
  double size_ = 0;  ///< square of that diameter, m^2
  double mass_ = 0;  ///< kg
  std::vector<SpatialInertia> composite_;  ///< per link: with all that hangs on it
};

}  // namespace uzawa
