#include "uzawa/collision/convex/proximity.hpp"

#include <algorithm>

#include "uzawa/collision/contacts/contact.hpp"

namespace uzawa {

namespace {

/// GJK (of the squared distance, relative) and EPA (relative to the size) go so far; polytopes end exactly before.
constexpr double kGjkTolerance = 1e-14, kEpaTolerance = 1e-13;
/// With curved cores they go there in stages, and Newton's method takes over from the first at which the nearest points
/// tell a curved patch from a straight one.
constexpr double kGjkStages[] = {1e-2, 1e-4, 1e-6, 1e-9, 1e-12, kGjkTolerance};
constexpr double kEpaStages[] = {1e-3, 1e-5, 1e-7, 1e-9, kEpaTolerance};
/// Penetration that may be missed because another side's was almost as small, relative to the size.
constexpr double kSameDepth = 1e-7;
constexpr int kNewtonSteps = 10;
/// rad: a step this small squares to nothing.
constexpr double kConverged = 1e-9;
/// Slope of h, relative to the size of the cores, at its minimum.
constexpr double kFlatSlope = 1e-9;
/// Supporting points of one core that are further apart than this fraction of its size lie on an edge or a face of it.
constexpr double kSpread = 0.03;
/// rad: to either side of a kink.
constexpr double kKinkProbe = 1e-8;

/// The directions along which the nearest points of A - B extend because a core is straight there. h has a kink across
/// them, and its minimum lies in it: the normal must be at right angles to them.
struct Straight {
  int count = 0;  ///< 0: a curved patch; 1: a ruled one; 2: a flat facet
  Vec3 along;     ///< unit; count 1
  bool on_a = false;
};

/// Supporting points of a cylinder's side turn a little with the normal; what is straight there is the axis.
Vec3 exact_direction(const ConvexCore& core, const Vec3& axis, const Vec3& unit) {
  const double along = dot(unit, axis);
  return core.kind == ConvexCore::Kind::Cylinder && std::abs(along) > 0.99 ? axis * std::copysign(1, along) : unit;
}

Straight straight_directions(const ConvexPair& pair, const Proximity& found, double scale) {
  Straight s;
  for (int i = 1; i < found.support_count; ++i) {
    for (const bool on_a : {true, false}) {
      const Vec3 d = on_a ? found.support[i].a - found.support[0].a : found.support[i].b - found.support[0].b;
      const double size = norm(d);
      if (size < kSpread * scale) continue;
      const Vec3 axis = on_a ? Vec3{0, 0, 1} : pair.b_in_a.rotation.col[2];
      const Vec3 unit = exact_direction(on_a ? pair.a : pair.b, axis, d * (1 / size));
      if (s.count == 0) {
        s = {1, unit, on_a};
      } else if (norm(cross(unit, s.along)) > kSpread) {
        s.count = 2;
        return s;
      }
    }
  }
  return s;
}

/// Second derivatives of h in the tangents, on the sphere: t^T h'' s - h t.s.
class Curvature {
 public:
  Curvature(const ConvexPair& pair, const Vec3& n)
      : r_(pair.b_in_a.rotation),
        from_a_(support_derivative(pair.a, n)),
        from_b_(support_derivative(pair.b, transpose_times(r_, -n))) {}
  double operator()(const Vec3& t, const Vec3& s) const {
    return dot(t, from_a_ * s) + dot(transpose_times(r_, t), from_b_ * transpose_times(r_, s));
  }

