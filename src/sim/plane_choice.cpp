#include "uzawa/sim/plane_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/base/at.hpp"
#include "uzawa/base/mixed_bits.hpp"

namespace uzawa {

namespace {

/// m; overlap along a plane up to which it separates: the height of an edge that is passed as if it were flush. Large
/// beside the depth in which contacts rest (1 um), small beside what a part is made to; less for small shapes.
constexpr double kTolerance = 5e-5, kMostShare = 0.01;
/// m; overlap at the end of a step that is no overlap: the depth that the projection of positions leaves.
constexpr double kTouch = 1e-6;
/// m; a body that turns about a point of contact sinks in it by the curvature of its path, and what supports it stands
/// out beside its neighbours by that depth. No more than this is made allowance for.
constexpr double kMostSink = 2e-4;

bool same_pair(const Contact& a, const Contact& b) { return a.geom1 == b.geom1 && a.geom2 == b.geom2; }

std::uint64_t row_key(const Contact& pair, std::uint64_t feature) {
  return mixed_bits(mixed_bits(pair_key(pair.geom1, pair.geom2) + 0xA0761D6478BD642FULL) ^ feature);
}

}  // namespace

void PlaneChoice::choose(std::span<const Contact> found, std::span<const Pose> now, StepEnd& end, WarmStart& last,
                         std::vector<Contact>& out) {
  deferred_.clear();
  paths_.clear();
  contacts_.clear();
  out.clear();
  measure_depths(found);
  for (std::size_t begin = 0, next = 0; begin < found.size(); begin = next) {
    while (next < found.size() && same_pair(found[begin], found[next])) ++next;
    choose_for_pair(found.subspan(begin, next - begin), now, end, last, out);
  }
}

void PlaneChoice::choose_for_pair(std::span<const Contact> pair, std::span<const Pose> now, StepEnd& end,
                                  WarmStart& last, std::vector<Contact>& out) {
  const auto keep = [&] { out.insert(out.end(), pair.begin(), pair.end()); };
  if (pair.front().on_skin()) return keep();
  const Contact& nearest =
      *std::min_element(pair.begin(), pair.end(), [](const Contact& a, const Contact& b) { return a.gap < b.gap; });
  const PlacedShape a = place(nearest.geom1, now), b = place(nearest.geom2, now);
  const bool is_sampled = a.shape->collides_as_sdf || b.shape->collides_as_sdf;
  if (!is_sampled && !has_planes(*a.shape, *b.shape)) return keep();
  const double deep = depth_elsewhere(nearest);
  const double tolerance = std::min(kTolerance, kMostShare * std::min(a.shape->radius, b.shape->radius)) + 2 * deep;
  const double touch = kTouch + deep / 2;
  if (is_sampled) return paths_.choose(pair, now, end.poses(), tolerance, touch, out);
  if (nearest.gap < -tolerance) return keep();
  planes_.find(a, b, nearest, tolerance);
  if (planes_.size() == 1) return keep();
  if (keep_plane(pair, now, last, out)) return;
  const Lifetime life = longest(planes_, touch, nearest, now, end.poses());
  if (life.steps < 1) return add_rows(pair, planes_[life.plane], now, out);
  deferred_.push_back({planes_, contacts_.size(), pair.size(), touch, life});
  contacts_.insert(contacts_.end(), pair.begin(), pair.end());
}

/// The two deepest overlaps of each link with different pairs.
void PlaneChoice::measure_depths(std::span<const Contact> found) {
  depths_.assign(links_, {});
  for (const Contact& contact : found) {
    if (contact.gap >= 0) continue;
    const double depth = std::min(-contact.gap, kMostSink);
    const PairKey pair = pair_key(contact.geom1, contact.geom2);
    for (const int geom : {contact.geom1, contact.geom2}) {
      const int link = shapes_->geoms()[at(geom)].link;
      if (link < 0) continue;
      Depths& own = depths_[at(link)];
      if (pair != own.pair && depth > own.deepest) {
        own = {pair, depth, own.deepest};
      } else if (pair == own.pair) {
        own.deepest = std::max(own.deepest, depth);
      } else {
        own.second = std::max(own.second, depth);
      }
    }
  }
}

/// Deepest overlap of the two links of a contact in pairs other than its own, m: its own must not make it deeper.
double PlaneChoice::depth_elsewhere(const Contact& contact) const {
  const PairKey pair = pair_key(contact.geom1, contact.geom2);
  double deepest = 0;
  for (const int geom : {contact.geom1, contact.geom2}) {
    const int link = shapes_->geoms()[at(geom)].link;
    if (link < 0) continue;
    const Depths& own = depths_[at(link)];
    deepest = std::max(deepest, own.pair == pair ? own.second : own.deepest);
  }
  return deepest;
}

/// Adds the rows of the plane that had an impulse in the last step; false where none had.
bool PlaneChoice::keep_plane(std::span<const Contact> pair, std::span<const Pose> now, WarmStart& last,
                             std::vector<Contact>& out) {
  const std::size_t before = out.size();
  for (int k = 0; k < planes_.size(); ++k) {
    add_rows(pair, planes_[k], now, out);
    const auto pushed = [&](const Contact& row) { return last.normal_impulse(row.key) > 0; };
    if (std::any_of(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(), pushed)) return true;
    out.resize(before);
  }
  return false;
}

PlaneChoice::Lifetime PlaneChoice::longest(const SeparatingPlanes& planes, double touch, const Contact& contact,
                                           std::span<const Pose> now, std::span<const Pose> end) const {
  const PlacedShape a = place(contact.geom1, end), b = place(contact.geom2, end);
  const double slack = touch + sink(contact.geom1, now, end) + sink(contact.geom2, now, end);
  Lifetime best{0, -1};
  for (int k = 0; k < planes.size(); ++k) {
    const double closing = planes[k].separation - separation(planes[k], a, b);
    if (closing <= 0) return {k, std::numeric_limits<double>::infinity()};
    const double steps = (std::max(planes[k].separation, 0.0) + slack) / closing;
    if (steps > best.steps) best = {k, steps};
  }
  return best;
}

void PlaneChoice::look_again(std::span<const Pose> now, StepEnd& end, bool all, std::vector<Contact>& out) {
  if (paths_.has_deferred()) paths_.look_again(now, end.poses(), out);
  bool any = false;
  for (Deferred& pair : deferred_) {
    pair.life = longest(pair.planes, pair.touch, contacts_[pair.first], now, end.poses());
    any = any || pair.life.steps < 1;
  }
  if (!any) return;
  std::erase_if(deferred_, [&](const Deferred& pair) {
    if (pair.life.steps >= 1 && !all) return false;
    add_rows(std::span(contacts_).subspan(pair.first, pair.count), pair.planes[pair.life.plane], now, out);
    return true;
  });
}

void PlaneChoice::add_rows(std::span<const Contact> pair, const SeparatingPlane& plane, std::span<const Pose> now,
                           std::vector<Contact>& out) {
  if (plane.face == 0) {
    out.insert(out.end(), pair.begin(), pair.end());
    return;
  }
  manifold_.points.clear();
  add_plane_contacts(plane, place(pair.front().geom1, now), place(pair.front().geom2, now), patch_, manifold_);
  for (const ManifoldPoint& p : manifold_.points) {
    Contact& row = out.emplace_back(pair.front());
    row.position = p.position;
    row.normal = p.normal;
    row.gap = p.gap;
    row.key = row_key(pair.front(), p.feature);
  }
}

PlacedShape PlaneChoice::place(int geom, std::span<const Pose> poses) const {
  const ShapeSet::Geom& own = shapes_->geoms()[at(geom)];
  return {&own.shape, own.link < 0 ? own.pose : poses[at(own.link)] * own.pose};
}

/// (h w)^2 R / 2, from the turn between two poses: |R' - R|^2 = 2 (h w)^2 for the Frobenius norm of small turns.
double PlaneChoice::sink(int geom, std::span<const Pose> now, std::span<const Pose> end) const {
  const ShapeSet::Geom& own = shapes_->geoms()[at(geom)];
  if (own.link < 0) return 0;
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 change = end[at(own.link)].rotation.col[k] - now[at(own.link)].rotation.col[k];
    square += dot(change, change);
  }
  return std::min(kMostSink, 0.25 * square * own.shape.radius);
}

}  // namespace uzawa
