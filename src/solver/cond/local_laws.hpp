#pragma once

#include <vector>

#include "uzawa/math/vec3.hpp"
#include "uzawa/problem/problem.hpp"
#include "uzawa/solver/settings/cond_settings.hpp"

namespace uzawa {

/// The surrogate problem of one constraint, solved in closed form ([COND] Alg. 2): the impulse for which u = `u_star` +
/// gamma lambda obeys the law. Contacts in all three components, scalar rows in the third.
class LocalLaws {
 public:
  /// Sorts out which constraints can be treated side by side. `problem` must outlive the use.
  void prepare(const Problem& problem, CondOperator contact);
  /// Constraints [begin, end): impulses from u_star[c] and gamma[c]. Isotropic strict contacts go in lanes, and a
  /// lane's bits do not depend on its neighbours.
  void solve(int begin, int end, const Vec3* u_star, const double* gamma, Vec3* lambda) const;

 private:
  Vec3 solve_one(int c, const Vec3& u_star, double gamma) const;

  const Problem* problem_ = nullptr;
  CondOperator contact_ = CondOperator::Strict;
  std::vector<char> in_lanes_;  ///< per constraint
  std::vector<double> mu_;      ///< per constraint; of contacts in lanes
};

}  // namespace uzawa
