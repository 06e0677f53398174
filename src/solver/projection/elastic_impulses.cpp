#include "uzawa/solver/projection/elastic_impulses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

namespace {

constexpr int kMostProducts = 2000;
/// What is left of the errors, as a share of their norm: as much as the slack of rows leaves, a few times over.
constexpr double kTolerance = 1e-3;
constexpr int kPowerSteps = 8;
constexpr double kLength = 1.5;  // of projected gradient steps, over the largest eigenvalue; below 2 the function falls

}  // namespace

double ElasticImpulses::work(const Problem& problem, const CompactRows& rows) {
  double work = 0;
  for (int c = 0; c < rows.constraints(); ++c) work += 2 * rows.dims(c) * rows.width(c);
  for (const Block& block : problem.blocks) {
    if (block.kind != BlockKind::FreeBody && block.kind != BlockKind::Tree)
      return std::numeric_limits<double>::infinity();
    work += 2.0 * block.size * block.size;
  }
  return work;
}

void ElasticImpulses::list_rows(const Problem& problem, std::span<const double> stiffness, std::span<const char> held,
                                double eps) {
  rows_.clear();
  const auto add = [&](int row, double sign, double error, bool bounded) {
    if (stiffness[at(row)] == 0) return;
    const double scale = std::sqrt(eps * stiffness[at(row)] / (1 + eps));
    rows_.push_back({row, sign * scale, scale * error, bounded});
  };
  for (int i = 0; i < problem.hard.size(); ++i) {
    const int row = problem.hard.row[at(i)];
    add(row, 1, held[at(row)] != 0 ? 0 : problem.hard.e[at(i)], true);
  }
  for (int i = 0; i < problem.equality.size(); ++i) {
    add(problem.equality.row[at(i)], 1, problem.equality.e[at(i)], false);
  }
  for (int i = 0; i < problem.limits.size(); ++i) {  // a row a side
    const double lower = problem.limits.lower[at(i)], upper = problem.limits.upper[at(i)];
    if (std::isfinite(lower)) add(problem.limits.row[at(i)], 1, -lower, true);
    if (std::isfinite(upper)) add(problem.limits.row[at(i)], -1, upper, true);
  }
}

void ElasticImpulses::find_move(std::span<const double> y, std::span<double> x) {
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i) lambda_[at(rows_[i].row)] += rows_[i].scale * y[i];
  std::fill(x.begin(), x.end(), 0.0);
  prepared_->compact_rows().add_transposed(lambda_.data(), x.data());
  prepared_->factor().solve(x);
}

void ElasticImpulses::multiply(std::span<const double> y, std::span<double> out) {
  ++products_;
  find_move(y, v_);
  prepared_->compact_rows().multiply(v_.data(), u_.data());
  for (std::size_t i = 0; i < rows_.size(); ++i) out[i] = rows_[i].scale * u_[at(rows_[i].row)] + own_ * y[i];
}

void ElasticImpulses::find_gradient() {
  multiply(y_, gradient_);
  for (std::size_t i = 0; i < rows_.size(); ++i) gradient_[i] += rows_[i].error;
}

double ElasticImpulses::largest_eigenvalue() {
  std::fill(direction_.begin(), direction_.end(), 1.0);
  double size = 0;
  for (int k = 0; k < kPowerSteps; ++k) {
    const double length = norm(direction_);
    for (double& d : direction_) d /= length;
    multiply(direction_, image_);
    size = norm(image_);
    direction_.swap(image_);
    if (size == 0) break;
  }
  return size;
}

void ElasticImpulses::split_gradient(double length) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double g = gradient_[i];
    const bool free = !rows_[i].bounded || y_[i] > 0;
    free_[i] = free ? g : 0;
    reduced_[i] = !rows_[i].bounded ? g : (free ? std::min(g, y_[i] / length) : 0);
    chopped_[i] = free ? 0 : std::min(g, 0.0);
  }
}

/// Along the conjugate direction, or along the part of the gradient that leaves bounds; then the next direction.
void ElasticImpulses::step(bool proportional, double length) {
  if (!proportional) direction_ = chopped_;
  multiply(direction_, image_);
  const double curvature = dot(direction_, image_), best = dot(gradient_, direction_) / curvature;
  double room = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; proportional && i < rows_.size(); ++i) {
    if (rows_[i].bounded && direction_[i] > 0) room = std::min(room, y_[i] / direction_[i]);
  }
  const double taken = std::min(best, room);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    y_[i] -= taken * direction_[i];
    gradient_[i] -= taken * image_[i];
  }
  if (proportional && best > room) return expand(length);
  split_gradient(length);
  const double share = proportional ? dot(free_, image_) / curvature : 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) direction_[i] = free_[i] - share * direction_[i];
}

/// From the bound that stopped a step along the projected gradient, which may reach many more.
void ElasticImpulses::expand(double length) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].bounded) {
      y_[i] -= length * gradient_[i];
    } else if (y_[i] > 0) {
      y_[i] = std::max(0.0, y_[i] - length * gradient_[i]);
    } else {
      y_[i] = 0;
    }
  }
  find_gradient();
  split_gradient(length);
  direction_ = free_;
}

ElasticImpulses::Outcome ElasticImpulses::solve(PreparedProblem& prepared, std::span<const double> stiffness,
                                                std::span<const char> held, double eps, std::span<double> x) {
  prepared_ = &prepared;
  own_ = eps / (1 + eps);
  list_rows(prepared.problem(), stiffness, held, eps);
  for (auto* v : {&y_, &gradient_, &free_, &reduced_, &chopped_, &direction_, &image_}) v->assign(rows_.size(), 0.0);
  for (auto* v : {&lambda_, &u_}) v->assign(at(prepared.problem().rows), 0.0);
  v_.assign(x.size(), 0.0);
  products_ = 0;
  const double length = kLength / largest_eigenvalue();
  double goal = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    gradient_[i] = row.error;
    if (!row.bounded || row.error < 0) goal += kTolerance * kTolerance * row.error * row.error;
  }
  split_gradient(length);
  direction_ = free_;
  const auto rest = [&] { return dot(free_, free_) + dot(chopped_, chopped_); };
  while (rest() > goal && products_ < kMostProducts) step(dot(chopped_, chopped_) <= dot(reduced_, free_), length);
  find_move(y_, x);
  return {.products = products_, .solved = rest() <= goal};
}

}  // namespace uzawa
