#include "uzawa/collision/contacts/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/collision/shapes/aabb.hpp"

namespace uzawa {

namespace {

/// Manifolds of a pair of convex shapes are small; all pairs of points are then looked at without sorting.
constexpr std::size_t kFew = 32;
/// Opposite normals are as different as places apart by this fraction of the manifold's size.
constexpr double kTurn = 0.05;
/// A gap is clearly smaller by this fraction of the way: equal ones must not take turns, nor give the extremes of a
/// face that leans a little way to what is inside.
constexpr double kClearly = 0.02;

}  // namespace

void Reducer::merge(const ReductionSettings& settings, std::vector<ManifoldPoint>& points) {
  if (points.size() < 2) return;
  const double square = settings.merge_distance * settings.merge_distance;
  order_.resize(points.size());
  std::iota(order_.begin(), order_.end(), 0);
  const bool few = points.size() <= kFew;
  if (!few) {
    std::sort(order_.begin(), order_.end(), [&](int a, int b) {
      const double x = points[at(a)].position.x(), y = points[at(b)].position.x();
      return x != y ? x < y : a < b;
    });
  }
  stays_.assign(points.size(), 1);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    for (std::size_t k = i + 1; k < order_.size() && stays_[at(order_[i])] != 0; ++k) {
      const int a = order_[i], b = order_[k];
      const ManifoldPoint &p = points[at(a)], &q = points[at(b)];
      const Vec3 d = q.position - p.position;
      if (!few && d.x() > settings.merge_distance) break;
      if (stays_[at(b)] == 0 || dot(d, d) > square || dot(p.normal, q.normal) < settings.merge_cosine) continue;
      const bool first = p.gap != q.gap ? p.gap < q.gap : p.feature <= q.feature;
      stays_[at(first ? b : a)] = 0;
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (stays_[i] != 0) points[kept++] = points[i];
  }
  points.resize(kept);
}

/// Points are far from each other where they are apart or are pushed in different directions.
void Reducer::list_places(const std::vector<ManifoldPoint>& points) {
  Vec3 low = points.front().position, high = low;
  for (const ManifoldPoint& p : points) low = smaller(low, p.position), high = larger(high, p.position);
  const double turn = kTurn * norm(high - low);
  places_.assign((points.size() + 3) / 4, {});
  for (std::size_t i = 0; i < points.size(); ++i) {
    Places& four = places_[i / 4];
    four.position.set_lane(static_cast<int>(i % 4), points[i].position);
    four.direction.set_lane(static_cast<int>(i % 4), points[i].normal * turn);
    four.distance[i % 4] = 1e300;
  }
}

int Reducer::add_cell(int center, int number) {
  const Places& own = places_[at(center / 4)];
  const Vec3x4 position = broadcast(own.position.lane(center % 4)),
               direction = broadcast(own.direction.lane(center % 4));
  const Lanes cell = broadcast(number);
  Lanes best = broadcast(-1), best_group = broadcast(0);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Places& four = places_[i];
    const Vec3x4 d = four.position - position, turn = four.direction - direction;
    const Lanes distance = dot(d, d) + dot(turn, turn);
    four.cell = distance < four.distance ? cell : four.cell;
    four.distance = distance < four.distance ? distance : four.distance;
    best_group = four.distance > best ? broadcast(static_cast<double>(i)) : best_group;
    best = four.distance > best ? four.distance : best;
  }
  int lane = 0;
  for (int k = 1; k < 4; ++k) lane = best[k] > best[lane] ? k : lane;
  return best[lane] > 0 ? 4 * static_cast<int>(best_group[lane]) + lane : -1;
}

void Reducer::thin(int cap, std::vector<ManifoldPoint>& points) {
  const auto deepest = std::min_element(points.begin(), points.end(),
                                        [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.gap < b.gap; });
  list_places(points);
  chosen_.clear();
  auto next = static_cast<int>(deepest - points.begin());
  while (next >= 0 && static_cast<int>(chosen_.size()) < cap) {
    chosen_.push_back(next);
    next = add_cell(next, static_cast<int>(chosen_.size()) - 1);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Places& four = places_[i / 4];
    int& chosen = chosen_[static_cast<std::size_t>(four.cell[i % 4])];
    const double clearly = kClearly * std::sqrt(four.distance[i % 4]);
    if (points[i].gap < points[at(chosen)].gap - clearly) chosen = static_cast<int>(i);
  }
  std::sort(chosen_.begin(), chosen_.end());
  for (std::size_t i = 0; i < chosen_.size(); ++i) points[i] = points[at(chosen_[i])];
  points.resize(chosen_.size());
}

int Reducer::reduce(const ReductionSettings& settings, std::vector<ManifoldPoint>& points) {
  merge(settings, points);
  const std::size_t before = points.size();
  const int cap = std::max(1, settings.cap);
  if (static_cast<int>(before) > cap) thin(cap, points);
  return static_cast<int>(before - points.size());
}

}  // namespace uzawa
