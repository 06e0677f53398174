#include "uzawa/solver/projection/elastic_projection.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

namespace {

constexpr int kMostSteps = 50;       // a few more than sets of violated rows change; 2 to 5 are usual
constexpr double kTolerance = 1e-9;  // of the first gradient
/// Newton's factors cost as much as so many products of the dual: Newton takes 10 to 20 of them where bodies are many,
/// the dual some 200 products, whose multiplications take four times as long.
constexpr double kProducts = 50;
/// Share of the errors, in the sum of their squares and in a row, that a move has to lessen to be worth it.
constexpr double kWorth = 0.01;

}  // namespace

void ElasticProjection::find_distances(const Problem& problem, std::span<const double> u) {
  std::fill(distance_.begin(), distance_.end(), 0.0);
  for (int i = 0; i < problem.hard.size(); ++i) {
    const std::size_t row = at(problem.hard.row[at(i)]);
    distance_[row] = std::min(0.0, u[row] + (held_[row] != 0 ? 0 : problem.hard.e[at(i)]));
  }
  for (int i = 0; i < problem.equality.size(); ++i) {
    const std::size_t row = at(problem.equality.row[at(i)]);
    distance_[row] = u[row] + problem.equality.e[at(i)];
  }
  for (int i = 0; i < problem.limits.size(); ++i) {
    const std::size_t row = at(problem.limits.row[at(i)]);
    distance_[row] =
        std::min(0.0, u[row] - problem.limits.lower[at(i)]) + std::max(0.0, u[row] - problem.limits.upper[at(i)]);
  }
}

/// Slope of the function at x + alpha d, from what `solve` has put into ax_, ad_, u_ and du_.
double ElasticProjection::slope_along(const Problem& problem, double alpha) {
  for (std::size_t k = 0; k < u_.size(); ++k) trial_u_[k] = u_[k] + alpha * du_[k];
  find_distances(problem, trial_u_);
  double slope = dot(d_, ax_) + alpha * dot(d_, ad_);
  for (std::size_t k = 0; k < u_.size(); ++k) slope += stiffness_[k] * distance_[k] * du_[k];
  return slope;
}

double ElasticProjection::remaining_share() const {
  double before = 0, after = 0;
  for (std::size_t k = 0; k < error_.size(); ++k) {
    before += stiffness_[k] * error_[k] * error_[k];
    after += stiffness_[k] * distance_[k] * distance_[k];
  }
  return before > 0 ? after / before : 0;
}

int ElasticProjection::hold_jammed(const Problem& problem) {
  int count = 0;
  for (const int row : problem.hard.row) {
    const double error = error_[at(row)], change = distance_[at(row)] - error;
    held_[at(row)] = error != 0 && std::abs(change) < kWorth * std::abs(error) ? 1 : 0;
    count += held_[at(row)];
  }
  return count;
}

ElasticProjection::Outcome ElasticProjection::solve(PreparedProblem& prepared, double eps, std::span<double> x) {
  const Problem& problem = prepared.problem();
  const std::size_t rows = at(problem.rows), n = at(problem.n());
  matrix_.prepare(prepared);
  by_impulses_ = matrix_.factor_work() > kProducts * ElasticImpulses::work(problem, prepared.compact_rows());
  weights_.resize(problem);
  for (auto* y : {&stiffness_, &distance_, &u_, &du_, &trial_u_, &force_}) y->assign(rows, 0.0);
  for (auto* y : {&ax_, &ad_, &r_, &d_}) y->assign(n, 0.0);
  held_.assign(rows, 0);
  const std::span<const double> mobility = prepared.mobility();
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const ConstraintRef& ref = problem.constraints[c];
    if (ref.kind != ConstraintKind::Contact && mobility[c] > 0) stiffness_[at(ref.row)] = 1 / (eps * mobility[c]);
  }

  find_distances(problem, u_);
  error_ = distance_;
  Outcome outcome = minimise(prepared, eps, x);
  if (remaining_share() < 1 - kWorth) return outcome;
  const int jammed = hold_jammed(problem);
  if (jammed == 0) return outcome;
  const int steps = outcome.steps;
  outcome = minimise(prepared, eps, x);
  outcome.steps += steps;
  outcome.jammed = jammed;
  return outcome;
}

ElasticProjection::Outcome ElasticProjection::minimise_by_impulses(PreparedProblem& prepared, double eps,
                                                                   std::span<double> x) {
  const ElasticImpulses::Outcome outcome = impulses_.solve(prepared, stiffness_, held_, eps, x);
  matrix_.multiply_rows(x, u_);
  find_distances(prepared.problem(), u_);
  return {.steps = outcome.products, .solved = outcome.solved};
}

ElasticProjection::Outcome ElasticProjection::minimise(PreparedProblem& prepared, double eps, std::span<double> x) {
  if (by_impulses_) return minimise_by_impulses(prepared, eps, x);
  const Problem& problem = prepared.problem();
  const std::size_t rows = u_.size(), n = x.size();
  std::fill(u_.begin(), u_.end(), 0.0);
  std::fill(x.begin(), x.end(), 0.0);
  Outcome outcome;
  double first = -1;
  while (true) {
    find_distances(problem, u_);
    multiply(problem, x, ax_);
    for (std::size_t k = 0; k < rows; ++k) {
      force_[k] = stiffness_[k] * distance_[k];
      weights_.scalar[k] = distance_[k] != 0 ? stiffness_[k] : 0;
    }
    std::copy(ax_.begin(), ax_.end(), r_.begin());
    matrix_.add_transposed_rows(force_, r_);
    const double size = norm(r_);
    if (first < 0) first = size;
    outcome.solved = size <= kTolerance * first;
    if (outcome.solved || outcome.steps == kMostSteps) return outcome;
    if (!matrix_.factorize(problem, 1, weights_)) return outcome;
    for (std::size_t i = 0; i < n; ++i) d_[i] = -r_[i];
    matrix_.solve(d_);
    if (!is_finite(d_)) return outcome;
    matrix_.multiply_rows(d_, du_);
    multiply(problem, d_, ad_);
    // The full step, where the function still falls at its end or no other rows are violated there; else the root of
    // the slope, which rises piece by piece.
    double alpha = 1;
    const double start = dot(r_, d_);
    if (slope_along(problem, 1) > -1e-6 * start) {
      double low = 0, high = 1;
      for (int i = 0; i < 40 && std::abs(slope_along(problem, alpha)) > -1e-6 * start; ++i) {
        alpha = 0.5 * (low + high);
        (slope_along(problem, alpha) > 0 ? high : low) = alpha;
      }
    }
    for (std::size_t i = 0; i < n; ++i) x[i] += alpha * d_[i];
    matrix_.multiply_rows(x, u_);
    ++outcome.steps;
  }
}

}  // namespace uzawa
