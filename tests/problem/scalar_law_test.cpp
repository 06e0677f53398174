#include "uzawa/math/scalar_law.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "problem/random_problem.hpp"

namespace uzawa::test {
namespace {

using Law = std::function<ScalarResponse(double s, double beta)>;

/// Random law of each kind, with names for messages.
std::vector<std::pair<const char*, Law>> random_laws(Random& random) {
  const double e = uniform(random, -1, 1), k = uniform(random, 0, 2), b = uniform(random, 0.01, 2);
  const double lower = uniform(random, -1, 1), upper = lower + uniform(random, 0, 1), bound = uniform(random, 0.1, 2);
  const double infinity = std::numeric_limits<double>::infinity();
  return {{"hard", [=](double s, double beta) { return hard_law(s, beta, e); }},
          {"equality", [=](double s, double beta) { return equality_law(s, beta, e); }},
          {"soft", [=](double s, double beta) { return soft_law(s, beta, e, k, b); }},
          {"constant", [=](double s, double beta) { return soft_law(s, beta, e, k, 0); }},
          {"limit", [=](double s, double beta) { return limit_law(s, beta, lower, upper); }},
          {"upper limit", [=](double s, double beta) { return limit_law(s, beta, -infinity, upper); }},
          {"lower limit", [=](double s, double beta) { return limit_law(s, beta, lower, infinity); }},
          {"friction", [=](double s, double beta) { return friction_law(s, beta, bound); }}};
}

/// With s = -beta J v - u: the slope is d lambda/d s, and the potential's derivative by J v is -lambda.
RC_GTEST_PROP(ScalarLaw, SlopeAndPotentialAreDerivatives, (unsigned seed)) {
  Random random(seed);
  const double beta = std::exp(uniform(random, -2, 2)), u = uniform(random, -2, 2), jv = uniform(random, -2, 2);
  const double step = 1e-6;
  for (const auto& [name, law] : random_laws(random)) {
    const auto at = [&, &law = law](double velocity) { return law(-beta * velocity - u, beta); };
    const ScalarResponse here = at(jv), ahead = at(jv + step), behind = at(jv - step);
    const double slope = (ahead.impulse - behind.impulse) / (2 * step * -beta);
    const double gradient = (ahead.potential - behind.potential) / (2 * step);
    // At a kink the slope is one of two; the potential stays differentiable.
    const bool kink = ahead.slope != behind.slope;
    if (!kink && std::abs(slope - here.slope) > 1e-7) RC_FAIL(std::string(name) + ": slope");
    const double tolerance = 1e-6 * (1 + std::abs(here.impulse)) * (1 + beta);
    if (std::abs(gradient + here.impulse) > tolerance) RC_FAIL(std::string(name) + ": potential");
  }
}

/// The rounded laws are smooth, and the exact ones in the limit.
RC_GTEST_PROP(ScalarLaw, RoundedLawsAreSmoothAndTendToTheExactOnes, (unsigned seed)) {
  Random random(seed);
  const double s = uniform(random, -3, 3), e = uniform(random, -1, 1), bound = uniform(random, 0.1, 2), beta = 0.7;
  const double lower = uniform(random, -1, 1), upper = lower + uniform(random, 0.1, 1);
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::function<ScalarResponse(double, double)>> laws = {
      [&](double at, double tau) { return tau > 0 ? smoothed_hard_law(at, beta, e, tau) : hard_law(at, beta, e); },
      [&](double at, double tau) {
        return tau > 0 ? smoothed_limit_law(at, beta, lower, upper, tau) : limit_law(at, beta, lower, upper);
      },
      [&](double at, double tau) {
        return tau > 0 ? smoothed_limit_law(at, beta, -infinity, upper, tau) : limit_law(at, beta, -infinity, upper);
      },
      [&](double at, double tau) {
        return tau > 0 ? smoothed_friction_law(at, bound, tau) : friction_law(at, beta, bound);
      }};
  for (const auto& law : laws) {
    const double step = 1e-5, tau = 0.3;
    const double slope = (law(s + step, tau).impulse - law(s - step, tau).impulse) / (2 * step);
    RC_ASSERT(std::abs(slope - law(s, tau).slope) < 1e-8);
    RC_ASSERT(std::abs(law(s, 1e-9).impulse - law(s, 0).impulse) < 1e-8);
  }
}

/// lambda = law(lambda - beta J v) at a point that obeys the law, whatever beta.
RC_GTEST_PROP(ScalarLaw, FixedPointsAreTheLaws, (unsigned seed)) {
  Random random(seed);
  const double beta = std::exp(uniform(random, -2, 2)), x = uniform(random, 0, 2), e = uniform(random, -1, 1);
  const double k = uniform(random, 0, 2), b = uniform(random, 0, 2), jv = uniform(random, -1, 1);
  const auto near = [](double a, double c) { return std::abs(a - c) < 1e-14 * (1 + std::abs(c)) * 10; };
  RC_ASSERT(near(hard_law(x - beta * -e, beta, e).impulse, x));   // closed: J v = -e, lambda = x
  RC_ASSERT(hard_law(-beta * (x - e), beta, e).impulse < 1e-14);  // open: J v + e = x
  RC_ASSERT(near(equality_law(x + beta * e, beta, e).impulse, x));
  const double soft = -k * e - b * jv;
  RC_ASSERT(near(soft_law(soft - beta * jv, beta, e, k, b).impulse, soft));
  RC_ASSERT(near(limit_law(-x - beta * e, beta, e - 1, e).impulse, -x));  // at the upper end, pushed down
  RC_ASSERT(near(limit_law(x - beta * e, beta, e, e + 1).impulse, x));    // at the lower end, pushed up
  RC_ASSERT(limit_law(-beta * e, beta, e - 1, e + 1).impulse == 0);       // inside
  RC_ASSERT(friction_law(x - beta * -0.3, beta, x).impulse == x);         // sliding backwards, pushed forwards
  RC_ASSERT(friction_law(-x - beta * 0.3, beta, x).impulse == -x);
  RC_ASSERT(near(friction_law(0.5 * x, beta, x).impulse, 0.5 * x));  // at rest
}

}  // namespace
}  // namespace uzawa::test
