#include "uzawa/elastic/polar.hpp"

#include <algorithm>
#include <limits>

#include "uzawa/base/at.hpp"
#include "uzawa/elastic/symmetric_eigen.hpp"
#include "uzawa/math/quaternion.hpp"

namespace uzawa {

namespace {

using T = WideLanes;

/// Below this product of the sums of two singular values (those of F / |F|; 1.54 for a rotation) the polynomial loses
/// more digits than one Newton step restores.
constexpr double kSeparated = 1e-4;

Mat3 lane_of(const Mat3Wide& m, int lane) { return {{m.col[0].lane(lane), m.col[1].lane(lane), m.col[2].lane(lane)}}; }
void set_lane(Mat3Wide& m, int lane, const Mat3& value) {
  for (int j = 0; j < 3; ++j) m.col[j].set_lane(lane, value.col[j]);
}

double largest(const T& a) {
  double out = a[0];
  for (int i = 1; i < kWide; ++i) out = std::max(out, a[i]);
  return out;
}

/// By the eigenvector of Davenport's matrix, which is the quaternion of the nearest rotation.
Mat3 nearest_rotation_by_quaternion(const Mat3& f) {
  const double trace = f(0, 0) + f(1, 1) + f(2, 2);
  std::array<std::array<double, 4>, 4> davenport{};
  davenport[0][0] = trace;
  const Vec3 axial{f(2, 1) - f(1, 2), f(0, 2) - f(2, 0), f(1, 0) - f(0, 1)};
  for (int i = 0; i < 3; ++i) {
    davenport[0][at(i) + 1] = davenport[at(i) + 1][0] = axial[i];
    for (int j = 0; j < 3; ++j) davenport[at(i) + 1][at(j) + 1] = f(i, j) + f(j, i) - (i == j ? trace : 0);
  }
  const SymmetricEigen<4> eigen = symmetric_eigen<4>(davenport);
  const auto best =
      static_cast<std::size_t>(std::max_element(eigen.value.begin(), eigen.value.end()) - eigen.value.begin());
  const auto& v = eigen.vector;
  return to_matrix(normalized(Quat{v[0][best], {v[1][best], v[2][best], v[3][best]}}));
}

/// Largest root of x^4 - 2 x^2 - 8 det x + rest, by Newton's method from above: monotone, for all roots are real.
T largest_root(const T& det, const T& rest) {
  T x = broadcast_wide(std::sqrt(3.0) * (1 + 1e-12));
  for (int i = 0; i < 40; ++i) {
    const T square = x * x;
    const T value = ((square - 2.0) * x - 8.0 * det) * x + rest, slope = 4.0 * ((square - 1.0) * x - 2.0 * det);
    const T step = value / larger(slope, broadcast_wide(1e-12));
    x -= larger(step, T{});
    if (!(largest(step) > 1e-14)) break;
  }
  return x;
}

/// What turns an almost nearest rotation into the nearest one: a step to orthonormal columns and one of Newton's
/// method for the maximum of tr(R^T F), R <- R (1 + [w]), (tr(S) 1 - S) w = axial vector of R^T F = S + skew part.
void refine(const Mat3Wide& f, Mat3Wide& r) {
  Mat3Wide gram, better;
  for (int j = 0; j < 3; ++j) {
    gram.col[j] = transpose_times(r, r.col[j]);
    gram.col[j] = gram.col[j] * -0.5;
  }
  gram.col[0].x += 1.5, gram.col[1].y += 1.5, gram.col[2].z += 1.5;
  for (int j = 0; j < 3; ++j) better.col[j] = r * gram.col[j];
  Mat3Wide s;
  for (int j = 0; j < 3; ++j) s.col[j] = transpose_times(better, f.col[j]);
  const T trace = s.col[0].x + s.col[1].y + s.col[2].z;
  const Vec3Wide axial{s.col[1].z - s.col[2].y, s.col[2].x - s.col[0].z, s.col[0].y - s.col[1].x};
  // tr(S) 1 - S, by its symmetric rows.
  const T xy = (s.col[0].y + s.col[1].x) * -0.5, yz = (s.col[1].z + s.col[2].y) * -0.5,
          zx = (s.col[2].x + s.col[0].z) * -0.5;
  const Vec3Wide a{trace - s.col[0].x, xy, zx}, b{xy, trace - s.col[1].y, yz}, c{zx, yz, trace - s.col[2].z};
  const Vec3Wide bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const T over = 1.0 / dot(a, bc);
  const Vec3Wide w = (bc * axial.x + ca * axial.y + ab * axial.z) * over;
  r.col[0] = better.col[0] + better.col[1] * w.z - better.col[2] * w.y;
  r.col[1] = better.col[1] + better.col[2] * w.x - better.col[0] * w.z;
  r.col[2] = better.col[2] + better.col[0] * w.y - better.col[1] * w.x;
}

}  // namespace

Mat3Wide nearest_rotation(const Mat3Wide& given) {
  const T tiny = broadcast_wide(std::numeric_limits<double>::min());
  const T over = 1.0 / square_root(larger(squares(given), tiny));
  Mat3Wide f, cofactor;
  for (int j = 0; j < 3; ++j) f.col[j] = given.col[j] * over;
  cofactor.col[0] = cross(f.col[1], f.col[2]);
  cofactor.col[1] = cross(f.col[2], f.col[0]);
  cofactor.col[2] = cross(f.col[0], f.col[1]);
  const T det = dot(f.col[0], cofactor.col[0]);
  const T root = largest_root(det, 1.0 - 4.0 * squares(cofactor));
  const T kappa = 0.5 * (root * root - 1.0), separation = kappa * root - det;
  const T divisor = 1.0 / larger(separation, broadcast_wide(kSeparated));
  Mat3Wide r;
  for (int j = 0; j < 3; ++j) {
    r.col[j] = (f.col[j] * (kappa + 1.0) + cofactor.col[j] * root - f * transpose_times(f, f.col[j])) * divisor;
  }
  refine(f, r);
  for (int i = 0; i < kWide; ++i) {
    if (!(separation[i] > kSeparated)) set_lane(r, i, nearest_rotation_by_quaternion(lane_of(f, i)));
  }
  return r;
}

Mat3 nearest_rotation(const Mat3& f) {
  Mat3Wide wide;
  for (int i = 0; i < kWide; ++i) set_lane(wide, i, f);
  return lane_of(nearest_rotation(wide), 0);
}

}  // namespace uzawa
