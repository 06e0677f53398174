#include "uzawa/collision/skin/rigid_contacts.hpp"

#include <algorithm>

#include "uzawa/collision/skin/triangle_point.hpp"

namespace uzawa {

namespace {

/// m: how much lower than the vertices a point between them must be to count; and with distances that are sampled.
constexpr double kLower = 1e-9, kLowerSampled = 4e-6;
/// A minimum this close to the end of an edge (as a share of it) or to the border of a face is theirs.
constexpr double kAtEnd = 1e-6;
/// sin of the angle up to which a direction does not lean over a face beside an edge.
constexpr double kLevel = 1e-6;
/// cos of the angle between a minimum's direction and the edge or face that it is on, at the most. Where it is no right
/// angle, the minimum is in the middle of the shape, where the ways out to opposite sides are as long: no contact.
constexpr double kLeans = 0.1;
/// Least size of a mean of unit gradients that has a direction.
constexpr double kMean = 0.3;
/// Difference of unit gradients below which the surface between them is flat.
constexpr double kFlat = 1e-9;

/// Gap on the way from a soft point, `distance` from the rigid surface that is out along `outward`, to that surface.
struct SoftPoint {
  Vec3 place;  ///< world, without the skin's radius
  double distance = 0;
  Vec3 outward;  ///< of the rigid surface, world
};

void add_point(const SoftPoint& p, double radius, const SkinSpot& spot, std::uint64_t feature, SkinContactList& list) {
  list.add_rigid(p.place - p.outward * (0.5 * (p.distance + radius)), -p.outward, p.distance - radius, spot, feature);
}

/// Within a shape the minimum along an edge may be at a kink, as below the edge of a box. The way out is then the mean
/// of the two gradients that is at right angles to the edge, and leads to where both faces meet. False where there is
/// none: in the middle of a plate.
bool take_way_out(const Vec3& along, SegmentMinimum& found) {
  SignedDistance::Sample& s = found.sample;
  const double size = norm(along), slope = dot(s.gradient, along), beyond = dot(found.gradient_beyond, along);
  if (std::abs(slope) <= kLeans * size) return true;
  if (slope * beyond >= 0) return false;
  const Vec3 mean = (s.gradient * beyond - found.gradient_beyond * slope) * (1 / (beyond - slope));
  const double length = norm(mean);
  if (length < kMean) return false;
  s = {s.distance / length, mean * (1 / length)};
  return true;
}

bool is_flat(const SampledTriangle& corner) {
  const Vec3& g = corner[0]->sample.gradient;
  const Vec3 d1 = corner[1]->sample.gradient - g, d2 = corner[2]->sample.gradient - g;
  return dot(d1, d1) < kFlat * kFlat && dot(d2, d2) < kFlat * kFlat;
}

}  // namespace

double SkinRigidContacts::least_over(const SampledTriangle& corner) {
  double bound = -1e300;
  for (const SampledPoint* p : corner) {
    const Vec3 slopes = slopes_towards(corner, p->sample.gradient);
    const double lowest_slope = slopes[lowest(slopes)] - dot(p->sample.gradient, p->position);
    bound = std::max(bound, p->sample.distance + lowest_slope);
  }
  return bound;
}

void SkinRigidContacts::find(const PlacedSkin& skin, const MovingShape& other, const SkinPair& pair,
                             const SkinReach& reach, std::vector<Contact>& out) {
  SkinContactList list(pair, out);
  const Shape& shape = *other.placed.shape;
  if (shape.is_plane()) return meet_plane(skin, other, pair, reach, list);
  const double most =
      skin.shape().radius + reach.slack + reach.time * (skin.speed() + norm(other.velocity) + other.spin);
  list_near(skin, world_bounds(other.placed).grown(most));
  if (faces_.empty()) return;
  Search s{skin, other, pair, reach, list, ShapeDistance(shape, most), {}, {}};
  if (shape.is_convex()) s.core = core_of(shape);
  s.descent.tolerance = shape.is_convex() ? kLower : kLowerSampled;
  s.descent.of_interest = most;
  const std::size_t before = out.size();
  meet_vertices(s);
  meet_edges(s);
  meet_faces(s);
  const bool overlaps = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(),
                                    [](const Contact& contact) { return contact.gap < 0; });
  if (shape.is_convex() && !overlaps) push_apart(s);
}

