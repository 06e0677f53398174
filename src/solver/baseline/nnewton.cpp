/// Nonsmooth Newton on the whole system, the baseline NNewton of [SUB] section IV-B (Macklin et al., "Non-smooth Newton
/// methods for deformable multi-body dynamics", ACM TOG 2019). With v = A^-1 (b + J^T lambda) eliminated, each row of
/// the linearised laws says how its velocity has to change with its impulse,
///
///     du + C dlambda = -r,     so     (J A^-1 J^T + C) dlambda = -r     (Schur complement)
///
/// with C diagonal, which is solved by conjugate gradients, preconditioned by its diagonal, matrix-free.
///
///   - A contact's normal: Fischer-Burmeister function of u_n and w lambda_n, w = W_ii, which gives both one unit.
///   - Friction: u_t + c lambda_t = 0 with c = (|u_t| - psi)/(|lambda_t| + psi/w), psi the Fischer-Burmeister function
///     of |u_t| and w (mu lambda_n - |lambda_t|), taken from the last iterate: a fixed point, as published. Cones with
///     two coefficients become circular by scaling the tangents.
///   - Scalar rows: slope of their law (scalar_law.hpp) at the penalty 1/w, which is semismooth Newton.
///
/// Deviation: steps are halved while the errors of all rows together become larger by more than kGrowth (the paper
/// takes full steps), and the judge keeps the best iterate.
#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/math/scalar_law.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultSteps = 200;
constexpr int kHalvings = 6;
constexpr double kGrowth = 2;

struct NNewtonMemory : Workspace::Base {
  Judge judge;
  std::vector<double> lambda, best_lambda, v, u;
  std::vector<double> own;                     // W_ii, of a contact's three rows their mean
  std::vector<double> compliance, error;       // C and r
  std::vector<double> step, trial;             // dlambda, and lambda + part of it
  std::vector<double> rest, direction, image;  // of conjugate gradients
};

/// a + b - sqrt(a^2 + b^2), without cancellation.
double fischer_burmeister(double a, double b) {
  const double root = std::sqrt(a * a + b * b);
  return a + b > 0 ? 2 * a * b / (a + b + root) : a + b - root;
}

class NonsmoothNewton {
 public:
  NonsmoothNewton(PreparedProblem& prepared, const NNewtonSettings& settings, NNewtonMemory& memory)
      : prepared_(prepared), problem_(prepared.problem()), settings_(settings), m_(memory) {
    const std::size_t rows = m_.lambda.size();
    for (auto* x : {&m_.u, &m_.own, &m_.compliance, &m_.error, &m_.step, &m_.trial, &m_.rest, &m_.direction, &m_.image})
      x->resize(rows);
    m_.v.resize(at(problem_.n()));
    find_own_mobilities();
    error_ = linearise(m_.lambda);
  }

  /// One Newton step; returns the number of inner iterations.
  int step() {
    const int inner = solve();
    double length = 1;
    for (int halving = 0;; ++halving, length /= 2) {
      for (std::size_t i = 0; i < m_.lambda.size(); ++i) m_.trial[i] = m_.lambda[i] + length * m_.step[i];
      const double error = linearise(m_.trial);
      if (error <= kGrowth * error_ || halving == kHalvings) {
        error_ = error;
        break;
      }
    }
    m_.lambda.swap(m_.trial);
    return inner;
  }

 private:
  void find_own_mobilities() {
    const std::span<const double> traces = prepared_.mobility();
    for (int c = 0; c < static_cast<int>(problem_.constraints.size()); ++c) {
      const int dims = problem_.dims(c);
      std::fill_n(m_.own.begin() + problem_.constraints[at(c)].row, dims, std::max(0.0, traces[at(c)]) / dims);
    }
  }

  /// C and r at lambda; returns the sum of squared errors, m/s.
  double linearise(std::span<const double> lambda) {
    prepared_.velocity(lambda, m_.v);
    prepared_.constraint_velocity(m_.v, m_.u);
    double sum = 0;
    for (const ConstraintRef& ref : problem_.constraints) {
      const std::size_t row = at(ref.row);
      const bool contact = ref.kind == ConstraintKind::Contact;
      if (m_.own[row] == 0) {  // it moves nothing: its impulses stay
        std::fill_n(m_.compliance.begin() + ref.row, contact ? 3 : 1, 1.0);
        std::fill_n(m_.error.begin() + ref.row, contact ? 3 : 1, 0.0);
        continue;
      }
      sum += contact ? linearise_contact(at(ref.index), row, &lambda[row]) : linearise_scalar(ref, row, lambda[row]);
    }
    return sum;
  }

  /// du + c dlambda = -r from  slope_u du + slope_lambda dlambda = -f; returns the square of f, made a velocity.
  double set(std::size_t row, double slope_u, double slope_lambda, double f) {
    const double least = slope_lambda / (settings_.largest_compliance * m_.own[row]);
    const double divisor = std::max(slope_u, least);
    m_.compliance[row] = slope_lambda / divisor;
    m_.error[row] = f / divisor;
    const double error = f / (slope_u + slope_lambda / m_.own[row]);
    return error * error;
  }

