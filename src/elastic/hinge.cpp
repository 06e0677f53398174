#include "uzawa/elastic/hinge.hpp"

#include <cmath>

namespace uzawa {

namespace {

struct Normals {
  Vec3 edge, first, second;
};

Normals normals_of(const std::array<Vec3, 4>& x) {
  const Vec3 edge = x[1] - x[0];
  return {edge, cross(edge, x[2] - x[0]), cross(x[3] - x[0], edge)};
}

double angle_of(const Normals& n, double length) {
  return std::atan2(dot(cross(n.first, n.second), n.edge), dot(n.first, n.second) * length);
}

}  // namespace

double hinge_angle(const std::array<Vec3, 4>& x) {
  const Normals n = normals_of(x);
  return angle_of(n, norm(n.edge));
}

HingeAngle hinge_angle_and_gradient(const std::array<Vec3, 4>& x) {
  const Normals n = normals_of(x);
  const double square = dot(n.edge, n.edge), length = std::sqrt(square);
  HingeAngle out;
  out.angle = angle_of(n, length);
  const auto add_corner = [&](std::size_t corner, const Vec3& normal) {
    const double normal_square = dot(normal, normal);
    if (!(normal_square > 1e-16 * square * square)) return;  // the height is nothing beside the edge
    const Vec3 gradient = normal * (-length / normal_square);
    const double share = dot(x[corner] - x[0], n.edge) / square;
    out.gradient[corner] = gradient;
    out.gradient[0] -= gradient * (1 - share);
    out.gradient[1] -= gradient * share;
  };
  add_corner(2, n.first);
  add_corner(3, n.second);
  return out;
}

}  // namespace uzawa
