#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/delassus.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// The laws of the soft convex formulation, as in MuJoCo: every constraint is a spring-damper behind a regularisation,
///
///     J v + R lambda = reference  where it holds,     R = (1 - d)/d diag(J A^-1 J^T),
///
/// with the impedance d(r) and the position error r. How MuJoCo's accelerations become this: it asks for
/// J (v - v_k)/h + R lambda/h = aref = -b J v_k - k d r, so that reference = J v_k + h aref. The position error comes
/// from the constraint's offset, e = r/h: reference = (1 - h b) J v_k - h^2 k d e. This is for violated constraints. In
/// a simulation (Problem::start_v) one that is still open is not there, as in MuJoCo without margin. A problem by
/// itself says nothing of v_k: then velocities before the step are taken as zero, as in a resting contact, and one that
/// is open (a contact or hard row with e > 0, a limit not yet reached) may close its gap within the step, but no more,
/// and is soft from there on: reference = -e.
///
/// Soft rows are springs already and keep their law. Friction rows have reference 0 and their bound. Contacts: R_n as
/// above, R_t1 = R_n/impratio, R_t2 = R_t1 mu1^2/mu2^2, lambda = the projection onto the friction cone in the metric of
/// R. R uses MuJoCo's estimate from body weights in the reference pose (Problem::mobility_estimate), or the true
/// diagonal of J A^-1 J^T, the mean over a contact's three rows.
class SoftLaws {
 public:
  /// `rates`: J v before the step, per row; empty: unknown.
  void prepare(const Problem& problem, const SoftConvexSettings& settings, const DelassusOperator& delassus,
               std::span<const double> rates);

  /// Impulses at u = J v with -d lambda/d u for NewtonMatrix (beta = 1), and the sum of the convex potentials psi, with
  /// d psi/d u = -lambda.
  double respond(const Problem& problem, std::span<const double> u, std::span<double> impulse,
                 LawDerivatives& derivatives) const;
  /// Slope of the potentials along du, and its own slope.
  DirectionalSlope slope(const Problem& problem, std::span<const double> u, std::span<const double> du) const;

 private:
  /// lambda = offset + clamp(stiffness * (distance from u to [lower, upper]), -bound, bound)
  struct Scalar {
    int row = 0;
    double stiffness = 0, lower = 0, upper = 0, bound = 0, offset = 0;
  };
  /// lambda = S^-1 Pi_cone(-stiffness S^-1 (u - reference)); S makes R and the cone isotropic.
  struct Contact {
    Vec3 reference, inverse_scale{1, 1, 1};
    FrictionCone cone;
    double stiffness = 0;
  };
  struct Response {
    double impulse, stiffness, potential;
  };
  static Response respond(const Scalar& law, double u);
  static Vec3 argument(const Contact& law, const Vec3& u);
  static Mat3 stiffness(const Contact& law, const Vec3& argument);
  void add_scalars(const Problem& problem, const SoftConvexSettings& settings, const DelassusOperator& delassus,
                   std::span<const double> rates);

  std::vector<Contact> contacts_;
  std::vector<Scalar> scalars_;
};

/// Time step of a problem, s; that of [AL] section VII where the problem does not say.
double step_of(const Problem& problem);

/// MuJoCo's impedance d at position error r (m or rad): from dmin at 0 to dmax at the width.
double impedance(const SoftConvexSettings& settings, double r);

}  // namespace uzawa
