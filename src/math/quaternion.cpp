#include "uzawa/math/quaternion.hpp"

namespace uzawa {

Quat to_quaternion(const Mat3& r) {
  // 4 w^2, 4 x^2, 4 y^2, 4 z^2: pivot on the largest, so that the division is well conditioned.
  const double four_sq[4] = {1 + r(0, 0) + r(1, 1) + r(2, 2), 1 + r(0, 0) - r(1, 1) - r(2, 2),
                             1 - r(0, 0) + r(1, 1) - r(2, 2), 1 - r(0, 0) - r(1, 1) + r(2, 2)};
  int pivot = 0;
  for (int i = 1; i < 4; ++i) {
    if (four_sq[i] > four_sq[pivot]) pivot = i;
  }
  const double p = std::sqrt(four_sq[pivot]) / 2;
  const double s = 0.25 / p;
  const double wx = (r(2, 1) - r(1, 2)) * s, wy = (r(0, 2) - r(2, 0)) * s, wz = (r(1, 0) - r(0, 1)) * s;
  const double xy = (r(1, 0) + r(0, 1)) * s, xz = (r(0, 2) + r(2, 0)) * s, yz = (r(2, 1) + r(1, 2)) * s;
  Quat q;
  switch (pivot) {
    case 0: q = {p, {wx, wy, wz}}; break;
    case 1: q = {wx, {p, xy, xz}}; break;
    case 2: q = {wy, {xy, p, yz}}; break;
    default: q = {wz, {xz, yz, p}}; break;
  }
  if (q.w < 0) q = {-q.w, -q.v};
  return normalized(q);
}

}  // namespace uzawa
