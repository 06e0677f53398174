/// Vertices of one skin against faces of another.
#include "uzawa/collision/skin/soft_contacts.hpp"

#include <algorithm>

namespace uzawa {

namespace {

/// m: a distance below it has no direction of its own.
constexpr double kTouching = 1e-12;
/// How deep a skin is looked for in itself, as a share of the edges' mean length.
constexpr double kFolded = 0.1;
/// Stands for the nearest feature of the other skin in the name of a contact.
constexpr std::uint64_t kNearest = 0x3FFFFFFF;

Vec3 unit(const Vec3& v) {
  const double size = norm(v);
  return size > 0 ? v * (1 / size) : v;
}

Vec3 place_of(const SkinFace& face, std::span<const Vec3> positions, const Vec3& weight) {
  const Vec3 sum = positions[at(face[0])] * weight.x() + positions[at(face[1])] * weight.y();
  return face[2] < 0 ? sum : sum + positions[at(face[2])] * weight.z();
}

TrianglePoint nearest_on_face(const SkinFace& face, std::span<const Vec3> positions, const Vec3& p) {
  const Vec3 &a = positions[at(face[0])], &b = positions[at(face[1])];
  if (face[2] >= 0) return nearest_on_triangle(a, b, positions[at(face[2])], p);
  const double share = nearest_on_segment(a, b, p);
  return {{1 - share, share, 0}, share > 0 && share < 1 ? 2 : 1};
}

double rest_distance(const SkinShape& skin, int vertex, int face) {
  const SkinFace& f = skin.faces[at(face)];
  const Vec3& p = skin.rest[at(vertex)];
  return norm(place_of(f, skin.rest, nearest_on_face(f, skin.rest, p).weight) - p);
}

}  // namespace

void SkinSkinContacts::find(const PlacedSkin& a, const PlacedSkin& b, const SkinPair& pair, const SkinReach& reach,
                            std::vector<Contact>& out) {
  SkinContactList list(pair, out);
  const bool self = &a == &b;
  meet_vertices({a, b, reach, list, true, self});
  if (!self) meet_vertices({b, a, reach, list, false, false});
  meet_edges({a, b, reach, list, true, self});
}

void SkinSkinContacts::meet_vertices(const Search& s) {
  const SkinShape& from = s.from.shape();
  const double bound = s.radii() + s.reach.slack + s.reach.time * (s.from.speed() + s.onto.speed());
  const Aabb box = s.onto.bounds().grown(bound);
  if (seen_.size() < from.rest.size()) seen_.resize(from.rest.size(), 0);
  ++search_;
  items_.clear();
  s.from.for_each_face_near(box, [&](int face) {
    for (const int v : from.faces[at(face)]) {
      if (v < 0 || seen_[at(v)] == search_) continue;
      seen_[at(v)] = search_;
      if (box.distance(s.from.positions()[at(v)]) == 0) items_.push_back(v);
    }
  });
  for (const int v : items_) meet_vertex(s, v);
}

void SkinSkinContacts::meet_vertex(const Search& s, int vertex) {
  const SkinShape& onto = s.onto.shape();
  const Vec3& place = s.from.positions()[at(vertex)];
  const double ahead = s.reach.time * (norm(s.from.velocities()[at(vertex)]) + s.onto.speed());
  const double deepest = !onto.closed ? 0 : s.self ? kFolded * onto.depth : onto.depth;
  list_faces(s, vertex, std::max(s.radii() + s.reach.slack + ahead, deepest));
  if (near_.empty()) return;
  const Near& nearest =
      *std::min_element(near_.begin(), near_.end(), [](const Near& a, const Near& b) { return a.square < b.square; });
  const bool inside = onto.closed && is_inside(s, nearest, place);
  if (inside || (s.self && onto.closed)) push_out(s, vertex);
  if (inside && !s.self) return;
  for (const Near& near : near_) {
    if (near.joined || near.foot.corners < corner_count(onto.faces[at(near.face)])) continue;
    const bool behind = onto.closed && dot(place - near.point, s.onto.area_normal(near.face)) < 0;
    if (!behind) add_outside(s, vertex, near, static_cast<std::uint64_t>(near.face));
  }
  const bool on_border = nearest.foot.corners < corner_count(onto.faces[at(nearest.face)]);
  if (inside || nearest.joined || !on_border) return;
  if (nearest.foot.corners == 1) {  // two vertices are found from both: once is enough
    const int other = corner_at(onto.faces[at(nearest.face)], nearest.foot);
    if (s.self ? other < vertex : !s.is_first) return;
  }
  add_outside(s, vertex, nearest, kNearest);
}

void SkinSkinContacts::list_faces(const Search& s, int vertex, double bound) {
  near_.clear();
  const Vec3& place = s.from.positions()[at(vertex)];
  s.onto.for_each_face_near(Aabb{place, place}.grown(bound), [&](int f) {
    const SkinFace& face = s.onto.shape().faces[at(f)];
    Near near;
    near.face = f;
    near.joined = has_link_of(s, vertex, f);
    if (near.joined && s.self) return;  // its own faces are always nearest
    near.foot = nearest_on_face(face, s.onto.positions(), place);
    near.point = place_of(face, s.onto.positions(), near.foot.weight);
    near.square = dot(place - near.point, place - near.point);
    if (near.square > bound * bound) return;
    if (!s.self || rest_distance(s.onto.shape(), vertex, f) >= 2 * s.onto.shape().radius) near_.push_back(near);
  });
}

bool SkinSkinContacts::has_link_of(const Search& s, int vertex, int face) const {
  const SkinShape &from = s.from.shape(), &onto = s.onto.shape();
  for (const int corner : onto.faces[at(face)]) {
    if (corner >= 0 && onto.link[at(corner)] == from.link[at(vertex)]) return true;
  }
  return false;
}

bool SkinSkinContacts::is_inside(const Search& s, const Near& nearest, const Vec3& place) const {
  return dot(place - nearest.point, s.onto.normal_at(nearest.face, nearest.foot)) < 0;
}

/// Through the nearest face over the vertex that looks against the vertex' own outward normal.
void SkinSkinContacts::push_out(const Search& s, int vertex) const {
  const SkinShape& onto = s.onto.shape();
  const Vec3& place = s.from.positions()[at(vertex)];
  const Vec3 own = s.from.shape().closed ? s.from.vertex_normal(vertex) : Vec3{};
  const Near* best = nullptr;
  for (const Near& near : near_) {
    if (near.joined || near.foot.corners < 3 || (best != nullptr && near.square >= best->square)) continue;
    const Vec3 normal = s.onto.area_normal(near.face);
    if (near.square > onto.depth * onto.depth || dot(place - near.point, normal) >= 0 || dot(own, normal) > 0) continue;
    // Of one skin, the far side of a thin part is no intruder.
    if (s.self && rest_distance(onto, vertex, near.face) < 2 * onto.depth) continue;
    best = &near;
  }
  if (best == nullptr) return;
  add_vertex(s, vertex, *best, unit(s.onto.area_normal(best->face)), -std::sqrt(best->square),
             static_cast<std::uint64_t>(best->face));
}

void SkinSkinContacts::add_outside(const Search& s, int vertex, const Near& near, std::uint64_t with) const {
  double closing = 0;
  for (const int corner : s.onto.shape().faces[at(near.face)]) {
    if (corner < 0) continue;
    closing = std::max(closing, norm(s.from.velocities()[at(vertex)] - s.onto.velocities()[at(corner)]));
  }
  const double height = std::sqrt(near.square);
  if (height - s.radii() >= s.reach.slack + s.reach.time * closing) return;
  const Vec3 away = s.from.positions()[at(vertex)] - near.point;
  const Vec3 outward = height > kTouching ? away * (1 / height) : unit(s.onto.area_normal(near.face));
  if (dot(outward, outward) < 0.5) return;  // a cord that runs through the vertex: no direction is the right one
  add_vertex(s, vertex, near, outward, height, with);
}

/// `outward`: from the face to the vertex, or to where it belongs.
void SkinSkinContacts::add_vertex(const Search& s, int vertex, const Near& near, const Vec3& outward, double height,
                                  std::uint64_t with) const {
  const double gap = height - s.radii();
  const Vec3 middle = near.point + outward * (s.onto.shape().radius + 0.5 * gap);
  const bool is_cord = s.onto.shape().faces[at(near.face)][2] < 0;
  const SkinSpot onto{near.face, {near.foot.weight.x(), is_cord ? 0 : near.foot.weight.y()}};
  const SkinSpot from = s.from.shape().at_vertex(vertex);
  if (s.is_first) {
    s.list.add_soft(middle, -outward, gap, from, onto, skin_feature(SkinFeature::VertexFace, vertex, with));
  } else {
    s.list.add_soft(middle, outward, gap, onto, from, skin_feature(SkinFeature::FaceVertex, vertex, with));
  }
}

}  // namespace uzawa
