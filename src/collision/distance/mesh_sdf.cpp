#include "uzawa/collision/distance/mesh_sdf.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr int kLeafTriangles = 4;

double square_to(const Aabb& box, const Vec3& point) {
  const Vec3 gap = larger(larger(box.low - point, point - box.high), {});
  return dot(gap, gap);
}

Vec3 direction_of(const Vec3& a) {
  const double size = norm(a);
  return size > 0 ? a * (1 / size) : Vec3{};
}

}  // namespace

MeshSdf::MeshSdf(Surface closed) : surface_(std::move(closed)) {
  std::vector<Vec3> centres;
  for (std::size_t i = 0; i < surface_.faces.size(); ++i) {
    const auto& f = surface_.faces[i];
    const Vec3 &a = surface_.vertices[at(f[0])], &b = surface_.vertices[at(f[1])], &c = surface_.vertices[at(f[2])];
    triangles_.push_back({a, b - a, c - a, static_cast<int>(i)});
    centres.push_back((a + b + c) * (1. / 3));
  }
  if (!triangles_.empty()) build(0, static_cast<int>(triangles_.size()), centres);
  build_normals();
}

int MeshSdf::build(int begin, int end, const std::vector<Vec3>& centres) {
  const int self = static_cast<int>(nodes_.size());
  Aabb box{triangles_[at(begin)].a, triangles_[at(begin)].a};
  for (int i = begin; i < end; ++i) {
    const Triangle& t = triangles_[at(i)];
    for (const Vec3& corner : {t.a, t.a + t.ab, t.a + t.ac}) box = united(box, {corner, corner});
  }
  nodes_.push_back({box, begin, end, 0});
  if (end - begin <= kLeafTriangles) return self;
  const Vec3 side = box.high - box.low;
  const int axis = side.x() >= side.y() ? (side.x() >= side.z() ? 0 : 2) : (side.y() >= side.z() ? 1 : 2);
  const int middle = begin + (end - begin) / 2;
  std::nth_element(triangles_.begin() + begin, triangles_.begin() + middle, triangles_.begin() + end,
                   [&](const Triangle& a, const Triangle& b) {
                     const double ca = centres[at(a.face)][axis], cb = centres[at(b.face)][axis];
                     return ca != cb ? ca < cb : a.face < b.face;
                   });
  build(begin, middle, centres);
  const int right = build(middle, end, centres);
  nodes_[at(self)].right = right;
  return self;
}

void MeshSdf::build_normals() {
  const auto& faces = surface_.faces;
  vertex_normals_.assign(surface_.vertices.size(), {});
  edge_normals_.resize(faces.size());
  struct Side {
    int low, high, face, side;
  };
  std::vector<Side> sides;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const auto& f = faces[i];
    const Vec3 corner[3] = {surface_.vertices[at(f[0])], surface_.vertices[at(f[1])], surface_.vertices[at(f[2])]};
    const Vec3 normal = direction_of(cross(corner[1] - corner[0], corner[2] - corner[0]));
    face_normals_.push_back(normal);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 u = corner[(k + 1) % 3] - corner[k], v = corner[(k + 2) % 3] - corner[k];
      vertex_normals_[at(f[k])] += std::atan2(norm(cross(u, v)), dot(u, v)) * normal;
      const int a = f[k], b = f[(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), static_cast<int>(i), static_cast<int>(k)});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    if (a.low != b.low) return a.low < b.low;
    return a.high != b.high ? a.high < b.high : a.face < b.face;
  });
  for (std::size_t first = 0; first < sides.size();) {
    std::size_t last = first;
    Vec3 total;
    while (last < sides.size() && sides[last].low == sides[first].low && sides[last].high == sides[first].high) {
      total += face_normals_[at(sides[last++].face)];
    }
    for (; first < last; ++first) edge_normals_[at(sides[first].face)][at(sides[first].side)] = total;
  }
}

/// By the regions of the triangle's plane that belong to its corners, edges and inside.
MeshSdf::Nearest MeshSdf::nearest_of(const Triangle& t, const Vec3& point) {
  const Vec3 ap = point - t.a;
  const auto found = [&](const Vec3& offset, int feature) {
    const Vec3 away = ap - offset;
    return Nearest{dot(away, away), away, t.face, feature};
  };
  const double d1 = dot(t.ab, ap), d2 = dot(t.ac, ap);
  if (d1 <= 0 && d2 <= 0) return found({}, 0);
  const Vec3 bp = ap - t.ab, cp = ap - t.ac;
  const double d3 = dot(t.ab, bp), d4 = dot(t.ac, bp);
  if (d3 >= 0 && d4 <= d3) return found(t.ab, 1);
  const double d5 = dot(t.ab, cp), d6 = dot(t.ac, cp);
  if (d6 >= 0 && d5 <= d6) return found(t.ac, 2);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return found(t.ab * (d1 / (d1 - d3)), 3);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return found(t.ab + (t.ac - t.ab) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), 4);
  }
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return found(t.ac * (d2 / (d2 - d6)), 5);
  const double total = va + vb + vc;
  return found(t.ab * (vb / total) + t.ac * (vc / total), 6);
}

SignedDistance::Sample MeshSdf::evaluate_within(const Vec3& point, double reach) const {
  Nearest best;
  best.square = reach * reach * (1 + 1e-9) + 1e-30;
  best.face = -1;
  struct Visit {
    int node;
    double square;
  };
  std::array<Visit, 96> stack;
  std::size_t size = 0;
  stack[size++] = {0, square_to(nodes_.front().box, point)};
  while (size > 0) {
    const Visit visit = stack[--size];
    if (visit.square >= best.square) continue;
    const Node& node = nodes_[at(visit.node)];
    if (node.right == 0) {
      for (int i = node.begin; i < node.end; ++i) {
        const Nearest candidate = nearest_of(triangles_[at(i)], point);
        if (candidate.square < best.square) best = candidate;
      }
      continue;
    }
    Visit near{visit.node + 1, square_to(nodes_[at(visit.node + 1)].box, point)};
    Visit far{node.right, square_to(nodes_[at(node.right)].box, point)};
    if (far.square < near.square) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
  if (best.face < 0) return reach < 1e29 ? evaluate_within(point, 1e30) : Sample{1e30, {0, 0, 1}};

  const auto& face = surface_.faces[at(best.face)];
  const Vec3 normal = best.feature == 6  ? face_normals_[at(best.face)]
                      : best.feature > 2 ? edge_normals_[at(best.face)][at(best.feature - 3)]
                                         : vertex_normals_[at(face[at(best.feature)])];
  const double distance = std::sqrt(best.square), sign = dot(normal, best.away) >= 0 ? 1 : -1;
  const Vec3 gradient = distance > 1e-12 ? best.away * (sign / distance) : direction_of(normal);
  return {sign * distance, gradient};
}

}  // namespace uzawa
