#include "uzawa/elastic/neo_hookean.hpp"

#include "uzawa/elastic/symmetric_eigen.hpp"

namespace uzawa {

namespace {

using T = WideLanes;
using Square = SquareOf<3, T>;

/// The symmetric factor of f = rotation * S.
Square symmetric_factor(const Mat3Wide& f, const Mat3Wide& rotation) {
  Vec3Wide turned[3];
  for (int j = 0; j < 3; ++j) turned[j] = transpose_times(rotation, f.col[j]);
  const T xy = 0.5 * (turned[1].x + turned[0].y), yz = 0.5 * (turned[2].y + turned[1].z);
  const T zx = 0.5 * (turned[0].z + turned[2].x);
  return {{{turned[0].x, xy, zx}, {xy, turned[1].y, yz}, {zx, yz, turned[2].z}}};
}

/// By the leading minors, with some margin for rounding errors.
bool surely_positive(const Square& a) {
  const T minor = a[0][0] * a[1][1] - a[0][1] * a[0][1];
  const T det = a[2][2] * minor - a[1][2] * (a[0][0] * a[1][2] - a[0][1] * a[0][2]) +
                a[0][2] * (a[0][1] * a[1][2] - a[1][1] * a[0][2]);
  const T size = larger(larger(a[0][0], a[1][1]), a[2][2]);
  for (int i = 0; i < kWide; ++i) {
    const double scale = 1e-12 * size[i];
    if (!(a[0][0][i] > scale && minor[i] > scale * size[i] && det[i] > scale * size[i] * size[i])) return false;
  }
  return true;
}

void remove_negative(Square& a) {
  if (surely_positive(a)) return;
  const SymmetricEigen<3, T> eigen = symmetric_eigen<3, T>(a);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      T entry{};
      for (std::size_t m = 0; m < 3; ++m) {
        entry += larger(eigen.value[m], T{}) * eigen.vector[i][m] * eigen.vector[j][m];
      }
      a[i][j] = a[j][i] = entry;
    }
  }
}

}  // namespace

NeoHookeanCurvature neo_hookean_curvature(const Mat3Wide& f, const Mat3Wide& rotation, const NeoHookeanSlopes& slopes) {
  const SymmetricEigen<3, T> eigen = symmetric_eigen<3, T>(symmetric_factor(f, rotation));
  const auto& sigma = eigen.value;
  NeoHookeanCurvature out;
  for (std::size_t k = 0; k < 3; ++k) {
    out.right.col[k] = {eigen.vector[0][k], eigen.vector[1][k], eigen.vector[2][k]};
    out.left.col[k] = rotation * out.right.col[k];
    // Axes turned with and against each other: J'' has the eigenvalues -sigma_k and sigma_k there.
    const T change = slopes.pressure * sigma[k];
    const T with = larger(T(slopes.stretch - change), T{}), against = larger(T(slopes.stretch + change), T{});
    out.same[k] = 0.5 * (with + against);
    out.mirrored[k] = 0.5 * (with - against);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const T cofactors = sigma[(i + 1) % 3] * sigma[(i + 2) % 3] * sigma[(j + 1) % 3] * sigma[(j + 2) % 3];
      out.scaling[i][j] = slopes.stretch_slope * sigma[i] * sigma[j] + slopes.pressure_slope * cofactors +
                          (i == j ? slopes.stretch : slopes.pressure * sigma[3 - i - j]);
    }
  }
  remove_negative(out.scaling);
  return out;
}

std::array<Vec3Wide, 3> neo_hookean_block(const NeoHookeanCurvature& c, const Vec3Wide& a, const Vec3Wide& b) {
  const T x = a.x * b.x, y = a.y * b.y, z = a.z * b.z;
  const auto& s = c.scaling;
  // Columns in the axes `left`, then in world axes.
  const Vec3Wide first =
      c.left * Vec3Wide{s[0][0] * x + c.same[2] * y + c.same[1] * z, s[1][0] * a.y * b.x + c.mirrored[2] * a.x * b.y,
                        s[2][0] * a.z * b.x + c.mirrored[1] * a.x * b.z};
  const Vec3Wide second =
      c.left * Vec3Wide{s[0][1] * a.x * b.y + c.mirrored[2] * a.y * b.x, s[1][1] * y + c.same[2] * x + c.same[0] * z,
                        s[2][1] * a.z * b.y + c.mirrored[0] * a.y * b.z};
  const Vec3Wide third =
      c.left * Vec3Wide{s[0][2] * a.x * b.z + c.mirrored[1] * a.z * b.x,
                        s[1][2] * a.y * b.z + c.mirrored[0] * a.z * b.y, s[2][2] * z + c.same[1] * x + c.same[0] * y};
  return {c.left * Vec3Wide{first.x, second.x, third.x}, c.left * Vec3Wide{first.y, second.y, third.y},
          c.left * Vec3Wide{first.z, second.z, third.z}};
}

}  // namespace uzawa
