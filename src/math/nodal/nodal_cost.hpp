#pragma once

#include "uzawa/math/nodal/nodal_matrix.hpp"

namespace uzawa {

/// What linear systems with the matrix of a soft body cost.
struct NodalCost {
  double mass = 0;     ///< of the body, kg
  double factor = 0;   ///< multiplications and additions of the factor
  double iterate = 0;  ///< those of a contact problem by iterations, in the factor's flops: a cache has fewer a second
  int iterations = 0;  ///< of one system, about
  bool iterates() const { return iterate < factor; }
};

/// `factor`: flops of the sparse factor. Elasticity resists no translation, so the sum of a row of blocks is the mass
/// of a node; with that and the diagonal the condition number is known. A matrix without such masses is factorised.
NodalCost nodal_cost(const NodalMatrix& matrix, double factor);

}  // namespace uzawa
