#include <algorithm>

#include "uzawa/collision/pairs/contact_functions.hpp"
#include "uzawa/math/vec3_lanes.hpp"

/// Two boxes by separating axes: three face normals of each and nine cross products of edges. The axis of the largest
/// separation is that of least penetration. Where boxes are apart and a corner is nearest to a corner or an edge, no
/// axis is along the distance; then the general way is taken.
namespace uzawa::contacts {

namespace {

/// An edge axis must beat the faces, and a face of B those of A, by this fraction of the size: faces make better
/// manifolds, and equal axes must not take turns.
constexpr double kPreference = 1e-8;
/// sin^2 of the angle below which two edges have no cross product to speak of.
constexpr double kParallel = 1e-12;

struct Axis {
  double separation = -1e300;  ///< m
  Vec3 normal;                 ///< in A's frame, from A to B
  enum class Kind { FaceA, FaceB, Edges } kind = Kind::FaceA;
  int edge_a = 0, edge_b = 0;
};

class SeparatingAxes {
 public:
  SeparatingAxes(const Vec3& half_a, const Vec3& half_b, const Pose& b_in_a)
      : a_(half_a), b_(half_b), pose_(b_in_a), rows_(transpose(b_in_a.rotation)) {
    for (int k = 0; k < 3; ++k) {
      absolute_[k] = absolute(pose_.rotation.col[k]);
      absolute_rows_[k] = absolute(rows_.col[k]);
    }
    preference_ = kPreference * (norm(a_) + norm(b_));
  }

  /// False where the boxes are further apart than the margin.
  bool find(double margin, Axis& best) const { return faces(margin, best) && edges(margin, best); }

 private:
  bool faces(double margin, Axis& best) const {
    // All three of a box at once, a lane each.
    const Vec3 t = pose_.position, t_in_b = transpose_times(pose_.rotation, t);
    const Vec3 reach_a = absolute_[0] * b_.x() + absolute_[1] * b_.y() + absolute_[2] * b_.z();
    const Vec3 reach_b = absolute_rows_[0] * a_.x() + absolute_rows_[1] * a_.y() + absolute_rows_[2] * a_.z();
    const Vec3 from_a = absolute(t) - a_ - reach_a, from_b = absolute(t_in_b) - b_ - reach_b;
    for (int k = 0; k < 3; ++k) {
      if (from_a[k] > margin || from_b[k] > margin) return false;
    }
    for (int k = 0; k < 3; ++k) {
      if (from_a[k] <= best.separation) continue;
      best = {from_a[k], Vec3::unit(k) * std::copysign(1, t[k]), Axis::Kind::FaceA};
    }
    for (int k = 0; k < 3; ++k) {
      const bool better =
          best.kind == Axis::Kind::FaceA ? from_b[k] > best.separation + preference_ : from_b[k] > best.separation;
      if (better) best = {from_b[k], pose_.rotation.col[k] * std::copysign(1, t_in_b[k]), Axis::Kind::FaceB};
    }
    return true;
  }

  /// Axis i of A crossed with axis j of B: for one j, the three lie in lanes i.
  bool edges(double margin, Axis& best) const {
    const Vec3 t = pose_.position;
    for (int j = 0; j < 3; ++j) {
      const Vec3 r = pose_.rotation.col[j], abs_r = absolute_[j];
      const Vec3 square = Vec3{1, 1, 1} - scaled(r, r);
      // e_i x r, for all i: lane i of t.(e_i x r) is (r x t)_i.
      const Vec3 along = cross(r, t);
      // |(e_i x r)_k| a_k summed over k.
      const Vec3 reach_a = scaled(yzx(abs_r), zxy(a_)) + scaled(zxy(abs_r), yzx(a_));
      // Of B: |(e_i x r_j) . r_k| = |e_i . r_l| for the third axis l.
      const int k = (j + 1) % 3, l = (j + 2) % 3;
      const Vec3 reach_b = absolute_[l] * b_[k] + absolute_[k] * b_[l];
      const Vec3 excess = absolute(along) - reach_a - reach_b;
      const Lanes length = square_root(square.lanes), separation = excess.lanes / length;
      for (int i = 0; i < 3; ++i) {
        const double bar = best.kind == Axis::Kind::Edges ? best.separation : best.separation + preference_;
        if (!(separation[i] > bar) || square[i] < kParallel) continue;
        if (separation[i] > margin) return false;
        const Vec3 n = cross(Vec3::unit(i), r) * (std::copysign(1, along[i]) / length[i]);
        best = {separation[i], n, Axis::Kind::Edges, i, j};
      }
    }
    return true;
  }

