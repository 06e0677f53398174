#include "uzawa/collision/sdf/surface_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

constexpr int kLeafFaces = 8;

/// The farthest that a point of the triangle can be from its nearest corner: the circumradius of an acute triangle;
/// otherwise it lies on the longest side, where it is at most half of it.
double reach_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  double sides[3] = {norm(b - c), norm(c - a), norm(a - b)};
  std::sort(sides, sides + 3);
  const double double_area = norm(cross(b - a, c - a));
  const bool acute = sides[0] * sides[0] + sides[1] * sides[1] > sides[2] * sides[2];
  if (!acute || double_area <= 1e-12 * sides[2] * sides[2]) return sides[2] / 2;
  return sides[0] * sides[1] * sides[2] / (2 * double_area);
}

void check(const Surface& surface) {
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    if (!all_finite(surface.vertices[i])) {
      throw InputError("", "surface", "vertex " + std::to_string(i) + " is not finite");
    }
  }
  for (std::size_t i = 0; i < surface.faces.size(); ++i) {
    for (const int vertex : surface.faces[i]) {
      if (vertex < 0 || at(vertex) >= surface.vertices.size()) {
        throw InputError("", "surface", "face " + std::to_string(i) + " has a vertex that does not exist");
      }
    }
  }
}

}  // namespace

SurfaceTree::SurfaceTree(Surface surface) : surface_(std::move(surface)) {
  check(surface_);
  std::vector<Vec3> centres;
  faces_.reserve(surface_.faces.size());
  for (std::size_t i = 0; i < surface_.faces.size(); ++i) {
    const auto& corner = surface_.faces[i];
    const Vec3 &a = surface_.vertices[at(corner[0])], &b = surface_.vertices[at(corner[1])],
               &c = surface_.vertices[at(corner[2])];
    faces_.push_back({corner, {}, static_cast<int>(i), reach_of(a, b, c)});
    centres.push_back((a + b + c) * (1. / 3));
  }
  if (!faces_.empty()) build(0, static_cast<int>(faces_.size()), centres);
  number_edges();
}

int SurfaceTree::build(int begin, int end, std::vector<Vec3>& centres) {
  const int self = static_cast<int>(nodes_.size());
  nodes_.push_back({{}, 0, begin, end, 0});
  Surface corners;
  for (int i = begin; i < end; ++i) {
    for (const int v : faces_[at(i)].vertex) corners.vertices.push_back(surface_.vertices[at(v)]);
  }
  const Aabb box = bounds_of(corners);
  const Vec3 centre = 0.5 * (box.low + box.high), size = box.high - box.low;
  double square = 0;
  for (const Vec3& corner : corners.vertices) square = std::max(square, dot(corner - centre, corner - centre));
  nodes_[at(self)].centre = centre;
  nodes_[at(self)].radius = std::sqrt(square);
  if (end - begin <= kLeafFaces) return self;

  // Halves along the longest side. Ties are broken by the faces' numbers, so that the tree does not depend on the
  // library's sort.
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (size[k] > size[axis]) axis = k;
  }
  const auto before = [&](const Face& a, const Face& b) {
    const double ca = centres[at(a.index)][axis], cb = centres[at(b.index)][axis];
    return ca != cb ? ca < cb : a.index < b.index;
  };
  const int middle = begin + (end - begin) / 2;
  std::nth_element(faces_.begin() + begin, faces_.begin() + middle, faces_.begin() + end, before);
  build(begin, middle, centres);
  const int right = build(middle, end, centres);
  nodes_[at(self)].right = right;
  return self;
}

void SurfaceTree::number_edges() {
  struct Side {
    int low, high;   // vertices
    int face, side;  // in faces_
  };
  std::vector<Side> sides;
  sides.reserve(3 * faces_.size());
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const int a = faces_[i].vertex[at((k + 1) % 3)], b = faces_[i].vertex[at((k + 2) % 3)];
      sides.push_back({std::min(a, b), std::max(a, b), static_cast<int>(i), k});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    if (a.low != b.low) return a.low < b.low;
    return a.high != b.high ? a.high < b.high : a.face < b.face;
  });
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    if (i == 0 || side.low != sides[i - 1].low || side.high != sides[i - 1].high) edges_.push_back({side.face, -1});
    if (edges_.back()[0] != side.face && edges_.back()[1] < 0) edges_.back()[1] = side.face;
    faces_[at(side.face)].edge[at(side.side)] = static_cast<int>(edges_.size()) - 1;
  }
}

}  // namespace uzawa
