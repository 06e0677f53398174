#pragma once

#include <utility>

#include "uzawa/problem/judge.hpp"
#include "uzawa/solver/canal/primal_dual.hpp"
#include "uzawa/solver/canal/surrogate.hpp"
#include "uzawa/solver/linear/effective_mass.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa::test {

/// A problem with the parts that CANAL is made of, prepared as CANAL prepares them: the only place in the tests that
/// knows how.
struct CanalParts {
  explicit CanalParts(Problem p) : problem(std::move(p)), prepared(problem) {
    surrogate.prepare(prepared);
    newton.prepare(prepared);
  }
  CanalParts(const CanalParts&) = delete;

  /// J v with v = A^-1 (b + J^T lambda).
  std::span<const double> constraint_velocity(std::span<const double> lambda) {
    judge.evaluate(prepared, lambda);
    return judge.constraint_velocity();
  }
  /// v = A^-1 (b + J^T lambda).
  std::span<const double> velocity(std::span<const double> lambda) {
    judge.evaluate(prepared, lambda);
    return judge.velocity();
  }
  /// The penalty that CANAL begins with.
  double first_penalty() { return CanalSettings{}.penalty * effective_mass(prepared); }
  double residual(std::span<const double> lambda) { return judge.evaluate(prepared, lambda).residual; }

  Problem problem;
  PreparedProblem prepared;
  Judge judge;
  Surrogate surrogate;
  PrimalDualNewton newton;
};

}  // namespace uzawa::test
