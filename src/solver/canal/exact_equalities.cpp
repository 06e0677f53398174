#include "uzawa/solver/canal/exact_equalities.hpp"

#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// |T x| over |x| below which what is left can't be had: rows that contradict each other.
constexpr double kFelt = 1e-2;

double product(std::span<const double> a, std::span<const double> b, std::span<const double> scale) {
  double sum = 0;
  for (std::size_t k = 0; k < scale.size(); ++k) sum += scale[k] * a[k] * b[k];
  return sum;
}

/// to += factor * from
void add(std::span<const double> from, double factor, std::span<double> to) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += factor * from[k];
}

}  // namespace

void ExactEqualities::prepare(const Problem& problem) {
  rows_.assign(problem.equality.row.begin(), problem.equality.row.end());
  if (rows_.empty()) return;
  for (auto* x : {&scale_, &left_}) x->resize(rows_.size());
  goes_.resize(at(kMost) * rows_.size());
  square_.resize(at(kMost));
  right_.assign(at(problem.rows), 0.0);
  v_.resize(at(kMost * problem.n()));
  for (auto* x : {&u_, &lambda_}) x->resize(at(kMost * problem.rows));
}

void ExactEqualities::start(const Regularised& by, std::span<const double> rho, std::span<const double> residual,
                            const NewtonDirection& direction) {
  double square = 0;
  for (std::size_t k = 0; k < residual.size(); ++k) square += residual[k] * residual[k] / rho[k];
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const std::size_t row = at(rows_[k]);
    scale_[k] = 1 / rho[row];
    left_[k] = by.epsilon * direction.lambda[row];
  }
  enough_ = by.goal * by.goal * square;
}

bool ExactEqualities::asks_for_more() const { return product(left_, left_, scale_) > enough_; }

/// G R for R = -left.
std::span<const double> ExactEqualities::next_right(const Regularised& by) {
  for (std::size_t k = 0; k < rows_.size(); ++k) right_[at(rows_[k])] = -left_[k] / (by.kappa + by.epsilon);
  return right_;
}

NewtonDirection ExactEqualities::memory(const Problem& problem, int i) {
  const std::size_t n = at(problem.n()), m = at(problem.rows);
  return {std::span(v_).subspan(at(i) * n, n), std::span(u_).subspan(at(i) * m, m),
          std::span(lambda_).subspan(at(i) * m, m)};
}

/// The i-th direction, without its share of those before it, as long as it helps.
bool ExactEqualities::add(const Problem& problem, const Regularised& by, std::span<const double> rho, int i,
                          const NewtonDirection& direction) {
  const NewtonDirection own = memory(problem, i);
  const auto goes = [&](int k) { return std::span(goes_).subspan(at(k) * rows_.size(), rows_.size()); };
  const std::span<double> q = goes(i);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const std::size_t row = at(rows_[k]);
    q[k] = by.kappa * own.lambda[row] + rho[row] * own.u[row];
  }
  if (!(product(q, q, scale_) > kFelt * kFelt * product(left_, left_, scale_))) return false;
  const auto add_to = [](const NewtonDirection& from, double factor, const NewtonDirection& to) {
    uzawa::add(from.v, factor, to.v);
    uzawa::add(from.u, factor, to.u);
    uzawa::add(from.lambda, factor, to.lambda);
  };
  for (int k = 0; k < i; ++k) {
    const double share = -product(q, goes(k), scale_) / square_[at(k)];
    uzawa::add(goes(k), share, q);
    add_to(memory(problem, k), share, own);
  }
  square_[at(i)] = product(q, q, scale_);
  if (!(square_[at(i)] > 0)) return false;
  const double step = product(left_, q, scale_) / square_[at(i)];
  uzawa::add(q, -step, left_);
  add_to(own, step, direction);
  return true;
}

}  // namespace uzawa
