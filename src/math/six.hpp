#pragma once

#include "uzawa/math/spatial.hpp"
#include "uzawa/math/vec3x4.hpp"

namespace uzawa {

/// The six numbers of a motion (angular first) or of a force (moment first) in a row, in one line of cache: for loops
/// that turn four of them into lanes and back all the time, which takes a third fewer instructions than with two Vec3.
struct alignas(64) Six {
  Lanes low{0, 0, 0, 0}, high{0, 0, 0, 0};  ///< the last two are zero

  Six() = default;
  Six(const Vec3& first, const Vec3& second)
      : low(__builtin_shufflevector(first.lanes, second.lanes, 0, 1, 2, 4)),
        high(__builtin_shufflevector(second.lanes, second.lanes, 1, 2, 3, 3)) {}
  explicit Six(const Motion& m) : Six(m.angular, m.linear) {}
  explicit Six(const Force& f) : Six(f.moment, f.force) {}

  Vec3 first() const { return Vec3(__builtin_shufflevector(low, Lanes{0, 0, 0, 0}, 0, 1, 2, 4)); }
  Vec3 second() const { return Vec3(__builtin_shufflevector(low, high, 3, 4, 5, 6)); }
  Motion motion() const { return {first(), second()}; }
  Force force() const { return {first(), second()}; }

  Six& operator+=(const Six& b) { return low += b.low, high += b.high, *this; }
};

/// Half a register: on the way from and to memory it may change places, within a register that takes a shuffle.
using HalfLanes = double __attribute__((vector_size(16)));

inline Lanes join_halves(const double* low, const double* high) {
  HalfLanes l, h;
  std::memcpy(&l, low, sizeof(l));
  std::memcpy(&h, high, sizeof(h));
  return __builtin_shufflevector(l, h, 0, 1, 2, 3);
}
inline void part_halves(const Lanes& v, double* low, double* high) {
#if defined(__AVX__)
  _mm_storeu_pd(low, _mm256_castpd256_pd128(v));
  _mm_storeu_pd(high, _mm256_extractf128_pd(v, 1));
#else
  const HalfLanes l = __builtin_shufflevector(v, v, 0, 1), h = __builtin_shufflevector(v, v, 2, 3);
  std::memcpy(low, &l, sizeof(l));
  std::memcpy(high, &h, sizeof(h));
#endif
}
inline Lanes even_lanes(const Lanes& a, const Lanes& b) { return __builtin_shufflevector(a, b, 0, 4, 2, 6); }
inline Lanes odd_lanes(const Lanes& a, const Lanes& b) { return __builtin_shufflevector(a, b, 1, 5, 3, 7); }

/// First and second halves of four, one a lane. To references: see Vec3x4::set.
inline void gather(const Six& a, const Six& b, const Six& c, const Six& d, Vec3x4& first, Vec3x4& second) {
  const auto halves = [](const Six& low, const Six& high, int from) {
    return join_halves(reinterpret_cast<const double*>(&low) + from, reinterpret_cast<const double*>(&high) + from);
  };
  const Lanes ac01 = halves(a, c, 0), bd01 = halves(b, d, 0);
  const Lanes ac23 = halves(a, c, 2), bd23 = halves(b, d, 2);
  const Lanes ac45 = halves(a, c, 4), bd45 = halves(b, d, 4);
  first.set({even_lanes(ac01, bd01), odd_lanes(ac01, bd01), even_lanes(ac23, bd23)});
  second.set({odd_lanes(ac23, bd23), even_lanes(ac45, bd45), odd_lanes(ac45, bd45)});
}

inline void scatter(const Vec3x4& first, const Vec3x4& second, Six& a, Six& b, Six& c, Six& d) {
  const Lanes ac01 = even_lanes(first.x, first.y), bd01 = odd_lanes(first.x, first.y);
  const Lanes ac23 = even_lanes(first.z, second.x), bd23 = odd_lanes(first.z, second.x);
  a.low = __builtin_shufflevector(ac01, ac23, 0, 1, 4, 5);
  b.low = __builtin_shufflevector(bd01, bd23, 0, 1, 4, 5);
  c.low = __builtin_shufflevector(ac01, ac23, 2, 3, 6, 7);
  d.low = __builtin_shufflevector(bd01, bd23, 2, 3, 6, 7);
  const auto part = [](const Lanes& v, Six& low, Six& high) {
    part_halves(v, reinterpret_cast<double*>(&low) + 4, reinterpret_cast<double*>(&high) + 4);
  };
  part(even_lanes(second.y, second.z), a, c);
  part(odd_lanes(second.y, second.z), b, d);
}

}  // namespace uzawa
