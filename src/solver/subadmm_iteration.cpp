#include "uzawa/solver/subadmm_iteration.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/math/scalar_law.hpp"
#include "uzawa/solver/compact_rows.hpp"
#include "uzawa/solver/effective_mass.hpp"

namespace uzawa {

namespace {

constexpr int kAdaptEvery = 25;       // iterations between two looks at the balance of the residuals
constexpr double kImbalance = 5;      // ratio of the relative residuals that calls for another penalty
constexpr double kLargestChange = 3;  // of the penalty at once

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Impulse of one constraint from the argument s = lambda - beta_eff (sum of side velocities): eq. 37-39.
Vec3 constraint_law(const Problem& problem, const ConstraintRef& ref, double beta, const Vec3& s) {
  const std::size_t i = at(ref.index);
  switch (ref.kind) {
    case ConstraintKind::Contact: return project_strict(problem.contacts.cone[i], s - problem.contacts.e[i] * beta);
    case ConstraintKind::Hard: return {0, 0, hard_law(s.z(), beta, problem.hard.e[i]).impulse};
    case ConstraintKind::Equality: return {0, 0, equality_law(s.z(), beta, problem.equality.e[i]).impulse};
    case ConstraintKind::Soft:
      return {0, 0, soft_law(s.z(), beta, problem.soft.e[i], problem.soft.k[i], problem.soft.b[i]).impulse};
    case ConstraintKind::Limit:
      return {0, 0, limit_law(s.z(), beta, problem.limits.lower[i], problem.limits.upper[i]).impulse};
    case ConstraintKind::Friction: return {0, 0, friction_law(s.z(), beta, problem.friction.bound[i]).impulse};
  }
  return {};
}

/// Bodies have a mass; a problem of bare matrices has only what its contacts feel.
double first_penalty(const Problem& problem, const Subsystems& subsystems, const Judge& judge) {
  const bool bodies = std::any_of(problem.blocks.begin(), problem.blocks.end(),
                                  [](const Block& b) { return b.kind != BlockKind::Sparse; });
  if (bodies) return subsystems.pseudo_density(problem);
  CompactRows rows;
  rows.build(problem, judge.rows());
  return 0.1 * effective_mass(problem, judge, rows);
}

}  // namespace

void SubAdmmIteration::prepare(const Problem& problem, const SubAdmmSettings& settings, Judge& judge,
                               std::span<const double> lambda) {
  settings_ = settings;
  steps_ = factorizations_ = 0;
  healthy_ = true;
  subsystems_.prepare(problem);
  lambda_.assign(lambda.begin(), lambda.end());
  impulse_.assign(problem.constraints.size(), {});
  for (std::size_t c = 0; c < impulse_.size(); ++c) {
    const ConstraintRef& ref = problem.constraints[c];
    const double* part = &lambda_[at(ref.row)];
    impulse_[c] = ref.kind == ConstraintKind::Contact ? Vec3::from(part) : Vec3{0, 0, *part};
  }
  const std::size_t sides = subsystems_.sides().size();
  z_.assign(sides, {});
  g_.assign(sides, {});
  v_.assign(at(problem.n()), 0.0);
  beta_ = settings.penalty * first_penalty(problem, subsystems_, judge);
  factorize(problem);
  // z = J v at the velocities that the first impulses give.
  judge.evaluate(problem, lambda_);
  const std::span<const double> v = judge.velocity();
  subsystems_.set_velocity(problem, v);
  for (std::size_t s = 0; s < sides; ++s) {
    z_[s] = subsystems_.side_velocity(problem, subsystems_.sides()[s], v);
    load(s);
  }
}

void SubAdmmIteration::step(const Problem& problem) {
  iterate(problem);
  if (settings_.adapt_penalty && ++steps_ % kAdaptEvery == 0) adapt(problem);
}

void SubAdmmIteration::factorize(const Problem& problem) {
  healthy_ = subsystems_.factorize(problem, beta_) && healthy_;
  ++factorizations_;
}

void SubAdmmIteration::load(std::size_t side) {
  g_[side] = z_[side] * beta_ + impulse_[at(subsystems_.sides()[side].constraint)];
}

void SubAdmmIteration::iterate(const Problem& problem) {
  subsystems_.solve(problem, g_, v_);
  const double relaxation = settings_.relaxation;
  primal_ = dual_ = primal_scale_ = 0;
  for (int c = 0; c < static_cast<int>(problem.constraints.size()); ++c) {
    const int begin = subsystems_.side_start(c), end = subsystems_.side_start(c + 1);
    if (begin == end) continue;
    Vec3 sum;
    for (int s = begin; s < end; ++s) {
      const Vec3 velocity = subsystems_.side_velocity(problem, subsystems_.sides()[at(s)], v_);
      const Vec3 relaxed = velocity * relaxation + z_[at(s)] * (1 - relaxation);
      g_[at(s)] = relaxed;  // for a moment
      sum += relaxed;
      primal_scale_ += dot(velocity, velocity);
    }
    // |Z| equal penalties in series: 1/beta_eff = sum 1/beta.
    const double effective = beta_ / (end - begin);
    const Vec3 old = impulse_[at(c)];
    const Vec3 next = constraint_law(problem, problem.constraints[at(c)], effective, old - sum * effective);
    impulse_[at(c)] = next;
    const Vec3 step = (next - old) * (1 / beta_);
    for (int s = begin; s < end; ++s) {
      const Vec3 z = g_[at(s)] + step, change = z - z_[at(s)];
      primal_ += dot(step, step);
      dual_ += dot(change, change);
      z_[at(s)] = z;
      load(at(s));
    }
  }
}

/// Balances the two residuals, each relative to what it is a residual of ([AL] eq. 44 raw depends on units).
void SubAdmmIteration::adapt(const Problem& problem) {
  double impulses = 0;
  for (const Vec3& impulse : impulse_) impulses += dot(impulse, impulse);
  const double primal = std::sqrt(primal_ / std::max(primal_scale_, 1e-300));
  const double dual = beta_ * std::sqrt(dual_ / std::max(impulses, 1e-300));
  if (!(primal > 0) || !(dual > 0)) return;
  const double ratio = primal / dual;
  if (ratio < kImbalance && ratio > 1 / kImbalance) return;
  beta_ *= std::clamp(std::sqrt(ratio), 1 / kLargestChange, kLargestChange);
  factorize(problem);
  for (std::size_t s = 0; s < z_.size(); ++s) load(s);
}

std::span<const double> SubAdmmIteration::impulses(const Problem& problem) {
  for (std::size_t c = 0; c < impulse_.size(); ++c) {
    const ConstraintRef& ref = problem.constraints[c];
    if (ref.kind == ConstraintKind::Contact) {
      impulse_[c].store(&lambda_[at(ref.row)]);
    } else {
      lambda_[at(ref.row)] = impulse_[c].z();
    }
  }
  return lambda_;
}

}  // namespace uzawa
