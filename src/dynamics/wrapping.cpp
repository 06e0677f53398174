#include "uzawa/dynamics/wrapping.hpp"

#include <algorithm>
#include <array>
#include <cmath>

/// Problems of a circle in a plane: that of a sphere's centre and the two points, or across a cylinder. What counts as
/// wrapped, and which of two ways round is taken, follows MuJoCo.
namespace uzawa {

namespace {

constexpr double kTiny = 1e-15;  // below which MuJoCo takes a length for zero

struct Point {
  double x = 0, y = 0;
};
Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(Point a, double s) { return {a.x * s, a.y * s}; }
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
double norm(Point a) { return std::sqrt(dot(a, a)); }
Point direction(Point a) {
  const double length = norm(a);
  return length < kTiny ? Point{1, 0} : a * (1 / length);
}

struct Arc {
  Point first, last;
  double length = 0;
};

/// Point of the segment that is nearest to the origin.
Point nearest(Point from, Point to) {
  const Point d = to - from;
  return from + d * std::clamp(-dot(d, from) / dot(d, d), 0.0, 1.0);
}

/// Whether the segments a b and c d cross.
bool cross_each_other(Point a, Point b, Point c, Point d) {
  const Point ab = b - a, cd = d - c;
  const double det = cross(cd, ab);
  if (std::abs(det) < kTiny) return false;
  const double s = cross(cd, c - a) / det, t = cross(ab, c - a) / det;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

/// The tangents from both points round a circle, one way (0) or the other (1).
Arc tangents(Point from, Point to, double radius, int way) {
  const double sign = way == 0 ? 1 : -1;
  const auto touch = [&](Point p, double turn) -> Point {
    const double square = dot(p, p), leg = std::sqrt(square - radius * radius);
    return Point{p.x * radius + turn * p.y * leg, p.y * radius - turn * p.x * leg} * (radius / square);
  };
  Arc arc{touch(from, sign), touch(to, -sign), 0};
  double angle = std::acos(std::clamp(dot(direction(arc.first), direction(arc.last)), -1.0, 1.0));
  const double turned = -cross(arc.first, arc.last);
  if ((turned > 0 && way == 1) || (turned < 0 && way == 0)) angle = 2 * M_PI - angle;
  arc.length = radius * angle;
  return arc;
}

/// Round the outside of a circle; `side`: a point on the circle, where a side is asked for.
std::optional<Arc> wrap_outside(Point from, Point to, const std::optional<Point>& side, double radius) {
  if (dot(from, from) < radius * radius || dot(to, to) < radius * radius) return std::nullopt;
  if (dot(to - from, to - from) < kTiny) return std::nullopt;
  const Point closest = nearest(from, to);
  if (dot(closest, closest) > radius * radius && (!side || dot(*side, closest) >= 0)) return std::nullopt;
  std::array<Arc, 2> arcs;
  std::array<double, 2> merit{};  // nearer to the side, or shorter; and not with legs that cross
  const auto crossed = [&](const Arc& arc) { return cross_each_other(from, arc.first, to, arc.last); };
  for (int way = 0; way < 2; ++way) {
    Arc& arc = arcs[static_cast<std::size_t>(way)];
    arc = tangents(from, to, radius, way);
    const Point across = arc.first - arc.last;
    merit[static_cast<std::size_t>(way)] = crossed(arc) ? -10000
                                           : side       ? dot(direction(arc.first + arc.last), *side)
                                                        : -dot(across, across);
  }
  const Arc& best = merit[0] > merit[1] ? arcs[0] : arcs[1];
  if (crossed(best)) return std::nullopt;
  return best;
}

/// The point of a circle at which a string that runs inside is held: both legs make the same angle with the radius
/// there. With z the sine of that angle and G the angle between the points: asin(A z) + asin(B z) - 2 asin(z) + G = 0.
std::optional<Arc> wrap_inside(Point from, Point to, double radius) {
  const double len0 = norm(from), len1 = norm(to);
  if (len0 <= radius || len1 <= radius) return std::nullopt;
  const Point dif = to - from;
  const double square = dot(dif, dif);
  if (square > kTiny) {
    const double a = -dot(dif, from) / square;
    if (a > 0 && a < 1 && norm(from + dif * a) <= radius) return std::nullopt;
  }
  const Point middle = direction((from + to) * 0.5) * radius;
  const Arc fallback{middle, middle, 0};
  const double a = radius / len0, b = radius / len1;
  const double cosine = (len0 * len0 + len1 * len1 - square) / (2 * len0 * len1);
  if (cosine < -1 + kTiny) return std::nullopt;
  if (cosine > 1 - kTiny) return fallback;
  const double angle = std::acos(cosine);
  const auto f = [&](double z) { return std::asin(a * z) + std::asin(b * z) - 2 * std::asin(z) + angle; };
  const auto slope = [&](double z) {
    const auto term = [z](double c) { return c / std::max(kTiny, std::sqrt(1 - z * z * c * c)); };
    return term(a) + term(b) - 2 * term(1);
  };
  // f is convex and falls: Newton's method comes from the right and does not pass the root. It goes on until rounding
  // stops it, MuJoCo until |f| is 1e-6.
  constexpr int kMostIterations = 50;
  double z = 1 - 1e-7;
  if (f(z) > 0) return fallback;
  for (int i = 0; i < kMostIterations; ++i) {
    const double next = z - f(z) / slope(z);
    if (!(next < z)) break;
    z = next;
  }
  const bool from_first = cross(from, to) > 0;
  const double turn = std::asin(z) - std::asin((from_first ? a : b) * z);
  const Point start = direction(from_first ? from : to);
  const Point held =
      Point{std::cos(turn) * start.x - std::sin(turn) * start.y, std::sin(turn) * start.x + std::cos(turn) * start.y} *
      radius;
  return Arc{held, held, 0};
}

/// Axes of the plane in which the string bends.
struct Plane {
  Vec3 x, y;
  Point of(const Vec3& p) const { return {uzawa::dot(p, x), uzawa::dot(p, y)}; }
  Vec3 in_space(Point p) const { return x * p.x + y * p.y; }
};

Vec3 unit(const Vec3& v) { return v * (1 / uzawa::norm(v)); }

/// Of a sphere: the plane of its centre and both points; any of them where they are in line.
Plane sphere_plane(const Vec3& from, const Vec3& to) {
  const Vec3 x = unit(from);
  Vec3 normal = uzawa::cross(from, to);
  if (uzawa::norm(normal) < kTiny) {
    int largest = 0;
    for (int k = 1; k < 3; ++k) {
      if (std::abs(x[k]) > std::abs(x[largest])) largest = k;
    }
    Vec3 other{1, 1, 1};
    other.set(largest, 0);
    normal = uzawa::cross(x, other);
  }
  return {x, unit(uzawa::cross(unit(normal), x))};
}

}  // namespace

std::optional<WrapPath> wrap(const WrapObstacle& obstacle, const Vec3& from, const Vec3& to) {
  const auto local = [&](const Vec3& p) { return transpose_times(obstacle.pose.rotation, p - obstacle.pose.position); };
  const Vec3 p0 = local(from), p1 = local(to);
  if (obstacle.radius <= kTiny || uzawa::norm(p0) < kTiny || uzawa::norm(p1) < kTiny) return std::nullopt;
  const Plane plane = obstacle.cylinder ? Plane{Vec3::unit(0), Vec3::unit(1)} : sphere_plane(p0, p1);
  const Point d0 = plane.of(p0), d1 = plane.of(p1);
  std::optional<Point> side;
  bool inside = false;
  if (obstacle.side) {
    const Vec3 s = local(*obstacle.side);
    inside = uzawa::norm(s) < obstacle.radius;
    side = direction(plane.of(s)) * obstacle.radius;
  }
  const std::optional<Arc> arc =
      inside ? wrap_inside(d0, d1, obstacle.radius) : wrap_outside(d0, d1, side, obstacle.radius);
  if (!arc) return std::nullopt;
  WrapPath path{plane.in_space(arc->first), plane.in_space(arc->last), arc->length};
  if (obstacle.cylinder) {  // unrolled, the path is straight: it climbs evenly
    const double leg0 = norm(d0 - arc->first), leg1 = norm(d1 - arc->last);
    const double climb = (p1.z() - p0.z()) / (leg0 + arc->length + leg1);
    path.first.set(2, p0.z() + climb * leg0);
    path.last.set(2, p0.z() + climb * (leg0 + arc->length));
    path.length = std::hypot(arc->length, climb * arc->length);
  }
  path.first = obstacle.pose * path.first;
  path.last = obstacle.pose * path.last;
  return path;
}

}  // namespace uzawa
