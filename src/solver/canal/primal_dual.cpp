#include "uzawa/solver/canal/primal_dual.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/canal/strategy.hpp"
#include "uzawa/solver/linear/effective_mass.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

namespace {

constexpr CanalStrategy::PrimalDual kNewton = kStrategy.primal_dual;

Mat3 inverse(const Mat3& m) {
  const Vec3 r0 = cross(m.col[1], m.col[2]), r1 = cross(m.col[2], m.col[0]), r2 = cross(m.col[0], m.col[1]);
  return transpose(Mat3{{r0, r1, r2}}) * (1 / dot(m.col[0], r0));
}

}  // namespace

void PrimalDualNewton::prepare(PreparedProblem& prepared) {
  const Problem& problem = prepared.problem();
  const std::size_t m = at(problem.rows);
  for (auto* x : {&rho_, &lambda_, &u_, &residual_, &impulse_, &weighted_, &d_lambda_, &d_u_, &trial_lambda_, &trial_u_,
                  &anchor_, &shifted_, &trust_.lambda, &trust_.u})
    x->resize(m);
  d_v_.resize(at(problem.n()));
  derivatives_.resize(problem);
  weights_.resize(problem);
  exact_.prepare(problem);
  effective_masses(prepared, rho_);
  for (double& rho : rho_) rho *= kNewton.rho_factor;
}

void PrimalDualNewton::stiffen(double factor) {
  for (double& rho : rho_) rho *= factor;
}

/// R, the merit and, where `slopes`, D at a point. D (1 - kappa) is the slope of the law over lambda.
void PrimalDualNewton::evaluate(const Problem& problem, std::span<const double> lambda, std::span<const double> u,
                                bool slopes) {
  std::span<const double> multiplier = lambda;
  if (kappa_ > 0) {
    for (std::size_t k = 0; k < lambda.size(); ++k) shifted_[k] = lambda[k] - kappa_ * (lambda[k] - anchor_[k]);
    multiplier = shifted_;
  }
  const LawParameters law{.multiplier = multiplier, .shift = {}, .strict = true, .smoothing = tau_, .betas = rho_};
  if (slopes || tau_ > 0) {
    constraint_response(problem, law, u, impulse_, derivatives_);
  } else {
    constraint_impulses(problem, law, u, impulse_);
  }
  merit_ = 0;
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    residual_[k] = lambda[k] - impulse_[k];
    merit_ += residual_[k] * residual_[k] / rho_[k];
  }
}

double PrimalDualNewton::mean_residual(const Problem& problem) const {
  return norm(residual_) / std::sqrt(std::max(1.0, static_cast<double>(problem.constraints.size())));
}

void PrimalDualNewton::start(const Problem& problem, std::span<const double> lambda, std::span<const double> u,
                             double rounding) {
  std::copy(lambda.begin(), lambda.end(), lambda_.begin());
  std::copy(u.begin(), u.end(), u_.begin());
  epsilon_ = tau_ = kappa_ = 0;
  alpha_ = 1;
  trust_.given = false;
  steps_ = factorizations_ = 0;
  evaluate(problem, lambda_, u_, true);
  rounding_ = rounding;
  if (rounding == 0) return;
  tau_ = rounding * mean_residual(problem);
  evaluate(problem, lambda_, u_, true);
}

void PrimalDualNewton::anchor(const Problem& problem, double kappa) {
  kappa_ = kappa;
  anchor_ = lambda_;
  trust_.given = false;
  steps_ = 0;  // merits of another anchor say nothing
  evaluate(problem, lambda_, u_, true);
}

void PrimalDualNewton::correct(const Problem& problem, std::span<const double> u) {
  std::copy(u.begin(), u.end(), u_.begin());
  evaluate(problem, lambda_, u_, true);
  if (tau_ == 0 || mean_residual(problem) > kNewton.near * tau_) return;
  tau_ = std::min(tau_ * kNewton.shrink, rounding_ * mean_residual(problem));
  if (tau_ < kNewton.no_rounding) tau_ = 0;
  steps_ = 0;  // merits of another rounding say nothing
  evaluate(problem, lambda_, u_, true);
}

