#include "uzawa/collision/face_thinning.hpp"

#include <cmath>
#include <span>

namespace uzawa {

namespace {

/// cos of the angle (60 degrees) from which on two directions are different ones.
constexpr double kOther = 0.5;
constexpr int kDirections = 3;  // a group at the most

/// Groups of 2^shift places in the tree that hold a face.
std::size_t count_groups(std::span<const FacePromise> promises, int shift) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < promises.size(); ++i) {
    if (i == 0 || promises[i].face >> shift != promises[i - 1].face >> shift) ++count;
  }
  return count;
}

bool is_other(std::span<const FacePromise> chosen, const Vec3& direction) {
  for (const FacePromise& c : chosen) {
    if (dot(c.direction, direction) > kOther) return false;
  }
  return true;
}

}  // namespace

void FaceThinning::run(int most, std::vector<FacePromise>& promises) {
  const auto groups = static_cast<std::size_t>(most) / 2;  // many have two directions, a few have three
  int shift = 1;
  while (shift < 30 && count_groups(promises, shift) > groups) ++shift;
  kept_.clear();
  for (std::size_t begin = 0, end = 0; begin < promises.size(); begin = end) {
    while (end < promises.size() && promises[end].face >> shift == promises[begin].face >> shift) ++end;
    const std::size_t first = kept_.size();
    for (int k = 0; k < kDirections; ++k) {
      const FacePromise* best = nullptr;
      for (std::size_t i = begin; i < end; ++i) {
        const bool better = best == nullptr || promises[i].gap < best->gap;
        if (better && is_other(std::span(kept_).subspan(first), promises[i].direction)) best = &promises[i];
      }
      if (best == nullptr) break;
      kept_.push_back(*best);
    }
  }
  promises.swap(kept_);
}

}  // namespace uzawa
