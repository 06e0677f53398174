#include "uzawa/collision/skin/skin_tree.hpp"

#include <algorithm>
#include <numeric>

namespace uzawa {

namespace {

/// Testing a box costs about as much as testing a face's.
constexpr int kFacesPerLeaf = 2;

Aabb box_of(const SkinFace& face, std::span<const Vec3> positions) {
  const Vec3 &a = positions[at(face[0])], &b = positions[at(face[1])];
  Aabb box{smaller(a, b), larger(a, b)};
  if (face[2] >= 0) box = united(box, {positions[at(face[2])], positions[at(face[2])]});
  return box;
}

}  // namespace

SkinTree::SkinTree(std::span<const SkinFace> faces, std::span<const Vec3> positions) : order_(faces.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Vec3> centers;
  for (const SkinFace& face : faces) centers.push_back(box_of(face, positions).center());
  if (!faces.empty()) build(0, static_cast<int>(faces.size()), centers);
}

/// Halves the faces [begin, end) of order_ along the axis in which their centres spread most.
void SkinTree::build(int begin, int end, std::span<const Vec3> centers) {
  const std::size_t self = nodes_.size();
  nodes_.emplace_back();
  if (end - begin <= kFacesPerLeaf) {
    nodes_[self].begin = begin;
    nodes_[self].end = end;
  } else {
    Aabb spread{centers[at(order_[at(begin)])], centers[at(order_[at(begin)])]};
    for (int i = begin + 1; i < end; ++i) {
      const Vec3& c = centers[at(order_[at(i)])];
      spread = united(spread, {c, c});
    }
    const Vec3 size = spread.high - spread.low;
    int axis = size.y() > size.x() ? 1 : 0;
    axis = size.z() > size[axis] ? 2 : axis;
    const int middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
      const double x = centers[at(a)][axis], y = centers[at(b)][axis];
      return x != y ? x < y : a < b;
    });
    build(begin, middle, centers);
    build(middle, end, centers);
  }
  nodes_[self].skip = static_cast<int>(nodes_.size());
}

void SkinTree::fit(std::span<const SkinFace> faces, std::span<const Vec3> positions, std::vector<Aabb>& boxes) const {
  boxes.resize(nodes_.size());
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Node& node = nodes_[i];
    if (node.begin == node.end) {
      boxes[i] = united(boxes[i + 1], boxes[at(nodes_[i + 1].skip)]);
      continue;
    }
    Aabb box = box_of(faces[at(order_[at(node.begin)])], positions);
    for (int k = node.begin + 1; k < node.end; ++k) box = united(box, box_of(faces[at(order_[at(k)])], positions));
    boxes[i] = box;
  }
}

}  // namespace uzawa
