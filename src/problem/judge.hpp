#pragma once

#include <span>
#include <string>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"

namespace uzawa {

class Tally;

/// The judge's evaluation of impulses. Independent of all solvers: the judge takes lambda alone, projects v = A^-1 (b +
/// J^T lambda), so that the dynamics hold exactly, and measures the violation of the constraints' laws.
struct Verdict {
  /// [AL] section VII: |J v - z| / number of constraints with the strict operator at beta = 1. Mixes m/s and N s; kept
  /// because the papers report it.
  double residual = 0;
  double residual_by_kind[kConstraintKinds] = {};  ///< by ConstraintKind: norm of that kind's part over the same number
  int worst_constraint = -1;                       ///< the constraint with the largest part; -1: no constraints
  double worst = 0;                                ///< its part

  // Separate errors, each in one unit, largest over the constraints.
  double penetration = 0;      ///< m/s: how fast a closed contact still approaches; also hard rows, limits, equalities
  double cone_violation = 0;   ///< N s: impulse outside its cone or bounds
  double complementarity = 0;  ///< J: |lambda_n u_n| of contacts and hard rows
  double dissipation = 0;  ///< J: mu lambda_n |u_t| + lambda_t . u_t, zero where friction opposes sliding; also moments

  double fischer_burmeister =
      0;  ///< [SUB]'s constraint error: norm over the contacts' two complementarity pairs, and the moments'
  double siconos =
      0;  ///< natural map of Siconos, over max(|q|, |lambda|, |u|); contacts, and the strict map of moments

  /// Sums of squares over the contacts and moments from which fischer_burmeister and siconos are computed; the sums of
  /// islands add up.
  struct ContactSquares {
    double pairs = 0, natural = 0, free = 0, impulse = 0, velocity = 0;
  } contact_squares;

  /// "contact 17", for messages.
  std::string worst_name(const Problem& problem) const;
};

/// Judges impulses of a prepared problem, repeatedly; allocates only for problems larger than before.
class Judge {
 public:
  /// lambda: problem.rows impulses in the order of the constraints.
  Verdict evaluate(const PreparedProblem& prepared, std::span<const double> lambda);
  /// The residual alone, for methods that evaluate many iterates; verdict() gives the other errors of the last one.
  double residual(const PreparedProblem& prepared, std::span<const double> lambda);
  /// The verdict on the impulses evaluated last, which are to be passed again.
  Verdict verdict(const PreparedProblem& prepared, std::span<const double> lambda) const;
  /// Constraints whose part of the residual is larger than `error`.
  void list_above(const PreparedProblem& prepared, std::span<const double> lambda, double error,
                  std::vector<int>& constraints);
  /// Number of evaluations (looks) so far.
  int looks() const { return looks_; }

  std::span<const double> velocity() const { return v_; }             ///< v of the last look
  std::span<const double> constraint_velocity() const { return u_; }  ///< J v of the last look

 private:
  void look(const PreparedProblem& prepared, std::span<const double> lambda);
  /// The parts of the residual.
  void judge(const Problem& problem, std::span<const double> lambda, Tally& tally) const;

  std::vector<double> v_, u_;
  int looks_ = 0;
};

}  // namespace uzawa
