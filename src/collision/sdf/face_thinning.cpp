#include "uzawa/collision/sdf/face_thinning.hpp"

#include <algorithm>
#include <span>

namespace uzawa {

namespace {

/// cos of the angle (45 degrees) from which on two directions are different ones.
constexpr double kOther = 0.7;
constexpr int kDirections = 3;  // a group at the most

bool is_other(std::span<const FacePromise> chosen, const Vec3& direction) {
  for (const FacePromise& c : chosen) {
    if (dot(c.direction, direction) > kOther) return false;
  }
  return true;
}

}  // namespace

void FaceThinning::choose(const std::vector<FacePromise>& promises, std::size_t begin, std::size_t end,
                          double tolerance) {
  const std::size_t first = kept_.size();
  for (int k = 0; k < kDirections; ++k) {
    const FacePromise* best = nullptr;
    for (std::size_t i = begin; i < end; ++i) {
      const bool better = best == nullptr || promises[i].gap < best->gap - tolerance;
      if (better && is_other(std::span(kept_).subspan(first), promises[i].direction)) best = &promises[i];
    }
    if (best == nullptr) break;
    kept_.push_back(*best);
  }
  std::sort(kept_.begin() + static_cast<std::ptrdiff_t>(first), kept_.end(),
            [](const FacePromise& a, const FacePromise& b) { return a.face < b.face; });
}

void FaceThinning::run(int most, double tolerance, std::vector<FacePromise>& promises) {
  // The best of a large group are among those of the small ones it is made of, or nearly so: it is enough to look at
  // them.
  int group = std::max(2, static_cast<int>(promises.size()) / std::max(1, most));
  while (static_cast<int>(promises.size()) > most && group < (1 << 29)) {
    kept_.clear();
    for (std::size_t begin = 0, end = 0; begin < promises.size(); begin = end) {
      const int last = promises[begin].face - promises[begin].face % group + group;
      while (end < promises.size() && promises[end].face < last) ++end;
      choose(promises, begin, end, tolerance);
    }
    promises.swap(kept_);
    group += (group + 3) / 4;
  }
}

}  // namespace uzawa
