#pragma once

#include <algorithm>
#include <array>

#include "uzawa/collision/distance/signed_distance.hpp"

/// Minima of a signed distance over segments and triangles.
///
/// [AL] section VII-A looks for contacts with the Frank-Wolfe method of Macklin et al., "Local optimization for robust
/// signed distance field collision" (2020): linearise the distance, step towards the lowest corner by 2/(k+2). Here
/// each step moves weight from the corner of the steepest rise to that of the steepest fall (pairwise Frank-Wolfe:
/// Lacoste-Julien and Jaggi, "On the global linear convergence of Frank-Wolfe optimization variants", 2015) as far as a
/// line search says. That reaches corners and edges exactly, and takes two or three evaluations where the distance is
/// smooth.
namespace uzawa {

struct FrankWolfeSettings {
  /// m; stops where the predicted decrease is below this.
  double tolerance = 4e-6;
  /// m; also stops where no point as low as this is predicted.
  double of_interest = 1e30;
  int most_evaluations = 30;  ///< of a line search
};

/// A point with the distance there.
struct SampledPoint {
  Vec3 position;  ///< in the frame of the distance, m
  SignedDistance::Sample sample;
};

/// The corners of a triangle, owned by the caller.
using SampledTriangle = std::array<const SampledPoint*, 3>;

struct SegmentMinimum {
  double share = 0;  ///< 0: the first end, 1: the second
  SignedDistance::Sample sample;
  Vec3 gradient_beyond;  ///< at the nearest point looked at on the side that rises
};

/// True where the tangents at the ends leave less than the tolerance below the lower end (whose number goes to
/// `lower`).
inline bool end_is_minimum(const SampledPoint& first, const SampledPoint& second, const FrankWolfeSettings& settings,
                           int& lower);

/// A line search that returns its next evaluation point to the caller, so that many searches can be evaluated together.
/// It descends from the lower end until the tangents bound the decrease by the tolerance; none is needed where the
/// tangents at the ends do.
class SegmentSearch {
 public:
  SegmentSearch(const SampledPoint& first, const SampledPoint& second, const FrankWolfeSettings& settings);

  bool done() const { return done_; }
  /// The next evaluation point, unless done.
  Vec3 wanted() const { return begin_ + share_ * way_; }
  void give(const SignedDistance::Sample& sample);
  SegmentMinimum result() const;

 private:
  struct Place {
    double share = 0;
    double slope = 0;  ///< m per unit of share, away from the end where the search begins
    SignedDistance::Sample sample;
  };

  static double next_share(const Place& low, const Place& high);
  void choose_next();

  Vec3 begin_, way_;
  Place low_, high_;
  SegmentMinimum best_;
  double tolerance_, of_interest_;
  double share_ = 0;
  int evaluations_ = 0, most_evaluations_;
  bool from_first_, done_ = false;
};

SegmentMinimum minimum_on_segment(const SignedDistance& shape, const SampledPoint& first, const SampledPoint& second,
                                  const FrankWolfeSettings& settings);

struct TriangleMinimum {
  Vec3 weight;  ///< of the corners: not negative, sum 1
  SignedDistance::Sample sample;
};
/// Down from a start to a local minimum over the triangle.
TriangleMinimum minimum_on_triangle(const SignedDistance& shape, const SampledTriangle& corner, TriangleMinimum start,
                                    const FrankWolfeSettings& settings);

inline Vec3 weighted(const SampledTriangle& corner, const Vec3& weight) {
  return corner[0]->position * weight.x() + corner[1]->position * weight.y() + corner[2]->position * weight.z();
}

/// Slopes of a gradient towards the corners, against a common zero.
inline Vec3 slopes_towards(const SampledTriangle& corner, const Vec3& gradient) {
  return {dot(gradient, corner[0]->position), dot(gradient, corner[1]->position), dot(gradient, corner[2]->position)};
}

/// How far below the first value a convex function can be that has these values and slopes at the ends of an interval
/// of length 1: its tangents bound it. Huge where the function is not convex.
inline double most_below(double first, double first_slope, double second, double second_slope) {
  if (first_slope >= 0) return 0;
  if (second_slope <= first_slope || second < first + first_slope) return 1e30;
  if (second_slope <= 0) return first - second;
  const double place = (second - second_slope - first) / (first_slope - second_slope);
  return place <= 1 ? -first_slope * place : 1e30;
}

inline bool end_is_minimum(const SampledPoint& first, const SampledPoint& second, const FrankWolfeSettings& settings,
                           int& lower) {
  const Vec3 way = second.position - first.position;
  const double f0 = first.sample.distance, f1 = second.sample.distance;
  const double m0 = dot(first.sample.gradient, way), m1 = dot(second.sample.gradient, way);
  lower = f0 <= f1 ? 0 : 1;
  const double below = lower == 0 ? most_below(f0, m0, f1, m1) : most_below(f1, -m1, f0, -m0);
  return below < settings.tolerance || std::min(f0, f1) - below > settings.of_interest;
}

/// Index of the smallest component.
inline int lowest(const Vec3& a) {
  const int first = a.x() <= a.y() ? 0 : 1;
  return a[first] <= a.z() ? first : 2;
}

}  // namespace uzawa
