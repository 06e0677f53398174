#pragma once

#include <memory>

#include "uzawa/problem/prepared_problem.hpp"

namespace uzawa::papers {

/// What the linear algebra of ADMM without subsystems costs ([AL] eq. 29): the matrix A + beta J^T J of the whole
/// system, by our block-sparse elimination in lanes and by Eigen's sparse Cholesky, which [AL] used.
class SystemSolve {
 public:
  SystemSolve();
  ~SystemSolve();

  struct Costs {
    double blocks = 0, eigen = 0;  ///< s of CPU time
  };
  /// Of the pattern, so many factorisations, and so many solves. Putting the matrix together counts for ours alone.
  /// Throws std::logic_error where the two do not agree.
  Costs measure(const PreparedProblem& prepared, double beta, int factorizations, int solves);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace uzawa::papers
