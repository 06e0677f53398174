#include "uzawa/collision/sdf/frank_wolfe.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

/// As a share of the interval.
double SegmentSearch::next_share(const Place& low, const Place& high) {
  if (high.slope <= 0) return 0.5;  // no telling: the distance has a hump
  const double width = high.share - low.share, turn = (high.slope - low.slope) * width;
  const double rise = high.sample.distance - low.sample.distance;
  // A parabola rises by the mean of its slopes, and is lowest where their straight line passes zero. Otherwise there is
  // a kink between two lines, where they meet.
  const bool parabola = std::abs(rise - (low.slope + high.slope) / 2 * width) < 0.1 * turn;
  const double share = parabola ? -low.slope * width / turn : (high.slope * width - rise) / turn;
  return std::clamp(share, 0.02, 0.98);
}

SegmentSearch::SegmentSearch(const SampledPoint& first, const SampledPoint& second, const FrankWolfeSettings& settings)
    : tolerance_(settings.tolerance),
      of_interest_(settings.of_interest),
      most_evaluations_(settings.most_evaluations),
      from_first_(first.sample.distance <= second.sample.distance) {
  const SampledPoint &begin = from_first_ ? first : second, &end = from_first_ ? second : first;
  begin_ = begin.position;
  way_ = end.position - begin.position;
  low_ = {0, dot(begin.sample.gradient, way_), begin.sample};
  high_ = {1, dot(end.sample.gradient, way_), end.sample};
  best_ = {0, begin.sample, {}};
  choose_next();
}

void SegmentSearch::choose_next() {
  constexpr int kPatience = 5;  // evaluations before halving takes over
  const double width = high_.share - low_.share;
  const double below = most_below(low_.sample.distance, low_.slope * width, high_.sample.distance, high_.slope * width);
  const double lowest_possible = low_.sample.distance - below;
  done_ = lowest_possible > best_.sample.distance - tolerance_ || lowest_possible > of_interest_ ||
          evaluations_ == most_evaluations_;
  if (!done_) share_ = low_.share + (evaluations_ < kPatience ? next_share(low_, high_) : 0.5) * width;
}

void SegmentSearch::give(const SignedDistance::Sample& sample) {
  ++evaluations_;
  const Place middle{share_, dot(sample.gradient, way_), sample};
  if (sample.distance < best_.sample.distance) best_ = {share_, sample, {}};
  const bool beyond = middle.slope > 0 || sample.distance > low_.sample.distance;
  (beyond ? high_ : low_) = middle;
  choose_next();
}

SegmentMinimum SegmentSearch::result() const {
  SegmentMinimum minimum = best_;
  minimum.gradient_beyond = best_.share < high_.share ? high_.sample.gradient : low_.sample.gradient;
  if (!from_first_) minimum.share = 1 - best_.share;
  return minimum;
}

SegmentMinimum minimum_on_segment(const SignedDistance& shape, const SampledPoint& first, const SampledPoint& second,
                                  const FrankWolfeSettings& settings) {
  SegmentSearch search(first, second, settings);
  while (!search.done()) search.give(shape.evaluate(search.wanted()));
  return search.result();
}

namespace {

/// The ends of the steps that may lead down from a point: the weight of one corner or of another goes to the lowest
/// one, or all of it (the plain Frank-Wolfe step), in the order of what they promise.
std::array<Vec3, 3> step_ends(const Vec3& weight, const Vec3& slopes, int to) {
  std::array<Vec3, 3> ends;
  const int first = (to + 1) % 3, second = (to + 2) % 3;
  const bool in_order = weight[first] * (slopes[first] - slopes[to]) >= weight[second] * (slopes[second] - slopes[to]);
  std::size_t count = 0;
  for (const int from : {in_order ? first : second, in_order ? second : first}) {
    Vec3& end = ends[count++];
    end = weight;
    end.set(to, weight[to] + weight[from]);
    end.set(from, 0);
  }
  ends[2] = Vec3::unit(to);
  return ends;
}

/// A step along a kink, where two gradients meet and every other way is up: both fall alike, to the triangle's border.
Vec3 end_along_kink(const Vec3& weight, const Vec3& slopes, const Vec3& other_slopes) {
  Vec3 way = cross({1, 1, 1}, slopes - other_slopes);
  if (dot(slopes, way) > 0) way = -way;
  double most = 1e30;
  for (int k = 0; k < 3; ++k) {
    if (way[k] < 0) most = std::min(most, -weight[k] / way[k]);
  }
  return most < 1e30 ? weight + most * way : weight;
}

/// Sets rounding to zero.
Vec3 cleaned(Vec3 weight) {
  for (int k = 0; k < 3; ++k) {
    if (weight[k] < 1e-9) weight.set(k, 0);
  }
  return weight * (1 / sum(weight.lanes));
}

/// One step of the walk, from a point towards another; true where it leads down.
bool step(const SignedDistance& shape, const SampledTriangle& corner, const Vec3& end,
          const FrankWolfeSettings& settings, TriangleMinimum& at, Vec3& gradient_beyond) {
  const SampledPoint here{weighted(corner, at.weight), at.sample};
  SampledPoint there{weighted(corner, end), {}};
  if (dot(at.sample.gradient, here.position - there.position) < settings.tolerance / 2) return false;
  there.sample = shape.evaluate(there.position);
  const SegmentMinimum found = minimum_on_segment(shape, here, there, settings);
  gradient_beyond = found.gradient_beyond;
  if (found.sample.distance >= at.sample.distance - settings.tolerance / 4) return false;
  at.weight = cleaned((1 - found.share) * at.weight + found.share * end);
  at.sample = found.sample;
  return true;
}

}  // namespace

TriangleMinimum minimum_on_triangle(const SignedDistance& shape, const SampledTriangle& corner, TriangleMinimum start,
                                    const FrankWolfeSettings& settings) {
  constexpr int kMostSteps = 25;
  for (int i = 0; i < kMostSteps; ++i) {
    const Vec3 slopes = slopes_towards(corner, start.sample.gradient);
    const int to = lowest(slopes);
    // The Frank-Wolfe gap: what a distance with this gradient everywhere could still fall by.
    const double gap = dot(slopes, start.weight) - slopes[to];
    if (gap < settings.tolerance || start.sample.distance - gap > settings.of_interest) break;

    Vec3 beyond = start.sample.gradient;
    bool lower = false;
    for (const Vec3& end : step_ends(start.weight, slopes, to)) {
      lower = step(shape, corner, end, settings, start, beyond);
      if (lower) break;
    }
    if (lower) continue;
    const Vec3 end = end_along_kink(start.weight, slopes, slopes_towards(corner, beyond));
    if (!step(shape, corner, end, settings, start, beyond)) break;
  }
  return start;
}

}  // namespace uzawa
