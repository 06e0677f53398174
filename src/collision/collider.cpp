#include "uzawa/collision/collider.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/base/mixed_bits.hpp"

namespace uzawa {

namespace {

std::vector<int> geoms_with_boxes(const ShapeSet& shapes) {
  std::vector<int> geoms;
  for (int i = 0; i < static_cast<int>(shapes.geoms().size()); ++i) {
    const ShapeSet::Geom& geom = shapes.geoms()[at(i)];
    if (geom.active && !geom.shape.is_plane()) geoms.push_back(i);
  }
  return geoms;
}

/// Fewer pairs are not worth a thread; and how finely they are shared out.
constexpr int kPairsPerPart = 8, kPartsPerThread = 4;

}  // namespace

Collider::Collider(const Model& model, const CollisionSettings& settings)
    : Collider(std::make_shared<const ShapeSet>(model), settings) {}

Collider::Collider(std::shared_ptr<const ShapeSet> shapes, const CollisionSettings& settings)
    : shapes_(std::move(shapes)),
      settings_(settings),
      placed_(shapes_->geoms().size()),
      boxes_(shapes_->geoms().size()),
      velocity_(shapes_->geoms().size()),
      spin_(shapes_->geoms().size(), 0.0),
      broad_(geoms_with_boxes(*shapes_), shapes_->filter()),
      skins_(shapes_->skins()) {
  for (std::size_t i = 0; i < placed_.size(); ++i) placed_[i].shape = &shapes_->geoms()[i].shape;
  list_fixed_pairs();
}

/// Planes have no box: they are tested with everything that may touch them. Explicit pairs need no search.
void Collider::list_fixed_pairs() {
  const std::vector<ShapeSet::Geom>& geoms = shapes_->geoms();
  for (int plane = 0; plane < static_cast<int>(geoms.size()); ++plane) {
    if (!geoms[at(plane)].active || !geoms[at(plane)].shape.is_plane()) continue;
    for (int other = 0; other < static_cast<int>(geoms.size()); ++other) {
      if (!geoms[at(other)].active || !collides(geoms[at(plane)].shape, geoms[at(other)].shape)) continue;
      const int low = std::min(plane, other), high = std::max(plane, other);
      if (shapes_->filter().may_touch(low, high)) {
        fixed_.push_back({pair_key(low, high), -1, shapes_->margin(low, high)});
      }
    }
  }
  for (const ShapeSet::ExplicitPair& pair : shapes_->explicit_pairs()) {
    if (first_geom(pair.key) != second_geom(pair.key)) fixed_.push_back({pair.key, pair.index, pair.margin});
  }
  std::stable_sort(fixed_.begin(), fixed_.end(), [](const FixedPair& a, const FixedPair& b) { return a.key < b.key; });
}

void Collider::place_geom(int geom, std::span<const Pose> link_poses) {
  const ShapeSet::Geom& own = shapes_->geoms()[at(geom)];
  placed_[at(geom)].pose = own.link < 0 ? own.pose : link_poses[at(own.link)] * own.pose;
}

void Collider::place(std::span<const Pose> link_poses, const Speculation& speculation) {
  const bool moving = speculation.time > 0 && !speculation.linear.empty();
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const ShapeSet::Geom& geom = shapes_->geoms()[i];
    if (!geom.active) continue;
    place_geom(static_cast<int>(i), link_poses);
    double reach = geom.margin + 0.5 * speculation.distance;
    if (moving && geom.link >= 0) {
      const Vec3 w = speculation.angular[at(geom.link)];
      const Vec3 arm = placed_[i].pose * geom.shape.bounds.center() - link_poses[at(geom.link)].position;
      velocity_[i] = speculation.linear[at(geom.link)] + cross(w, arm);
      spin_[i] = norm(w) * geom.shape.radius;
      reach += speculation.time * (norm(velocity_[i]) + spin_[i]);
    } else {
      velocity_[i] = {};
      spin_[i] = 0;
    }
    if (!geom.shape.is_plane()) boxes_[i] = world_bounds(placed_[i]).grown(reach);
  }
}

double Collider::look_ahead(int geom1, int geom2, const Speculation& s) const {
  if (s.time <= 0) return s.distance;
  // A turning plane sweeps any distance: its own spin is taken at the other shape's place by its velocity alone.
  const double closing = norm(velocity_[at(geom1)] - velocity_[at(geom2)]) + spin_[at(geom1)] + spin_[at(geom2)];
  return s.distance + s.time * closing;
}

void Collider::run(std::span<const Pose> link_poses, const Speculation& speculation, ThreadPool* pool) {
  contacts_.clear();
  stats_ = {};
  if (!shapes_->enabled()) return;
  place(link_poses, speculation);
  broad_.update(boxes_);
  stats_.broad = broad_.stats();
  candidates_.swap(last_candidates_);
  list_candidates(speculation);
  collide_candidates(pool);
  skins_.run(link_poses, {placed_, boxes_, velocity_, spin_}, speculation, pool);
  merge_skins();
}

void Collider::run_pairs(std::span<const Pose> link_poses, std::span<const Pair> pairs, ThreadPool* pool) {
  contacts_.clear();
  stats_ = {};
  candidates_.swap(last_candidates_);
  candidates_.clear();
  skins_.clear();
  for (const Pair& pair : pairs) {
    if (shapes_->skins().has(pair.geom1, pair.geom2)) {
      skins_.ask(pair.geom1, pair.geom2, pair.explicit_pair);
      for (const int geom : {pair.geom1, pair.geom2}) place_geom(geom, link_poses);
      continue;
    }
    place_geom(pair.geom1, link_poses);
    place_geom(pair.geom2, link_poses);
    candidates_.push_back({pair.geom1, pair.geom2, 0, pair.explicit_pair, {}});
  }
  collide_candidates(pool);
  skins_.run_asked(link_poses, placed_, pool);
  merge_skins();
}

