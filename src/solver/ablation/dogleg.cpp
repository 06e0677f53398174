/// Augmented Lagrangian with trust-region dogleg on the strict law: "TRDogleg" of [AL] Table II. Steps are bounded by a
/// radius, along the path from the minimum on the steepest-descent line to the Newton step (Powell 1970; Nocedal and
/// Wright, section 11.2); the radius follows how well |r + H p|^2/2 foretells |r|^2/2.
#include <algorithm>
#include <cmath>

#include "uzawa/solver/ablation/strict_loop.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

namespace {

constexpr double kAccept = 1e-4;              // least share of the foretold decrease
constexpr double kPoor = 0.25, kGood = 0.75;  // below: shrink; above: grow
constexpr double kShrink = 0.25, kGrow = 2;   // of the radius
constexpr double kSmallestRadius = 1e-14;     // relative to |y|: steps are lost in rounding

/// The path at one point: both ends, and H times both.
struct Dogleg {
  std::span<double> gradient, cauchy, h_cauchy, newton, r, p, h_p;

  explicit Dogleg(StrictEquation& equation)
      : gradient(equation.scratch(0)),
        cauchy(equation.scratch(1)),
        h_cauchy(equation.scratch(2)),
        newton(equation.scratch(3)),
        r(equation.scratch(4)),
        p(equation.scratch(5)),
        h_p(equation.scratch(6)) {}

  void build(StrictEquation& equation) {
    std::copy(equation.residual().begin(), equation.residual().end(), r.begin());
    equation.gradient(gradient);
    equation.multiply(gradient, h_cauchy);
    const double curvature = dot(h_cauchy, h_cauchy);
    const double length = curvature > 0 ? dot(gradient, gradient) / curvature : 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      cauchy[i] = -length * gradient[i];
      h_cauchy[i] *= -length;
    }
    // Without a Newton step the path ends at the Cauchy point.
    has_newton = equation.newton_step(newton);
    if (!has_newton) std::copy(cauchy.begin(), cauchy.end(), newton.begin());
  }
  /// Fills p and H p for a radius.
  void step(double radius) {
    if (norm(newton) <= radius) return mix(0, 1);
    const double cauchy_norm = norm(cauchy);
    if (cauchy_norm >= radius) return mix(radius / cauchy_norm, 0);
    // |cauchy + t (newton - cauchy)| = radius
    double a = 0, b = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double leg = newton[i] - cauchy[i];
      a += leg * leg;
      b += leg * cauchy[i];
    }
    const double c = cauchy_norm * cauchy_norm - radius * radius;
    const double t = std::clamp(-c / (b + std::sqrt(std::max(0.0, b * b - a * c))), 0.0, 1.0);
    mix(1 - t, t);
  }
  double foretold_decrease() const {
    double before = 0, after = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      before += r[i] * r[i];
      after += (r[i] + h_p[i]) * (r[i] + h_p[i]);
    }
    return 0.5 * (before - after);
  }
  bool has_newton = false;

 private:
  void mix(double of_cauchy, double of_newton) const {
    for (std::size_t i = 0; i < p.size(); ++i) {
      p[i] = of_cauchy * cauchy[i] + of_newton * newton[i];
      h_p[i] = of_cauchy * h_cauchy[i] + of_newton * (has_newton ? -r[i] : h_cauchy[i]);
    }
  }
};

InnerOutcome dogleg(StrictEquation& equation, double tolerance, int max_steps, std::span<double> y) {
  InnerOutcome outcome;
  Dogleg path(equation);
  const std::span<double> start = equation.scratch(7);
  double size = equation.evaluate(y), radius = 0;
  bool moved = true;
  while (true) {
    outcome.solved = size <= tolerance * equation.scale();
    if (outcome.solved || outcome.steps >= max_steps) return outcome;
    if (moved) {
      path.build(equation);
      ++outcome.factorizations;
      if (radius == 0) radius = norm(path.newton);
    }
    path.step(radius);
    std::copy(y.begin(), y.end(), start.begin());
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += path.p[k];
    const double trial = equation.evaluate(y);
    ++outcome.steps;
    const double ratio = 0.5 * (size * size - trial * trial) / path.foretold_decrease();
    if (!(ratio >= kPoor)) {
      radius = kShrink * norm(path.p);
    } else if (ratio > kGood) {
      radius = std::max(radius, kGrow * norm(path.p));
    }
    moved = ratio > kAccept;
    if (moved) {
      size = trial;
    } else {
      std::copy(start.begin(), start.end(), y.begin());
      equation.evaluate(y);
      if (!(radius > kSmallestRadius * norm(y))) {
        outcome.solved = size <= kRoundingFloor * equation.scale();
        return outcome;
      }
    }
  }
}

}  // namespace

void solve_al_dogleg(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  solve_strict_loop(prepared, settings, workspace, result, dogleg);
}

}  // namespace uzawa
