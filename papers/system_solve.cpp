#include "uzawa/papers/system_solve.hpp"

#include <Eigen/SparseCholesky>
#include <stdexcept>

#include "uzawa/base/timing.hpp"
#include "uzawa/papers/eigen_rows.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"

namespace uzawa::papers {

namespace {

constexpr double kAgreement = 1e-6;  // relative; the matrix is conditioned to 1e6 and more

Eigen::Map<const Eigen::VectorXd> vector(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

/// Our way.
struct Blocks {
  CompactRows rows;
  LawDerivatives weights;
  NewtonMatrix matrix;
  std::vector<double> x;

  bool solve(const PreparedProblem& prepared, double beta, int factorizations, int solves) {
    const Problem& problem = prepared.problem();
    rows.build(problem, prepared.rows());
    matrix.prepare(problem, rows);
    weights.set_to_one(problem);
    bool good = true;
    for (int i = 0; i < factorizations; ++i) good = matrix.factorize(problem, beta, weights) && good;
    for (int i = 0; i < solves; ++i) {
      x = problem.b;
      matrix.solve(x);
    }
    return good;
  }
};

}  // namespace

struct SystemSolve::Memory {
  Blocks blocks;
  LowerTriangle a;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor;
};

SystemSolve::SystemSolve() : memory_(std::make_unique<Memory>()) {}
SystemSolve::~SystemSolve() = default;

SystemSolve::Costs SystemSolve::measure(const PreparedProblem& prepared, double beta, int factorizations, int solves) {
  const Problem& problem = prepared.problem();
  Memory& m = *memory_;
  Costs out;
  bool good = false;
  out.blocks = bench::seconds([&] { good = m.blocks.solve(prepared, beta, factorizations, solves); });

  m.a.build(problem, nullptr);
  const Eigen::SparseMatrix<double> j = to_eigen(prepared.rows()), penalty = beta * (j.transpose() * j);
  const Eigen::SparseMatrix<double> below = penalty.triangularView<Eigen::Lower>(), h = to_eigen(m.a.rows()) + below;
  Eigen::VectorXd y;
  out.eigen = bench::seconds([&] {
    m.factor.analyzePattern(h);
    for (int i = 0; i < factorizations; ++i) m.factor.factorize(h);
    for (int i = 0; i < solves; ++i) y = m.factor.solve(vector(problem.b));
  });
  if (!good || !((y - vector(m.blocks.x)).norm() <= kAgreement * y.norm())) {
    throw std::logic_error("two factorisations of A + beta J^T J do not agree");
  }
  return out;
}

}  // namespace uzawa::papers