/// The height over a plane is linear: vertices are all.
void SkinRigidContacts::meet_plane(const PlacedSkin& skin, const MovingShape& plane, const SkinPair& pair,
                                   const SkinReach& reach, SkinContactList& list) const {
  const Vec3 normal = plane.placed.pose.rotation.col[2];
  const double radius = skin.shape().radius, offset = dot(plane.placed.pose.position, normal) + radius;
  const double most = reach.slack + reach.time * (skin.speed() + norm(plane.velocity) + plane.spin);
  const std::span<const Vec3> positions = skin.positions();
  for (int v = 0; v < static_cast<int>(positions.size()); ++v) {
    const double gap = dot(positions[at(v)], normal) - offset;
    if (gap >= most || pair.bars(v)) continue;
    const double closing = norm(skin.velocities()[at(v)] - plane.velocity) + plane.spin;
    if (gap >= reach.slack + reach.time * closing) continue;
    add_point({positions[at(v)], gap + radius, normal}, radius, skin.shape().at_vertex(v),
              skin_feature(SkinFeature::Vertex, v), list);
  }
}

void SkinRigidContacts::list_near(const PlacedSkin& skin, const Aabb& box) {
  const SkinShape& shape = skin.shape();
  if (vertex_seen_.size() < shape.rest.size()) vertex_seen_.resize(shape.rest.size(), 0);
  if (edge_seen_.size() < shape.edges.size()) edge_seen_.resize(shape.edges.size(), 0);
  if (samples_.size() < shape.rest.size()) samples_.resize(shape.rest.size());
  ++search_;
  faces_.clear();
  edges_.clear();
  vertices_.clear();
  const auto take = [&](int item, std::vector<std::uint32_t>& seen, std::vector<int>& items) {
    if (item < 0 || seen[at(item)] == search_) return;
    seen[at(item)] = search_;
    items.push_back(item);
  };
  skin.for_each_face_near(box, [&](int face) {
    faces_.push_back(face);
    for (const int vertex : shape.faces[at(face)]) take(vertex, vertex_seen_, vertices_);
    for (const int edge : shape.face_edges[at(face)]) take(edge, edge_seen_, edges_);
  });
}

void SkinRigidContacts::meet_vertices(const Search& s) {
  const double radius = s.shape().radius;
  for (const int v : vertices_) {
    const Vec3& place = s.skin.positions()[at(v)];
    SampledPoint& point = samples_[at(v)];
    point.position = transpose_times(s.pose().rotation, place - s.pose().position);
    point.sample = s.distance.evaluate(point.position);
    if (point.sample.distance - radius >= s.reach_of(v) || s.pair.bars(v)) continue;
    SignedDistance::Sample out = point.sample;
    if (out.distance < 0 && s.shape().closed) {
      out = s.distance.way_out(point.position, transpose_times(s.pose().rotation, s.skin.vertex_normal(v)));
    }
    add_point({place, out.distance, s.pose().rotation * out.gradient}, radius, s.shape().at_vertex(v),
              skin_feature(SkinFeature::Vertex, v), s.list);
  }
}

