#include "uzawa/math/friction_cone.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/math/scalar_law.hpp"

namespace uzawa {

namespace {

double tangent_norm(const Vec3& s) { return length(s.x(), s.y()); }

/// Projection of (x, y) onto the ellipse with half axes a, b > 0, from outside: x a^2/(a^2 + theta), likewise y, with
/// theta >= 0 where the point w = (a x/(a^2 + theta), b y/(b^2 + theta)) has length one. Newton on 1/|w| = 1, which is
/// nearly linear in theta however far away (x, y) is, climbs to the root monotonically (as in trust regions).
struct EllipsePoint {
  double x, y, theta;
};
EllipsePoint project_ellipse(double a, double b, double x, double y) {
  const double aa = a * a, bb = b * b;
  double theta = 0;
  for (int i = 0; i < 60; ++i) {
    const double u = a * x / (aa + theta), v = b * y / (bb + theta);
    const double square = u * u + v * v, slope = u * u / (aa + theta) + v * v / (bb + theta);
    const double next = theta + square / slope * (std::sqrt(square) - 1);
    if (!(next > theta)) break;  // at the root to working precision
    theta = next;
  }
  return {x * aa / (aa + theta), y * bb / (bb + theta), theta};
}

/// Frictionless along both tangents: the cone is a half line.
bool is_line(const FrictionCone& cone) { return cone.mu1 == 0 && cone.mu2 == 0; }

Mat3 normal_only(double value) { return {{{}, {}, {0, 0, value}}}; }

/// Gauge of the cone's section: (t, n) is inside where gauge(t) <= n.
double gauge(const FrictionCone& cone, const Vec3& s) { return length(s.x() / cone.mu1, s.y() / cone.mu2); }

/// Elliptic cone, outside both the cone and its polar: the normal part m of the projection is where the distance to
/// the ellipse of size m balances m - s_n, found by bisection.
Vec3 project_elliptic(const FrictionCone& cone, const Vec3& s) {
  double low = std::max(0.0, s.z()), high = gauge(cone, s);
  Vec3 best{s.x(), s.y(), high};
  for (int i = 0; i < 100 && high - low > 1e-16 * high; ++i) {
    const double m = 0.5 * (low + high);
    if (m <= low || m >= high) break;
    const EllipsePoint t = project_ellipse(cone.mu1 * m, cone.mu2 * m, s.x(), s.y());
    best = {t.x, t.y, m};
    const double balance = m - s.z() - ((s.x() - t.x) * t.x + (s.y() - t.y) * t.y) / m;
    (balance < 0 ? low : high) = m;
  }
  return best;
}

/// Derivative of the projection onto {g <= 0} at a boundary point y = s - tau grad g, for the elliptic gauge:
/// B - B g g^T B / (g^T B g) with B = (1 + tau Hess g)^-1.
Mat3 elliptic_derivative(const FrictionCone& cone, const Vec3& s) {
  const Vec3 y = project_elliptic(cone, s);
  const double tau = y.z() - s.z(), size = gauge(cone, y);
  const double i1 = 1 / (cone.mu1 * cone.mu1), i2 = 1 / (cone.mu2 * cone.mu2);
  const Vec3 g{y.x() * i1 / size, y.y() * i2 / size, -1};
  const double h11 = 1 + tau * (i1 - g.x() * g.x()) / size, h22 = 1 + tau * (i2 - g.y() * g.y()) / size;
  const double h12 = -tau * g.x() * g.y() / size, det = h11 * h22 - h12 * h12;
  const Mat3 b{{{h22 / det, -h12 / det, 0}, {-h12 / det, h11 / det, 0}, {0, 0, 1}}};
  const Vec3 bg = b * g;
  const double scale = -1 / dot(g, bg);
  Mat3 out = b;
  for (int c = 0; c < 3; ++c) out.col[c] += bg * (scale * bg[c]);
  return out;
}

}  // namespace

Vec3 project_proximal(const FrictionCone& cone, const Vec3& s) {
  if (is_line(cone)) return {0, 0, std::max(0.0, s.z())};
  if (!cone.isotropic()) {
    if (gauge(cone, s) <= s.z()) return s;
    if (sliding_power(cone, s) + s.z() <= 0) return {};
    return project_elliptic(cone, s);
  }
  const double mu = cone.mu1, t = tangent_norm(s), n = s.z();
  if (t <= mu * n) return s;       // stick
  if (mu * t + n <= 0) return {};  // open
  const double normal = (mu * t + n) / (1 + mu * mu);
  const double scale = mu * normal / t;
  return {s.x() * scale, s.y() * scale, normal};
}

Mat3 proximal_derivative(const FrictionCone& cone, const Vec3& s) {
  if (is_line(cone)) return normal_only(s.z() > 0 ? 1 : 0);
  if (!cone.isotropic()) {
    if (gauge(cone, s) <= s.z()) return Mat3::identity();
    if (sliding_power(cone, s) + s.z() <= 0) return {};
    return elliptic_derivative(cone, s);
  }
  const double mu = cone.mu1, t = tangent_norm(s), n = s.z();
  if (t <= mu * n) return Mat3::identity();
  if (mu * t + n <= 0) return {};
  const double x = s.x() / t, y = s.y() / t, scale = 1 / (1 + mu * mu), across = mu * n / t;
  const double d11 = mu * mu + across * y * y, d22 = mu * mu + across * x * x, d12 = -across * x * y;
  return Mat3{{{d11, d12, mu * x}, {d12, d22, mu * y}, {mu * x, mu * y, 1}}} * scale;
}

Vec3 project_strict(const FrictionCone& cone, const Vec3& s) {
  const double n = std::max(0.0, s.z());
  if (n == 0 || is_line(cone)) return {0, 0, n};
  if (cone.isotropic()) {
    const double t = tangent_norm(s), limit = cone.mu1 * n;
    const double scale = t <= limit ? 1 : limit / t;
    return {s.x() * scale, s.y() * scale, n};
  }
  if (gauge(cone, s) <= n) return s;
  const EllipsePoint t = project_ellipse(cone.mu1 * n, cone.mu2 * n, s.x(), s.y());
  return {t.x, t.y, n};
}

Mat3 strict_derivative(const FrictionCone& cone, const Vec3& s) {
  const double n = s.z();
  if (n <= 0) return {};
  if (is_line(cone)) return normal_only(1);
  if (cone.isotropic()) {
    const double mu = cone.mu1, t = tangent_norm(s);
    if (t <= mu * n) return Mat3::identity();
    const double x = s.x() / t, y = s.y() / t, across = mu * n / t;
    return {{{across * y * y, -across * x * y, 0}, {-across * x * y, across * x * x, 0}, {mu * x, mu * y, 1}}};
  }
  if (gauge(cone, s) <= n) return Mat3::identity();
  // t = s a^2/(a^2 + theta), differentiated with the ellipse's equation; the dependence on n follows from homogeneity.
  const double aa = cone.mu1 * cone.mu1 * n * n, bb = cone.mu2 * cone.mu2 * n * n;
  const EllipsePoint t = project_ellipse(cone.mu1 * n, cone.mu2 * n, s.x(), s.y());
  const double wx = aa / (aa + t.theta), wy = bb / (bb + t.theta);
  const double gx = t.x / aa, gy = t.y / bb, rx = t.x / (aa + t.theta), ry = t.y / (bb + t.theta);
  const double inverse = 1 / (gx * rx + gy * ry);
  const Vec3 cx{wx - rx * gx * wx * inverse, -ry * gx * wx * inverse, 0};
  const Vec3 cy{-rx * gy * wy * inverse, wy - ry * gy * wy * inverse, 0};
  Vec3 cn = (Vec3{t.x, t.y, 0} - cx * s.x() - cy * s.y()) * (1 / n);
  cn.set(2, 1);
  return {{cx, cy, cn}};
}

SmoothedImpulse smoothed_strict(const FrictionCone& cone, const Vec3& s, double tau) {
  if (!cone.isotropic()) return {project_strict(cone, s), strict_derivative(cone, s)};
  const Smoothed normal = smooth_positive(s.z(), tau);
  if (is_line(cone)) return {{0, 0, normal.value}, normal_only(normal.slope)};
  // t limit/h, where h is a smooth maximum of |t| and the limit mu n: never outside the cone.
  const double limit = cone.mu1 * normal.value, r = std::sqrt(s.x() * s.x() + s.y() * s.y() + tau * tau);
  const Smoothed excess = smooth_positive(r - limit, tau);
  const double h = limit + excess.value, ratio = limit / h;
  const double along = -ratio / h * excess.slope / r;
  const double by_normal = (1 - ratio * (1 - excess.slope)) / h * cone.mu1 * normal.slope;
  return {{s.x() * ratio, s.y() * ratio, normal.value},
          {{{ratio + along * s.x() * s.x(), along * s.x() * s.y(), 0},
            {along * s.x() * s.y(), ratio + along * s.y() * s.y(), 0},
            {s.x() * by_normal, s.y() * by_normal, normal.slope}}}};
}

double sliding_power(const FrictionCone& cone, const Vec3& z) { return length(cone.mu1 * z.x(), cone.mu2 * z.y()); }

}  // namespace uzawa
