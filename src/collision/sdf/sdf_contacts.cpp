#include "uzawa/collision/sdf/sdf_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/collision/shapes/shape.hpp"

namespace uzawa {

namespace {

/// Slope of the distance along the surface (30 degrees) from which on a point that is apart is not where the shapes
/// meet.
constexpr double kSteep = 0.5;

}  // namespace

std::span<const SurfaceContact> SdfContactFinder::find(const SurfaceTree& surface, const Pose& pose,
                                                       const PlacedDistance& other, const SurfaceSearch& search) {
  begin(surface, pose, other, search);
  choose_faces();
  sample_vertices();
  drop_hopeless_faces();
  thin_faces();
  minimise_edges();
  report_borders();
  look_into_middles();
  walk_inside();
  if (stats_.left_out > 0) keep_one_a_face();
  if (search.local_minima_only) std::erase_if(contacts_, [&](const SurfaceContact& c) { return descends(c); });
  if (search.facing_only && stats_.left_out == 0) {  // else what the surface falls to may be left out
    std::erase_if(contacts_, [&](const SurfaceContact& c) { return c.gap > 0 && is_beside(c); });
  }
  return contacts_;
}

void SdfContactFinder::begin(const SurfaceTree& surface, const Pose& pose, const PlacedDistance& other,
                             const SurfaceSearch& search) {
  surface_ = &surface;
  shape_ = other.shape;
  search_ = search;
  search_.descent.of_interest = search.margin;
  to_world_ = other.pose;
  relative_ = relative(other.pose, pose);
  stats_ = {};
  contacts_.clear();
  contact_faces_.clear();
  if (vertices_.size() < surface.surface().vertices.size()) vertices_.resize(surface.surface().vertices.size());
  if (edges_.size() < surface.edges().size()) edges_.resize(surface.edges().size());
  if (++stamp_ == 0) {  // after four billion searches: forget what the first of them left
    std::fill(vertices_.begin(), vertices_.end(), VertexMemory{});
    std::fill(edges_.begin(), edges_.end(), EdgeMemory{});
    stamp_ = 1;
  }
}

void SdfContactFinder::choose_faces() {
  faces_left_.clear();
  const auto& nodes = surface_->nodes();
  if (nodes.empty()) return;
  const Aabb bounds = shape_->bounds();
  struct Visit {
    int node;
    double value;  ///< at least the distance at `where`
    Vec3 where;
  };
  std::array<Visit, 64> stack;  // the tree is balanced: 2^32 faces are 32 levels
  std::size_t size = 0;
  stack[size++] = {0, 1e30, {}};
  while (size > 0) {
    const Visit visit = stack[--size];
    const SurfaceTree::Node& node = nodes[at(visit.node)];
    const Vec3 centre = relative_ * node.centre;
    double value = visit.value + norm(centre - visit.where);
    // A distance grows by no more than the way, and seldom by most of it: where that does not clear the sphere, asking
    // for it is a waste.
    constexpr double kSeldom = 0.7;
    if (visit.value + kSeldom * norm(centre - visit.where) - node.radius > search_.margin) {
      if (bounds.distance(centre) - node.radius > search_.margin) continue;
      ++stats_.nodes;
      value = shape_->evaluate(centre).distance;
      if (shape_->lower_bound(value) - node.radius > search_.margin) continue;
    }
    if (node.right == 0) {
      for (int i = node.begin; i < node.end; ++i) faces_left_.push_back(i);
    } else {
      stack[size++] = {node.right, value, centre};
      stack[size++] = {visit.node + 1, value, centre};
    }
  }
}

void SdfContactFinder::sample_vertices() {
  vertices_asked_.clear();
  points_.clear();
  for (const int face : faces_left_) {
    for (const int index : surface_->faces()[at(face)].vertex) {
      VertexMemory& memory = vertices_[at(index)];
      if (memory.stamp == stamp_) continue;
      memory.stamp = stamp_;
      memory.point.position = relative_ * surface_->surface().vertices[at(index)];
      vertices_asked_.push_back(index);
      points_.push_back(memory.point.position);
    }
  }
  samples_.resize(points_.size());
  evaluate_all(*shape_, points_, samples_);
  for (std::size_t i = 0; i < samples_.size(); ++i) vertices_[at(vertices_asked_[i])].point.sample = samples_[i];
}

SampledTriangle SdfContactFinder::corners(const SurfaceTree::Face& face) const {
  return {&vertices_[at(face.vertex[0])].point, &vertices_[at(face.vertex[1])].point,
          &vertices_[at(face.vertex[2])].point};
}

void SdfContactFinder::drop_hopeless_faces() {
  std::erase_if(faces_left_, [&](int index) {
    const SurfaceTree::Face& face = surface_->faces()[at(index)];
    const SampledTriangle corner = corners(face);
    const double least = std::min({corner[0]->sample.distance, corner[1]->sample.distance, corner[2]->sample.distance});
    return shape_->lower_bound(least) - face.reach > search_.margin || hopeless(corner);
  });
}

void SdfContactFinder::minimise_edges() {
  edges_asked_.clear();
  searches_.clear();
  for (const int index : faces_left_) {
    const SurfaceTree::Face& face = surface_->faces()[at(index)];
    for (int side = 0; side < 3; ++side) {
      EdgeMemory& memory = edges_[at(face.edge[at(side)])];
      if (memory.stamp == stamp_) continue;
      memory.stamp = stamp_;
      const int a = face.vertex[at((side + 1) % 3)], b = face.vertex[at((side + 2) % 3)];
      const SampledPoint &first = vertices_[at(std::min(a, b))].point, &second = vertices_[at(std::max(a, b))].point;
      int lower = 0;
      if (end_is_minimum(first, second, search_.descent, lower)) {
        memory.minimum.share = lower;
        memory.minimum.sample.distance = (lower == 0 ? first : second).sample.distance;
      } else {
        searches_.emplace_back(first, second, search_.descent);
        edges_asked_.push_back(face.edge[at(side)]);
      }
    }
  }
  run_searches();
  for (std::size_t i = 0; i < results_.size(); ++i) edges_[at(edges_asked_[i])].minimum = results_[i];
}

/// All line searches take their steps together.
void SdfContactFinder::run_searches() {
  results_.resize(searches_.size());
  results_asked_.clear();
  for (int i = 0; i < static_cast<int>(searches_.size()); ++i) results_asked_.push_back(i);
  while (!searches_.empty()) {
    points_.clear();
    for (const SegmentSearch& search : searches_) points_.push_back(search.wanted());
    samples_.resize(points_.size());
    evaluate_all(*shape_, points_, samples_);
    std::size_t left = 0;
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      SegmentSearch& search = searches_[i];
      if (!search.done()) search.give(samples_[i]);
      if (search.done()) {
        results_[at(results_asked_[i])] = search.result();
        continue;
      }
      results_asked_[left] = results_asked_[i];
      if (left != i) searches_[left] = search;
      ++left;
    }
    searches_.erase(searches_.begin() + static_cast<std::ptrdiff_t>(left), searches_.end());
  }
}

