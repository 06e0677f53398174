#include "uzawa/collision/convex/gjk.hpp"

#include <algorithm>

namespace uzawa {

namespace {

constexpr int kMaxIterations = 128;
/// Below this distance, relative to the size of the points, the direction is rounding.
constexpr double kTouching = 1e-11;

/// A corner, edge or face of a simplex and its point nearest to the origin.
struct Feature {
  int index[3] = {};  ///< ascending
  double weight[3] = {};
  int count = 0;
  Vec3 nearest;
  double square = 1e300;  ///< |nearest|^2
};

Feature corner(const Simplex& s, int i) {
  const Vec3 v = s.point[i].w;
  return {{i}, {1}, 1, v, dot(v, v)};
}

Feature nearest_on_segment(const Simplex& s, int i, int j) {
  const Vec3 a = s.point[i].w, ab = s.point[j].w - a;
  const double t = -dot(a, ab), square = dot(ab, ab);
  if (t <= 0 || square <= 0) return corner(s, i);
  if (t >= square) return corner(s, j);
  const Vec3 v = a + ab * (t / square);
  return {{i, j}, {1 - t / square, t / square}, 2, v, dot(v, v)};
}

/// The feature of the triangle i, j, k that is nearest to the origin. Regions by Ericson, "Real-Time Collision
/// Detection" (2005), section 5.1.5.
Feature nearest_on_triangle(const Simplex& s, int i, int j, int k) {
  const Vec3 a = s.point[i].w, b = s.point[j].w, c = s.point[k].w;
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return corner(s, i);
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return corner(s, j);
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return corner(s, k);
  // Twice the areas over the edges, from cross products: products of d's cancel where the triangle is small.
  const Vec3 n = cross(ab, ac), q = cross(a, b);
  const double square = dot(n, n);
  const double over_c = dot(n, q), over_b = dot(n, cross(c, a));
  if (over_c <= 0 && d1 >= 0 && d3 <= 0) return nearest_on_segment(s, i, j);
  if (over_b <= 0 && d2 >= 0 && d6 <= 0) return nearest_on_segment(s, i, k);
  const double over_a = dot(n, cross(b, c));
  if (over_a <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return nearest_on_segment(s, j, k);
  if (square <= 0) return nearest_on_segment(s, i, j);
  const double u = over_a / square, v = over_b / square;
  const Vec3 p = a * u + b * v + c * (1 - u - v);
  return {{i, j, k}, {u, v, 1 - u - v}, 3, p, dot(p, p)};
}

/// Empty where the tetrahedron holds the origin.
Feature nearest_on_tetrahedron(const Simplex& s) {
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  Feature best;
  for (const auto& f : kFaces) {
    const Vec3 a = s.point[f[0]].w;
    const Vec3 n = cross(s.point[f[1]].w - a, s.point[f[2]].w - a);
    const double inside = dot(s.point[f[3]].w - a, n), origin = -dot(a, n);
    // A flat tetrahedron has no inside: all its faces are looked at.
    if (inside != 0 && origin * inside > 0) continue;
    const Feature candidate = nearest_on_triangle(s, f[0], f[1], f[2]);
    if (candidate.square < best.square) best = candidate;
  }
  return best;
}

/// What is nearest to the origin; empty where the simplex holds it.
Feature nearest_feature(const Simplex& s) {
  switch (s.count) {
    case 1: return corner(s, 0);
    case 2: return nearest_on_segment(s, 0, 1);
    case 3: return nearest_on_triangle(s, 0, 1, 2);
    default: return nearest_on_tetrahedron(s);
  }
}

/// The same by trying every face and edge: where rounding leads the regions astray.
Feature nearest_by_trial(const Simplex& s) {
  Feature best;
  const auto consider = [&](const Feature& f) {
    if (f.square < best.square) best = f;
  };
  for (int i = 0; i < s.count; ++i) {
    for (int j = i + 1; j < s.count; ++j) {
      consider(nearest_on_segment(s, i, j));
      for (int k = j + 1; k < s.count; ++k) consider(nearest_on_triangle(s, i, j, k));
    }
  }
  return best;
}

void keep(Simplex& s, const Feature& f) {
  for (int k = 0; k < f.count; ++k) {
    if (f.index[k] != k) s.point[k] = s.point[f.index[k]];
    s.weight[k] = f.weight[k];
  }
  s.count = f.count;
}

Vec3 weighted(const Simplex& s) {
  Vec3 v;
  for (int i = 0; i < s.count; ++i) v += s.point[i].w * s.weight[i];
  return v;
}

bool repeats(const Simplex& s, const Vec3& w) {
  for (int i = 0; i < s.count; ++i) {
    const Vec3 d = s.point[i].w - w;
    if (dot(d, d) == 0) return true;
  }
  return false;
}

double largest_square(const Simplex& s) {
  double largest = 0;
  for (int i = 0; i < s.count; ++i) largest = std::max(largest, dot(s.point[i].w, s.point[i].w));
  return largest;
}

Proximity in_state(Proximity::State state) {
  Proximity p;
  p.state = state;
  return p;
}

/// With the direction in which the cores overlap least as far as GJK can tell.
Proximity overlapping(const Vec3& v) {
  Proximity p = in_state(Proximity::State::Overlap);
  const double size = norm(v);
  p.normal = size > 0 ? v * (-1 / size) : Vec3{1, 0, 0};
  return p;
}

Proximity far(const Vec3& v) {
  Proximity p = in_state(Proximity::State::Far);
  p.normal = v * (-1 / norm(v));
  return p;
}

Proximity apart(const Simplex& s, const Vec3& v) {
  Proximity p = in_state(Proximity::State::Apart);
  p.gap = norm(v);
  p.normal = v * (-1 / p.gap);
  for (int i = 0; i < s.count; ++i) {
    p.on_a += s.point[i].a * s.weight[i];
    p.on_b += s.point[i].b * s.weight[i];
    p.support[i] = s.point[i];
  }
  p.support_count = s.count;
  return p;
}

}  // namespace

Proximity gjk(const ConvexPair& pair, double limit, double tolerance, Simplex& s) {
  if (s.count == 0) {
    const Vec3 start = dot(pair.b_in_a.position, pair.b_in_a.position) > 0 ? pair.b_in_a.position : Vec3{1, 0, 0};
    s.count = 1;
    s.point[0] = pair.support(start);
    s.weight[0] = 1;
  }
  Vec3 v = weighted(s);
  double size = largest_square(s);
  for (int i = 0; i < kMaxIterations; ++i) {
    const double square = dot(v, v);
    if (square <= kTouching * kTouching * size) return overlapping(v);
    const DifferencePoint p = pair.support(-v);
    const double bound = dot(v, p.w);  // |v| times a lower bound of the distance
    if (bound > 0 && (limit < 0 || bound * bound > limit * limit * square)) return far(v);
    if (square - bound <= tolerance * square || repeats(s, p.w)) return apart(s, v);
    size = std::max(size, dot(p.w, p.w));
    s.point[s.count++] = p;
    Feature next = nearest_feature(s);
    if (next.count == 0) return overlapping(v);
    if (next.square >= square) next = nearest_by_trial(s);
    if (next.square >= square) {  // no progress: rounding, which may also hide a slight overlap
      --s.count;
      return bound < 0.5 * square ? overlapping(v) : apart(s, v);
    }
    keep(s, next);
    v = next.nearest;
  }
  return apart(s, v);
}

}  // namespace uzawa