bool PrimalDualNewton::contradicts(const Problem& problem, std::span<const double> anchor_u, double tolerance,
                                   Contradiction& test) {
  for (std::size_t k = 0; k < lambda_.size(); ++k) {
    trial_lambda_[k] = lambda_[k] - anchor_[k];
    trial_u_[k] = u_[k] - anchor_u[k];
  }
  // The judge's residual is a norm over the number of constraints; what is hardly above the tolerance may yet be
  // solved.
  constexpr double kClearly = 5;
  return test.add(problem, {trial_lambda_, trial_u_, kappa_, rho_},
                  kClearly * tolerance * static_cast<double>(problem.constraints.size()));
}

bool PrimalDualNewton::end_rounding() {
  steps_ = 0;
  return std::exchange(tau_, 0) > 0;
}

/// (I - (1 - kappa) D + epsilon I)^-1
Mat3 PrimalDualNewton::gain_of(const Mat3& d) const {
  Mat3 rest = d * (kappa_ - 1);
  for (int i = 0; i < 3; ++i) rest.col[i] += Vec3::unit(i) * (1 + epsilon_);
  return inverse(rest);
}

/// A moment's share of G rho D and G R, after that of its contact: its law depends on both,
///
///     G_m^-1 dlambda_m = -R_m - rho_m D_m dw + D_mc ((1 - kappa) dlambda_c - rho_c du)
///
/// and dlambda_c is known as a function of du.
void PrimalDualNewton::find_moment_gains(const Problem& problem, int moment) {
  const std::size_t m = at(moment), row = at(problem.moments.row[m]);
  const std::size_t contact = at(problem.moments.contact[m]), contact_row = at(problem.contacts.row[contact]);
  const Mat3& d = derivatives_.moment[m];
  const Mat3 gain = gain_of(d), across = gain * derivatives_.coupling[m];
  Mat3 yields = weights_.contact[contact] * (1 - kappa_);
  for (int i = 0; i < 3; ++i) yields.col[i] += Vec3::unit(i) * rho_[contact_row];
  weights_.moment[m] = (gain * d) * rho_[row];
  weights_.coupling[m] = across * yields;
  const Vec3 follows = across * (Vec3::from(&weighted_[contact_row]) * (1 - kappa_));
  (gain * Vec3::from(&residual_[row]) + follows).store(&weighted_[row]);
}

/// G rho D and G R, constraint by constraint.
void PrimalDualNewton::find_gains(const Problem& problem) {
  for (const ConstraintRef& ref : problem.constraints) {
    const std::size_t row = at(ref.row);
    if (ref.kind == ConstraintKind::Contact) {
      const Mat3& d = derivatives_.contact[at(ref.index)];
      const Mat3 gain = gain_of(d);
      weights_.contact[at(ref.index)] = (gain * d) * rho_[row];
      (gain * Vec3::from(&residual_[row])).store(&weighted_[row]);
    } else if (ref.kind == ConstraintKind::Moment) {
      find_moment_gains(problem, ref.index);
    } else {
      const double epsilon = ref.kind == ConstraintKind::Equality ? kNewton.equality_epsilon : epsilon_;
      const double gain = 1 / (1 - (1 - kappa_) * derivatives_.scalar[row] + epsilon);
      weights_.scalar[row] = rho_[row] * gain * derivatives_.scalar[row];
      weighted_[row] = gain * residual_[row];
    }
  }
}

bool PrimalDualNewton::find_direction(const Problem& problem, NewtonMatrix& matrix) {
  find_gains(problem);
  ++factorizations_;
  if (!matrix.factorize_general(problem, 1, weights_)) return false;
  if (!follow(problem, matrix, weighted_, {d_v_, d_u_, d_lambda_})) return false;
  if (!exact_.needed() || matrix.iterates()) return true;
  exact_.correct(problem, {.epsilon = kNewton.equality_epsilon, .kappa = kappa_, .goal = kNewton.inexact}, rho_,
                 residual_, {d_v_, d_u_, d_lambda_}, [&](std::span<const double> weighted, const NewtonDirection& out) {
                   return follow(problem, matrix, weighted, out);
                 });
  return true;
}

