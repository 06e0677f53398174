#include "uzawa/papers/published_delassus.hpp"

#include <Eigen/SparseCholesky>
#include <stdexcept>

#include "uzawa/base/timing.hpp"
#include "uzawa/papers/eigen_rows.hpp"
#include "uzawa/solver/linear/newton_nodes.hpp"

namespace uzawa::papers {

double published_delassus_seconds(const Problem& problem) {
  LowerTriangle lower;
  lower.build(problem, nullptr);
  const Eigen::SparseMatrix<double> a = to_eigen(lower.rows()), j = to_eigen(constraint_rows(problem));
  Eigen::MatrixXd moved = Eigen::MatrixXd(j.transpose()), delassus;
  const double seconds = bench::seconds([&] {
    const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor(a);
    if (factor.info() != Eigen::Success) throw std::logic_error("A is not positive definite");
    moved = factor.solve(moved);
    delassus = j * moved;
  });
  if (!(delassus.diagonal().minCoeff() >= 0)) throw std::logic_error("J A^-1 J^T is not what it should be");
  return seconds;
}

}  // namespace uzawa::papers
