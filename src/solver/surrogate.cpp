#include "uzawa/solver/surrogate.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/problem/block_matrix.hpp"

namespace uzawa {

namespace {

double squared(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}
double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
bool is_finite(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

void Surrogate::prepare(const Problem& problem, const SparseRows& rows) {
  rows_.build(problem, rows);
  matrix_.prepare(problem, rows_);
  derivatives_.resize(problem);
  const auto n = static_cast<std::size_t>(problem.n()), m = static_cast<std::size_t>(problem.rows);
  for (auto* x : {&r_, &d_, &av_, &ad_, &trial_v_, &jt_lambda_}) x->resize(n);
  for (auto* x : {&u_, &du_, &impulse_, &trial_u_}) x->resize(m);
}

double Surrogate::evaluate(const Problem& problem, const LawParameters& law, std::span<const double> v) {
  rows_.multiply(v.data(), u_.data());
  constraint_response(problem, law, u_, impulse_, derivatives_);
  multiply(problem, v, av_);
  std::fill(jt_lambda_.begin(), jt_lambda_.end(), 0.0);
  rows_.add_transposed(impulse_.data(), jt_lambda_.data());
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = av_[i] - problem.b[i] - jt_lambda_[i];
  return std::sqrt(squared(r_));
}

double Surrogate::residual_scale(const Problem& problem) const {
  return std::sqrt(squared(problem.b)) + std::sqrt(squared(jt_lambda_)) + 1e-300;
}

void Surrogate::direction_from_residual() {
  for (std::size_t i = 0; i < d_.size(); ++i) d_[i] = -r_[i];
  matrix_.solve(d_);
}

/// Root of the merit function's slope along d, by Newton with bisection as a safeguard (rtsafe), to a loose tolerance:
/// a better minimum costs evaluations and saves no Newton step.
double Surrogate::line_search(const Problem& problem, const LawParameters& law, std::span<const double> v) {
  constexpr double kLoose = 0.1;
  constexpr int kMaxEvaluations = 40;
  rows_.multiply(d_.data(), du_.data());
  multiply(problem, d_, ad_);
  multiply(problem, v, av_);
  double linear = 0;  // d . (A v - b)
  for (std::size_t i = 0; i < d_.size(); ++i) linear += d_[i] * (av_[i] - problem.b[i]);
  const double quadratic = product(d_, ad_);
  const auto slope_at = [&](double alpha) {
    for (std::size_t k = 0; k < u_.size(); ++k) trial_u_[k] = u_[k] + alpha * du_[k];
    DirectionalSlope s = directional_slope(problem, law, trial_u_, du_);
    return DirectionalSlope{linear + alpha * quadratic + s.first, quadratic + s.second};
  };
  const double start = std::abs(product(r_, d_));
  double low = 0, high = 0, alpha = 1;  // high = 0: not bracketed from above yet
  for (int i = 0; i < kMaxEvaluations; ++i) {
    const DirectionalSlope s = slope_at(alpha);
    if (std::abs(s.first) <= kLoose * start) break;
    (s.first < 0 ? low : high) = alpha;
    double next = alpha - s.first / s.second;
    const bool inside = next > low && (high == 0 ? next < 100 * alpha : next < high);
    if (!inside || !std::isfinite(next)) next = high == 0 ? 2 * alpha : 0.5 * (low + high);
    if (high != 0 && high - low < 1e-12 * high) break;
    alpha = next;
  }
  return alpha;
}

Surrogate::Outcome Surrogate::solve_convex(const Problem& problem, const LawParameters& law, double tolerance,
                                           int max_steps, std::span<double> v) {
  Outcome outcome;
  double size = evaluate(problem, law, v);
  double best = size;
  int without_progress = 0;
  while (outcome.steps < max_steps) {
    const double scale = residual_scale(problem);
    if (size <= tolerance * scale) {
      outcome.solved = true;
      break;
    }
    if (!matrix_.factorize(problem, rows_, law.beta, derivatives_)) break;
    direction_from_residual();
    if (!is_finite(d_)) break;
    const double alpha = line_search(problem, law, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += alpha * d_[i];
    ++outcome.steps;
    size = evaluate(problem, law, v);
    // |r| need not fall at every step, but near the rounding floor it stops falling for good.
    without_progress = size < 0.9 * best ? 0 : without_progress + 1;
    best = std::min(best, size);
    if (without_progress >= 6 && best <= 1e-5 * scale) {
      outcome.solved = true;
      break;
    }
  }
  return outcome;
}

Surrogate::Outcome Surrogate::solve_strict(const Problem& problem, const LawParameters& law, double tolerance,
                                           int max_steps, std::span<double> v) {
  Outcome outcome;
  double size = evaluate(problem, law, v);
  while (outcome.steps < max_steps) {
    if (size <= tolerance * residual_scale(problem)) {
      outcome.solved = true;
      break;
    }
    if (!matrix_.factorize_general(problem, rows_, law.beta, derivatives_)) break;
    direction_from_residual();
    if (!is_finite(d_)) break;
    std::copy(v.begin(), v.end(), trial_v_.begin());
    double trial = size;
    double alpha = 1;
    for (int halvings = 0; halvings < 6; ++halvings, alpha *= 0.5) {
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = trial_v_[i] + alpha * d_[i];
      trial = evaluate(problem, law, v);
      if (trial < (1 - 1e-4 * alpha) * size) break;
    }
    ++outcome.steps;
    if (!(trial < size)) {  // no descent: leave the last good point
      std::copy(trial_v_.begin(), trial_v_.end(), v.begin());
      evaluate(problem, law, v);
      break;
    }
    size = trial;
  }
  return outcome;
}

}  // namespace uzawa
