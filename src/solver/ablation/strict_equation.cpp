#include "uzawa/solver/ablation/strict_equation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

void StrictEquation::prepare(PreparedProblem& prepared) {
  const Problem& problem = prepared.problem();
  problem_ = &problem;
  rows_ = &prepared.compact_rows();
  matrix_.prepare(prepared);
  derivatives_.resize(problem);
  const auto n = static_cast<std::size_t>(problem.n()), m = static_cast<std::size_t>(problem.rows);
  for (auto* x : {&r_, &jt_lambda_, &v_, &inverse_s_, &scaled_b_}) x->resize(n);
  for (auto* x : {&u_, &impulse_, &scaled_u_}) x->resize(m);
  for (auto& x : scratch_) x.resize(n);
  diagonal(prepared.problem(), prepared.factor(), inverse_s_);
  for (std::size_t i = 0; i < n; ++i) {
    inverse_s_[i] = 1 / std::sqrt(inverse_s_[i]);
    scaled_b_[i] = inverse_s_[i] * problem.b[i];
  }
}

void StrictEquation::set_velocity(std::span<const double> v, std::span<double> y) const {
  for (std::size_t i = 0; i < v.size(); ++i) y[i] = v[i] / inverse_s_[i];
}

void StrictEquation::pose(std::span<const double> multiplier, double beta) { law_ = {beta, multiplier, {}, true}; }

double StrictEquation::evaluate(std::span<const double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) v_[i] = inverse_s_[i] * y[i];
  rows_->multiply(v_.data(), u_.data());
  constraint_response(*problem_, law_, u_, impulse_, derivatives_);
  std::fill(jt_lambda_.begin(), jt_lambda_.end(), 0.0);
  rows_->add_transposed(impulse_.data(), jt_lambda_.data());
  uzawa::multiply(*problem_, v_, r_);
  for (std::size_t i = 0; i < r_.size(); ++i) {
    jt_lambda_[i] *= inverse_s_[i];
    r_[i] = inverse_s_[i] * r_[i] - scaled_b_[i] - jt_lambda_[i];
  }
  return norm(r_);
}

double StrictEquation::scale() const { return norm(scaled_b_) + norm(jt_lambda_) + std::numeric_limits<double>::min(); }

bool StrictEquation::newton_step(std::span<double> d) {
  if (!matrix_.factorize_general(*problem_, law_.beta, derivatives_)) return false;
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = -r_[i] / inverse_s_[i];
  matrix_.solve(d);
  for (std::size_t i = 0; i < d.size(); ++i) d[i] /= inverse_s_[i];
  return is_finite(d);
}

void StrictEquation::gradient(std::span<double> g) { apply(r_, g, true); }
void StrictEquation::multiply(std::span<const double> x, std::span<double> out) { apply(x, out, false); }

void StrictEquation::apply(std::span<const double> x, std::span<double> out, bool transposed) {
  for (std::size_t i = 0; i < x.size(); ++i) v_[i] = inverse_s_[i] * x[i];
  rows_->multiply(v_.data(), scaled_u_.data());
  for (const ConstraintRef& ref : problem_->constraints) {
    double* u = &scaled_u_[static_cast<std::size_t>(ref.row)];
    if (ref.kind == ConstraintKind::Contact) {
      const Mat3& d = derivatives_.contact[static_cast<std::size_t>(ref.index)];
      const Vec3 slip = Vec3::from(u) * law_.beta;
      (transposed ? transpose_times(d, slip) : d * slip).store(u);
    } else {
      *u *= law_.beta * derivatives_.scalar[static_cast<std::size_t>(ref.row)];
    }
  }
  uzawa::multiply(*problem_, v_, out);
  rows_->add_transposed(scaled_u_.data(), out.data());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] *= inverse_s_[i];
}

}  // namespace uzawa
