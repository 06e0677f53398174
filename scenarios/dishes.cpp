#include "uzawa/scenarios/dishes.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa::scenarios {

namespace {

constexpr double kChord = 1e-4;  // m, of the triangles that sample a dish: a third faster than with 5e-5

/// The skeleton with its arcs as short straight stretches.
std::vector<ProfilePoint> flattened(const RevolvedSpec& shell) {
  constexpr int kPieces = 64;  // of an arc
  std::vector<ProfilePoint> points = {shell.skeleton.front()};
  for (std::size_t i = 1; i < shell.skeleton.size(); ++i) {
    const ProfilePoint &a = shell.skeleton[i - 1], &b = shell.skeleton[i];
    if (a.bulge != 0) {
      // The centre is beside the middle of the chord; the arc turns by 4 atan(bulge) about it.
      const double angle = 4 * std::atan(a.bulge), r = b.radius - a.radius, z = b.height - a.height;
      const double aside = 0.5 / std::tan(angle / 2);
      const double centre_r = (a.radius + b.radius) / 2 - aside * z, centre_z = (a.height + b.height) / 2 + aside * r;
      for (int k = 1; k < kPieces; ++k) {
        const double turned = angle * k / kPieces, c = std::cos(turned), s = std::sin(turned);
        const double from_r = a.radius - centre_r, from_z = a.height - centre_z;
        points.push_back({centre_r + c * from_r - s * from_z, centre_z + s * from_r + c * from_z, 0});
      }
    }
    points.push_back(b);
  }
  return points;
}

}  // namespace

ShellInertia shell_inertia(const RevolvedSpec& shell) {
  constexpr int kSlices = 64;  // of a straight stretch
  double mass = 0, height = 0, radius2 = 0, height2 = 0;
  const std::vector<ProfilePoint> points = flattened(shell);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double dr = points[i].radius - points[i - 1].radius, dz = points[i].height - points[i - 1].height;
    for (int k = 0; k < kSlices; ++k) {
      const double share = (k + 0.5) / kSlices, r = points[i - 1].radius + share * dr,
                   z = points[i - 1].height + share * dz, slice = r * length(dr, dz) / kSlices;
      mass += slice;
      height += slice * z;
      radius2 += slice * r * r;
      height2 += slice * z * z;
    }
  }
  ShellInertia out;
  out.height = height / mass;
  const double across = (radius2 / 2 + height2) / mass - out.height * out.height;
  out.inertia = {across, across, radius2 / mass};
  return out;
}

int add_dish(ModelSpec& spec, const DishOptions& o) {
  const ShellInertia shell = shell_inertia(o.shell);
  const auto by_radius = [](const ProfilePoint& a, const ProfilePoint& b) { return a.radius < b.radius; };
  const double radius = std::max_element(o.shell.skeleton.begin(), o.shell.skeleton.end(), by_radius)->radius;
  SdfOptions body{.name = o.name,
                  .radius = radius,
                  .half_height = o.shell.skeleton.back().height,
                  .mass = o.mass,
                  .com = {0, 0, shell.height},
                  .inertia = shell.inertia * o.mass,
                  .position = o.position,
                  .mu = o.mu,
                  .rgba = o.rgba};
  body.shape.parts.push_back({o.shell, {}, {}});
  body.shape.chord_error = kChord;
  return add_sdf_body(spec, body);
}

}  // namespace uzawa::scenarios
