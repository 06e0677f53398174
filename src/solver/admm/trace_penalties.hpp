#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"

namespace uzawa {

/// The penalties of [SUB] eq. 23, beta_i = Tr(A_i) / Tr(J_i^T J_i): subsystem i is a block of the problem, J_i the
/// columns of J that belong to it.
class TracePenalties {
 public:
  /// One number a block; 1 where no constraint acts on it. `whole`: all blocks together are the one subsystem, as in
  /// ADMM on the full system.
  std::span<const double> measure(const PreparedProblem& prepared, bool whole);

 private:
  std::vector<double> diagonal_, column_square_, penalty_;
};

}  // namespace uzawa
