#pragma once

#include <array>
#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/solver/canal/contradiction.hpp"
#include "uzawa/solver/canal/exact_equalities.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"

namespace uzawa {

/// Semismooth Newton on velocities and impulses at once, with the strict law (Alart and Curnier, 1991):
///
///     A v - b - J^T lambda = 0,      R = lambda - T(lambda - rho (J v + e)) = 0
///
/// The surrogates of an augmented Lagrangian have the same solution, but decide which contacts open, stick or slip by
/// beta J v, with a beta that has to be large for convergence: a small error of v outweighs the impulses. Here rho is
/// of the order of each constraint's effective mass, so that velocities and impulses have similar weight. The drawback:
/// (I - D) dlambda + rho D J dv = -R, D = T', is singular in dlambda where a contact sticks (I - D = 0); with I - D
/// regularised by a small epsilon the impulses can be eliminated,
///
///     (A + J^T G rho D J) dv = -J^T G R,      G = (I - D + epsilon I)^-1
///
/// which has the pattern of CANAL's H, and each step leaves a share of about epsilon of the error, over the mobility of
/// the error in that of its rows: hardly any mobility where rows almost follow from each other. Equalities, which have
/// no corners that a long step could miss, have an epsilon of their own, as small as rounding errors let it be, and
/// what it leaves is taken out with the same factors (ExactEqualities): nets of hundreds of almost dependent ones are
/// solved in a few steps.
class PrimalDualNewton {
 public:
  /// Sizes the memory and computes rho.
  void prepare(PreparedProblem& prepared);

  /// Multiplies rho, until the next prepare().
  void stiffen(double factor);
  /// Sets the first iterate: impulses and their J v. `rounding` > 0: the law's corners are rounded, at first over a
  /// width of `rounding` times the residual, which then shrinks along the path: for a first iterate far from the
  /// solution.
  void start(const Problem& problem, std::span<const double> lambda, std::span<const double> u, double rounding);
  /// Adds a compliance of `kappa`/rho a row about the present impulses (the anchor): R = lambda - T(lambda - rho (J v +
  /// e) - kappa (lambda - anchor)). A proximal problem: the larger kappa, the weaker the coupling of the constraints,
  /// and the easier the problem; where its solution equals the anchor it also solves the original problem. 0: no
  /// compliance.
  void anchor(const Problem& problem, double kappa);
  /// Root of the mean square of R over the constraints, N s.
  double mean_residual(const Problem& problem) const;
  /// One damped step with the factors of `matrix`; `tries`: number of larger epsilons to try where one gives no
  /// descent. False where none does.
  ///
  /// Where a contact that bears a load is about to open, or one of many that share it, the merit is flat up to there
  /// and steep behind it: shorter steps get there by halves. A `bold` step is taken as a whole even so, once, and the
  /// next one, which finds the contact open, must bring the descent, or else both are taken back (the watchdog
  /// technique of Chamberlain et al., 1982).
  [[nodiscard]] bool step(const Problem& problem, NewtonMatrix& matrix, int tries, bool bold = false);
  /// Replaces J v by the judge's, so that rounding errors do not accumulate; to be called after each step.
  void correct(const Problem& problem, std::span<const double> u);

  /// Whether this proximal problem, now solved, and the one before it prove that the constraints contradict each other;
  /// `anchor_u`: J v at the anchor.
  bool contradicts(const Problem& problem, std::span<const double> anchor_u, double tolerance, Contradiction& test);

  /// Ends the rounding: the next step uses the exact law. False where there was no rounding.
  bool end_rounding();

  std::span<const double> impulses() const { return lambda_; }
  std::span<const double> constraint_velocity() const { return u_; }  ///< J v
  int factorizations() const { return factorizations_; }              ///< since start

 private:
  void evaluate(const Problem& problem, std::span<const double> lambda, std::span<const double> u, bool slopes);
  void find_gains(const Problem& problem);
  void find_moment_gains(const Problem& problem, int moment);
  Mat3 gain_of(const Mat3& d) const;
  [[nodiscard]] bool find_direction(const Problem& problem, NewtonMatrix& matrix);
  [[nodiscard]] bool follow(const Problem& problem, NewtonMatrix& matrix, std::span<const double> weighted,
                            const NewtonDirection& out);
  void try_step(const Problem& problem);
  [[nodiscard]] bool search_line(const Problem& problem, double reference, bool bold);
  [[nodiscard]] bool justify_trust(const Problem& problem, NewtonMatrix& matrix);
  double remember_merit();

  std::vector<double> rho_;  ///< per row, kg
  std::vector<double> lambda_, u_, residual_, impulse_, weighted_, d_lambda_, d_u_, d_v_, trial_lambda_, trial_u_;
  ExactEqualities exact_;
  LawDerivatives derivatives_, weights_;  ///< D, and G rho D
  double merit_ = 0;                      ///< sum of R^2/rho, J
  double epsilon_ = 0;                    ///< regularisation of I - D
  double tau_ = 0;                        ///< width of the rounding, N s
  double rounding_ = 0;                   ///< that width over the residual, at the start
  double alpha_ = 1;                      ///< share of the last direction that was a step
  double kappa_ = 0;                      ///< compliance times rho
  std::vector<double> anchor_, shifted_;  ///< per row: the anchor; lambda - kappa (lambda - anchor)
  std::array<double, 4> past_{};          ///< merits of the last steps
  /// What a bold step without descent started from.
  struct Trust {
    bool given = false;  ///< to the last step
    double reference = 0;
    std::vector<double> lambda, u;
  } trust_;
  int steps_ = 0, factorizations_ = 0;
};

}  // namespace uzawa
