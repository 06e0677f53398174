#include <algorithm>

#include "uzawa/collision/pairs/contact_functions.hpp"

namespace uzawa::contacts {

namespace {

/// A face of B must be better than one of A by this: equal ones must not take turns.
constexpr double kAsGood = 1e-6;
/// sin^2 of the angle up to which two edges are parallel.
constexpr double kParallel = 1e-8;
/// Gap by which a cut patch may miss the deepest point, relative to the size of the shapes.
constexpr double kMissed = 1e-7;
constexpr double kNothing = 1e300;

/// Round all over: whatever it touches, it touches in one point.
bool touches_at_a_point(const ConvexCore& core) {
  return core.kind == ConvexCore::Kind::Point || core.kind == ConvexCore::Kind::Ellipsoid;
}

/// True where the cores are further apart than `limit` along a unit normal from A to B; not for the zero vector.
bool is_far_along(const ConvexPair& pair, const Vec3& normal, double limit) {
  return dot(normal, normal) > 0 && -dot(pair.support(normal).w, normal) > limit;
}

/// The patch of B that faces against the normal, in A's frame.
void facing_patch_of_b(const ConvexPair& pair, const Vec3& normal, Patch& patch) {
  facing_patch(pair.b, transpose_times(pair.b_in_a.rotation, -normal), patch);
  transform(pair.b_in_a, patch);
}

void add_in_world(const Pose& pose_a, const Vec3& position, const Vec3& normal, double gap, std::uint64_t feature,
                  Manifold& out) {
  out.add(pose_a * position, pose_a.rotation * normal, gap, feature);
}

/// The closest points alone.
void add_single(const ConvexPair& pair, const Proximity& found, double gap, const Pose& pose_a, Manifold& out) {
  const Vec3 on_a = found.on_a + found.normal * pair.a.radius, on_b = found.on_b - found.normal * pair.b.radius;
  add_in_world(pose_a, 0.5 * (on_a + on_b), found.normal, gap, 0, out);
}

/// Two parallel edges touch along a stretch: its ends. False where there are no such edges.
bool add_edge_contacts(const ConvexPair& pair, const Proximity& found, const Pose& pose_a, double margin,
                       NarrowWorkspace& w, Manifold& out) {
  if (!facing_edge(pair.a, found.normal, w.patch1)) return false;
  if (!facing_edge(pair.b, transpose_times(pair.b_in_a.rotation, -found.normal), w.patch2)) return false;
  transform(pair.b_in_a, w.patch2);
  const Vec3 p = w.patch1.corners[0].point, along = w.patch1.corners[1].point - p;
  const Vec3 q0 = w.patch2.corners[0].point, q1 = w.patch2.corners[1].point;
  const double square = dot(along, along);
  const Vec3 turn = cross(along, q1 - q0);
  if (!(square > 0) || dot(turn, turn) > kParallel * square * dot(q1 - q0, q1 - q0)) return false;
  const double t0 = dot(q0 - p, along) / square, t1 = dot(q1 - p, along) / square;
  const double low = std::max(0., std::min(t0, t1)), high = std::min(1., std::max(t0, t1));
  if (!(high > low)) return false;
  const double span = t1 - t0;
  std::uint64_t end = 0;
  for (const double t : {low, high}) {
    const Vec3 on_a = p + along * t, on_b = q0 + (q1 - q0) * ((t - t0) / span);
    const double gap = dot(on_b - on_a, found.normal) - pair.a.radius - pair.b.radius;
    const Vec3 middle = 0.5 * (on_a + on_b + found.normal * (pair.a.radius - pair.b.radius));
    if (gap < margin) add_in_world(pose_a, middle, found.normal, gap, feature::edges(1, end), out);
    ++end;
  }
  return true;
}

}  // namespace

Reference reference_face(const Patch& a, const Patch& b, const Vec3& normal) {
  const double along_a = a.is_face() ? dot(a.normal, normal) : -1;
  const double along_b = b.is_face() ? -dot(b.normal, normal) : -1;
  if (std::max(along_a, along_b) < kStandsOn) return Reference::None;
  return along_a >= along_b - kAsGood ? Reference::A : Reference::B;
}

double add_face_contacts(const ConvexPair& pair, const Vec3& normal, bool reference_first, const Pose& pose_a,
                         double margin, NarrowWorkspace& w, Manifold& out) {
  const Patch& reference = reference_first ? w.patch1 : w.patch2;
  const Patch& incident = reference_first ? w.patch2 : w.patch1;
  // Along the normal, from a point of the incident patch to the plane of the reference.
  const Vec3 origin = reference.corners.front().point;
  const Vec3 slope = reference.normal * (1 / dot(reference.normal, normal));
  const double radii = pair.a.radius + pair.b.radius, shift = pair.a.radius - pair.b.radius;
  double least = kNothing;
  for (const Clipper::Point& p :
       w.clipper.clip(incident, reference, reference_first ? normal : -normal, reference_first)) {
    const double height = dot(p.point - origin, slope);  // along +normal, from the reference to the point
    const double gap = (reference_first ? height : -height) - radii;
    if (gap >= margin) continue;
    const Vec3 opposite = p.point - normal * height;
    add_in_world(pose_a, 0.5 * (p.point + opposite + normal * shift), normal, gap, p.feature, out);
    least = std::min(least, gap);
  }
  return least;
}

void add_patch_contacts(const ConvexPair& pair, const Proximity& found, const Pose& pose_a, double margin,
                        NarrowWorkspace& w, Manifold& out) {
  const double gap = found.gap - pair.a.radius - pair.b.radius;
  if (gap >= margin) return;
  if (touches_at_a_point(pair.a) || touches_at_a_point(pair.b)) return add_single(pair, found, gap, pose_a, out);
  facing_patch(pair.a, found.normal, w.patch1);
  facing_patch_of_b(pair, found.normal, w.patch2);
  const Reference reference = reference_face(w.patch1, w.patch2, found.normal);
  if (reference == Reference::None) {
    if (!add_edge_contacts(pair, found, pose_a, margin, w, out)) add_single(pair, found, gap, pose_a, out);
    return;
  }
  const std::size_t before = out.points.size();
  const double least = add_face_contacts(pair, found.normal, reference == Reference::A, pose_a, margin, w, out);
  const double scale = norm(found.on_a) + norm(found.on_b - pair.b_in_a.position);
  if (out.points.size() == before || least > gap + kMissed * scale) add_single(pair, found, gap, pose_a, out);
}

void convex_convex(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out) {
  const ConvexCore core_a = core_of(*a.shape), core_b = core_of(*b.shape);
  const ConvexPair pair{core_a, core_b, relative(a.pose, b.pose)};
  const double limit = margin + core_a.radius + core_b.radius;
  if (is_far_along(pair, w.far_normal, limit)) return;
  const Proximity found = proximity(pair, limit, w.epa);
  w.far_normal = found.state == Proximity::State::Far ? found.normal : Vec3{};
  if (found.state == Proximity::State::Far) return;
  add_patch_contacts(pair, found, a.pose, margin, w, out);
}

}  // namespace uzawa::contacts
