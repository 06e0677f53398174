/// Projected Gauss-Seidel on the Delassus operator: one constraint at a time against the latest velocities. What most
/// engines use, so it must not be a straw man: blocks of three for contacts, the normal first and friction with the
/// updated sliding velocity, steps from the contact's own 3x3 block, warm start, over-relaxation, matrix-free or
/// explicit by what is cheaper.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "uzawa/math/scalar_law.hpp"
#include "uzawa/solver/delassus.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDefaultSweeps = 1000;
constexpr int kJudgeEvery = 10;  // sweeps between two looks at the residual, where no history is asked for

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct PgsMemory : Workspace::Base {
  Judge judge;
  CompactRows rows;
  DelassusOperator delassus;
  std::vector<double> lambda, best_lambda;
};

/// Largest eigenvalue of the tangential 2x2 block: the step that friction may take.
double tangent_bound(const double* w) {
  const double mean = (w[0] + w[4]) / 2, difference = (w[0] - w[4]) / 2;
  return mean + std::hypot(difference, (w[1] + w[3]) / 2);
}

/// Normal by Newton on its own diagonal, then friction with the sliding velocity that the normal change leaves.
Vec3 strict_update(const FrictionCone& cone, const double* w, const Vec3& lambda, const Vec3& u, double relaxation) {
  const double normal = w[8] > 0 ? std::max(0.0, lambda.z() - relaxation * u.z() / w[8]) : lambda.z();
  const double change = normal - lambda.z();
  const double bound = tangent_bound(w);
  Vec3 s{lambda.x(), lambda.y(), normal};
  if (bound > 0) {
    s.set(0, lambda.x() - relaxation * (u.x() + w[2] * change) / bound);
    s.set(1, lambda.y() - relaxation * (u.y() + w[5] * change) / bound);
  }
  return project_strict(cone, s);
}

/// Projection onto the cone of a gradient step with De Saxce's shift.
Vec3 proximal_update(const FrictionCone& cone, const double* w, const Vec3& lambda, const Vec3& u, double relaxation) {
  const double bound = w[0] + w[4] + w[8];  // trace: above the largest eigenvalue
  if (!(bound > 0)) return lambda;
  Vec3 shifted = u;
  shifted.set(2, u.z() + sliding_power(cone, u));
  return project_proximal(cone, lambda - shifted * (relaxation / bound));
}

/// A scalar row alone: its law with the penalty that makes the step exact, beta = 1/W_ii.
double scalar_update(const Problem& problem, const ConstraintRef& ref, double w, double lambda, double u) {
  if (!(w > 0)) return lambda;
  const double beta = 1 / w, s = lambda - beta * u;
  const std::size_t i = at(ref.index);
  switch (ref.kind) {
    case ConstraintKind::Hard: return hard_law(s, beta, problem.hard.e[i]).impulse;
    case ConstraintKind::Equality: return equality_law(s, beta, problem.equality.e[i]).impulse;
    case ConstraintKind::Soft:
      return soft_law(s, beta, problem.soft.e[i], problem.soft.k[i], problem.soft.b[i]).impulse;
    case ConstraintKind::Limit: return limit_law(s, beta, problem.limits.lower[i], problem.limits.upper[i]).impulse;
    case ConstraintKind::Friction: return friction_law(s, beta, problem.friction.bound[i]).impulse;
    case ConstraintKind::Contact: break;
  }
  return lambda;
}

void sweep(const Problem& problem, const PgsSettings& settings, PgsMemory& m) {
  for (int c = 0; c < m.rows.constraints(); ++c) {
    const ConstraintRef& ref = problem.constraints[at(c)];
    double* lambda = &m.lambda[at(ref.row)];
    double u[3], delta[3];
    m.delassus.constraint_velocity(m.rows, c, u);
    const double* w = m.delassus.diagonal(c);
    if (ref.kind == ConstraintKind::Contact) {
      const FrictionCone& cone = problem.contacts.cone[at(ref.index)];
      const Vec3 slip = Vec3::from(u) + problem.contacts.e[at(ref.index)], old = Vec3::from(lambda);
      const auto update = settings.proximal ? proximal_update : strict_update;
      const Vec3 next = update(cone, w, old, slip, settings.relaxation);
      (next - old).store(delta);
      next.store(lambda);
    } else {
      const double next = scalar_update(problem, ref, w[0], lambda[0], u[0]);
      delta[0] = settings.relaxation * (next - lambda[0]);
      // Over-relaxation must not leave the set that the law allows.
      if (settings.relaxation > 1) delta[0] = next - lambda[0];
      lambda[0] += delta[0];
    }
    m.delassus.apply(m.rows, c, delta);
  }
}

}  // namespace

void solve_pgs(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) {
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  PgsMemory& m = workspace.get<PgsMemory>();
  result.stats = {};
  m.judge.prepare(problem);
  m.rows.build(problem, m.judge.rows());
  m.delassus.prepare(problem, m.judge, m.rows);
  m.lambda.assign(at(problem.rows), 0.0);
  if (workspace.start.size() == m.lambda.size()) m.lambda = workspace.start;
  m.delassus.reset(problem, m.judge, m.rows, m.lambda);

  double best = 1e300;
  const auto judge = [&] {
    const Verdict verdict = m.judge.evaluate(problem, m.lambda);
    const double measure = std::max(verdict.residual, verdict.siconos);
    if (measure < best) {
      best = measure;
      m.best_lambda = m.lambda;
      result.verdict = verdict;
    }
    if (settings.history) result.stats.history.push_back({verdict.residual, seconds(), result.stats.iterations, 0});
  };
  judge();
  const int sweeps = settings.max_iterations > 0 ? settings.max_iterations : kDefaultSweeps;
  result.status = SolveStatus::IterationLimit;
  while (best > settings.tolerance && result.stats.iterations < sweeps) {
    sweep(problem, settings.pgs, m);
    ++result.stats.iterations;
    if (settings.history || result.stats.iterations % kJudgeEvery == 0 || result.stats.iterations == sweeps) judge();
    if (settings.budget_us > 0 && seconds() * 1e6 >= settings.budget_us) {
      judge();
      if (best > settings.tolerance) result.status = SolveStatus::TimeLimit;
      break;
    }
  }
  if (best <= settings.tolerance) result.status = SolveStatus::Converged;
  result.lambda = m.best_lambda;
  result.verdict = m.judge.evaluate(problem, result.lambda);
  result.v.assign(m.judge.velocity().begin(), m.judge.velocity().end());
  result.stats.seconds = seconds();
}

}  // namespace uzawa
