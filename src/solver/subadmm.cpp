/// SubADMM, the subsystem-based alternating direction method of multipliers ([AL] Algorithm 2): velocities subsystem by
/// subsystem with one factorisation (eq. 35), then slacks and impulses constraint by constraint in closed form with the
/// strict law (eq. 36-40). No step needs anything but its neighbours' last values.
#include <algorithm>
#include <cmath>

#include "uzawa/math/scalar_law.hpp"
#include "uzawa/solver/compact_rows.hpp"
#include "uzawa/solver/effective_mass.hpp"
#include "uzawa/solver/progress.hpp"
#include "uzawa/solver/subsystems.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultIterations = 1000;
constexpr int kJudgeEvery = 10;       // iterations between two looks at the residual, where no history is asked for
constexpr int kAdaptEvery = 25;       // iterations between two looks at the balance of the residuals
constexpr double kImbalance = 5;      // ratio of the relative residuals that calls for another penalty
constexpr double kLargestChange = 3;  // of the penalty at once

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct SubAdmmMemory : Workspace::Base {
  Judge judge;
  Subsystems subsystems;
  std::vector<double> v, lambda, best_lambda;
  std::vector<Vec3> impulse;  ///< per constraint: lambda as a 3-vector (n in z)
  std::vector<Vec3> z, g;     ///< per side: slack, and beta z + lambda
};

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

class SubAdmm {
 public:
  SubAdmm(const Problem& problem, const Settings& settings, SubAdmmMemory& memory, Result& result)
      : problem_(problem),
        settings_(settings),
        m_(memory),
        result_(result),
        progress_(problem, settings, memory.judge, memory.best_lambda, result) {}

  void run(const std::vector<double>& start) {
    prepare(start);
    judge();
    const int limit = settings_.max_iterations > 0 ? settings_.max_iterations : kDefaultIterations;
    while (!progress_.converged() && result_.stats.iterations < limit) {
      iterate();
      const int done = ++result_.stats.iterations;
      const bool late = progress_.out_of_time();
      if (settings_.history || late || done % kJudgeEvery == 0 || done == limit) judge();
      if (late && !progress_.converged()) return progress_.finish(SolveStatus::TimeLimit);
      if (settings_.subadmm.adapt_penalty && done % kAdaptEvery == 0) adapt();
    }
    progress_.finish(progress_.converged() ? SolveStatus::Converged : SolveStatus::IterationLimit);
  }

 private:
  void prepare(const std::vector<double>& start) {
    m_.subsystems.prepare(problem_);
    const auto rows = at(problem_.rows);
    m_.lambda.assign(rows, 0.0);
    if (start.size() == rows) m_.lambda = start;
    m_.impulse.assign(problem_.constraints.size(), {});
    for (std::size_t c = 0; c < m_.impulse.size(); ++c) {
      const ConstraintRef& ref = problem_.constraints[c];
      m_.impulse[c] = ref.kind == ConstraintKind::Contact ? Vec3::from(&m_.lambda[at(ref.row)])
                                                          : Vec3{0, 0, m_.lambda[at(ref.row)]};
    }
    const std::size_t sides = m_.subsystems.sides().size();
    m_.z.assign(sides, {});
    m_.g.assign(sides, {});
    m_.v.assign(at(problem_.n()), 0.0);
    beta_ = settings_.subadmm.penalty * first_penalty();
    factorize();
    // z = J v at the velocities that the first impulses give.
    m_.judge.evaluate(problem_, m_.lambda);
    const std::span<const double> v = m_.judge.velocity();
    m_.subsystems.set_velocity(problem_, v);
    for (std::size_t s = 0; s < sides; ++s) {
      m_.z[s] = m_.subsystems.side_velocity(problem_, m_.subsystems.sides()[s], v);
      load(s);
    }
  }

