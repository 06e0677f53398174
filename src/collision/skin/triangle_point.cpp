#include "uzawa/collision/skin/triangle_point.hpp"

#include <algorithm>

namespace uzawa {

namespace {

/// sin^2 of the angle below which segments are parallel.
constexpr double kParallel = 1e-12;

/// 0 where corners coincide.
double share_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace

TrianglePoint nearest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = dot(ab, p - a), d2 = dot(ac, p - a);
  if (d1 <= 0 && d2 <= 0) return {{1, 0, 0}, 1};
  const double d3 = dot(ab, p - b), d4 = dot(ac, p - b);
  if (d3 >= 0 && d4 <= d3) return {{0, 1, 0}, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double share = share_of(d1, d1 - d3);
    return {{1 - share, share, 0}, 2};
  }
  const double d5 = dot(ab, p - c), d6 = dot(ac, p - c);
  if (d6 >= 0 && d5 <= d6) return {{0, 0, 1}, 1};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double share = share_of(d2, d2 - d6);
    return {{1 - share, 0, share}, 2};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double share = share_of(d4 - d3, (d4 - d3) + (d5 - d6));
    return {{0, 1 - share, share}, 2};
  }
  if (!(va + vb + vc > 0)) return {{1, 0, 0}, 1};  // rounding errors of a sliver
  const double scale = 1 / (va + vb + vc), v = vb * scale, w = vc * scale;
  return {{std::max(0., 1 - v - w), v, w}, 3};
}

double nearest_on_segment(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 way = b - a;
  const double square = dot(way, way);
  return square > 0 ? std::clamp(dot(p - a, way) / square, 0., 1.) : 0;
}

bool nearest_of_segments(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double& first, double& second) {
  const Vec3 u = b - a, v = d - c, w = a - c;
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v);
  const Vec3 n = cross(u, v);
  const double determinant = dot(n, n);  // uu vv - uv^2 without its cancellation
  if (!(determinant > kParallel * uu * vv)) return false;
  first = std::clamp((uv * dot(v, w) - vv * dot(u, w)) / determinant, 0., 1.);
  second = nearest_on_segment(c, d, a + u * first);
  first = nearest_on_segment(a, b, c + v * second);
  return true;
}

}  // namespace uzawa
