#include "uzawa/collision/reduction.hpp"

#include <algorithm>
#include <numeric>

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Manifolds of a pair of convex shapes are small; all pairs of points are then looked at without sorting.
constexpr std::size_t kFew = 32;

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

void Reducer::thin(int cap, std::vector<ManifoldPoint>& points) {
  const auto deepest = std::min_element(points.begin(), points.end(),
                                        [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.gap < b.gap; });
  stays_.assign(points.size(), 0);
  distance_.assign(points.size(), 1e300);
  std::size_t next = static_cast<std::size_t>(deepest - points.begin());
  for (int count = 0; count < cap; ++count) {
    stays_[next] = 1;
    const Vec3 p = points[next].position;
    std::size_t furthest = next;
    double best = -1;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 d = points[i].position - p;
      distance_[i] = std::min(distance_[i], dot(d, d));
      if (stays_[i] == 0 && distance_[i] > best) best = distance_[i], furthest = i;
    }
    next = furthest;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (stays_[i] != 0) points[kept++] = points[i];
  }
  points.resize(kept);
}

int Reducer::reduce(const ReductionSettings& settings, std::vector<ManifoldPoint>& points) {
  merge(settings, points);
  const int cap = std::max(1, settings.cap), excess = static_cast<int>(points.size()) - cap;
  if (excess <= 0) return 0;
  thin(cap, points);
  return excess;
}

}  // namespace uzawa