void SkinRigidContacts::meet_edges(const Search& s) const {
  for (const int e : edges_) {
    const auto [first, second] = s.shape().edges[at(e)];
    const SampledPoint &a = samples_[at(first)], &b = samples_[at(second)];
    int lower = 0;
    if (end_is_minimum(a, b, s.descent, lower) || s.pair.bars(first) || s.pair.bars(second)) continue;
    SegmentMinimum found = minimum_on_segment(s.distance, a, b, s.descent);
    if (found.share < kAtEnd || found.share > 1 - kAtEnd) continue;
    if (!take_way_out(b.position - a.position, found)) continue;
    const double reach = std::max(s.reach_of(first), s.reach_of(second));
    if (found.sample.distance - s.shape().radius >= reach) continue;
    const Vec3 outward = s.pose().rotation * found.sample.gradient;
    const bool face_is_nearer =
        dot(outward, s.skin.into_face(e, 0)) < -kLevel || dot(outward, s.skin.into_face(e, 1)) < -kLevel;
    if (face_is_nearer || (s.shape().closed && dot(outward, s.skin.edge_normal(e)) > 0)) continue;
    const Vec3 place = s.pose() * (a.position + (b.position - a.position) * found.share);
    add_point({place, found.sample.distance, outward}, s.shape().radius, s.shape().on_edge(e, found.share),
              skin_feature(SkinFeature::Edge, e), s.list);
  }
}

void SkinRigidContacts::meet_faces(const Search& s) {
  corners_.clear();
  for (const int f : faces_) {
    const SkinFace& face = s.shape().faces[at(f)];
    if (face[2] < 0) continue;
    if (std::any_of(face.begin(), face.end(), [&](int v) { return s.pair.bars(v); })) continue;
    const double reach = std::max({s.reach_of(face[0]), s.reach_of(face[1]), s.reach_of(face[2])});
    const Shape& other = *s.other.placed.shape;
    if (other.field != nullptr && !other.collides_as_sdf) {
      meet_peaks(s, f, reach);
    } else if (other.is_convex()) {
      const SampledTriangle corner = corners_of(face);
      if (!is_flat(corner) && least_over(corner) - s.shape().radius < reach) meet_convex(s, f, reach);
    } else {
      meet_sampled(s, f, reach);
    }
  }
  add_corners(s);
}

SampledTriangle SkinRigidContacts::corners_of(const SkinFace& face) const {
  return {&samples_[at(face[0])], &samples_[at(face[1])], &samples_[at(face[2])]};
}

/// The minimum of a signed distance within a face, down from its lowest corner or from its middle.
void SkinRigidContacts::meet_sampled(const Search& s, int face, double reach) const {
  const SampledTriangle corner = corners_of(s.shape().faces[at(face)]);
  const int lower = lowest({corner[0]->sample.distance, corner[1]->sample.distance, corner[2]->sample.distance});
  const double lowest_corner = corner[at(lower)]->sample.distance;
  const Vec3 third = Vec3{1, 1, 1} * (1. / 3);
  const SignedDistance::Sample middle = s.distance.evaluate(weighted(corner, third));
  const bool from_middle = middle.distance < lowest_corner;
  if (!from_middle && is_flat(corner)) return;
  TriangleMinimum start{third, middle};
  if (!from_middle) start = {Vec3::unit(lower), corner[at(lower)]->sample};
  const TriangleMinimum found = minimum_on_triangle(s.distance, corner, start, s.descent);
  const Vec3& w = found.weight;
  if (w.x() < kAtEnd || w.y() < kAtEnd || w.z() < kAtEnd || found.sample.distance > lowest_corner - kLowerSampled)
    return;
  if (found.sample.distance - s.shape().radius >= reach) return;
  const Vec3 outward = s.pose().rotation * found.sample.gradient, normal = s.skin.area_normal(face);
  const double facing = -dot(outward, normal);
  if (std::abs(facing) < std::sqrt(1 - kLeans * kLeans) * norm(normal) || (s.shape().closed && facing < 0)) return;
  add_point({s.pose() * weighted(corner, w), found.sample.distance, outward}, s.shape().radius, {face, {w.x(), w.y()}},
            skin_feature(SkinFeature::Face, face), s.list);
}

}  // namespace uzawa
