/// Accelerated projected gradient descent on the Delassus operator, the method of Mazhar et al. (2015) that [COND]
/// section V-C compares with: with W = J A^-1 J^T and the laws' sets K,
///
///     minimise over lambda in K   lambda^T W lambda/2 + (J A^-1 b + e + s n)^T lambda,
///
/// by Nesterov's momentum with restart, and a step 1/L from a Lipschitz estimate that is doubled where the quadratic
/// model fails and shrinks again after each iteration.
///
/// Coulomb's law is not a minimum: the shift s = mu |u_t| (De Saxce) is taken from the velocities at the present point,
/// so that a fixed point is the exact law. Without it the problem is the convex relaxation that was published.
///
/// Beyond the published form:
/// - steps are in proportion to the effective mass of each constraint, the same for a contact's three rows, so that the
///   projection onto the cone stays Euclidean;
/// - scalar rows are projected by their own laws, which are proximal steps: equalities, limits, friction, soft rows;
/// - W times a point of extrapolation follows from the products that are there: one product an iteration;
/// - a restart where the step points against the last change (O'Donoghue and Candes), which holds for proximal steps.
#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/first_order/constraint_velocity.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultIterations = 1000;
constexpr double kGrowth = 2;        // of the Lipschitz estimate where the quadratic model fails
constexpr double kRounding = 1e-14;  // change, relative to the point, below which the model can't be tested

struct ApgdMemory : Workspace::Base {
  Judge judge;
  ConstraintVelocity velocity;
  std::vector<double> diagonal, masses, steps, shift;
  std::vector<double> lambda, next, y;  ///< the last iterate, the next one, the point of extrapolation
  std::vector<double> u, next_u, y_u;   ///< their J v
  std::vector<double> projected, best_lambda;
};

class Apgd {
 public:
  Apgd(PreparedProblem& prepared, const ApgdSettings& settings, ApgdMemory& memory)
      : problem_(prepared.problem()), settings_(settings), m_(memory) {
    m_.velocity.prepare(prepared, settings.form);
    if (settings.precondition) {
      estimate_masses(prepared, m_.diagonal, m_.masses);
    } else {
      m_.masses.assign(at(problem_.rows), 1.0);
    }
    m_.shift.assign(at(problem_.contacts.size()), 0.0);
    m_.steps.resize(at(problem_.rows));
    m_.projected.resize(at(problem_.rows));
    m_.next.resize(at(problem_.rows));
  }

  /// From m_.lambda. The first estimate of L is the Rayleigh quotient of one vector, as published.
  void start() {
    m_.velocity.evaluate(m_.lambda, m_.u);
    m_.y = m_.lambda;
    m_.y_u = m_.u;
    for (std::size_t r = 0; r < m_.next.size(); ++r) m_.next[r] = m_.lambda[r] + m_.masses[r];
    m_.velocity.evaluate(m_.next, m_.next_u);
    const Curvature c = curvature();
    lipschitz_ = c.square > 0 && c.product > 0 ? c.product / c.square : 1;
  }

  void step() {
    if (settings_.friction == ConeFriction::Exact) {
      for (int i = 0; i < problem_.contacts.size(); ++i) {
        const Vec3 u = Vec3::from(&m_.y_u[at(problem_.contacts.row[at(i)])]) + problem_.contacts.e[at(i)];
        m_.shift[at(i)] = sliding_power(problem_.contacts.cone[at(i)], u);
      }
    }
    project();
    while (true) {
      const Curvature c = curvature();
      if (!(c.product > lipschitz_ * c.square && c.square > kRounding * kRounding * c.point)) break;
      lipschitz_ = std::max(kGrowth * lipschitz_, c.product / c.square);
      project();
    }
    extrapolate();
    lipschitz_ *= settings_.step_recovery;
  }

  /// Fixed-point error of the relaxation without shift, in the judge's measure.
  double relaxed_residual() {
    const LawParameters law{.beta = 1, .multiplier = m_.lambda, .shift = m_.shift};
    constraint_impulses(problem_, law, m_.u, m_.projected);
    double square = 0;
    for (std::size_t r = 0; r < m_.lambda.size(); ++r) {
      const double error = m_.lambda[r] - m_.projected[r];
      square += error * error;
    }
    return problem_.constraints.empty() ? 0 : std::sqrt(square) / static_cast<double>(problem_.constraints.size());
  }