/// No corner's slopes promise a point within the margin.
bool SdfContactFinder::hopeless(const SampledTriangle& corner) const {
  for (int k = 0; k < 3; ++k) {
    const SignedDistance::Sample& sample = corner[at(k)]->sample;
    const Vec3 slopes = slopes_towards(corner, sample.gradient);
    if (sample.distance - slopes[k] + slopes[lowest(slopes)] <= search_.margin) return false;
  }
  return true;
}

/// The distance falls from a corner along one of its sides.
bool SdfContactFinder::leads_down(const SurfaceTree::Face& face, const SampledTriangle& corner, int from,
                                  int side) const {
  const SegmentMinimum& minimum = edges_[at(face.edge[at(side)])].minimum;
  const SampledPoint &here = *corner[at(from)], &there = *corner[at(3 - from - side)];
  return minimum.sample.distance < here.sample.distance - search_.descent.tolerance &&
         dot(here.sample.gradient, there.position - here.position) < 0;
}

bool SdfContactFinder::is_steep(const SampledPoint& here, const SampledPoint& there) {
  const Vec3 way = there.position - here.position;
  return dot(here.sample.gradient, way) < -kSteep * norm(way);
}

void SdfContactFinder::report_borders() {
  middles_.clear();
  walks_.clear();
  for (const int face : faces_left_) search_border(face);
}