  Vec3 a_, b_;
  Pose pose_;
  Mat3 rows_;
  Vec3 absolute_[3], absolute_rows_[3];  ///< of the rotation: columns and rows, without signs
  double preference_ = 0;
};

/// Where the two supporting edges come closest; false where that is beyond their ends.
bool add_edge_crossing(const ConvexPair& pair, const Axis& axis, const Pose& pose_a, double margin, Manifold& out) {
  const Vec3 n = axis.normal;
  Vec3 p = support(pair.a, n), q = support(pair.b, transpose_times(pair.b_in_a.rotation, -n));
  const auto id_a = static_cast<std::uint64_t>(axis.edge_a * 4 + (p[(axis.edge_a + 1) % 3] > 0 ? 1 : 0) +
                                               (p[(axis.edge_a + 2) % 3] > 0 ? 2 : 0));
  const auto id_b = static_cast<std::uint64_t>(axis.edge_b * 4 + (q[(axis.edge_b + 1) % 3] > 0 ? 1 : 0) +
                                               (q[(axis.edge_b + 2) % 3] > 0 ? 2 : 0));
  p.set(axis.edge_a, 0);
  q.set(axis.edge_b, 0);
  q = pair.b_in_a * q;
  const Vec3 u = Vec3::unit(axis.edge_a), v = pair.b_in_a.rotation.col[axis.edge_b], d = q - p;
  const double c = dot(u, v), square = 1 - c * c, along_u = dot(d, u), along_v = dot(d, v);
  const double s = (along_u - c * along_v) / square, t = (c * along_u - along_v) / square;
  const double slack = 1 + 1e-9;
  if (std::abs(s) > slack * pair.a.size[axis.edge_a] || std::abs(t) > slack * pair.b.size[axis.edge_b]) return false;
  const Vec3 on_a = p + u * s, on_b = q + v * t;
  if (axis.separation < margin) {
    out.add(pose_a * (0.5 * (on_a + on_b)), pose_a.rotation * n, axis.separation, feature::edges(id_a, id_b));
  }
  return true;
}

/// A face of a box, whose frame the direction is in, that the direction almost stands on.
bool stands_on_a_face(const Vec3& direction) {
  const Vec3 size = absolute(direction);
  return std::max({size.x(), size.y(), size.z()}) > kStandsOn;
}

/// True where the contacts found are those of the axis: its separation is then the distance.
bool add_by_axis(const ConvexPair& pair, const Axis& axis, const Pose& pose_a, double margin, NarrowWorkspace& w,
                 Manifold& out) {
  const Vec3 normal_in_b = transpose_times(pair.b_in_a.rotation, axis.normal);
  // Two boxes that lie on each other almost flat touch where their edges cross, at all crossings.
  if (axis.kind == Axis::Kind::Edges && !stands_on_a_face(axis.normal) && !stands_on_a_face(normal_in_b)) {
    return add_edge_crossing(pair, axis, pose_a, margin, out);
  }
  facing_patch(pair.a, axis.normal, w.patch1);
  facing_patch(pair.b, -normal_in_b, w.patch2);
  transform(pair.b_in_a, w.patch2);
  const bool on_a = axis.kind == Axis::Kind::Edges ? reference_face(w.patch1, w.patch2, axis.normal) == Reference::A
                                                   : axis.kind == Axis::Kind::FaceA;
  const double least = add_face_contacts(pair, axis.normal, on_a, pose_a, margin, w, out);
  return least <= axis.separation + kPreference * (norm(pair.a.size) + norm(pair.b.size));
}

}  // namespace

void box_box(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out) {
  const ConvexCore core_a = core_of(*a.shape), core_b = core_of(*b.shape);
  const Pose b_in_a = relative(a.pose, b.pose);
  Axis axis;
  if (!SeparatingAxes(core_a.size, core_b.size, b_in_a).find(margin, axis)) return;
  const std::size_t before = out.points.size();
  const ConvexPair pair{core_a, core_b, b_in_a};
  if (add_by_axis(pair, axis, a.pose, margin, w, out)) return;
  out.points.resize(before);
  const Proximity found = proximity(pair, margin, w.epa);
  if (found.state != Proximity::State::Far) add_patch_contacts(pair, found, a.pose, margin, w, out);
}

}  // namespace uzawa::contacts
