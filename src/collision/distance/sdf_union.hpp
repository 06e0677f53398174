#pragma once

#include <memory>
#include <vector>

#include "uzawa/collision/distance/surface.hpp"

namespace uzawa {

/// Several shapes as one: the smallest of their distances. Exact outside where the members' are; inside, the depth in
/// the deepest member, which is a lower bound.
class UnionSdf final : public SignedDistance {
 public:
  struct Member {
    std::shared_ptr<const SignedDistance> shape;
    Pose pose;  ///< in the union's frame
  };

  explicit UnionSdf(std::vector<Member> members) : members_(std::move(members)) {}

  Sample evaluate(const Vec3& point) const override;
  Aabb bounds() const override;
  double lower_bound(double value) const override;

  const std::vector<Member>& members() const { return members_; }
  /// The distance to all members but one.
  double distance_to_others(const Vec3& point, std::size_t left_out) const;

 private:
  std::vector<Member> members_;
};

/// The members' surfaces (in the order of the members, in their frames) where no other member covers them.
Surface surface_of(const UnionSdf& shape, const std::vector<Surface>& members, double chord_error);

}  // namespace uzawa
