#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"

namespace uzawa {

/// The move of ElasticProjection from its dual: impulses lambda that minimise
///
///     1/2 lambda^T (J A^-1 J^T + C) lambda + e^T lambda,      lambda >= 0 for hard rows,      x = A^-1 J^T lambda
///
/// by conjugate gradients with proportioning (MPRGP; Dostal and Schoberl, "Minimizing quadratic functions subject to
/// bound constraints with the rate of convergence and finite termination", 2005). An iteration is a product with J and
/// a solve with A, however many bodies touch each other: Newton's factors fill in there, and it takes many of them
/// until the last of a thousand contacts knows whether it is among the violated ones.
class ElasticImpulses {
 public:
  struct Outcome {
    int products = 0;  ///< with J A^-1 J^T
    bool solved = false;
  };
  /// Multiply-adds of a product, or infinity where A is not one of bodies and trees.
  static double work(const Problem& problem, const CompactRows& rows);
  /// `stiffness`: 1/C per row; rows of 0 are left out. `held`: hard rows whose error is taken as 0. x gets the move.
  Outcome solve(PreparedProblem& prepared, std::span<const double> stiffness, std::span<const char> held, double eps,
                std::span<double> x);

 private:
  void list_rows(const Problem& problem, std::span<const double> stiffness, std::span<const char> held, double eps);
  /// x = A^-1 J^T lambda
  void find_move(std::span<const double> y, std::span<double> x);
  /// Signed, scaled: every row has one unit, and its diagonal is 1.
  void multiply(std::span<const double> y, std::span<double> out);
  void find_gradient();
  double largest_eigenvalue();
  /// Splits the gradient into its free part and the part that leaves bounds. `length`: of projected gradient steps; the
  /// reduced part is what such a step makes of the free one.
  void split_gradient(double length);
  void step(bool proportional, double length);
  void expand(double length);

  struct Row {
    int row;
    double scale;  ///< lambda = scale y; below zero for an upper limit
    double error;  ///< of the law at x = 0, scaled; below zero: violated
    bool bounded;
  };
  PreparedProblem* prepared_ = nullptr;
  int products_ = 0;
  double own_ = 0;  ///< C, scaled
  std::vector<Row> rows_;
  std::vector<double> y_, gradient_, free_, reduced_, chopped_, direction_, image_;
  std::vector<double> lambda_, u_, v_;  ///< of the problem
};

}  // namespace uzawa
