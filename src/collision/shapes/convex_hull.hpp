#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "uzawa/collision/shapes/aabb.hpp"

namespace uzawa {

/// Lists of ints, one after the other.
struct IntLists {
  std::vector<int> begin{0};  ///< list i is items[begin[i]] .. items[begin[i + 1]]
  std::vector<int> items;

  int size() const { return static_cast<int>(begin.size()) - 1; }
  std::span<const int> operator[](int i) const {
    const auto k = static_cast<std::size_t>(i);
    return {items.data() + begin[k], static_cast<std::size_t>(begin[k + 1] - begin[k])};
  }
  void close() { begin.push_back(static_cast<int>(items.size())); }
};

/// The convex hull of a point set: its corners, their neighbours and its faces. Faces that lie in one plane are one
/// polygon, so that a box made of triangles has six faces.
class ConvexHull {
 public:
  /// Throws InputError with `source` and `element` where the points span no volume.
  ConvexHull(std::span<const Vec3> points, const std::string& source, const std::string& element);

  const std::vector<Vec3>& vertices() const { return vertices_; }
  const IntLists& neighbors() const { return neighbors_; }
  /// Corners of each face, counter-clockwise from outside.
  const IntLists& faces() const { return faces_; }
  const std::vector<Vec3>& face_normals() const { return normals_; }
  /// Of the faces' planes along their normals, m.
  const std::vector<double>& face_offsets() const { return offsets_; }
  const Aabb& bounds() const { return bounds_; }

  /// Index of a corner that is furthest along `direction`. `hint`: a corner to start from, or -1.
  int support(const Vec3& direction, int hint) const;

  /// The face whose normal is best aligned with `direction`, looked for around a supporting corner.
  int best_face(const Vec3& direction, int corner) const;

  /// Calls see(face) for each face whose plane contains a point of the surface, to within a tolerance (m).
  template <typename See>
  void for_each_face_at(const Vec3& p, double tolerance, See&& see) const {
    for (std::size_t f = 0; f < normals_.size(); ++f) {
      if (std::abs(dot(normals_[f], p) - offsets_[f]) <= tolerance) see(static_cast<int>(f));
    }
  }

 private:
  void merge_triangles(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& normals);
  void link_vertices(const std::vector<std::array<int, 3>>& triangles);
  void pack_lanes();
  int scan(const Vec3& direction) const;
  int climb(const Vec3& direction, int start) const;

  std::vector<Vec3> vertices_;
  IntLists neighbors_, faces_, vertex_faces_;
  std::vector<Vec3> normals_;
  std::vector<double> offsets_;  ///< of the faces' planes along their normals, m
  Aabb bounds_;
  std::vector<Lanes> lanes_;     ///< x, y, z of four vertices at a time; hulls small enough for a scan
  std::array<int, 8> starts_{};  ///< corner furthest along each diagonal: where a climb without a hint starts
};

}  // namespace uzawa
