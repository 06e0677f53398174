#pragma once

#include <memory>
#include <span>

#include "uzawa/problem/problem.hpp"
#include "uzawa/solver/compact_rows.hpp"
#include "uzawa/solver/constraint_laws.hpp"

namespace uzawa {

/// H = A + beta J^T D J ([AL] eq. 25), factorised by what suits the problem: dense where it is small or would fill in,
/// else sparse with the symbolic part (ordering, pattern, where each constraint scatters to) kept from step to step
/// and from problem to problem while the pattern stays the same.
class NewtonMatrix {
 public:
  NewtonMatrix();
  ~NewtonMatrix();
  NewtonMatrix(NewtonMatrix&&) noexcept;
  NewtonMatrix& operator=(NewtonMatrix&&) noexcept;

  /// Takes over A and the pattern of J.
  void prepare(const Problem& problem, const CompactRows& rows);
  /// Symmetric D (the cascade): Cholesky. False where H is not positive definite to working precision.
  [[nodiscard]] bool factorize(const Problem& problem, const CompactRows& rows, double beta, const LawDerivatives& d);
  /// D of the strict law is not symmetric: LU. False where H is singular.
  [[nodiscard]] bool factorize_general(const Problem& problem, const CompactRows& rows, double beta,
                                       const LawDerivatives& d);
  /// x <- H^-1 x with the last factors.
  void solve(std::span<double> x);
  bool is_dense() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The lower triangle of A by rows.
SparseRows lower_triangle(const Problem& problem);

}  // namespace uzawa
