#include "uzawa/sim/free_paths.hpp"

#include <algorithm>
#include <array>

#include "uzawa/base/at.hpp"
#include "uzawa/collision/sdf/sdf_shape.hpp"
#include "uzawa/math/quaternion.hpp"

namespace uzawa {

/// A geom between the start and the end of a step: its centre moves straight on while it turns evenly.
class FreePaths::Motion {
 public:
  Motion(const Shape& shape, const Pose& now, const Pose& end)
      : shape_(&shape),
        now_(now),
        shift_(end.position - now.position),
        turn_(log_rotation(to_quaternion(transpose(now.rotation) * end.rotation))) {}

  Motion without_turn() const {
    Motion shifted = *this;
    shifted.turn_ = {};
    return shifted;
  }

  const SignedDistance* distance() const { return shape_->sdf->distance(); }
  /// Of a point at the start, as the velocity there has it, m.
  Vec3 displacement(const Vec3& point) const { return shift_ + cross(now_.rotation * turn_, point - now_.position); }
  Pose at(double share) const {
    return {now_.rotation * to_matrix(exp_rotation(share * turn_)), now_.position + share * shift_};
  }

 private:
  const Shape* shape_;
  Pose now_;
  Vec3 shift_, turn_;  // m; rad, in the geom's frame
};

/// The way of a point of one geom through the distance of another.
class FreePaths::Path {
 public:
  Path(const Motion& own, const Motion& other, const Vec3& start)
      : own_(own), other_(other), point_(seen_from(own.at(0), start)) {}

  bool exists() const { return other_.distance() != nullptr; }
  SignedDistance::Sample sample(double share) const {
    return other_.distance()->evaluate(seen_from(other_.at(share), own_.at(share) * point_));
  }
  double depth_at_end() const { return exists() ? -sample(1).distance : 0; }
  /// A distance is at least the way to the next place that need be looked at. A gradient that turns round between two
  /// places is that of the other side.
  void follow(bool of_first, Meeting& meeting) const;

 private:
  static Vec3 seen_from(const Pose& pose, const Vec3& point) {
    return transpose_times(pose.rotation, point - pose.position);
  }
  void keep_plane(double share, const SignedDistance::Sample& sample, bool of_first, Contact& plane) const;

  const Motion &own_, &other_;
  Vec3 point_;  // in the geom's frame, m
};

void FreePaths::Path::follow(bool of_first, Meeting& meeting) const {
  constexpr double kLeastShare = 1. / 16;  // beside a surface, where the distance allows no step
  constexpr double kTurned = -0.5;         // cos of the angle
  if (!exists()) return;
  const double length =
      norm(seen_from(other_.at(1), own_.at(1) * point_) - seen_from(other_.at(0), own_.at(0) * point_));
  SignedDistance::Sample last = sample(0);
  for (double share = 0; share < 1;) {
    const double free = other_.distance()->lower_bound(last.distance);
    share = free >= length ? 1 : std::min(1.0, share + std::max(free / length, kLeastShare));
    const SignedDistance::Sample here = sample(share);
    if (dot(here.gradient, last.gradient) < kTurned) meeting.is_crossed = true;
    last = here;
    if (-here.distance <= meeting.depth) continue;
    meeting.depth = -here.distance;
    keep_plane(share, here, of_first, meeting.at_deepest);
  }
}

/// The plane that touches the other shape at a place of the path, as it stands at the start of the step.
void FreePaths::Path::keep_plane(double share, const SignedDistance::Sample& sample, bool of_first,
                                 Contact& plane) const {
  const Vec3 place = seen_from(other_.at(share), own_.at(share) * point_),
             start = seen_from(other_.at(0), own_.at(0) * point_);
  const Vec3 outward = other_.at(0).rotation * sample.gradient;
  plane.normal = of_first ? -outward : outward;
  plane.gap = std::max(0.0, sample.distance - dot(sample.gradient, place - start));
  plane.position = own_.at(0) * point_ - outward * (0.5 * plane.gap);
}

FreePaths::Motion FreePaths::motion(int geom, std::span<const Pose> now, std::span<const Pose> end) const {
  const ShapeSet::Geom& own = shapes_->geoms()[at(geom)];
  if (own.link < 0) return {own.shape, own.pose, own.pose};
  return {own.shape, now[at(own.link)] * own.pose, end[at(own.link)] * own.pose};
}

/// With and without the turn: a point on the rim of a wheel leaves the ground that the wheel rests on.
FreePaths::Meeting FreePaths::meet(const Contact& contact, const Motion& first, const Motion& second, double touch) {
  constexpr double kRest = 0.01;  // shares of a touch; what moves no further along the normal rests
  const Vec3& p = contact.position;
  const Vec3 half = contact.normal * (0.5 * contact.gap);
  Meeting meeting{.at_deepest = contact};
  const double closing = -dot(contact.normal, second.displacement(p) - first.displacement(p));
  const double said = closing - contact.gap;
  meeting.is_plane_right = said <= 0 || closing <= kRest * touch;
  if (meeting.is_plane_right) return meeting;
  const std::array<Motion, 2> a = {first.without_turn(), first}, b = {second.without_turn(), second};
  for (const std::size_t k : {0U, 1U}) {
    const double depth = std::max(Path(a[k], b[k], p - half).depth_at_end(), Path(b[k], a[k], p + half).depth_at_end());
    meeting.is_plane_right = depth >= 0.5 * said;
    if (meeting.is_plane_right) return meeting;
  }
  for (const std::size_t k : {0U, 1U}) {
    Path(a[k], b[k], p - half).follow(true, meeting);
    Path(b[k], a[k], p + half).follow(false, meeting);
  }
  return meeting;
}

void FreePaths::choose(std::span<const Contact> pair, std::span<const Pose> now, std::span<const Pose> end,
                       double tolerance, double touch, std::vector<Contact>& out) {
  const Motion first = motion(pair.front().geom1, now, end), second = motion(pair.front().geom2, now, end);
  for (const Contact& contact : pair) {
    Meeting meeting{.is_plane_right = true};
    if (contact.gap >= -touch) meeting = meet(contact, first, second, touch);
    if (meeting.is_plane_right || meeting.is_crossed || meeting.depth > tolerance) {
      out.push_back(contact);
    } else if (meeting.depth > touch) {
      out.push_back(meeting.at_deepest);
    } else {
      deferred_.push_back({contact, touch});
    }
  }
}

void FreePaths::look_again(std::span<const Pose> now, std::span<const Pose> end, std::vector<Contact>& out) {
  std::erase_if(deferred_, [&](const Deferred& deferred) {
    const Contact& contact = deferred.contact;
    const Meeting meeting =
        meet(contact, motion(contact.geom1, now, end), motion(contact.geom2, now, end), deferred.touch);
    if (!meeting.is_plane_right && !meeting.is_crossed && meeting.depth <= deferred.touch) return false;
    out.push_back(meeting.is_plane_right || meeting.is_crossed ? contact : meeting.at_deepest);
    return true;
  });
}

}  // namespace uzawa
