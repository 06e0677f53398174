#include "uzawa/collision/skin/skin_collider.hpp"

#include <algorithm>

namespace uzawa {

namespace {

/// How finely pairs are shared out.
constexpr int kPartsPerThread = 4;

/// Least height of a box over a plane.
double height_over(const PlacedShape& plane, const Aabb& box) {
  const Vec3 normal = plane.pose.rotation.col[2];
  return dot(box.center() - plane.pose.position, normal) - dot(box.half(), absolute(normal));
}

}  // namespace

SkinCollider::SkinCollider(const SkinSet& skins) : set_(skins) {
  for (const SkinShape& skin : skins.skins()) skins_.emplace_back(skin);
  candidates_.reserve(skins.pairs().size());
}

void SkinCollider::clear() {
  candidates_.clear();
  contacts_.clear();
  touching_ = 0;
}

void SkinCollider::run(std::span<const Pose> link_poses, const Rigid& rigid, const Speculation& speculation,
                       ThreadPool* pool) {
  clear();
  if (skins_.empty()) return;
  const bool moving = speculation.time > 0 && !speculation.linear.empty();
  for (PlacedSkin& skin : skins_) {
    if (moving) {
      skin.place(link_poses, speculation.linear, speculation.angular);
    } else {
      skin.place(link_poses, {}, {});
    }
  }
  for (const SkinPair& pair : set_.pairs()) {
    const SkinReach reach{pair.margin + speculation.distance, moving ? speculation.time : 0};
    if (!is_among(pair, speculation) || !is_near(pair, rigid, reach)) continue;
    candidates_.push_back({&pair, {}, reach});
    if (pair.other_skin >= 0) continue;
    const std::size_t geom = at(pair.rigid_geom());
    candidates_.back().other = {rigid.placed[geom], rigid.velocity[geom], rigid.spin[geom]};
  }
  collide(pool);
}

void SkinCollider::ask(int geom1, int geom2, int explicit_pair) {
  const std::vector<SkinPair>& pairs = set_.pairs();
  const PairKey key = pair_key(geom1, geom2);
  auto pair =
      std::lower_bound(pairs.begin(), pairs.end(), key, [](const SkinPair& p, PairKey k) { return p.key() < k; });
  for (; pair != pairs.end() && pair->key() == key; ++pair) {
    if (pair->explicit_pair == explicit_pair) candidates_.push_back({&*pair, {}, {}});
  }
}

void SkinCollider::run_asked(std::span<const Pose> link_poses, std::span<const PlacedShape> placed, ThreadPool* pool) {
  if (candidates_.empty()) return;
  for (PlacedSkin& skin : skins_) skin.place(link_poses, {}, {});
  for (Candidate& candidate : candidates_) {
    if (candidate.pair->other_skin < 0) candidate.other = {placed[at(candidate.pair->rigid_geom())], {}, 0};
  }
  collide(pool);
}

bool SkinCollider::is_among(const SkinPair& pair, const Speculation& speculation) const {
  if (speculation.among.empty()) return true;
  const auto link_is_among = [&](int link) { return link >= 0 && speculation.among[at(link)] != 0; };
  const auto skin_is_among = [&](int skin) {
    const std::vector<int>& links = set_.skins()[at(skin)].link;
    return std::any_of(links.begin(), links.end(), link_is_among);
  };
  if (skin_is_among(pair.skin)) return true;
  return pair.other_skin >= 0 ? skin_is_among(pair.other_skin) : link_is_among(pair.rigid_link);
}

bool SkinCollider::is_near(const SkinPair& pair, const Rigid& rigid, const SkinReach& reach) const {
  const PlacedSkin& skin = skins_[at(pair.skin)];
  const Aabb box = skin.bounds().grown(skin.shape().radius + reach.slack + reach.time * skin.speed());
  if (pair.other_skin >= 0) {
    const PlacedSkin& other = skins_[at(pair.other_skin)];
    return overlap(box, other.bounds().grown(other.shape().radius + reach.time * other.speed()));
  }
  const std::size_t geom = at(pair.rigid_geom());
  const PlacedShape& placed = rigid.placed[geom];
  if (!placed.shape->is_plane()) return overlap(box, rigid.boxes[geom]);
  return height_over(placed, box) < reach.time * (norm(rigid.velocity[geom]) + rigid.spin[geom]);
}

void SkinCollider::collide(ThreadPool* pool) {
  if (candidates_.empty()) return;
  for (PlacedSkin& skin : skins_) {
    const auto needs_boxes = [&](const Candidate& candidate) {
      const SkinPair& pair = *candidate.pair;
      const bool is_mine = &skins_[at(pair.skin)] == &skin;
      return pair.other_skin >= 0 ? is_mine || &skins_[at(pair.other_skin)] == &skin
                                  : is_mine && !candidate.other.placed.shape->is_plane();
    };
    if (std::any_of(candidates_.begin(), candidates_.end(), needs_boxes)) skin.fit();
  }
  const int threads = pool == nullptr ? 1 : pool->threads();
  const int parts = threads == 1 ? 1 : std::min(candidates(), kPartsPerThread * threads);
  if (static_cast<int>(lanes_.size()) < parts) lanes_.resize(at(parts));
  if (parts == 1) {
    run_part(0, 1);
  } else {
    pool->for_each(parts, [&](int part) { run_part(part, parts); });
  }
  for (int part = 0; part < parts; ++part) {
    const Lane& lane = lanes_[at(part)];
    contacts_.insert(contacts_.end(), lane.contacts.begin(), lane.contacts.end());
    touching_ += lane.touching;
  }
}

void SkinCollider::run_part(int part, int parts) {
  Lane& lane = lanes_[at(part)];
  lane.contacts.clear();
  lane.touching = 0;
  const int begin = part_begin(part, parts, candidates()), end = part_begin(part + 1, parts, candidates());
  for (int i = begin; i < end; ++i) {
    const Candidate& c = candidates_[at(i)];
    const std::size_t before = lane.contacts.size();
    const PlacedSkin& skin = skins_[at(c.pair->skin)];
    if (c.pair->other_skin < 0) {
      lane.rigid.find(skin, c.other, *c.pair, c.reach, lane.contacts);
    } else {
      lane.soft.find(skin, skins_[at(c.pair->other_skin)], *c.pair, c.reach, lane.contacts);
    }
    lane.touching += lane.contacts.size() > before ? 1 : 0;
  }
}

}  // namespace uzawa