 private:
  /// Of the change from y to the next iterate, in the metric of the masses.
  struct Curvature {
    double product = 0;  ///< change^T W change
    double square = 0;   ///< |change|^2
    double point = 0;    ///< |y|^2
  };
  Curvature curvature() const {
    Curvature c;
    for (std::size_t r = 0; r < m_.y.size(); ++r) {
      const double change = m_.next[r] - m_.y[r];
      c.product += change * (m_.next_u[r] - m_.y_u[r]);
      c.square += change * change / m_.masses[r];
      c.point += m_.y[r] * m_.y[r] / m_.masses[r];
    }
    return c;
  }

  /// The laws' impulses after a gradient step from y.
  void project() {
    for (std::size_t r = 0; r < m_.steps.size(); ++r) m_.steps[r] = m_.masses[r] / lipschitz_;
    const LawParameters law{.multiplier = m_.y, .shift = m_.shift, .betas = m_.steps};
    constraint_impulses(problem_, law, m_.y_u, m_.next);
    m_.velocity.evaluate(m_.next, m_.next_u);
  }

  void extrapolate() {
    double along = 0;
    for (std::size_t r = 0; r < m_.y.size(); ++r) {
      along += (m_.y[r] - m_.next[r]) * (m_.next[r] - m_.lambda[r]) / m_.masses[r];
    }
    const double theta = along > 0 ? 1 : theta_;
    theta_ = 0.5 * theta * (std::sqrt(theta * theta + 4) - theta);
    const double momentum = along > 0 ? 0 : theta * (1 - theta) / (theta * theta + theta_);
    for (std::size_t r = 0; r < m_.y.size(); ++r) {
      m_.y[r] = m_.next[r] + momentum * (m_.next[r] - m_.lambda[r]);
      m_.y_u[r] = m_.next_u[r] + momentum * (m_.next_u[r] - m_.u[r]);
    }
    m_.lambda.swap(m_.next);
    m_.u.swap(m_.next_u);
  }

  const Problem& problem_;
  const ApgdSettings& settings_;
  ApgdMemory& m_;
  double lipschitz_ = 1, theta_ = 1;
};

/// The convex relaxation to its own tolerance; its last iterate is the answer, as `soft-convex` has it.
void solve_relaxation(PreparedProblem& prepared, const Settings& settings, int limit, Apgd& method, ApgdMemory& m,
                      Progress& progress, Result& result) {
  bool solved = method.relaxed_residual() <= settings.tolerance;
  while (!solved && result.stats.iterations < limit && !progress.must_end()) {
    method.step();
    const int done = ++result.stats.iterations;
    if (done % Progress::kJudgeEvery == 0 || done == limit) solved = method.relaxed_residual() <= settings.tolerance;
    if (settings.history) progress.look_at(m.lambda);
    progress.record(0);
  }
  SolveStatus status = solved ? SolveStatus::Relaxed : progress.ending(SolveStatus::IterationLimit);
  const Verdict verdict = m.judge.evaluate(prepared, m.lambda);
  if (Progress::measure(verdict, settings) <= settings.tolerance) status = SolveStatus::Converged;
  progress.finish(status, m.lambda);
}

}  // namespace

void solve_apgd(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<ApgdMemory>();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  Apgd method(prepared, settings.apgd, m);
  progress.start_from(workspace.start, m.lambda);
  method.start();
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : kDefaultIterations;
  if (settings.apgd.friction == ConeFriction::Convex) {
    solve_relaxation(prepared, settings, limit, method, m, progress, result);
    return;
  }
  const SolveStatus status = progress.iterate(
      limit, [&] { method.step(); },
      [&] {
        if (result.stats.iterations > 0) progress.look_at(m.lambda);
        progress.record(0);
      });
  progress.finish(status);
}

}  // namespace uzawa
