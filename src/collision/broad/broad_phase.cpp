#include "uzawa/collision/broad/broad_phase.hpp"

#include <algorithm>
#include <numeric>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// A fat box is larger by this fraction of half the diagonal on every side: more costs false pairs, less costs updates.
constexpr double kFatness = 0.1;
/// The tree is rebuilt where its inner boxes have grown by this factor together.
constexpr double kLoose = 1.5;

}  // namespace

BroadPhase::BroadPhase(std::vector<int> geoms, const PairFilter& filter)
    : geoms_(std::move(geoms)),
      filter_(filter),
      fat_(geoms_.size()),
      has_moved_(geoms_.size(), 0),
      order_(geoms_.size()),
      centers_(geoms_.size()) {
  index_of_.assign(geoms_.empty() ? 0 : at(geoms_.back()) + 1, -1);
  for (std::size_t i = 0; i < geoms_.size(); ++i) index_of_[at(geoms_[i])] = static_cast<int>(i);
  moved_.reserve(geoms_.size());
  nodes_.reserve(2 * geoms_.size());
}

void BroadPhase::update(std::span<const Aabb> boxes) {
  if (geoms_.empty()) return;
  fatten(boxes);
  if (moved_.empty()) return;
  if (first_) {
    rebuild();
    first_ = false;
  } else {
    refit();
  }
  find_new_pairs();
  merge_pairs();
}

void BroadPhase::fatten(std::span<const Aabb> boxes) {
  moved_.clear();
  for (std::size_t i = 0; i < geoms_.size(); ++i) {
    const Aabb& box = boxes[at(geoms_[i])];
    // A box that has shrunk a lot (its speed was large) is fitted again too.
    const bool fits = !first_ && contains(fat_[i], box);
    const bool tight = fits && norm(fat_[i].half()) < 4 * norm(box.half()) + 1e-12;
    has_moved_[i] = fits && tight ? 0 : 1;
    if (has_moved_[i] == 0) continue;
    fat_[i] = box.grown(kFatness * norm(box.half()));
    moved_.push_back(static_cast<int>(i));
  }
  stats_.moved = static_cast<int>(moved_.size());
}

void BroadPhase::refit() {
  double cost = 0;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.leaf >= 0) {
      node.box = fat_[at(node.leaf)];
    } else {
      node.box = united(nodes_[i + 1].box, nodes_[at(nodes_[i + 1].skip)].box);
      cost += half_area(node.box);
    }
  }
  if (cost > kLoose * built_cost_) rebuild();
}

void BroadPhase::rebuild() {
  std::iota(order_.begin(), order_.end(), 0);
  for (std::size_t i = 0; i < fat_.size(); ++i) centers_[i] = fat_[i].center();
  nodes_.clear();
  build(0, static_cast<int>(order_.size()));
  built_cost_ = 0;
  for (const Node& node : nodes_) built_cost_ += node.leaf < 0 ? half_area(node.box) : 0;
  ++stats_.rebuilds;
}

/// Halves the boxes [begin, end) of order_ along the axis in which their centres spread most.
void BroadPhase::build(int begin, int end) {
  const std::size_t self = nodes_.size();
  nodes_.emplace_back();
  if (end - begin == 1) {
    nodes_[self].leaf = order_[at(begin)];
    nodes_[self].box = fat_[at(nodes_[self].leaf)];
  } else {
    Aabb spread{centers_[at(order_[at(begin)])], centers_[at(order_[at(begin)])]};
    Aabb box = fat_[at(order_[at(begin)])];
    for (int i = begin + 1; i < end; ++i) {
      const Vec3& c = centers_[at(order_[at(i)])];
      spread = united(spread, {c, c});
      box = united(box, fat_[at(order_[at(i)])]);
    }
    const Vec3 size = spread.high - spread.low;
    int axis = size.y() > size.x() ? 1 : 0;
    axis = size.z() > size[axis] ? 2 : axis;
    const int middle = begin + (end - begin) / 2;
    // Ties go by number: the tree must not depend on what it was before.
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
      const double x = centers_[at(a)][axis], y = centers_[at(b)][axis];
      return x != y ? x < y : a < b;
    });
    nodes_[self].box = box;
    build(begin, middle);
    build(middle, end);
  }
  nodes_[self].skip = static_cast<int>(nodes_.size());
}

void BroadPhase::find_new_pairs() {
  found_.clear();
  const bool all_moved = moved_.size() == geoms_.size();
  // In the order of the tree: neighbours visit the same nodes, one after the other.
  for (std::size_t self = 0; self < nodes_.size(); ++self) {
    const int mover = nodes_[self].leaf;
    if (mover < 0 || has_moved_[at(mover)] == 0) continue;
    const Aabb box = nodes_[self].box;
    const int geom = geoms_[at(mover)];
    // Two movers would meet twice: the one that comes first in the tree finds the pair.
    for (std::size_t i = all_moved ? self + 1 : 0; i < nodes_.size();) {
      const Node& node = nodes_[i];
      if (!overlap(node.box, box)) {
        i = at(node.skip);
        continue;
      }
      const bool met = i <= self;
      ++i;
      const int other = node.leaf;
      if (other < 0 || (met && has_moved_[at(other)] != 0)) continue;
      const int other_geom = geoms_[at(other)];
      const int low = std::min(geom, other_geom), high = std::max(geom, other_geom);
      if (filter_.may_touch(low, high)) found_.push_back(pair_key(low, high));
    }
  }
  std::sort(found_.begin(), found_.end());
}

/// Pairs of which one has moved are exactly those just found; the others stay.
void BroadPhase::merge_pairs() {
  merged_.clear();
  std::size_t next = 0;
  for (const PairKey pair : pairs_) {
    const bool stale =
        has_moved_[at(index_of_[at(first_geom(pair))])] != 0 || has_moved_[at(index_of_[at(second_geom(pair))])] != 0;
    if (stale) continue;
    while (next < found_.size() && found_[next] < pair) merged_.push_back(found_[next++]);
    merged_.push_back(pair);
  }
  merged_.insert(merged_.end(), found_.begin() + static_cast<std::ptrdiff_t>(next), found_.end());
  pairs_.swap(merged_);
}

}  // namespace uzawa