void SdfContactFinder::search_border(int index) {
  const SurfaceTree::Face& face = surface_->faces()[at(index)];
  const SampledTriangle corner = corners(face);
  const Vec3 values{corner[0]->sample.distance, corner[1]->sample.distance, corner[2]->sample.distance};
  const int best = lowest(values);
  TriangleMinimum lowest_on_border{Vec3::unit(best), corner[at(best)]->sample};
  for (int side = 0; side < 3; ++side) {
    const SegmentMinimum& minimum = edges_[at(face.edge[at(side)])].minimum;
    if (minimum.share <= 0 || minimum.share >= 1) continue;
    const int a = (side + 1) % 3, b = (side + 2) % 3;
    TriangleMinimum found{{}, minimum.sample};
    const bool along = face.vertex[at(a)] < face.vertex[at(b)];
    found.weight.set(a, along ? 1 - minimum.share : minimum.share);
    found.weight.set(b, along ? minimum.share : 1 - minimum.share);
    if (minimum.sample.distance < lowest_on_border.sample.distance) lowest_on_border = found;
    const double inwards = dot(minimum.sample.gradient, corner[at(side)]->position - weighted(corner, found.weight));
    if (inwards >= -search_.descent.tolerance) report(face, corner, found);
  }
  for (int k = 0; k < 3; ++k) {
    if (leads_down(face, corner, k, (k + 1) % 3) || leads_down(face, corner, k, (k + 2) % 3)) {
      VertexMemory& memory = vertices_[at(face.vertex[at(k)])];
      memory.descends = stamp_;
      if (is_steep(*corner[at(k)], *corner[at((k + 1) % 3)]) || is_steep(*corner[at(k)], *corner[at((k + 2) % 3)])) {
        memory.steep = stamp_;
      }
    } else {
      report(face, corner, {Vec3::unit(k), corner[at(k)]->sample});
    }
  }
  plan_inside(index, corner, lowest_on_border);
}

/// Decides whether a minimum may lie inside of a face.
void SdfContactFinder::plan_inside(int index, const SampledTriangle& corner, const TriangleMinimum& lowest_on_border) {
  const Vec3 slopes = slopes_towards(corner, lowest_on_border.sample.gradient);
  const int down = lowest(slopes);
  const double fall = dot(slopes, lowest_on_border.weight) - slopes[down];
  const bool on_corner = lowest_on_border.weight[lowest(-lowest_on_border.weight)] == 1;
  if (!on_corner && fall > search_.descent.tolerance) {
    // From an edge towards the corner across it. Where the tangents leave next to nothing, the edge will do.
    const SampledPoint& across = *corner[at(down)];
    const Vec3 way = across.position - weighted(corner, lowest_on_border.weight);
    const double below =
        most_below(lowest_on_border.sample.distance, -fall, across.sample.distance, dot(across.sample.gradient, way));
    if (below < search_.descent.tolerance) {
      report(surface_->faces()[at(index)], corner, lowest_on_border);
    } else {
      walks_.push_back({index, down, lowest_on_border});
    }
    return;
  }
  // A feature of the other shape that points at the middle of the face: the corners' gradients part.
  constexpr double kAlike = 0.9;
  const auto alike = [&](std::size_t a, std::size_t b) {
    return dot(corner[a]->sample.gradient, corner[b]->sample.gradient) > kAlike;
  };
  if (alike(0, 1) && alike(1, 2) && alike(2, 0)) return;
  middles_.push_back({index, lowest_on_border.sample.distance});
}

void SdfContactFinder::look_into_middles() {
  const Vec3 third{1. / 3, 1. / 3, 1. / 3};
  points_.clear();
  for (const Middle& middle : middles_) points_.push_back(weighted(corners(surface_->faces()[at(middle.face)]), third));
  samples_.resize(points_.size());
  evaluate_all(*shape_, points_, samples_);
  for (std::size_t i = 0; i < middles_.size(); ++i) {
    if (samples_[i].distance >= middles_[i].lowest_on_border) continue;
    ++stats_.walks;
    const SurfaceTree::Face& face = surface_->faces()[at(middles_[i].face)];
    const SampledTriangle corner = corners(face);
    report(face, corner, minimum_on_triangle(*shape_, corner, {third, samples_[i]}, search_.descent));
  }
}

