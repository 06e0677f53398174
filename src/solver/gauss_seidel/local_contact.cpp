#include "uzawa/solver/gauss_seidel/local_contact.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

namespace {

constexpr int kMaxSteps = 30;            // four are enough nearly always; the bracket makes the rest a bisection
constexpr double kTolerance = 1e-13;     // of lambda_n/|x| - 1
constexpr double kSmallestRank = 1e-12;  // of S: determinant over squared trace

/// The slip equation of one contact.
struct SlipEquation {
  double s11, s12, s22;   // S
  double r1, r2;          // r
  double n0, n1, n2;      // lambda_n = n0 + n1 x1 + n2 x2
  double x1 = 0, x2 = 0;  // at the last alpha
  double normal = 0, norm = 0;

  /// x and lambda_n at alpha; returns lambda_n/|x| - 1 and its slope.
  double evaluate(double alpha, double& slope) {
    const double a = s11 + alpha, b = s22 + alpha, scale = 1 / (a * b - s12 * s12);
    x1 = (s12 * r2 - b * r1) * scale;
    x2 = (s12 * r1 - a * r2) * scale;
    // dx/dalpha = -(S + alpha)^-1 x
    const double d1 = (s12 * x2 - b * x1) * scale, d2 = (s12 * x1 - a * x2) * scale;
    normal = n0 + n1 * x1 + n2 * x2;
    const double square = x1 * x1 + x2 * x2, inverse = 1 / std::sqrt(square);
    norm = square * inverse;
    slope = (n1 * d1 + n2 * d2) * inverse - normal * (x1 * d1 + x2 * d2) * inverse / square;
    return normal * inverse - 1;
  }
};

}  // namespace

bool solve_contact(const FrictionCone& cone, const double* w, const Vec3& q, const Vec3& u, const Vec3& guess,
                   Vec3& lambda) {
  if (!(w[8] > 0)) return false;
  if (q.z() >= 0) {
    lambda = {};
    return true;
  }
  const double inverse = 1 / w[8], mu1 = cone.mu1, mu2 = cone.mu2;
  if (mu1 == 0 && mu2 == 0) {
    lambda = {0, 0, -q.z() * inverse};
    return true;
  }
  SlipEquation slip{};
  slip.n0 = -q.z() * inverse;
  slip.n1 = -w[2] * mu1 * inverse;
  slip.n2 = -w[5] * mu2 * inverse;
  slip.s11 = mu1 * mu1 * (w[0] - w[2] * w[2] * inverse);
  slip.s12 = mu1 * mu2 * (w[1] - w[2] * w[5] * inverse);
  slip.s22 = mu2 * mu2 * (w[4] - w[5] * w[5] * inverse);
  slip.r1 = mu1 * (q.x() + w[2] * slip.n0);
  slip.r2 = mu2 * (q.y() + w[5] * slip.n0);
  const double trace = slip.s11 + slip.s22;
  if (!(slip.s11 * slip.s22 - slip.s12 * slip.s12 > kSmallestRank * trace * trace)) return false;
  if (slip.r1 == 0 && slip.r2 == 0) {
    lambda = {0, 0, slip.n0};
    return true;
  }
  // alpha = 0 is stick; beyond, the first guess is the slip that there is.
  double slope = 0, low = 0, high = 0;
  double miss = slip.evaluate(0, slope);
  if (miss < 0) {
    const double friction = length(guess.x() / mu1, guess.y() / mu2);
    double alpha = friction > 0 ? length(mu1 * u.x(), mu2 * u.y()) / friction : 0;
    if (!(alpha > 0)) alpha = slope > 0 ? -miss / slope : trace;
    for (int i = 0; i < kMaxSteps; ++i) {
      miss = slip.evaluate(alpha, slope);
      if (std::abs(miss) <= kTolerance) break;
      (miss < 0 ? low : high) = alpha;
      const double next = alpha - miss / slope;
      const bool inside = next > low && (high == 0 || next < high);
      const double fallback = high == 0 ? 4 * alpha + trace : 0.5 * (low + high);
      alpha = inside ? next : fallback;
    }
    // On the cone exactly.
    const double scale = std::max(0.0, slip.normal) / slip.norm;
    slip.x1 *= scale;
    slip.x2 *= scale;
  }
  lambda = {mu1 * slip.x1, mu2 * slip.x2, std::max(0.0, slip.normal)};
  return true;
}

}  // namespace uzawa
