/// Edges of one skin against edges of another.
#include <algorithm>
#include <utility>

#include "uzawa/collision/skin/soft_contacts.hpp"

namespace uzawa {

namespace {

/// A place this close to the end of an edge (as a share of it) is the vertex'.
constexpr double kAtEnd = 1e-6;
/// sin of the angle up to which a direction does not lean over a face.
constexpr double kLevel = 1e-6;
/// 1 + cos of the angle between the faces beside an edge below which they are one flat part (0.08 degrees).
constexpr double kFlat = 1e-6;
/// How deep edges that have passed each other are looked for, as a share of the edges' mean length. Deeper, vertices
/// are inside as well.
constexpr double kPassed = 0.1;
/// m: a distance below it has no direction of its own.
constexpr double kTouching = 1e-12;

bool is_flat(const PlacedSkin& skin, int edge) {
  return 1 + dot(skin.into_face(edge, 0), skin.into_face(edge, 1)) < kFlat;
}

Aabb box_of(const PlacedSkin& skin, int edge) {
  const auto [a, b] = skin.shape().edges[at(edge)];
  const Vec3 &p = skin.positions()[at(a)], &q = skin.positions()[at(b)];
  return {smaller(p, q), larger(p, q)};
}

/// A direction out of the skin leans over neither face beside the edge, so that no point of them is nearer.
bool allows(const PlacedSkin& skin, int edge, const Vec3& out) {
  return dot(out, skin.into_face(edge, 0)) <= kLevel && dot(out, skin.into_face(edge, 1)) <= kLevel &&
         !(skin.shape().closed && dot(out, skin.edge_normal(edge)) < 0);
}

Vec3 on_segment(std::span<const Vec3> points, const std::array<int, 2>& edge, double share) {
  return points[at(edge[0])] * (1 - share) + points[at(edge[1])] * share;
}

}  // namespace

void SkinSkinContacts::meet_edges(const Search& s) {
  const SkinShape &from = s.from.shape(), &onto = s.onto.shape();
  const double bound = s.radii() + s.reach.slack + s.reach.time * (s.from.speed() + s.onto.speed());
  const double most = std::max(bound, kPassed * std::min(from.depth, onto.depth));
  const auto fresh = [](std::vector<std::uint32_t>& seen, std::uint32_t search, int item) {
    return item >= 0 && std::exchange(seen[at(item)], search) != search;
  };
  if (seen_.size() < from.edges.size()) seen_.resize(from.edges.size(), 0);
  if (other_seen_.size() < onto.edges.size()) other_seen_.resize(onto.edges.size(), 0);
  ++search_;
  items_.clear();
  const Aabb all = s.onto.bounds().grown(most);
  s.from.for_each_face_near(all, [&](int face) {
    for (const int e : from.face_edges[at(face)]) {
      if (fresh(seen_, search_, e) && overlap(box_of(s.from, e), all) && !is_flat(s.from, e)) items_.push_back(e);
    }
  });
  for (const int e : items_) {
    const Aabb box = box_of(s.from, e).grown(most);
    ++other_search_;
    s.onto.for_each_face_near(box, [&](int face) {
      for (const int other : onto.face_edges[at(face)]) {
        if (!fresh(other_seen_, other_search_, other) || (s.self && other <= e)) continue;
        if (overlap(box_of(s.onto, other), box)) meet_edge(s, {e, other, 0, 0, {}, {}});
      }
    });
  }
}

void SkinSkinContacts::meet_edge(const Search& s, const EdgePair& pair) const {
  EdgePair edges = pair;
  const SkinShape &from = s.from.shape(), &onto = s.onto.shape();
  const std::array<int, 2>&ends1 = from.edges[at(edges.first)], &ends2 = onto.edges[at(edges.second)];
  const auto point = [](const PlacedSkin& skin, int vertex) { return skin.positions()[at(vertex)]; };
  const Vec3 a = point(s.from, ends1[0]), b = point(s.from, ends1[1]);
  const Vec3 c = point(s.onto, ends2[0]), d = point(s.onto, ends2[1]);
  if (!nearest_of_segments(a, b, c, d, edges.share1, edges.share2)) return;
  const auto is_end = [](double share) { return share < kAtEnd || share > 1 - kAtEnd; };
  if (is_end(edges.share1) || is_end(edges.share2) || edges_are_joined(s, edges)) return;
  edges.point1 = a + (b - a) * edges.share1;
  edges.point2 = c + (d - c) * edges.share2;
  const Vec3 way = edges.point2 - edges.point1;
  const double distance = norm(way);
  const Vec3 out1 = from.closed ? s.from.edge_normal(edges.first) : Vec3{};
  const Vec3 out2 = onto.closed ? s.onto.edge_normal(edges.second) : Vec3{};
  const bool overlaps = dot(way, out1 - out2) < 0;
  Vec3 normal = distance > kTouching ? way * ((overlaps ? -1 : 1) / distance) : cross(b - a, d - c);
  if (distance <= kTouching) normal = normal * ((dot(normal, out1 - out2) < 0 ? -1 : 1) / norm(normal));
  const double gap = (overlaps ? -distance : distance) - s.radii();
  if (overlaps && (distance > kPassed * std::min(from.depth, onto.depth) || s.self)) return;
  double closing = 0;
  for (const int i : ends1) {
    for (const int j : ends2) {
      closing = std::max(closing, norm(s.from.velocities()[at(i)] - s.onto.velocities()[at(j)]));
    }
  }
  if (gap >= s.reach.slack + s.reach.time * closing || is_flat(s.onto, edges.second)) return;
  if (!allows(s.from, edges.first, normal) || !allows(s.onto, edges.second, -normal)) return;
  s.list.add_soft(edges.point1 + normal * (from.radius + 0.5 * gap), normal, gap,
                  from.on_edge(edges.first, edges.share1), onto.on_edge(edges.second, edges.share2),
                  skin_feature(SkinFeature::Edges, edges.first, static_cast<std::uint64_t>(edges.second)));
}

bool SkinSkinContacts::edges_are_joined(const Search& s, const EdgePair& edges) const {
  const SkinShape &from = s.from.shape(), &onto = s.onto.shape();
  const std::array<int, 2>&ends1 = from.edges[at(edges.first)], &ends2 = onto.edges[at(edges.second)];
  for (const int i : ends1) {
    for (const int j : ends2) {
      if (from.link[at(i)] == onto.link[at(j)]) return true;
    }
  }
  if (!s.self) return false;
  double share1 = 0, share2 = 0;
  const std::vector<Vec3>& rest = from.rest;
  if (!nearest_of_segments(rest[at(ends1[0])], rest[at(ends1[1])], rest[at(ends2[0])], rest[at(ends2[1])], share1,
                           share2)) {
    // Parallel: the middle of one is as good as any of its points.
    share1 = 0.5;
    share2 = nearest_on_segment(rest[at(ends2[0])], rest[at(ends2[1])], on_segment(rest, ends1, share1));
  }
  return norm(on_segment(rest, ends1, share1) - on_segment(rest, ends2, share2)) < 2 * from.radius;
}

}  // namespace uzawa
