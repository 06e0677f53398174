#pragma once

#include "uzawa/math/spatial.hpp"
#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

/// The six numbers of a motion (angular first) or of a force (moment first) in a row, in one line of cache: for loops
/// that convert many of them to lanes and back; takes a third fewer instructions than two Vec3.
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

/// Two numbers: between memory and registers they may change places, within a register that takes a shuffle.
using HalfLanes = double __attribute__((vector_size(16)));

template <typename T>
inline T even_lanes(const T& a, const T& b) {
  if constexpr (sizeof(T) == sizeof(Lanes)) {
    return __builtin_shufflevector(a, b, 0, 4, 2, 6);
  } else {
    return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
  }
}
template <typename T>
inline T odd_lanes(const T& a, const T& b) {
  if constexpr (sizeof(T) == sizeof(Lanes)) {
    return __builtin_shufflevector(a, b, 1, 5, 3, 7);
  } else {
    return __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  }
}

/// Numbers `pair` and `pair` + 1 of every second Six, from the first or from the second on.
template <typename From>
inline WideLanes load_pairs(From&& from, int first, int pair) {
  const auto load = [&](int i) {
    HalfLanes half;
    std::memcpy(&half, reinterpret_cast<const double*>(&from(first + 2 * i)) + pair, sizeof(half));
    return half;
  };
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  __m512d out = _mm512_zextpd128_pd512(load(0));
  out = _mm512_insertf64x2(out, load(1), 1);
  out = _mm512_insertf64x2(out, load(2), 2);
  return _mm512_insertf64x2(out, load(3), 3);
#else
  return __builtin_shufflevector(load(0), load(1), 0, 1, 2, 3);
#endif
}

/// First and second halves of many, one a lane; that of lane i is from(i). To references: see Vec3Lanes::set.
template <typename From>
inline void gather_six(From&& from, Vec3Wide& first, Vec3Wide& second) {
  const WideLanes even01 = load_pairs(from, 0, 0), odd01 = load_pairs(from, 1, 0);
  const WideLanes even23 = load_pairs(from, 0, 2), odd23 = load_pairs(from, 1, 2);
  const WideLanes even45 = load_pairs(from, 0, 4), odd45 = load_pairs(from, 1, 4);
  first.set({even_lanes(even01, odd01), odd_lanes(even01, odd01), even_lanes(even23, odd23)});
  second.set({odd_lanes(even23, odd23), even_lanes(even45, odd45), odd_lanes(even45, odd45)});
}

/// Numbers 0 to 3 of every second Six, given as pairs.
template <typename To>
inline void store_low(const WideLanes& v01, const WideLanes& v23, int first, To&& to) {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  const WideLanes a = __builtin_shufflevector(v01, v23, 0, 1, 8, 9, 2, 3, 10, 11);
  const WideLanes b = __builtin_shufflevector(v01, v23, 4, 5, 12, 13, 6, 7, 14, 15);
  to(first).low = __builtin_shufflevector(a, a, 0, 1, 2, 3);
  to(first + 2).low = __builtin_shufflevector(a, a, 4, 5, 6, 7);
  to(first + 4).low = __builtin_shufflevector(b, b, 0, 1, 2, 3);
  to(first + 6).low = __builtin_shufflevector(b, b, 4, 5, 6, 7);
#else
  to(first).low = __builtin_shufflevector(v01, v23, 0, 1, 4, 5);
  to(first + 2).low = __builtin_shufflevector(v01, v23, 2, 3, 6, 7);
#endif
}
/// Numbers 4 and 5.
template <typename To>
inline void store_high(const WideLanes& v45, int first, To&& to) {
  const auto store = [&](int i, HalfLanes half) { std::memcpy(&to(first + 2 * i).high, &half, sizeof(half)); };
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  store(0, __builtin_shufflevector(v45, v45, 0, 1));
  store(1, _mm512_maskz_extractf64x2_pd(0x3, v45, 1));
  store(2, _mm512_maskz_extractf64x2_pd(0x3, v45, 2));
  store(3, _mm512_maskz_extractf64x2_pd(0x3, v45, 3));
#elif defined(__AVX__)
  store(0, _mm256_castpd256_pd128(v45));
  store(1, _mm256_extractf128_pd(v45, 1));  // shufflevector would become a permutation, which does not go to memory
#else
  store(0, __builtin_shufflevector(v45, v45, 0, 1));
  store(1, __builtin_shufflevector(v45, v45, 2, 3));
#endif
}

/// The inverse of gather_six.
template <typename To>
inline void scatter_six(const Vec3Wide& first, const Vec3Wide& second, To&& to) {
  store_low(even_lanes(first.x, first.y), even_lanes(first.z, second.x), 0, to);
  store_low(odd_lanes(first.x, first.y), odd_lanes(first.z, second.x), 1, to);
  store_high(even_lanes(second.y, second.z), 0, to);
  store_high(odd_lanes(second.y, second.z), 1, to);
}

}  // namespace uzawa
