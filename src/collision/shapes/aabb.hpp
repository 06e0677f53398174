#pragma once

#include "uzawa/math/vec3.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace uzawa {

/// Lane by lane.
inline Vec3 smaller(const Vec3& a, const Vec3& b) {
#if defined(__AVX__)
  return Vec3(_mm256_min_pd(a.lanes, b.lanes));
#else
  return Vec3(a.lanes < b.lanes ? a.lanes : b.lanes);
#endif
}
inline Vec3 larger(const Vec3& a, const Vec3& b) {
#if defined(__AVX__)
  return Vec3(_mm256_max_pd(a.lanes, b.lanes));
#else
  return Vec3(a.lanes > b.lanes ? a.lanes : b.lanes);
#endif
}
inline Vec3 absolute(const Vec3& a) { return Vec3(a.lanes < Lanes{0, 0, 0, 0} ? -a.lanes : a.lanes); }

/// No lane is above that of the bound: one instruction and one branch.
inline bool at_most(const Vec3& a, const Vec3& bound) {
#if defined(__AVX__)
  return _mm256_movemask_pd(_mm256_cmp_pd(a.lanes, bound.lanes, _CMP_GT_OQ)) == 0;
#else
  return !(a.x() > bound.x() || a.y() > bound.y() || a.z() > bound.z());
#endif
}

/// An axis-aligned box, m.
struct Aabb {
  Vec3 low, high;

  Vec3 center() const { return 0.5 * (low + high); }
  Vec3 half() const { return 0.5 * (high - low); }
  /// 0 inside.
  double distance(const Vec3& point) const { return norm(larger(larger(low - point, point - high), {})); }
  Aabb grown(double by) const { return {low - Vec3{by, by, by}, high + Vec3{by, by, by}}; }
};

inline Aabb united(const Aabb& a, const Aabb& b) { return {smaller(a.low, b.low), larger(a.high, b.high)}; }
inline bool overlap(const Aabb& a, const Aabb& b) { return at_most(larger(a.low, b.low), smaller(a.high, b.high)); }
/// `inner` lies in `outer`.
inline bool contains(const Aabb& outer, const Aabb& inner) {
  return at_most(larger(outer.low - inner.low, inner.high - outer.high), Vec3{});
}
/// Half the surface area, the cost measure of a tree of boxes.
inline double half_area(const Aabb& a) {
  const Vec3 d = a.high - a.low;
  return dot(d, yzx(d));
}

}  // namespace uzawa
