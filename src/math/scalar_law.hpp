#pragma once

#include <algorithm>
#include <cmath>

/// Laws of the scalar constraint rows in closed form. With s = -beta J v - u (the multiplier's argument), each gives
/// the impulse lambda(s), its slope, and the potential phi with d phi / d (J v) = -lambda that the merit function of
/// CANAL adds up ([AL] eq. 15-16 and 23, [JOINT] eq. 6-10).
namespace uzawa {

struct ScalarResponse {
  double impulse;    ///< lambda
  double slope;      ///< d lambda / d s
  double potential;  ///< phi
};

// The impulses alone, for numbers and for lanes of them.
template <typename T>
T hard_impulse(T s, T beta, T e) {
  const T push = s - beta * e, none{};
  return push > none ? push : none;
}
template <typename T>
T equality_impulse(T s, T beta, T e) {
  return s - beta * e;
}
template <typename T>
T soft_impulse(T s, T beta, T e, T k, T b) {
  return (b * s - beta * k * e) / (b + beta);
}
template <typename T>
T limit_impulse(T s, T beta, T lower, T upper) {
  const T below = beta * lower, above = beta * upper, none{};
  const T down = -s > above ? s + above : none;
  return -s < below ? s + below : down;
}
template <typename T>
T friction_impulse(T s, T bound) {
  const T capped = s > bound ? bound : s;
  return s < -bound ? -bound : capped;
}

/// 0 <= lambda, J v + e >= 0, complementary.
inline ScalarResponse hard_law(double s, double beta, double e) {
  const double impulse = hard_impulse(s, beta, e);
  return {impulse, impulse > 0 ? 1.0 : 0.0, impulse * impulse / (2 * beta)};
}
/// J v + e = 0.
inline ScalarResponse equality_law(double s, double beta, double e) {
  const double impulse = equality_impulse(s, beta, e);
  return {impulse, 1, impulse * impulse / (2 * beta)};
}
/// lambda = -k e - b J v. With b = 0 it is a constant impulse.
inline ScalarResponse soft_law(double s, double beta, double e, double k, double b) {
  const double impulse = soft_impulse(s, beta, e, k, b);
  const double potential = b > 0 ? impulse * impulse * (b + beta) / (2 * b * beta) : impulse * s / beta;
  return {impulse, b / (b + beta), potential};
}
/// J v within [lower, upper].
inline ScalarResponse limit_law(double s, double beta, double lower, double upper) {
  const double impulse = limit_impulse(s, beta, lower, upper);
  return {impulse, impulse != 0 ? 1.0 : 0.0, impulse * impulse / (2 * beta)};
}
/// |lambda| <= bound, opposing the motion.
inline ScalarResponse friction_law(double s, double beta, double bound) {
  const double impulse = friction_impulse(s, bound);
  return {impulse, impulse == s ? 1.0 : 0.0, (s * impulse - impulse * impulse / 2) / beta};
}

/// max(0, s) with its corner rounded over a width tau > 0, and the slope.
struct Smoothed {
  double value, slope;
};
inline Smoothed smooth_positive(double s, double tau) {
  const double root = std::sqrt(s * s + 4 * tau * tau);
  if (!(root < 1e300)) return {std::max(0.0, s), s > 0 ? 1.0 : 0.0};  // an infinite bound
  const double value = s > 0 ? 0.5 * (s + root) : 2 * tau * tau / (root - s);
  return {value, value / root};
}

// The laws with a corner, rounded. No potentials: they serve Newton on the strict law, which has none.
inline ScalarResponse smoothed_hard_law(double s, double beta, double e, double tau) {
  const Smoothed push = smooth_positive(s - beta * e, tau);
  return {push.value, push.slope, 0};
}
inline ScalarResponse smoothed_limit_law(double s, double beta, double lower, double upper, double tau) {
  const Smoothed up = smooth_positive(s + beta * lower, tau), down = smooth_positive(-s - beta * upper, tau);
  return {up.value - down.value, up.slope + down.slope, 0};
}
inline ScalarResponse smoothed_friction_law(double s, double bound, double tau) {
  const Smoothed above = smooth_positive(s - bound, tau), below = smooth_positive(-s - bound, tau);
  return {s - above.value + below.value, 1 - above.slope - below.slope, 0};
}

}  // namespace uzawa
