#include "uzawa/assembly/rate_damping.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr double kUnheard = 1e-7;  // m/s or rad/s: where no row asks for more, nothing is damped
/// The rows of a few loops are met exactly: a weld that holds still stays still while others are damped. In long chains
/// and nets what rings is stiff and comes first, and a share of the target will do.
struct Effort {
  int iterations = 0;
  double enough = 0;  ///< of the target
};
constexpr std::size_t kFewRows = 24;
constexpr int kMostIterations = 8;
Effort effort(std::size_t rows) {
  if (rows <= kFewRows) return {static_cast<int>(rows) + kMostIterations, 1e-6};
  return {kMostIterations, 0.1};
}
constexpr double kFelt = 1e-3;  // share of a direction's mobility, row by row, below which the rows hardly feel it

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

double RateDamping::collect(const Problem& problem, const Island& island) {
  for (auto* x : {&rate_, &target_}) x->clear();
  rows_.clear();
  double most = 0;
  int row = 0;
  for (const int c : island.constraints) {
    const ConstraintRef& ref = problem.constraints[at(c)];
    const int held = ref.kind == ConstraintKind::Equality ? held_of_[at(ref.index)] : -1;
    if (held >= 0) {
      rows_.push_back({row, ref.index});
      rate_.push_back(held_[at(held)].rate);
      target_.push_back(rate_.back() - (problem.equality.e[at(ref.index)] - held_[at(held)].given));
      most = std::max(most, std::abs(target_.back()));
    }
    row += problem.dims(c);
  }
  return most;
}

void RateDamping::respond(const PreparedProblem& prepared, std::span<const double> mu, std::span<double> rates) {
  for (std::size_t k = 0; k < rows_.size(); ++k) impulse_[at(rows_[k].island_row)] = mu[k];
  std::fill(x_.begin(), x_.end(), 0.0);
  prepared.rows().add_transposed(impulse_, x_);
  prepared.factor().solve(x_);
  prepared.rows().multiply(x_, u_);
  for (std::size_t k = 0; k < rows_.size(); ++k) rates[k] = u_[at(rows_[k].island_row)];
}

void RateDamping::find_damped(PreparedProblem& prepared) {
  const Problem& problem = prepared.problem();
  const std::size_t count = rows_.size();
  for (auto* x : {&scale_, &mu_, &damped_, &p_, &wp_}) x->assign(count, 0.0);
  for (auto* x : {&impulse_, &u_}) x->assign(at(problem.rows), 0.0);
  x_.resize(at(problem.n()));
  std::size_t next_held = 0;
  for (int c = 0; next_held < count; ++c) {
    if (problem.constraints[at(c)].row != rows_[next_held].island_row) continue;
    const double mobility = prepared.mobility_of(c);
    scale_[next_held++] = mobility > 0 ? 1 / mobility : 0;
  }
  r_ = target_;
  double square = 0;
  for (std::size_t k = 0; k < count; ++k) square += scale_[k] * r_[k] * r_[k];
  for (std::size_t k = 0; k < count; ++k) p_[k] = scale_[k] * r_[k];
  const auto [most, share] = effort(count);
  const double enough = share * share * square;
  for (int i = 0; i < most && square > enough; ++i) {
    respond(prepared, p_, wp_);
    const double curvature = dot(p_, wp_);
    double apart = 0;
    for (std::size_t k = 0; k < count; ++k) apart += scale_[k] > 0 ? p_[k] * p_[k] / scale_[k] : 0;
    if (!(curvature > kFelt * apart)) return;
    const double alpha = square / curvature;
    double next = 0;
    for (std::size_t k = 0; k < count; ++k) {
      mu_[k] += alpha * p_[k];
      damped_[k] += alpha * wp_[k];
      r_[k] -= alpha * wp_[k];
      next += scale_[k] * r_[k] * r_[k];
    }
    for (std::size_t k = 0; k < count; ++k) p_[k] = scale_[k] * r_[k] + next / square * p_[k];
    square = next;
  }
}

void RateDamping::apply(std::span<const HeldRow> held, Problem& problem) {
  std::vector<double>& e = problem.equality.e;
  // All at rest: zero contradicts nothing.
  if (std::all_of(held.begin(), held.end(), [&](const HeldRow& row) { return e[at(row.index)] == row.given; })) return;
  held_ = held;
  held_of_.assign(e.size(), -1);
  for (std::size_t k = 0; k < held.size(); ++k) held_of_[at(held[k].index)] = static_cast<int>(k);
  split_.split(problem);
  if (prepared_.size() < at(split_.count())) prepared_.resize(at(split_.count()));
  for (int i = 0; i < split_.count(); ++i) {
    const double most = collect(problem, split_.island(i));
    if (std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
          return e[at(row.equality)] == held_[at(held_of_[at(row.equality)])].given;
        })) {
      continue;
    }
    double a = 0;
    if (most > kUnheard) {
      prepared_[at(i)].prepare(split_.extract(problem, i), true);
      find_damped(prepared_[at(i)]);
      const double square = dot(mu_, damped_);
      if (square > 0) a = std::clamp(2 * dot(mu_, rate_) / square, 0.0, 1.0);
    } else {
      damped_.assign(rows_.size(), 0.0);
    }
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const int row = rows_[k].equality;
      e[at(row)] = rate_[k] - a * damped_[k] + held_[at(held_of_[at(row)])].given;
    }
  }
}

}  // namespace uzawa