void SdfContactFinder::walk_inside() {
  stats_.walks += static_cast<int>(walks_.size());
  // The first step of all walks together; few need a second.
  searches_.clear();
  for (const Walk& walk : walks_) {
    const SampledTriangle corner = corners(surface_->faces()[at(walk.face)]);
    const SampledPoint start{weighted(corner, walk.start.weight), walk.start.sample};
    searches_.emplace_back(start, *corner[at(walk.towards)], search_.descent);
  }
  run_searches();
  for (std::size_t i = 0; i < walks_.size(); ++i) {
    const SurfaceTree::Face& face = surface_->faces()[at(walks_[i].face)];
    const SampledTriangle corner = corners(face);
    const double share = results_[i].share;
    const TriangleMinimum here{(1 - share) * walks_[i].start.weight + share * Vec3::unit(walks_[i].towards),
                               results_[i].sample};
    report(face, corner, minimum_on_triangle(*shape_, corner, here, search_.descent));
  }
}

void SdfContactFinder::report(const SurfaceTree::Face& face, const SampledTriangle& corner,
                              const TriangleMinimum& found) {
  if (!(found.sample.distance <= search_.margin)) return;
  int zeros = 0, zero = 0, heaviest = 0;
  for (int k = 0; k < 3; ++k) {
    if (found.weight[k] > found.weight[heaviest]) heaviest = k;
    if (found.weight[k] > 0) continue;
    ++zeros;
    zero = k;
  }
  std::uint32_t feature = feature_of(FeatureKind::Face, face.index);
  if (zeros > 0) {
    const bool on_corner = zeros == 2;
    const int index = on_corner ? face.vertex[at(heaviest)] : face.edge[at(zero)];
    std::uint32_t& reported = on_corner ? vertices_[at(index)].reported : edges_[at(index)].reported;
    if (reported == stamp_ && stats_.left_out == 0) return;  // by a neighbour
    reported = stamp_;
    feature = feature_of(on_corner ? FeatureKind::Vertex : FeatureKind::Edge, index);
  }
  Vec3 normal = found.sample.gradient;
  double size = norm(normal);
  if (size < 1e-6) {
    // A sampled distance can be flat, in the middle of a solid: out along the face, then.
    normal = -cross(corner[1]->position - corner[0]->position, corner[2]->position - corner[0]->position);
    size = norm(normal);
    if (size < 1e-30) normal = {0, 0, 1}, size = 1;
  }
  contacts_.push_back({to_world_ * weighted(corner, found.weight), to_world_.rotation * (normal * (1 / size)),
                       found.sample.distance, feature});
  contact_faces_.push_back(face.index);
}

bool SdfContactFinder::descends(const SurfaceContact& contact) const {
  if (static_cast<FeatureKind>(contact.feature & 3) == FeatureKind::Vertex) {
    return vertices_[at(static_cast<int>(contact.feature >> 2))].descends == stamp_;
  }
  return edge_falls(contact, search_.descent.tolerance, 0);
}

/// Beside the other shape, not before it: the surface falls steeply towards it from there, and a body that slides over
/// this surface would trip over each of its vertices.
bool SdfContactFinder::is_beside(const SurfaceContact& contact) const {
  if (static_cast<FeatureKind>(contact.feature & 3) == FeatureKind::Vertex) {
    return vertices_[at(static_cast<int>(contact.feature >> 2))].steep == stamp_;
  }
  return edge_falls(contact, 0, kSteep);
}

/// The distance falls from an edge into one of its faces, by more than a length and than a slope.
bool SdfContactFinder::edge_falls(const SurfaceContact& contact, double length, double slope) const {
  const int index = static_cast<int>(contact.feature >> 2);
  if (static_cast<FeatureKind>(contact.feature & 3) != FeatureKind::Edge) return false;
  for (const int beside : surface_->edges()[at(index)]) {
    if (beside < 0) continue;
    const SurfaceTree::Face& face = surface_->faces()[at(beside)];
    for (std::size_t k = 0; k < 3; ++k) {
      if (face.edge[k] != index) continue;
      const Vec3 apex = to_world_ * (relative_ * surface_->surface().vertices[at(face.vertex[k])]);
      const Vec3 way = apex - contact.point;
      if (dot(contact.normal, way) < -length - slope * norm(way)) return true;
    }
  }
  return false;
}

}  // namespace uzawa
