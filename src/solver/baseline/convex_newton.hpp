#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/laws/slope_root.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

/// Memory of ConvexNewton; v is the point, impulse what the laws give there.
struct ConvexNewtonMemory {
  NewtonMatrix matrix;
  LawDerivatives stiffness;
  std::vector<double> v, d, gradient, momentum, jt_lambda, ad, u, du, trial_u, impulse;
};

/// Newton with exact line search on
///
///     minimise over v   v^T A v/2 - b^T v + sum psi_i(J_i v),
///
/// for laws with convex potentials psi, d psi/d u = -lambda. `Laws` has
/// respond(problem, u, impulse, derivatives), the impulses and -d lambda/d u, and slope(problem, u, du), the slope of
/// the potentials along du with its own slope.
template <typename Laws>
class ConvexNewton {
 public:
  static constexpr double kRelativeGradient = 1e-12;  ///< solved to rounding

  /// `memory.v` is the first point.
  ConvexNewton(PreparedProblem& prepared, const Laws& laws, ConvexNewtonMemory& memory)
      : problem_(prepared.problem()), rows_(prepared.compact_rows()), laws_(laws), m_(memory) {
    m_.matrix.prepare(prepared);
    m_.stiffness.resize(problem_);
    const auto n = static_cast<std::size_t>(problem_.n()), rows = static_cast<std::size_t>(problem_.rows);
    for (auto* x : {&m_.d, &m_.gradient, &m_.momentum, &m_.jt_lambda, &m_.ad}) x->resize(n);
    for (auto* x : {&m_.u, &m_.du, &m_.trial_u, &m_.impulse}) x->resize(rows);
  }

  /// Gradient at v; true at the minimum.
  bool evaluate() {
    rows_.multiply(m_.v.data(), m_.u.data());
    laws_.respond(problem_, m_.u, m_.impulse, m_.stiffness);
    std::fill(m_.jt_lambda.begin(), m_.jt_lambda.end(), 0.0);
    rows_.add_transposed(m_.impulse.data(), m_.jt_lambda.data());
    multiply(problem_, m_.v, m_.momentum);
    for (std::size_t i = 0; i < m_.v.size(); ++i) {
      m_.momentum[i] -= problem_.b[i];
      m_.gradient[i] = m_.momentum[i] - m_.jt_lambda[i];
    }
    return norm(m_.gradient) <= kRelativeGradient * (norm(problem_.b) + norm(m_.jt_lambda));
  }

  /// One Newton step; false where it leads nowhere, which is the rounding floor.
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
      const DirectionalSlope s = laws_.slope(problem_, m_.trial_u, m_.du);
      return DirectionalSlope{linear + t * quadratic + s.first, quadratic + s.second};
    });
    const double before = norm(m_.v);
    for (std::size_t i = 0; i < m_.v.size(); ++i) m_.v[i] += alpha * m_.d[i];
    return alpha * norm(m_.d) > std::numeric_limits<double>::epsilon() * before;
  }

 private:
  const Problem& problem_;
  const CompactRows& rows_;
  const Laws& laws_;
  ConvexNewtonMemory& m_;
};

}  // namespace uzawa
