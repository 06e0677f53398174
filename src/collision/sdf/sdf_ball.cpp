/// A ball against a signed distance. The nearest point of the other shape is not enough in a hollow: a ball in the
/// corner of a vessel lies on the floor and against the wall, and with one of them at a time it sinks into the other.
#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/collision/sdf/sdf_contacts.hpp"

namespace uzawa {

namespace {

/// Corners of an icosahedron: no direction is farther than 38 degrees from one of them, so that walls at right angles
/// are seen even where both are as near.
constexpr int kDirections = 12;
std::array<Vec3, kDirections> icosahedron() {
  const double golden = (1 + std::sqrt(5.)) / 2, size = 1 / std::sqrt(1 + golden * golden);
  std::array<Vec3, kDirections> corners;
  for (int i = 0; i < kDirections; ++i) {
    const Vec3 corner{0, (i & 1) != 0 ? size : -size, (i & 2) != 0 ? golden * size : -golden * size};
    corners[static_cast<std::size_t>(i)] = i / 4 == 0 ? corner : i / 4 == 1 ? yzx(corner) : zxy(corner);
  }
  return corners;
}
const std::array<Vec3, kDirections> kAround = icosahedron();

/// Contacts whose normals have a larger cosine are one.
constexpr double kSame = 0.9;
/// The place on the ball and the gradient there agree, by the cosine: what is left of the gap's error is its square.
constexpr double kSettled = 1 - 1e-8;
constexpr int kMostRounds = 8;

/// Where the distance is flat, in the middle of a solid, any direction leads out.
Vec3 direction_of(const Vec3& gradient) {
  const double size = norm(gradient);
  return size < 1e-6 ? Vec3{0, 0, 1} : gradient * (1 / size);
}

/// The direction of `kAround` next to a normal: the contact's name from step to step, in the frame of the distance.
int sector_of(const Vec3& normal) {
  const auto less = [&](const Vec3& a, const Vec3& b) { return dot(a, normal) < dot(b, normal); };
  return static_cast<int>(std::max_element(kAround.begin(), kAround.end(), less) - kAround.begin());
}

}  // namespace

std::span<const SurfaceContact> SdfContactFinder::find_ball(double radius, const Pose& pose,
                                                            const PlacedDistance& other, double margin) {
  stats_ = {};
  contacts_.clear();
  shape_ = other.shape;
  to_world_ = other.pose;
  const Vec3 centre = transpose_times(other.pose.rotation, pose.position - other.pose.position);
  if (shape_->bounds().distance(centre) - radius > margin) return contacts_;
  ++stats_.nodes;
  const SignedDistance::Sample nearest = shape_->evaluate(centre);
  if (!(nearest.distance - radius <= margin)) return contacts_;
  report_ball(centre, radius, direction_of(nearest.gradient), nearest.distance - radius);
  if (radius > 0) look_around_ball(centre, radius, margin);
  return contacts_;
}

/// From places all around the ball, each goes to where the wall that it sees is nearest: against the gradient. On a
/// flat wall that is one step, in a hollow wider than the ball a few. On edges thinner than the ball it leads away, so
/// that these are met by the nearest point alone.
void SdfContactFinder::look_around_ball(const Vec3& centre, double radius, double margin) {
  std::array<Vec3, kDirections> normals;  // against which the places lie
  std::size_t left = normals.size();
  std::copy(kAround.begin(), kAround.end(), normals.begin());
  for (int round = 0; round < kMostRounds && left > 0; ++round) {
    points_.clear();
    for (std::size_t i = 0; i < left; ++i) points_.push_back(centre - radius * normals[i]);
    samples_.resize(left);
    evaluate_all(*shape_, points_, samples_);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < left; ++i) {
      const Vec3 normal = direction_of(samples_[i].gradient);
      const double agreement = dot(normal, normals[i]);
      if (samples_[i].distance - radius * norm(normal - normals[i]) > margin) continue;
      const auto end = normals.begin() + static_cast<std::ptrdiff_t>(kept);
      const bool seen = touches_ball_near(normal) ||
                        std::any_of(normals.begin(), end, [&](const Vec3& n) { return dot(n, normal) > kSame; });
      if (seen) continue;
      // As if the wall were flat from there to the place where the ball is nearest to it.
      const double gap = samples_[i].distance - radius * (1 - agreement);
      if (agreement < kSettled) {
        normals[kept++] = normal;
      } else if (gap <= margin) {
        report_ball(centre, radius, normal, gap);
      }
    }
    left = kept;
  }
}

bool SdfContactFinder::touches_ball_near(const Vec3& normal) const {
  const Vec3 in_world = to_world_.rotation * normal;
  return std::any_of(contacts_.begin(), contacts_.end(),
                     [&](const SurfaceContact& contact) { return dot(contact.normal, in_world) > kSame; });
}

void SdfContactFinder::report_ball(const Vec3& centre, double radius, const Vec3& normal, double gap) {
  std::uint32_t feature = feature_of(FeatureKind::Vertex, sector_of(normal));
  const auto is_taken = [&](const SurfaceContact& contact) { return contact.feature == feature; };
  while (std::any_of(contacts_.begin(), contacts_.end(), is_taken))
    feature += feature_of(FeatureKind::Vertex, kDirections);
  contacts_.push_back({to_world_ * (centre - radius * normal), to_world_.rotation * normal, gap, feature});
}

}  // namespace uzawa