/// Both lists ascend by their geoms.
void Collider::merge_skins() {
  stats_.candidates += skins_.candidates();
  if (skins_.contacts().empty()) return;
  stats_.touching += skins_.touching();
  merged_.resize(contacts_.size() + skins_.contacts().size());
  std::merge(
      contacts_.begin(), contacts_.end(), skins_.contacts().begin(), skins_.contacts().end(), merged_.begin(),
      [](const Contact& a, const Contact& b) { return pair_key(a.geom1, a.geom2) < pair_key(b.geom1, b.geom2); });
  contacts_.swap(merged_);
}

void Collider::collide_candidates(ThreadPool* pool) {
  last_candidates_.reserve(candidates_.capacity());  // they change places
  recall_far_normals();
  stats_.candidates = static_cast<int>(candidates_.size());

  // Several parts a thread, as some pairs take longer than others.
  const int threads = pool == nullptr ? 1 : pool->threads();
  const int parts = threads == 1 ? 1 : std::clamp(stats_.candidates / kPairsPerPart, 1, kPartsPerThread * threads);
  while (static_cast<int>(lanes_.size()) < parts)
    lanes_.emplace_back().workspace.most_contacts = settings_.reduction.cap;
  if (parts == 1) {
    run_candidates(0, 1);
  } else {
    pool->for_each(parts, [&](int part) { run_candidates(part, parts); });
  }
  for (int part = 0; part < parts; ++part) {
    const Lane& lane = lanes_[at(part)];
    contacts_.insert(contacts_.end(), lane.contacts.begin(), lane.contacts.end());
    stats_.touching += lane.touching;
    stats_.dropped += lane.dropped;
  }
}

/// Fixed pairs and those of the tree, in one ascending order.
void Collider::list_candidates(const Speculation& speculation) {
  candidates_.clear();
  const auto is_among = [&](int geom) {
    const int link = shapes_->geoms()[at(geom)].link;
    return speculation.among.empty() || (link >= 0 && speculation.among[at(link)] != 0);
  };
  const auto add = [&](PairKey key, double margin, int explicit_pair) {
    const int geom1 = first_geom(key), geom2 = second_geom(key);
    if (!is_among(geom1) && !is_among(geom2)) return;
    candidates_.push_back({geom1, geom2, margin + look_ahead(geom1, geom2, speculation), explicit_pair, {}});
  };
  const auto add_fixed = [&](const FixedPair& pair) { add(pair.key, pair.margin, pair.explicit_pair); };
  auto fixed = fixed_.begin();
  for (const PairKey key : broad_.pairs()) {
    for (; fixed != fixed_.end() && fixed->key < key; ++fixed) add_fixed(*fixed);
    const int geom1 = first_geom(key), geom2 = second_geom(key);
    if (overlap(boxes_[at(geom1)], boxes_[at(geom2)])) add(key, shapes_->margin(geom1, geom2), -1);
  }
  for (; fixed != fixed_.end(); ++fixed) add_fixed(*fixed);
}

void Collider::recall_far_normals() {
  auto last = last_candidates_.begin();
  for (Candidate& pair : candidates_) {
    const PairKey key = pair_key(pair.geom1, pair.geom2);
    while (last != last_candidates_.end() && pair_key(last->geom1, last->geom2) < key) ++last;
    if (last == last_candidates_.end()) return;
    if (pair_key(last->geom1, last->geom2) == key) pair.far_normal = last->far_normal;
  }
}

void Collider::run_candidates(int part, int parts) {
  Lane& lane = lanes_[at(part)];
  lane.contacts.clear();
  lane.touching = lane.dropped = 0;
  const int begin = part_begin(part, parts, stats_.candidates), end = part_begin(part + 1, parts, stats_.candidates);
  for (int i = begin; i < end; ++i) run_pair(candidates_[at(i)], lane);
}

void Collider::run_pair(Candidate& pair, Lane& lane) const {
  const PlacedShape &a = placed_[at(pair.geom1)], &b = placed_[at(pair.geom2)];
  std::vector<ManifoldPoint>& points = lane.manifold.points;
  points.clear();
  lane.manifold.left_out = 0;
  lane.workspace.far_normal = pair.far_normal;
  collide(a, b, pair.margin, lane.workspace, lane.manifold);
  pair.far_normal = lane.workspace.far_normal;
  lane.dropped += lane.manifold.left_out;
  if (points.empty()) return;
  ++lane.touching;
  if (points.size() > 1) {
    ReductionSettings reduction = settings_.reduction;
    if (a.shape->is_convex() && b.shape->is_convex()) {
      reduction.cap = std::min(reduction.cap, settings_.convex_cap);
    }
    const double size_a = a.shape->is_plane() ? 1e300 : a.shape->radius;
    const double size_b = b.shape->is_plane() ? 1e300 : b.shape->radius;
    reduction.merge_distance *= std::min(size_a, size_b);
    lane.dropped += lane.reducer.reduce(reduction, points);
  }
  const std::uint64_t key = mixed_bits(pair_key(pair.geom1, pair.geom2) + 0x9E3779B97F4A7C15ULL);
  for (const ManifoldPoint& p : points) {
    lane.contacts.push_back(
        {pair.geom1, pair.geom2, pair.explicit_pair, p.position, p.normal, p.gap, mixed_bits(key ^ p.feature)});
  }
}

}  // namespace uzawa
