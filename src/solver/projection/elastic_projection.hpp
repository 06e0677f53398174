#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"
#include "uzawa/solver/projection/elastic_impulses.hpp"

namespace uzawa {

/// The smallest move that corrects errors of position: x minimises
///
///     1/2 x^T A x + sum over the rows of (1/2) d_i^2 / C_i,      C_i = eps J_i A^-1 J_i^T
///
/// with d_i the distance of J_i x from what the row's law asks for (hard: J x + e >= 0, equality: J x + e = 0, limit:
/// lower <= J x <= upper). Each row has an elastic slack of its own, a share eps of what it would yield by itself:
/// errors that contradict each other end at a compromise, redundant ones are shared out, and there always is one
/// solution. The function is convex and piecewise quadratic; Newton's method with exact line search ends after a few
/// steps. Where many bodies touch each other, so that its factors fill in, the dual is solved (ElasticImpulses). Rows
/// of other kinds (contacts with friction, soft rows, dry friction) have no place in it and are ignored.
///
/// Penetrations that contradict each other may leave a move that lessens the errors by nothing to speak of: it would be
/// made again, and larger, in every step, and arms whose links overlap by design would fold. There the hard rows that
/// it leaves as they were jam: they are held (J x >= 0), and what else there is to correct is corrected with them held.
class ElasticProjection {
 public:
  struct Outcome {
    int steps = 0;
    bool solved = false;
    int jammed = 0;  ///< rows whose errors stay
  };
  /// x gets the move, in the dofs of the problem; b is not looked at.
  Outcome solve(PreparedProblem& prepared, double eps, std::span<double> x);

 private:
  Outcome minimise(PreparedProblem& prepared, double eps, std::span<double> x);
  Outcome minimise_by_impulses(PreparedProblem& prepared, double eps, std::span<double> x);
  /// Of the sum of squares of the errors, after the last minimise.
  double remaining_share() const;
  /// Marks the hard rows whose errors it has left as they were; returns their number.
  int hold_jammed(const Problem& problem);
  /// Signed distance of each row at J x = u, to be reduced to zero.
  void find_distances(const Problem& problem, std::span<const double> u);
  double slope_along(const Problem& problem, double alpha);

  NewtonMatrix matrix_;
  ElasticImpulses impulses_;
  bool by_impulses_ = false;
  LawDerivatives weights_;         ///< 1/C of the rows that are violated
  std::vector<double> stiffness_;  ///< 1/C, per row
  std::vector<double> distance_;   ///< d, per row; 0 where the law holds
  std::vector<double> error_;      ///< d at x = 0
  std::vector<char> held_;         ///< per row: its error jams
  std::vector<double> u_, du_, trial_u_, ax_, ad_, r_, d_, force_;
};

}  // namespace uzawa