  /// Bodies have a mass; a problem of bare matrices has only what its contacts feel.
  double first_penalty() {
    const bool bodies = std::any_of(problem_.blocks.begin(), problem_.blocks.end(),
                                    [](const Block& b) { return b.kind != BlockKind::Sparse; });
    if (bodies) return m_.subsystems.pseudo_density(problem_);
    CompactRows rows;
    rows.build(problem_, m_.judge.rows());
    return 0.1 * effective_mass(problem_, m_.judge, rows);
  }

  void factorize() {
    if (!m_.subsystems.factorize(problem_, beta_)) ++result_.stats.inner_failures;
    ++result_.stats.factorizations;
  }

  void load(std::size_t side) {
    m_.g[side] = m_.z[side] * beta_ + m_.impulse[at(m_.subsystems.sides()[side].constraint)];
  }

  void iterate() {
    m_.subsystems.solve(problem_, m_.g, m_.v);
    const double relaxation = settings_.subadmm.relaxation;
    primal_ = dual_ = primal_scale_ = 0;
    for (int c = 0; c < static_cast<int>(problem_.constraints.size()); ++c) {
      const int begin = m_.subsystems.side_start(c), end = m_.subsystems.side_start(c + 1);
      if (begin == end) continue;
      Vec3 sum;
      for (int s = begin; s < end; ++s) {
        const Vec3 velocity = m_.subsystems.side_velocity(problem_, m_.subsystems.sides()[at(s)], m_.v);
        const Vec3 relaxed = velocity * relaxation + m_.z[at(s)] * (1 - relaxation);
        m_.g[at(s)] = relaxed;  // for a moment
        sum += relaxed;
        primal_scale_ += dot(velocity, velocity);
      }
      // |Z| equal penalties in series: 1/beta_eff = sum 1/beta.
      const double effective = beta_ / (end - begin);
      const Vec3 old = m_.impulse[at(c)];
      const Vec3 next = constraint_law(problem_, problem_.constraints[at(c)], effective, old - sum * effective);
      m_.impulse[at(c)] = next;
      const Vec3 step = (next - old) * (1 / beta_);
      for (int s = begin; s < end; ++s) {
        const Vec3 z = m_.g[at(s)] + step, change = z - m_.z[at(s)];
        primal_ += dot(step, step);
        dual_ += dot(change, change);
        m_.z[at(s)] = z;
        load(at(s));
      }
    }
  }

  /// Balances the two residuals, each relative to what it is a residual of ([AL] eq. 44 raw depends on units).
  void adapt() {
    double impulses = 0;
    for (const Vec3& impulse : m_.impulse) impulses += dot(impulse, impulse);
    const double primal = std::sqrt(primal_ / std::max(primal_scale_, 1e-300));
    const double dual = beta_ * std::sqrt(dual_ / std::max(impulses, 1e-300));
    if (!(primal > 0) || !(dual > 0)) return;
    const double ratio = primal / dual;
    if (ratio < kImbalance && ratio > 1 / kImbalance) return;
    beta_ *= std::clamp(std::sqrt(ratio), 1 / kLargestChange, kLargestChange);
    factorize();
    for (std::size_t s = 0; s < m_.z.size(); ++s) load(s);
  }

  void judge() {
    for (std::size_t c = 0; c < m_.impulse.size(); ++c) {
      const ConstraintRef& ref = problem_.constraints[c];
      if (ref.kind == ConstraintKind::Contact) {
        m_.impulse[c].store(&m_.lambda[at(ref.row)]);
      } else {
        m_.lambda[at(ref.row)] = m_.impulse[c].z();
      }
    }
    progress_.look_at(m_.lambda);
    progress_.record(beta_);
  }

  const Problem& problem_;
  const Settings& settings_;
  SubAdmmMemory& m_;
  Result& result_;
  Progress progress_;
  double beta_ = 1, primal_ = 0, dual_ = 0, primal_scale_ = 0;
};

}  // namespace

void solve_subadmm(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) {
  SubAdmm(problem, settings, workspace.get<SubAdmmMemory>(), result).run(workspace.start);
}

}  // namespace uzawa
