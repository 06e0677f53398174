/// The soft convex formulation of contact, as in MuJoCo: the baseline of [AL] section VII-E. One convex problem,
///
///     minimise over v   v^T A v/2 - b^T v + sum psi_i(J_i v),
///
/// solved exactly by Newton with exact line search; the laws behind psi are in soft_laws.hpp. No outer loop: what its
/// relaxation of Signorini-Coulomb costs (sinking, creeping, gliding) stays in the answer. So the status is `Relaxed`
/// unless the judge happens to be satisfied.
#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/solver/baseline/soft_laws.hpp"
#include "uzawa/solver/laws/slope_root.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"
#include "uzawa/solver/linear/vector_math.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultSteps = 100;           // Newton needs about 10
constexpr double kRelativeGradient = 1e-12;  // of the convex problem: solved to rounding

struct SoftConvexMemory : Workspace::Base {
  Judge judge;
  SoftLaws laws;
  NewtonMatrix matrix;
  LawDerivatives stiffness;
  std::vector<double> v, d, gradient, momentum, jt_lambda, ad, u, du, trial_u, impulse, best_lambda;
};

class SoftConvex {
 public:
  SoftConvex(PreparedProblem& prepared, const Settings& settings, SoftConvexMemory& memory)
      : problem_(prepared.problem()), rows_(prepared.compact_rows()), m_(memory) {
    const Problem& problem = problem_;
    m_.laws.prepare(problem, settings.soft_convex, prepared.delassus(DelassusForm::MatrixFree));
    m_.matrix.prepare(prepared);
    m_.stiffness.resize(problem);
    const auto n = static_cast<std::size_t>(problem.n()), rows = static_cast<std::size_t>(problem.rows);
    for (auto* x : {&m_.d, &m_.gradient, &m_.momentum, &m_.jt_lambda, &m_.ad}) x->resize(n);
    for (auto* x : {&m_.u, &m_.du, &m_.trial_u, &m_.impulse}) x->resize(rows);
  }

  /// Gradient at v; true at the minimum.
  bool evaluate() {
    rows_.multiply(m_.v.data(), m_.u.data());
    m_.laws.respond(problem_, m_.u, m_.impulse, m_.stiffness);
    std::fill(m_.jt_lambda.begin(), m_.jt_lambda.end(), 0.0);
    rows_.add_transposed(m_.impulse.data(), m_.jt_lambda.data());
    multiply(problem_, m_.v, m_.momentum);
    for (std::size_t i = 0; i < m_.v.size(); ++i) {
      m_.momentum[i] -= problem_.b[i];
      m_.gradient[i] = m_.momentum[i] - m_.jt_lambda[i];
    }
    return norm(m_.gradient) <= kRelativeGradient * (norm(problem_.b) + norm(m_.jt_lambda));
  }

  /// One Newton step with exact line search; false where it leads nowhere, which is the rounding floor.
  bool step() {
    if (!m_.matrix.factorize(problem_, 1, m_.stiffness)) return false;
    for (std::size_t i = 0; i < m_.d.size(); ++i) m_.d[i] = -m_.gradient[i];
    m_.matrix.solve(m_.d);
    if (!is_finite(m_.d)) return false;
    rows_.multiply(m_.d.data(), m_.du.data());
    multiply(problem_, m_.d, m_.ad);
    const double linear = dot(m_.d, m_.momentum), quadratic = dot(m_.d, m_.ad);
    const double start = -dot(m_.gradient, m_.d);
    const double alpha = slope_root(start, [&](double t) {
      for (std::size_t k = 0; k < m_.u.size(); ++k) m_.trial_u[k] = m_.u[k] + t * m_.du[k];
      const DirectionalSlope s = m_.laws.slope(problem_, m_.trial_u, m_.du);
      return DirectionalSlope{linear + t * quadratic + s.first, quadratic + s.second};
    });
    const double before = norm(m_.v);
    for (std::size_t i = 0; i < m_.v.size(); ++i) m_.v[i] += alpha * m_.d[i];
    return alpha * norm(m_.d) > std::numeric_limits<double>::epsilon() * before;
  }

 private:
  const Problem& problem_;
  const CompactRows& rows_;
  SoftConvexMemory& m_;
};

}  // namespace

void solve_soft_convex(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<SoftConvexMemory>();
  const Problem& problem = prepared.problem();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  m.impulse.assign(static_cast<std::size_t>(problem.rows), 0.0);
  if (workspace.start.size() == m.impulse.size()) m.impulse = workspace.start;
  m.judge.evaluate(prepared, m.impulse);
  m.v.assign(m.judge.velocity().begin(), m.judge.velocity().end());
  SoftConvex newton(prepared, settings, m);
  const int steps = settings.max_iterations > 0 ? settings.max_iterations : kDefaultSteps;
  bool solved = newton.evaluate();
  while (!solved && result.stats.iterations < steps && !progress.must_end()) {
    const bool moved = newton.step();
    ++result.stats.iterations;
    ++result.stats.factorizations;
    solved = newton.evaluate() || !moved;
    if (settings.history) progress.look_at(m.impulse);
    progress.record(0);
  }
  // The answer is the convex problem's, even where an iterate on the way pleases the judge more.
  SolveStatus status = SolveStatus::Relaxed;
  if (!solved) status = progress.ending(SolveStatus::IterationLimit);
  const Verdict verdict = m.judge.evaluate(prepared, m.impulse);
  if (Progress::measure(verdict, settings) <= settings.tolerance) status = SolveStatus::Converged;
  progress.finish(status, m.impulse);
}

}  // namespace uzawa
