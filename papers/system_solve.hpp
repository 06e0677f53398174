#pragma once

#include <Eigen/SparseCholesky>
#include <vector>

#include "uzawa/problem/judge.hpp"
#include "uzawa/solver/newton_matrix.hpp"

namespace uzawa::papers {

/// What the linear algebra of ADMM without subsystems costs ([AL] eq. 29): the matrix A + beta J^T J of the whole
/// system, by our block-sparse elimination in lanes and by Eigen's sparse Cholesky, which [AL] used.
class SystemSolve {
 public:
  struct Costs {
    double blocks = 0, eigen = 0;  ///< s of CPU time
  };
  /// Of the pattern, so many factorisations, and so many solves. Putting the matrix together counts for ours alone.
  /// `judge`: prepared for the problem. Throws std::logic_error where the two do not agree.
  Costs measure(const Problem& problem, const Judge& judge, double beta, int factorizations, int solves);

 private:
  double time_blocks(const Problem& problem, const Judge& judge, double beta, int factorizations, int solves);
  double time_eigen(const Eigen::SparseMatrix<double>& h, const Problem& problem, int factorizations, int solves);

  CompactRows rows_;
  LawDerivatives weights_;
  NewtonMatrix matrix_;
  std::vector<double> x_;
  LowerTriangle a_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor_;
  Eigen::VectorXd y_;
};

}  // namespace uzawa::papers
