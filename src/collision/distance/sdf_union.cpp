#include "uzawa/collision/distance/sdf_union.hpp"

#include <algorithm>
#include <limits>

namespace uzawa {

namespace {

SignedDistance::Sample evaluate_member(const UnionSdf::Member& member, const Vec3& point) {
  const Vec3 local = transpose_times(member.pose.rotation, point - member.pose.position);
  SignedDistance::Sample sample = member.shape->evaluate(local);
  sample.gradient = member.pose.rotation * sample.gradient;
  return sample;
}

}  // namespace

SignedDistance::Sample UnionSdf::evaluate(const Vec3& point) const {
  Sample best{std::numeric_limits<double>::max(), {0, 0, 1}};
  for (const Member& member : members_) {
    const Sample sample = evaluate_member(member, point);
    if (sample.distance < best.distance) best = sample;
  }
  return best;
}

Aabb UnionSdf::bounds() const {
  Surface corners;  // of the members' boxes
  for (const Member& member : members_) {
    const Aabb box = member.shape->bounds();
    for (int k = 0; k < 8; ++k) {
      corners.vertices.push_back(member.pose * Vec3{(k & 1) != 0 ? box.high.x() : box.low.x(),
                                                    (k & 2) != 0 ? box.high.y() : box.low.y(),
                                                    (k & 4) != 0 ? box.high.z() : box.low.z()});
    }
  }
  return bounds_of(corners);
}

double UnionSdf::lower_bound(double value) const {
  double least = value;
  for (const Member& member : members_) least = std::min(least, member.shape->lower_bound(value));
  return least;
}

double UnionSdf::distance_to_others(const Vec3& point, std::size_t left_out) const {
  double least = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (i != left_out) least = std::min(least, evaluate_member(members_[i], point).distance);
  }
  return least;
}

Surface surface_of(const UnionSdf& shape, const std::vector<Surface>& members, double chord_error) {
  Surface surface;
  for (std::size_t i = 0; i < members.size(); ++i) {
    Surface own;
    append(own, members[i], shape.members()[i].pose);
    if (members.size() > 1) {
      trim(own, chord_error / 2, [&](const Vec3& point) { return -shape.distance_to_others(point, i); });
    }
    append(surface, own);
  }
  return welded(surface, 1e-9);
}

}  // namespace uzawa