/// What answers to G R = `weighted`.
bool PrimalDualNewton::follow(const Problem& problem, NewtonMatrix& matrix, std::span<const double> weighted,
                              const NewtonDirection& out) {
  std::fill(out.v.begin(), out.v.end(), 0.0);
  matrix.add_transposed_rows(weighted, out.v);
  for (double& x : out.v) x = -x;
  matrix.solve(out.v, kNewton.inexact * norm(residual_));
  if (!is_finite(out.v)) return false;
  matrix.multiply_rows(out.v, out.u);
  for (const ConstraintRef& ref : problem.constraints) {
    const std::size_t row = at(ref.row);
    if (ref.kind == ConstraintKind::Contact) {
      const Vec3 change = weights_.contact[at(ref.index)] * Vec3::from(&out.u[row]);
      (Vec3::from(&weighted[row]) * -1 - change).store(&out.lambda[row]);
    } else if (ref.kind == ConstraintKind::Moment) {
      const std::size_t m = at(ref.index), contact_row = at(problem.contacts.row[at(problem.moments.contact[m])]);
      const Vec3 change =
          weights_.moment[m] * Vec3::from(&out.u[row]) + weights_.coupling[m] * Vec3::from(&out.u[contact_row]);
      (Vec3::from(&weighted[row]) * -1 - change).store(&out.lambda[row]);
    } else {
      out.lambda[row] = -weighted[row] - weights_.scalar[row] * out.u[row];
    }
  }
  return true;
}

/// The largest merit of the last few steps: a law with corners has ridges that a step must be allowed to cross.
double PrimalDualNewton::remember_merit() {
  past_[at(steps_) % past_.size()] = merit_;
  ++steps_;
  return *std::max_element(past_.begin(), past_.begin() + std::min<std::ptrdiff_t>(steps_, std::ssize(past_)));
}

void PrimalDualNewton::try_step(const Problem& problem) {
  for (std::size_t k = 0; k < lambda_.size(); ++k) {
    trial_lambda_[k] = lambda_[k] + alpha_ * d_lambda_[k];
    trial_u_[k] = u_[k] + alpha_ * d_u_[k];
  }
  evaluate(problem, trial_lambda_, trial_u_, false);  // correct() will want D elsewhere
}

bool PrimalDualNewton::search_line(const Problem& problem, double reference, bool bold) {
  alpha_ = 1;
  bool found = false;
  for (int halvings = 0; halvings < kNewton.halvings && !found; ++halvings) {
    if (halvings > 0) alpha_ *= 0.5;
    try_step(problem);
    found = merit_ < (1 - kNewton.armijo * alpha_) * reference;
  }
  if (bold && (!found || (alpha_ < 1 && merit_ > kStrategy.newton.gain * reference))) {
    alpha_ = 1;
    try_step(problem);
    found = trust_.given = std::isfinite(merit_);
    trust_.reference = reference;
    std::copy(lambda_.begin(), lambda_.end(), trust_.lambda.begin());
    std::copy(u_.begin(), u_.end(), trust_.u.begin());
  }
  if (!found) return false;
  lambda_.swap(trial_lambda_);
  u_.swap(trial_u_);
  return true;
}

/// The step after one that was taken on trust: the descent that is owed, or back to where that one began.
bool PrimalDualNewton::justify_trust(const Problem& problem, NewtonMatrix& matrix) {
  trust_.given = false;
  if (find_direction(problem, matrix) && search_line(problem, trust_.reference, false)) return true;
  lambda_.swap(trust_.lambda);
  u_.swap(trust_.u);
  evaluate(problem, lambda_, u_, true);
  alpha_ = 0;  // of that step nothing was taken
  return false;
}

/// Epsilon is the compliance of a proximal step, and adapted like a trust region: a step that the line search has cut
/// asks for more of it.
bool PrimalDualNewton::step(const Problem& problem, NewtonMatrix& matrix, int tries, bool bold) {
  const bool was_bold = trust_.given;
  if (was_bold && justify_trust(problem, matrix)) return true;
  const double reference = remember_merit();
  epsilon_ *= alpha_ == 1 ? 1 / kNewton.damping : kNewton.damping;
  // Without rounding, a step that was taken is the beginning of the end.
  epsilon_ = std::clamp(epsilon_, steps_ > 1 && tau_ == 0 ? kNewton.least_epsilon : kNewton.first_epsilon, 1.0);
  for (int i = 0; i < tries; ++i, epsilon_ *= kNewton.damping) {
    if (i > 0) evaluate(problem, lambda_, u_, true);
    if (find_direction(problem, matrix) && search_line(problem, reference, bold && !was_bold)) return true;
  }
  return false;
}

}  // namespace uzawa
