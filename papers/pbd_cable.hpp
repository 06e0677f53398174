#pragma once

#include <optional>
#include <span>
#include <vector>

#include "uzawa/math/quaternion.hpp"
#include "uzawa/math/vec3.hpp"

namespace uzawa::papers {

/// A cable by position-based dynamics, which [COND] Table VIII compares with: no method for a Problem, but a simulator
/// of its own. Extended position-based dynamics in substeps with one pass over the constraints each, and contact with
/// static friction in positions and sliding friction in velocities, as in its reference [68]; the cable as a Cosserat
/// rod of points and orientations (Kugelstadt and Schoemer 2016), with the compliances of a rod of that material.
///
/// Points x_0 .. x_n carry the mass; segment j from x_j to x_{j+1} has an orientation q_j whose third axis is the
/// tangent. Constraints, each with its compliance:
///
///     stretch and shear   (x_{j+1} - x_j)/l - R(q_j) e_3 = 0             1/(E A l)
///     bend and twist      Im(conj(q_j) q_{j+1}) = its value at rest      l/(4 E I), l/(4 G J)
///     cylinder            |x - axis| >= R + r                            rigid
///
/// A pass goes along the cable, one way in even substeps, the other in odd ones. One pass a substep of length h makes
/// each constraint as soft as its inverse mass times h^2 on top of its compliance, because what it carries is found
/// anew in each: errors of shape and force fall with h^2, and are the larger the lighter the links.
class PbdCable {
 public:
  struct Cylinder {
    Vec3 centre, axis{0, 0, 1};  ///< m, a point on the axis; a unit vector
    double radius = 0.1;         ///< m
  };
  struct Options {
    double radius = 0.003;      ///< m, of the cable
    double young = 4.5e6;       ///< Pa
    double poisson = 0.45;      ///< of the shear modulus
    double bending = 1;         ///< share of a solid section's resistance to bending and twist: ropes have little
    double density = 1100;      ///< kg/m^3
    double mu = 1;              ///< friction with the cylinder
    double drag = 0;            ///< 1/s, of all velocities
    Vec3 gravity{0, 0, -9.81};  ///< m/s^2
    std::optional<Cylinder> cylinder = {};
  };

  /// Free of stress if straight; with `straight` off, as given.
  PbdCable(std::vector<Vec3> points, const Options& options, bool straight = true);

  /// The point does not move by itself; move() says where it is at the end of the next step.
  void hold(int point);
  void move(int point, const Vec3& place) { target_[static_cast<std::size_t>(point)] = place; }
  /// The segment does not turn by itself, as in a weld.
  void hold_segment(int segment);
  /// A constant force on a point, N.
  void pull(int point, const Vec3& force) { pull_[static_cast<std::size_t>(point)] = force; }

  void step(double dt, int substeps);

  std::span<const Vec3> points() const { return x_; }
  std::span<const Vec3> velocities() const { return v_; }
  /// By the segments next to a point, N: mean of the last step.
  const Vec3& force_on(int point) const { return force_[static_cast<std::size_t>(point)]; }
  double mass() const;         ///< kg, of what is not held
  double penetration() const;  ///< m, deepest

 private:
  struct Segment {
    Quat q, previous;
    Vec3 spin;           ///< rad/s, world axes
    double length = 0;   ///< m, at rest
    double inverse = 0;  ///< 1/(4 I): of the quaternion's inertia
  };
  struct Joint {
    Quat rest;
    double length = 0;
  };
  void predict(double h, double share);
  void solve_stretch(std::size_t j, double h);
  void solve_bend(std::size_t j, double h);
  void solve_contacts();
  void update_velocities(double h);
  void slow_by_friction(double h);
  /// Depth in the cylinder, m, with the normal; negative outside.
  double depth_at(const Vec3& x, Vec3& normal) const;

  Options options_;
  std::vector<Vec3> x_, v_, previous_, start_, target_, force_, pull_;
  std::vector<double> inverse_mass_, depth_;  ///< depth_: of the contact that was solved in this substep
  std::vector<char> sticks_;                  ///< its friction was static
  std::vector<Segment> segments_;
  std::vector<Joint> joints_;
  bool backward_ = false;
};

}  // namespace uzawa::papers
