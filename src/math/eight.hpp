#pragma once

#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

/// Eight doubles: in one register where they are that wide, else in two.
struct Eight {
#if defined(__AVX512F__)
  LanesOf<8> all{};

  static Eight load(const double* x) {
    Eight out;
    std::memcpy(&out.all, x, sizeof(out.all));
    return out;
  }
  void store(double* x) const { std::memcpy(x, &all, sizeof(all)); }
  Eight& operator+=(const Eight& b) { return all += b.all, *this; }
  Eight& operator-=(const Eight& b) { return all -= b.all, *this; }
  friend Eight operator*(const Eight& a, double s) { return {a.all * s}; }
  friend Eight operator*(const Eight& a, const Eight& b) { return {a.all * b.all}; }
  friend double sum(const Eight& a) { return uzawa::sum(a.all); }
#else
  Lanes low{}, high{};

  static Eight load(const double* x) { return {load_lanes(x), load_lanes(x + 4)}; }
  void store(double* x) const { store_lanes(low, x), store_lanes(high, x + 4); }
  Eight& operator+=(const Eight& b) { return low += b.low, high += b.high, *this; }
  Eight& operator-=(const Eight& b) { return low -= b.low, high -= b.high, *this; }
  friend Eight operator*(const Eight& a, double s) { return {a.low * s, a.high * s}; }
  friend Eight operator*(const Eight& a, const Eight& b) { return {a.low * b.low, a.high * b.high}; }
  friend double sum(const Eight& a) { return uzawa::sum(a.low + a.high); }
#endif
  friend Eight operator+(Eight a, const Eight& b) { return a += b; }
  friend Eight operator-(Eight a, const Eight& b) { return a -= b; }
};

}  // namespace uzawa
