#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"

namespace uzawa {

/// Redundant constraints share a load in many ways: all impulses with the same J^T lambda give the same velocities, and
/// which of them a solve finds depends on where it started, so that the self-stress of an impact would stay for ever.
/// Of those that the laws allow at these velocities one is the smallest, and depends on nothing but the problem:
///
///     min sum lambda_i^T R_i^-1 lambda_i / 2      over J^T lambda = J^T lambda_given, lambda_i in K_i
///
/// K_i: the friction cone of a contact that sticks, the ray of one that slides, all of R for an equality, a half-line
/// for a limit that is reached, an interval for dry friction that sticks. R: effective masses, of friction a small
/// share. The multiplier x of the equation makes it convex without constraints:
///
///     lambda_i = P_i(R_i J_i x),      min over x of sum |lambda_i|^2_(R^-1) / 2 - x^T J^T lambda_given
///
/// P_i: projection onto K_i in the metric of R_i^-1. Newton's method with exact line search has the pattern of CANAL's
/// H, J^T D J + A/w; A/w holds what no row holds, and bounds a step, not its end.
class SelfStress {
 public:
  struct Outcome {
    bool found = false;
    int factorizations = 0;
  };
  /// Velocities up to these are none, m/s: of a contact or limit that may open, and of friction.
  struct Rest {
    double opening = 0, slip = 0;
  };
  /// Memory for problems up to this size: a load is relaxed when everything rests, long after the last solve has
  /// allocated.
  void reserve(const Problem& problem);
  /// The least impulses in `out`. `u`: J v at `lambda`.
  Outcome relax(PreparedProblem& prepared, NewtonMatrix& matrix, std::span<const double> lambda,
                std::span<const double> u, const Rest& rest, std::span<double> out);

 private:
  enum class ContactState : char { Open, Sticks, Slides };
  struct Interval {
    double low = 0, high = 0;
  };
  /// What the laws allow at the velocities of the solution.
  void find_allowed(const Problem& problem, std::span<const double> lambda, std::span<const double> u,
                    const Rest& rest);
  void find_state(const Problem& problem, int contact, std::span<const double> lambda, std::span<const double> u,
                  const Rest& rest);
  static Interval allowed_row(const Problem& problem, const ConstraintRef& ref, double lambda, double u,
                              const Rest& rest);
  /// lambda_i and d lambda_i / d y_i of a contact at y = J x.
  Vec3 contact_impulse(const Problem& problem, int contact, const Vec3& y) const;
  Mat3 contact_slope(const Problem& problem, int contact, const Vec3& y) const;
  void set_all_at_work(const Problem& problem);
  /// The impulses at `y` and, in weights_, their slopes; true where these have changed.
  bool respond(const Problem& problem, std::span<const double> y, std::span<double> impulse);
  /// J^T (lambda_given - impulse) in unbalanced_; returns its size.
  double balance(NewtonMatrix& matrix, std::span<const double> impulse);
  double search_line(const Problem& problem);

  std::vector<ContactState> state_;             ///< per contact
  std::vector<Vec3> ray_;                       ///< per contact that slides: its impulse over its normal part
  std::vector<Interval> allowed_;               ///< per row that is not of a contact
  LawDerivatives weights_;                      ///< d lambda / d y
  std::vector<double> rho_, y_, dy_, trial_y_;  ///< per row; rho_: R; y: J x
  std::vector<double> load_, unbalanced_, d_, inverse_mass_;  ///< per dof; load_: J^T lambda_given
};

}  // namespace uzawa
