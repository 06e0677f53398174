#include "uzawa/elastic/membrane.hpp"

#include <algorithm>

#include "uzawa/elastic/nodal_place.hpp"
#include "uzawa/elastic/symmetric_eigen.hpp"

namespace uzawa {

namespace {

struct PlaneStress {
  double xx, xy, yy;
};

PlaneStress stress_of(const MembraneModuli& moduli, const MembraneState& s) {
  const double shared = moduli.lambda * (s.xx + s.yy);
  return {2 * moduli.mu * s.xx + shared, 2 * moduli.mu * s.xy, 2 * moduli.mu * s.yy + shared};
}

/// What is left of b without its part along the unit vector a, made a unit vector; any perpendicular if nothing is.
Vec3 perpendicular_part(const Vec3& a, const Vec3& b) {
  Vec3 rest = b - a * dot(a, b);
  if (!(dot(rest, rest) > 1e-28 * dot(b, b))) rest = cross(a, std::abs(a.x()) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
  rest -= a * dot(a, rest);
  return rest * (1 / norm(rest));
}

/// The stress in its own axes over the stretch along them, where it is a tension: by that the plane resists turning.
PlaneStress tension_of(const MembraneModuli& moduli, const MembraneState& s) {
  const PlaneStress stress = stress_of(moduli, s);
  const SymmetricEigen<2> eigen = symmetric_eigen<2>({{{stress.xx, stress.xy}, {stress.xy, stress.yy}}});
  PlaneStress out{0, 0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!(eigen.value[i] > 0)) continue;
    const double x = eigen.vector[0][i], y = eigen.vector[1][i];
    // A stretch that is almost zero in a direction of tension would need the other one to be huge.
    const double stretch = std::max(1 + x * x * s.xx + 2 * x * y * s.xy + y * y * s.yy, 0.1);
    const double tension = eigen.value[i] / stretch;
    out.xx += tension * x * x, out.xy += tension * x * y, out.yy += tension * y * y;
  }
  return out;
}

}  // namespace

MembraneTriangle membrane_triangle(const Vec3& a, const Vec3& b, const Vec3& c, double thickness) {
  const Vec3 ab = b - a, ac = c - a;
  const double base = norm(ab), along = dot(ab, ac) / base, height = norm(cross(ab, ac)) / base;
  MembraneTriangle out;
  out.gradient[1] = {1 / base, -along / (base * height)};
  out.gradient[2] = {0, 1 / height};
  for (std::size_t i = 0; i < 2; ++i) out.gradient[0][i] = -(out.gradient[1][i] + out.gradient[2][i]);
  out.volume = 0.5 * base * height * thickness;
  return out;
}

MembraneState membrane_state(const MembraneTriangle& triangle, const std::array<Vec3, 3>& x) {
  const Vec3 ab = x[1] - x[0], ac = x[2] - x[0];
  const auto& g = triangle.gradient;
  const Vec3 f1 = ab * g[1][0] + ac * g[2][0], f2 = ab * g[1][1] + ac * g[2][1];
  // Axes of the triangle's plane such that F is not reflected in them.
  const bool first = dot(f1, f1) >= dot(f2, f2);
  const double length = norm(first ? f1 : f2);
  const Vec3 u = length > 0 ? (first ? f1 : f2) * (1 / length) : Vec3{1, 0, 0};
  const Vec3 v = first ? perpendicular_part(u, f2) : -perpendicular_part(u, f1);
  double c = dot(u, f1) + dot(v, f2), s = dot(v, f1) - dot(u, f2);
  const double size = std::sqrt(c * c + s * s);
  c = size > 0 ? c / size : 1;
  s = size > 0 ? s / size : 0;
  MembraneState out;
  out.axis = {u * c + v * s, v * c - u * s};
  out.normal = cross(out.axis[0], out.axis[1]);
  out.xx = dot(out.axis[0], f1) - 1;
  out.yy = dot(out.axis[1], f2) - 1;
  out.xy = 0.5 * (dot(out.axis[0], f2) + dot(out.axis[1], f1));
  return out;
}

double membrane_energy(const MembraneTriangle& triangle, const MembraneModuli& moduli, const MembraneState& s) {
  const double trace = s.xx + s.yy;
  return triangle.volume *
         (moduli.mu * (s.xx * s.xx + 2 * s.xy * s.xy + s.yy * s.yy) + 0.5 * moduli.lambda * trace * trace);
}

std::array<Vec3, 3> membrane_force(const MembraneTriangle& triangle, const MembraneModuli& moduli,
                                   const MembraneState& s) {
  const PlaneStress stress = stress_of(moduli, s);
  const Vec3 p1 = (s.axis[0] * stress.xx + s.axis[1] * stress.xy) * triangle.volume;
  const Vec3 p2 = (s.axis[0] * stress.xy + s.axis[1] * stress.yy) * triangle.volume;
  std::array<Vec3, 3> out;
  for (std::size_t a = 1; a < 3; ++a) {
    out[a] = -(p1 * triangle.gradient[a][0] + p2 * triangle.gradient[a][1]);
    out[0] -= out[a];
  }
  return out;
}

std::array<Mat3, 6> membrane_stiffness(const MembraneTriangle& triangle, const MembraneModuli& moduli,
                                       const MembraneState& s) {
  const PlaneStress tension = tension_of(moduli, s);
  const Mat3 in_plane = outer(s.axis[0], s.axis[0]) + outer(s.axis[1], s.axis[1]), across = outer(s.normal, s.normal);
  std::array<Vec3, 3> turned;
  const auto& g = triangle.gradient;
  for (std::size_t a = 0; a < 3; ++a) turned[a] = s.axis[0] * g[a][0] + s.axis[1] * g[a][1];
  std::array<Mat3, 6> out;
  std::size_t pair = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b <= a; ++b, ++pair) {
      const double taut = g[a][0] * (tension.xx * g[b][0] + tension.xy * g[b][1]) +
                          g[a][1] * (tension.xy * g[b][0] + tension.yy * g[b][1]);
      out[pair] = (in_plane * (moduli.mu * dot(turned[a], turned[b])) + outer(turned[b], turned[a]) * moduli.mu +
                   outer(turned[a], turned[b]) * moduli.lambda + across * taut) *
                  triangle.volume;
    }
  }
  return out;
}

}  // namespace uzawa
