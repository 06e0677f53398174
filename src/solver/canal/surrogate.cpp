#include "uzawa/solver/canal/surrogate.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/solver/canal/strategy.hpp"
#include "uzawa/solver/laws/slope_root.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

namespace {

constexpr CanalStrategy::Surrogate kNewton = kStrategy.surrogate;

/// |S^-1 x|
double scaled_norm(std::span<const double> x, std::span<const double> inverse_mass) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * x[i] * inverse_mass[i];
  return std::sqrt(sum);
}

}  // namespace

void Surrogate::prepare(PreparedProblem& prepared) {
  const Problem& problem = prepared.problem();
  matrix_.prepare(prepared);
  inverse_mass_.resize(static_cast<std::size_t>(problem.n()));
  diagonal(problem, prepared.factor(), inverse_mass_);
  for (double& mass : inverse_mass_) mass = 1 / mass;
  derivatives_.resize(problem);
  const auto n = static_cast<std::size_t>(problem.n()), m = static_cast<std::size_t>(problem.rows);
  for (auto* x : {&r_, &d_, &av_, &ad_, &jt_lambda_}) x->resize(n);
  for (auto* x : {&u_, &du_, &impulse_, &trial_u_}) x->resize(m);
}

double Surrogate::evaluate(const Problem& problem, const LawParameters& law, std::span<const double> v) {
  matrix_.multiply_rows(v, u_);
  constraint_response(problem, law, u_, impulse_, derivatives_);
  multiply(problem, v, av_);
  std::fill(jt_lambda_.begin(), jt_lambda_.end(), 0.0);
  matrix_.add_transposed_rows(impulse_, jt_lambda_);
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = av_[i] - problem.b[i] - jt_lambda_[i];
  return scaled_norm(r_, inverse_mass_);
}

double Surrogate::residual_scale(const Problem& problem) const {
  return scaled_norm(problem.b, inverse_mass_) + scaled_norm(jt_lambda_, inverse_mass_) + 1e-300;
}

void Surrogate::direction_from_residual() {
  for (std::size_t i = 0; i < d_.size(); ++i) d_[i] = -r_[i];
  matrix_.solve(d_);
}

double Surrogate::line_search(const Problem& problem, const LawParameters& law, std::span<const double> v) {
  matrix_.multiply_rows(d_, du_);
  multiply(problem, d_, ad_);
  multiply(problem, v, av_);
  double linear = 0;  // d . (A v - b)
  for (std::size_t i = 0; i < d_.size(); ++i) linear += d_[i] * (av_[i] - problem.b[i]);
  const double quadratic = dot(d_, ad_);
  return slope_root(std::abs(dot(r_, d_)), [&](double alpha) {
    for (std::size_t k = 0; k < u_.size(); ++k) trial_u_[k] = u_[k] + alpha * du_[k];
    const DirectionalSlope slope = directional_slope(problem, law, trial_u_, du_);
    return DirectionalSlope{linear + alpha * quadratic + slope.first, quadratic + slope.second};
  });
}

InnerOutcome Surrogate::solve_convex(const Problem& problem, const LawParameters& law, double tolerance, int max_steps,
                                     std::span<double> v) {
  InnerOutcome outcome;
  double size = evaluate(problem, law, v);
  double best = size;
  int without_progress = 0;
  while (outcome.steps < max_steps) {
    const double scale = residual_scale(problem);
    if (size <= tolerance * scale) {
      outcome.solved = true;
      break;
    }
    if (!matrix_.factorize(problem, law.beta, derivatives_)) break;
    direction_from_residual();
    if (!is_finite(d_)) break;
    const double alpha = line_search(problem, law, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += alpha * d_[i];
    ++outcome.steps;
    ++outcome.factorizations;
    size = evaluate(problem, law, v);
    // |r| need not fall at every step, but near the rounding floor it stops falling for good.
    without_progress = size < kNewton.progress * best ? 0 : without_progress + 1;
    best = std::min(best, size);
    if (without_progress >= kNewton.idle_steps && best <= kRoundingFloor * scale) {
      outcome.solved = true;
      break;
    }
  }
  return outcome;
}

}  // namespace uzawa
