#pragma once

#include <array>
#include <vector>

#include "uzawa/collision/distance/signed_distance.hpp"
#include "uzawa/math/pose.hpp"

namespace uzawa {

/// Triangles that sample a shape's surface, for the contact search and for drawing.
struct Surface {
  std::vector<Vec3> vertices;             ///< m, in the shape's frame
  std::vector<std::array<int, 3>> faces;  ///< counter-clockwise from outside
};

/// How finely a curved surface is cut into triangles.
struct SurfaceResolution {
  double chord_error = 5e-5;   ///< m, distance of a triangle from the surface it stands for
  double longest_edge = 0.01;  ///< m; of flat parts too, so that a large face does not hide several contacts
};

/// Steps that an arc of this radius and angle needs.
int arc_steps(double radius, double angle, const SurfaceResolution& resolution);

/// Merges vertices closer than the tolerance; removes triangles without area.
Surface welded(const Surface& surface, double tolerance);

/// Turns every face so that it is counter-clockwise seen from where the distance grows.
void orient(Surface& surface, const SignedDistance& shape);

void append(Surface& surface, const Surface& more, const Pose& pose = {});

/// A patch of (rows + 1) x (columns + 1) points, two triangles a cell; point(row, column) makes a vertex.
template <typename Point>
void append_grid(Surface& surface, int rows, int columns, Point&& point) {
  const int first = static_cast<int>(surface.vertices.size());
  for (int i = 0; i <= rows; ++i) {
    for (int j = 0; j <= columns; ++j) surface.vertices.push_back(point(i, j));
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const int a = first + i * (columns + 1) + j, c = a + columns + 1;
      surface.faces.push_back({a, a + 1, c + 1});
      surface.faces.push_back({a, c + 1, c});
    }
  }
}

/// Keeps the part of the surface where bound(point) is at most 0. Triangles that cross a zero are cut there, within the
/// tolerance. Every triangle gets vertices of its own: weld.
template <typename Function>
void trim(Surface& surface, double tolerance, Function&& bound);

Aabb bounds_of(const Surface& surface);

}  // namespace uzawa

#include "uzawa/collision/distance/surface_trim.hpp"
