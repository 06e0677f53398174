#include "uzawa/solver/admm/joint_scales.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Square of a ball's diameter over that of its radius of gyration.
constexpr double kBall = 20.0 / 3;

}  // namespace

void JointScales::measure(const TreeInertia& tree) {
  composite_.assign(tree.inertia.begin(), tree.inertia.end());
  SpatialInertia whole;
  for (int i = tree.topology->links() - 1; i >= 0; --i) {
    const int parent = tree.topology->link_parent(i);
    (parent < 0 ? whole : composite_[at(parent)]) += composite_[at(i)];
  }
  const Vec3& moments = whole.rotational.diagonal;
  const double second = 0.5 * (moments.x() + moments.y() + moments.z());  // sum of m |r|^2
  mass_ = whole.mass;
  size_ = kBall * std::max(0.0, (second - dot(whole.first, whole.first) / mass_) / mass_);
}

double JointScales::square_of(const Problem& problem, const Attachment& joint) {
  const int index = problem.blocks[at(joint.block)].index;
  const TreeInertia& tree = problem.trees[at(index)];
  if (index != tree_) measure(tree);
  tree_ = index;
  const Motion& s = tree.subspace[at(joint.dof)];
  const double turn = dot(s.angular, s.angular);
  if (turn == 0) return dot(s.linear, s.linear);
  const SpatialInertia& hanging = composite_[at(tree.topology->dof_link(joint.dof))];
  return std::max(turn * size_, dot(s, hanging * s) / mass_);
}

/// Of several joints, the geometric mean.
double JointScales::penalty_weight(const Problem& problem, int constraint) {
  const int begin = problem.attachment_start[at(constraint)], end = problem.attachment_start[at(constraint) + 1];
  double product = 1;
  for (int a = begin; a < end; ++a) {
    const Attachment& from = problem.attachments[at(a)];
    const bool joint =
        from.kind == AttachmentKind::Coordinate && problem.blocks[at(from.block)].kind == BlockKind::Tree;
    product *= joint ? square_of(problem, from) / (from.coefficient * from.coefficient) : 0;
    if (!(product > 0) || !std::isfinite(product)) return 1;
  }
  return end - begin > 1 ? std::pow(product, 1.0 / (end - begin)) : product;
}

}  // namespace uzawa