 private:
  const Mat3& r_;
  Mat3 from_a_, from_b_;
};

/// The Newton step in the tangent plane, or along the one tangent at right angles to a ruled patch. False where the
/// matrix is not positive. `slope`: what is left to gain.
bool newton_step(const ConvexPair& pair, const Straight& straight, const Vec3& n, const Vec3& w, Vec3& step,
                 double& slope) {
  const Curvature curvature(pair, n);
  const double h = dot(w, n);
  if (straight.count == 1) {
    const Vec3 t = cross(n, straight.along);
    const double second = curvature(t, t) - h;
    slope = std::abs(dot(t, w));
    if (!(second > 0)) return false;
    step = t * (-dot(t, w) / second);
    return true;
  }
  const Mat3 frame = contact_frame(n);
  const Vec3 &t1 = frame.col[0], &t2 = frame.col[1];
  const double xx = curvature(t1, t1) - h, xy = curvature(t1, t2), yy = curvature(t2, t2) - h;
  const double bx = -dot(t1, w), by = -dot(t2, w), determinant = xx * yy - xy * xy;
  slope = length(bx, by);
  if (!(xx > 0) || !(determinant > 1e-14 * xx * yy)) return false;
  step = t1 * ((yy * bx - xy * by) / determinant) + t2 * ((xx * by - xy * bx) / determinant);
  return true;
}

/// True where h rises to both sides of the kink that a ruled patch makes: the patch is straight, and faces the origin.
bool in_kink(const ConvexPair& pair, const Straight& straight, const Vec3& n) {
  const Vec3 turn = straight.along * kKinkProbe;
  return dot(pair.support(n + turn).w, straight.along) >= 0 && dot(pair.support(n - turn).w, straight.along) <= 0;
}

/// The points that the normal supports, on a ruled patch where they face each other.
void place_points(const Straight& straight, const DifferencePoint& p, Proximity& found) {
  found.on_a = p.a, found.on_b = p.b;
  if (straight.count == 0) return;
  const Vec3 shift = straight.along * dot(p.w, straight.along);
  (straight.on_a ? found.on_a : found.on_b) += straight.on_a ? -shift : shift;
}

}  // namespace

bool refine(const ConvexPair& pair, Proximity& found) {
  Vec3 n = found.normal;
  DifferencePoint p = pair.support(n);
  const double start = dot(p.w, n), scale = std::max({norm(p.a), norm(p.b - pair.b_in_a.position), 1e-300});
  const Straight straight = straight_directions(pair, found, scale);
  if (straight.count == 2) return false;
  if (straight.count == 1) {
    n = n - straight.along * dot(n, straight.along);
    n = n * (1 / norm(n));
    p = pair.support(n);
  }
  double h = dot(p.w, n), slope = 0;
  for (int i = 0; i < kNewtonSteps; ++i) {
    Vec3 step;
    if (!newton_step(pair, straight, n, p.w, step, slope)) return false;
    const double size = norm(step);
    if (slope <= kFlatSlope * scale && size < kConverged) break;
    if (size > 0.3) return false;
    const Vec3 moved = n + step;
    n = moved * (1 / norm(moved));
    p = pair.support(n);
    h = dot(p.w, n);
  }
  if (slope > kFlatSlope * scale || h > start + 1e-12 * scale) return false;  // rose to another stationary point
  if (straight.count == 1 && !in_kink(pair, straight, n)) return false;
  found.normal = n;
  found.gap = -h;
  place_points(straight, p, found);
  return true;
}

namespace {

Proximity curved_proximity(const ConvexPair& pair, double limit, Epa& epa) {
  Simplex simplex;
  Proximity found;
  for (const double tolerance : kGjkStages) {
    found = gjk(pair, limit, tolerance, simplex);
    if (found.state != Proximity::State::Apart) break;
    if (refine(pair, found)) return found;
  }
  if (found.state != Proximity::State::Overlap) return found;
  epa.start(pair, simplex);
  // Of two curved cores that overlap a little, GJK's last direction is near enough more often than not.
  const bool try_first = pair.a.curved() && pair.b.curved();
  if (try_first && refine(pair, found) && epa.nowhere_else(pair, found.normal, -found.gap, kSameDepth)) return found;
  for (const double tolerance : kEpaStages) {
    found = epa.resume(pair, tolerance);
    if (refine(pair, found) && epa.nowhere_else(pair, found.normal, -found.gap, kSameDepth)) break;
  }
  return found;
}

}  // namespace

Proximity proximity(const ConvexPair& pair, double limit, Epa& epa) {
  if (pair.a.curved() || pair.b.curved()) return curved_proximity(pair, limit, epa);
  Simplex simplex;
  const Proximity found = gjk(pair, limit, kGjkTolerance, simplex);
  if (found.state != Proximity::State::Overlap) return found;
  epa.start(pair, simplex);
  return epa.resume(pair, kEpaTolerance);
}

}  // namespace uzawa
