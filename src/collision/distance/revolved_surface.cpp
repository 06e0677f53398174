#include <algorithm>
#include <cmath>
#include <functional>

#include "uzawa/collision/distance/revolved.hpp"

/// The outline of a padded profile, and its turn about the axis.
///
/// The outline is made of curves at half the thickness from the skeleton: beside each stretch on both sides, and
/// around each corner. Of each curve those parts are kept that no other stretch covers.
namespace uzawa {

namespace {

/// A candidate of the outline: the point at parameter t in [0, 1].
struct Curve {
  std::function<Vec2(double)> point;
  std::function<double(double)> keep;  ///< at least 0 where the curve is outline
  double radius = 0, angle = 0;        ///< arc
  double length = 0;                   ///< line, m
};

class Outline {
 public:
  Outline(const RevolvedProfile& profile, const SurfaceResolution& resolution)
      : profile_(profile), resolution_(resolution) {
    const auto& stretches = profile.stretches();
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      for (const double side : {-1., 1.}) add_side(i, side);
    }
    for (std::size_t i = 0; i <= stretches.size(); ++i) add_corner(i);
  }

  /// Pieces of the outline, each a chain of points.
  const std::vector<std::vector<Vec2>>& pieces() const { return pieces_; }

 private:
  /// How far the point is from being covered by another stretch, or beyond the axis.
  double uncovered(Vec2 point, std::size_t own, std::size_t also) const {
    double least = point.r;
    for (std::size_t j = 0; j < profile_.stretches().size(); ++j) {
      if (j != own && j != also) {
        least = std::min(least, profile_.distance_to(j, point) - profile_.half_thickness());
      }
    }
    return least;
  }

  void add_side(std::size_t i, double side) {
    const ProfileStretch& s = profile_.stretches()[i];
    const double d = side * profile_.half_thickness();
    Curve curve;
    if (s.is_arc()) {
      const double radius = s.radius + d;
      if (radius <= 0) return;
      curve.point = [&s, radius](double t) {
        const double a = std::atan2(s.start.z - s.centre.z, s.start.r - s.centre.r) + t * s.angle;
        return s.centre + radius * Vec2{std::cos(a), std::sin(a)};
      };
      curve.radius = radius;
      curve.angle = s.angle;
    } else {
      curve.point = [&s, d](double t) { return s.start + t * s.length * s.direction + d * left_of(s.direction); };
      curve.length = s.length;
    }
    curve.keep = [this, i, point = curve.point](double t) { return uncovered(point(t), i, i); };
    add(curve);
  }

  /// The circle around corner i (between stretches i - 1 and i), where it sticks out of both.
  void add_corner(std::size_t i) {
    const auto& stretches = profile_.stretches();
    const bool has_in = i > 0, has_out = i < stretches.size();
    const Vec2 corner = has_out ? stretches[i].start : stretches[i - 1].end;
    const double d = profile_.half_thickness();
    const Vec2 back = has_in ? -1 * stretches[i - 1].tangent_at_end() : Vec2{};
    const Vec2 ahead = has_out ? stretches[i].tangent_at_start() : Vec2{};
    if (has_in && has_out && norm(back + ahead) < 1e-9) return;  // smooth: nothing sticks out
    Curve curve;
    curve.point = [corner, d](double t) { return corner + d * Vec2{std::cos(2 * M_PI * t), std::sin(2 * M_PI * t)}; };
    curve.keep = [this, i, has_in, has_out, corner, back, ahead, point = curve.point](double t) {
      const Vec2 outwards = point(t) - corner;
      double least = uncovered(point(t), has_in ? i - 1 : i, has_out ? i : i - 1);
      if (has_in) least = std::min(least, -dot(outwards, back));
      if (has_out) least = std::min(least, -dot(outwards, ahead));
      return least;
    };
    curve.radius = d;
    curve.angle = 2 * M_PI;
    add(curve);
  }

  /// Cuts the kept intervals out of a curve and samples them.
  void add(const Curve& curve) {
    constexpr int kProbes = 360;
    constexpr double kTouching = -1e-11;
    const auto keeps = [&](double t) { return curve.keep(t) >= kTouching; };
    double begin = 0;
    bool kept = keeps(0);
    for (int k = 1; k <= kProbes; ++k) {
      const double t = static_cast<double>(k) / kProbes;
      const bool now = keeps(t);
      if (now != kept) {
        double in = now ? t : t - 1. / kProbes, out = now ? t - 1. / kProbes : t;
        for (int i = 0; i < 50; ++i) (keeps(0.5 * (in + out)) ? in : out) = 0.5 * (in + out);
        if (now) begin = in;
        if (kept) sample(curve, begin, in);
        kept = now;
      }
    }
    if (kept) sample(curve, begin, 1);
  }

  void sample(const Curve& curve, double begin, double end) {
    const double share = end - begin;
    const int steps = curve.radius > 0
                          ? arc_steps(curve.radius, curve.angle * share, resolution_)
                          : std::max(1, static_cast<int>(std::ceil(curve.length * share / resolution_.longest_edge)));
    std::vector<Vec2> piece;
    for (int k = 0; k <= steps; ++k) piece.push_back(curve.point(begin + share * k / steps));
    pieces_.push_back(std::move(piece));
  }

  const RevolvedProfile& profile_;
  const SurfaceResolution& resolution_;
  std::vector<std::vector<Vec2>> pieces_;
};

}  // namespace

Surface surface_of(const RevolvedSdf& shape, const SurfaceResolution& resolution) {
  const Outline outline(shape.profile(), resolution);
  const int turns = std::max(8, arc_steps(shape.bounds().high.x(), 2 * M_PI, resolution));
  Surface surface;
  for (const auto& piece : outline.pieces()) {
    append_grid(surface, static_cast<int>(piece.size()) - 1, turns, [&](int row, int column) {
      const Vec2 p = piece[static_cast<std::size_t>(row)];
      const double angle = 2 * M_PI * (column % turns) / turns, radius = std::max(0., p.r);
      return Vec3{radius * std::cos(angle), radius * std::sin(angle), p.z};
    });
  }
  surface = welded(surface, 1e-9);
  orient(surface, shape);
  return surface;
}

}  // namespace uzawa
