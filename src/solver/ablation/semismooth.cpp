/// Augmented Lagrangian with damped semismooth Newton on the strict law: "DampedSN" of [AL] Table II, after De Luca,
/// Facchinei and Kanzow (1996): the Newton direction where it is one of descent, else the gradient's, with
/// backtracking on the merit function |r|^2/2. The law is not monotone, so a minimum of the merit function need not be
/// a solution: that is the failure which CANAL's cascade avoids.
#include <cmath>

#include "uzawa/solver/ablation/strict_loop.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

namespace {

constexpr double kDescent = 1e-10;  // least cosine between direction and steepest descent
constexpr double kArmijo = 1e-4;    // share of the predicted decrease that a step must bring
constexpr int kHalvings = 40;       // down to steps of 1e-12: shorter ones are lost in rounding

/// The direction of one step; returns the slope of |r|^2/2 along it.
double direction(StrictEquation& equation, std::span<double> gradient, std::span<double> d) {
  equation.gradient(gradient);
  const double steepest = norm(gradient);
  if (equation.newton_step(d)) {
    const double slope = dot(gradient, d);
    if (slope <= -kDescent * steepest * norm(d)) return slope;
  }
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = -gradient[i];
  return -steepest * steepest;
}

InnerOutcome damped_newton(StrictEquation& equation, double tolerance, int max_steps, std::span<double> y) {
  InnerOutcome outcome;
  const std::span<double> gradient = equation.scratch(0), d = equation.scratch(1), start = equation.scratch(2);
  double size = equation.evaluate(y);
  while (true) {
    outcome.solved = size <= tolerance * equation.scale();
    if (outcome.solved || outcome.steps >= max_steps) return outcome;
    const double slope = direction(equation, gradient, d);
    ++outcome.factorizations;
    ++outcome.steps;
    std::copy(y.begin(), y.end(), start.begin());
    double trial = size, alpha = 1;
    bool accepted = false;
    for (int i = 0; i < kHalvings && !accepted; ++i, alpha *= 0.5) {
      for (std::size_t k = 0; k < y.size(); ++k) y[k] = start[k] + alpha * d[k];
      trial = equation.evaluate(y);
      accepted = 0.5 * trial * trial <= 0.5 * size * size + kArmijo * alpha * slope;
    }
    if (!accepted) {  // a stationary point of the merit function that is no solution, or the rounding floor
      std::copy(start.begin(), start.end(), y.begin());
      outcome.solved = equation.evaluate(y) <= kRoundingFloor * equation.scale();
      return outcome;
    }
    size = trial;
  }
}

}  // namespace

void solve_al_semismooth(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  solve_strict_loop(prepared, settings, workspace, result, damped_newton);
}

}  // namespace uzawa
