#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/collision/sdf/sdf_contacts.hpp"

/// The part of the search that keeps it within the number of contacts wanted: fewer faces before, one contact a face
/// after.
namespace uzawa {

void SdfContactFinder::thin_faces() {
  constexpr std::size_t kFacesAContact = 4;
  const auto count = faces_left_.size();
  if (count / kFacesAContact > static_cast<std::size_t>(search_.most_contacts)) {
    promises_.clear();
    for (const int index : faces_left_) {
      const SampledTriangle corner = corners(surface_->faces()[at(index)]);
      const int low = lowest({corner[0]->sample.distance, corner[1]->sample.distance, corner[2]->sample.distance});
      const SignedDistance::Sample& sample = corner[at(low)]->sample;
      const Vec3 slopes = slopes_towards(corner, sample.gradient);
      const double promised = sample.distance - slopes[low] + slopes[lowest(slopes)];
      // Slopes promise too much; half of it is seldom too little.
      if (0.5 * (sample.distance + promised) > search_.margin) continue;
      promises_.push_back({index, promised, sample.gradient});
    }
    thinning_.run(search_.most_contacts, search_.descent.tolerance, promises_);
    faces_left_.clear();
    for (const FacePromise& promise : promises_) faces_left_.push_back(promise.face);
  }
  stats_.faces = static_cast<int>(faces_left_.size());
  stats_.left_out = static_cast<int>(count) - stats_.faces;
}

/// The lowest contact of each face; of near ties that with the lower feature, so that they do not take turns. Two faces
/// may have the same one.
void SdfContactFinder::keep_one_a_face() {
  results_asked_.clear();
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) results_asked_.push_back(i);
  std::sort(results_asked_.begin(), results_asked_.end(), [&](int a, int b) {
    const int face_a = contact_faces_[at(a)], face_b = contact_faces_[at(b)];
    return face_a != face_b ? face_a < face_b : contacts_[at(a)].feature < contacts_[at(b)].feature;
  });
  kept_.clear();
  for (std::size_t i = 0; i < results_asked_.size(); ++i) {
    const SurfaceContact& contact = contacts_[at(results_asked_[i])];
    const bool first = i == 0 || contact_faces_[at(results_asked_[i])] != contact_faces_[at(results_asked_[i - 1])];
    if (first) {
      kept_.push_back(contact);
    } else if (contact.gap < kept_.back().gap - search_.descent.tolerance) {
      kept_.back() = contact;
    }
  }
  std::sort(kept_.begin(), kept_.end(),
            [](const SurfaceContact& a, const SurfaceContact& b) { return a.feature < b.feature; });
  const auto same = [](const SurfaceContact& a, const SurfaceContact& b) { return a.feature == b.feature; };
  kept_.erase(std::unique(kept_.begin(), kept_.end(), same), kept_.end());
  contacts_.swap(kept_);
}

}  // namespace uzawa
