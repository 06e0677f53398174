#pragma once

#include <span>
#include <vector>

#include "uzawa/assembly/constraint_writer.hpp"
#include "uzawa/problem/islands.hpp"
#include "uzawa/problem/prepared_problem.hpp"

namespace uzawa {

/// Damping of held rates that rows can't contradict. Each row asks for a share t of its rate u = J v_k to be damped
/// (held_rate). Edges of a net almost depend on each other, and shares of their own lie outside of what velocities can
/// give: the solve would meet them by huge velocities in directions that the rows hardly feel. So what is damped is a
/// velocity x,
///
///     e = u - a J x,      x = A^-1 J^T mu,      J x = t as well as a few iterations of conjugate gradients can do,
///
/// and J v_{k+1} = -e has a solution, -(v_k - a x), whatever the rows are. Directions of almost no stiffness, which so
/// few iterations do not reach, keep their rate, without work. The constraints take energy, and never give it, where
/// |v_k - a x| <= |v_k| in the metric of A: a x^T A x <= 2 mu^T u bounds a.
class RateDamping {
 public:
  /// On input the offsets e of held rows are those of held_rate.
  void apply(std::span<const HeldRow> held, Problem& problem);

 private:
  /// A held row of an island.
  struct Row {
    int island_row = 0;
    int equality = 0;  ///< of the whole problem
  };
  /// The held rows of an island in rows_, u and t in rate_ and target_; returns the largest t.
  double collect(const Problem& problem, const Island& island);
  /// x in the space of the rows: mu_ and damped_ = J x.
  void find_damped(PreparedProblem& prepared);
  /// rates = J A^-1 J^T mu, of the held rows.
  void respond(const PreparedProblem& prepared, std::span<const double> mu, std::span<double> rates);

  IslandSplit split_;
  std::vector<PreparedProblem> prepared_;  ///< per island
  std::vector<int> held_of_;               ///< per equality: its place among the held ones, or -1
  std::span<const HeldRow> held_;
  std::vector<Row> rows_;
  std::vector<double> rate_, target_, scale_, mu_, damped_, r_, p_, wp_;  ///< per held row of an island
  std::vector<double> impulse_, u_;                                       ///< per row of an island
  std::vector<double> x_;                                                 ///< per dof of an island
};

}  // namespace uzawa