  double linearise_scalar(const ConstraintRef& ref, std::size_t row, double lambda) {
    const double w = m_.own[row], beta = 1 / w, s = lambda - beta * m_.u[row];
    const std::size_t i = at(ref.index);
    ScalarResponse law{};
    switch (ref.kind) {
      case ConstraintKind::Hard: law = hard_law(s, beta, problem_.hard.e[i]); break;
      case ConstraintKind::Equality: law = equality_law(s, beta, problem_.equality.e[i]); break;
      case ConstraintKind::Soft:
        law = soft_law(s, beta, problem_.soft.e[i], problem_.soft.k[i], problem_.soft.b[i]);
        break;
      case ConstraintKind::Limit: law = limit_law(s, beta, problem_.limits.lower[i], problem_.limits.upper[i]); break;
      case ConstraintKind::Friction: law = friction_law(s, beta, problem_.friction.bound[i]); break;
      case ConstraintKind::Contact:
      case ConstraintKind::Moment: break;
    }
    // f = w (lambda - law(lambda - u/w)) in m/s.
    return set(row, law.slope, w * (1 - law.slope), w * (lambda - law.impulse));
  }

  double linearise_contact(std::size_t i, std::size_t row, const double* lambda) {
    const FrictionCone& cone = problem_.contacts.cone[i];
    const Vec3 u = Vec3::from(&m_.u[row]) + problem_.contacts.e[i];
    const double w = m_.own[row + 2], a = u.z(), b = w * lambda[2], root = std::sqrt(a * a + b * b);
    const double toward = root > 0 ? a / root : std::sqrt(0.5), held = root > 0 ? b / root : std::sqrt(0.5);
    double sum = set(row + 2, 1 - toward, w * (1 - held), fischer_burmeister(a, b));
    if (cone.mu1 == 0 || cone.mu2 == 0) {
      for (std::size_t k = row; k < row + 2; ++k) sum += set(k, 0, m_.own[k], m_.own[k] * lambda[k - row]);
      return sum;
    }
    // In tangents scaled by the coefficients the cone has slope 1, and power stays what it is.
    const double wt = m_.own[row], slip = length(cone.mu1 * u.x(), cone.mu2 * u.y());
    const double friction = length(lambda[0] / cone.mu1, lambda[1] / cone.mu2);
    const double mean = cone.mu1 * cone.mu2 * wt, room = std::max(0.0, lambda[2]) - friction;
    const double psi = fischer_burmeister(slip, mean * room);
    const double most = settings_.largest_compliance * mean;
    const double above = std::max(0.0, slip - psi), below = friction + psi / mean;
    const double compliance = above < most * below ? above / below : most;
    const double mu[2] = {cone.mu1, cone.mu2};
    for (int k = 0; k < 2; ++k) {
      const double c = compliance / (mu[k] * mu[k]), f = u[k] + c * lambda[k];
      sum += set(row + at(k), 1, c, f);
    }
    return sum;
  }

  /// (W + C) x = -r by preconditioned conjugate gradients, from x = 0.
  int solve() {
    const std::size_t rows = m_.step.size();
    std::fill(m_.step.begin(), m_.step.end(), 0.0);
    double power = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      m_.rest[i] = -m_.error[i];
      m_.direction[i] = m_.rest[i] / diagonal(i);
      power += m_.rest[i] * m_.direction[i];
    }
    const double target = settings_.inner_tolerance * settings_.inner_tolerance * power;
    int done = 0;
    while (power > target && done < settings_.inner_iterations) {
      multiply(m_.direction, m_.image);
      double curvature = 0;
      for (std::size_t i = 0; i < rows; ++i) curvature += m_.direction[i] * m_.image[i];
      if (!(curvature > 0)) break;
      const double length = power / curvature;
      double next = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        m_.step[i] += length * m_.direction[i];
        m_.rest[i] -= length * m_.image[i];
        next += m_.rest[i] * m_.rest[i] / diagonal(i);
      }
      for (std::size_t i = 0; i < rows; ++i) {
        m_.direction[i] = m_.rest[i] / diagonal(i) + next / power * m_.direction[i];
      }
      power = next;
      ++done;
    }
    return done;
  }
  double diagonal(std::size_t row) const { return m_.own[row] + m_.compliance[row]; }

  void multiply(std::span<const double> x, std::span<double> y) {
    std::fill(m_.v.begin(), m_.v.end(), 0.0);
    prepared_.rows().add_transposed(x, m_.v);
    prepared_.factor().solve(m_.v);
    prepared_.constraint_velocity(m_.v, y);
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += m_.compliance[i] * x[i];
  }

  PreparedProblem& prepared_;
  const Problem& problem_;
  const NNewtonSettings& settings_;
  NNewtonMemory& m_;
  double error_ = 0;  ///< sum of squares, at lambda
};

}  // namespace

void solve_nnewton(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<NNewtonMemory>();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  progress.start_from(workspace.start, m.lambda);
  NonsmoothNewton newton(prepared, settings.nnewton, m);
  const SolveStatus status = progress.iterate(
      settings.max_iterations > 0 ? settings.max_iterations : kDefaultSteps,
      [&] { result.stats.inner_iterations += newton.step(); },
      [&] {
        if (result.stats.iterations > 0) progress.look_at(m.lambda);
        progress.record(0);
      },
      1);
  progress.finish(status);
}

}  // namespace uzawa
