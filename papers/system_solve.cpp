#include "uzawa/papers/system_solve.hpp"

#include <algorithm>
#include <stdexcept>

#include "uzawa/base/timing.hpp"

namespace uzawa::papers {

namespace {

constexpr double kAgreement = 1e-6;  // relative; the matrix is conditioned to 1e6 and more

Eigen::SparseMatrix<double> sparse(const SparseRows& rows) {
  return Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>>(
      rows.rows(), rows.columns, static_cast<Eigen::Index>(rows.value.size()), rows.start.data(), rows.column.data(),
      rows.value.data());
}

Eigen::Map<const Eigen::VectorXd> vector(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace

double SystemSolve::time_blocks(const Problem& problem, const Judge& judge, double beta, int factorizations,
                                int solves) {
  bool good = true;
  const double seconds = bench::seconds([&] {
    rows_.build(problem, judge.rows());
    matrix_.prepare(problem, rows_);
    weights_.resize(problem);
    std::fill(weights_.contact.begin(), weights_.contact.end(), Mat3::identity());
    std::fill(weights_.scalar.begin(), weights_.scalar.end(), 1.0);
    for (int i = 0; i < factorizations; ++i) good = matrix_.factorize(problem, beta, weights_) && good;
    for (int i = 0; i < solves; ++i) {
      x_ = problem.b;
      matrix_.solve(x_);
    }
  });
  if (!good) throw std::logic_error("A + beta J^T J is not positive definite");
  return seconds;
}

double SystemSolve::time_eigen(const Eigen::SparseMatrix<double>& h, const Problem& problem, int factorizations,
                               int solves) {
  return bench::seconds([&] {
    factor_.analyzePattern(h);
    for (int i = 0; i < factorizations; ++i) factor_.factorize(h);
    for (int i = 0; i < solves; ++i) y_ = factor_.solve(vector(problem.b));
  });
}

SystemSolve::Costs SystemSolve::measure(const Problem& problem, const Judge& judge, double beta, int factorizations,
                                        int solves) {
  Costs out{.blocks = time_blocks(problem, judge, beta, factorizations, solves)};
  a_.build(problem);
  const Eigen::SparseMatrix<double> j = sparse(judge.rows()), penalty = beta * (j.transpose() * j);
  const Eigen::SparseMatrix<double> below = penalty.triangularView<Eigen::Lower>();
  out.eigen = time_eigen(sparse(a_.rows()) + below, problem, factorizations, solves);
  if (!((y_ - vector(x_)).norm() <= kAgreement * y_.norm())) throw std::logic_error("two factorisations do not agree");
  return out;
}

}  // namespace uzawa::papers
