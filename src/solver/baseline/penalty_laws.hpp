#pragma once

#include <span>
#include <vector>

#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// Spring-dampers in place of contacts ([COND] section V-B). With the gap g = h e at the start of the step and g + h u
/// at its end, and the depth of penetration d = max(0, -gap) at either:
///
///     normal     lambda_n = max(0, h K d_end + D (d_end - d_start))      push only, damped while it is deep
///     friction   lambda_t = -h D_t u_t, cut to Coulomb's bound           the last lambda_n bounds it
///
/// so that for a given bound every law is the gradient of a convex potential. Hard rows and limits are springs like
/// normals; equalities springs on both sides, D on their rate; dry friction of joints is viscous up to its bound like
/// friction; soft rows are springs already.
class PenaltyLaws {
 public:
  /// Throws InputError where the explicit form is asked for a problem with soft rows, which are implicit springs.
  void prepare(const Problem& problem, const PenaltySettings& settings);
  /// Takes over the normal impulses that bound friction; returns the largest change.
  double bound_friction(const Problem& problem, std::span<const double> impulse);

  /// Impulses for the gap at the start and the velocities u, of both directions: no system is solved.
  void respond_explicitly(const Problem& problem, std::span<const double> u, std::span<double> impulse) const;

  // What ConvexNewton asks for: gaps and velocities at the end of the step.
  void respond(const Problem& problem, std::span<const double> u, std::span<double> impulse,
               LawDerivatives& derivatives) const;
  DirectionalSlope slope(const Problem& problem, std::span<const double> u, std::span<const double> du) const;

 private:
  /// lambda = offset + clamp(stiffness * (distance from u to [lower, upper]), -bound, bound)
  struct Scalar {
    int row = 0;
    double stiffness = 0, lower = 0, upper = 0, bound = 0, offset = 0;
  };
  struct Response {
    double impulse, stiffness;
  };
  static Response respond(const Scalar& law, double u);
  /// Velocity below which the spring of a row with the offset e pushes.
  double reference(double e) const;
  /// The impulse of that spring for the gap at the start.
  double explicit_push(double e, double u) const;
  void add_scalars(const Problem& problem);
  /// Friction of a contact, and -d lambda/d u in the first two columns of `stiffness` where it is wanted.
  Vec3 friction(const FrictionCone& cone, double normal, const Vec3& u, Mat3* stiffness) const;

  double step_ = 0, stiffness_ = 0;  ///< s; of normals, impulse over velocity at the end of the step
  PenaltySettings gains_;
  std::vector<Scalar> normals_;  ///< per contact
  std::vector<Scalar> scalars_;
  std::vector<double> bounding_;  ///< per contact: normal impulse that bounds friction
};

}  // namespace uzawa
