#include "uzawa/math/nodal/nodal_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

double trace(const double* block) { return block[0] + block[4] + block[8]; }

struct MassAndStiffness {
  double mass = 0;   ///< of the body
  double ratio = 0;  ///< trace of a node's diagonal block over three times its mass, root mean square; 0: no masses
};

MassAndStiffness measure(const NodalMatrix& matrix) {
  const NodalPattern& pattern = *matrix.pattern;
  const int nodes = pattern.nodes();
  double total = 0, stiff = 0;
  for (int i = 0; i < nodes; ++i) {
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1]; ++k) {
      total += (pattern.column[at(k)] == i ? 1 : 2) * trace(matrix.block(at(k)));
    }
    stiff += trace(matrix.block(pattern.diagonal(i)));
  }
  // A sum that is lost in rounding errors is none.
  if (!(total > 1e-12 * stiff)) return {};
  return {total / 3, stiff / total};
}

}  // namespace

NodalCost nodal_cost(const NodalMatrix& matrix, double factor) {
  // Iterations to kAccuracy over the root of that ratio: 8.3 and 5.4 at ratios of 42 and 420 (elastic boxes).
  constexpr double kIterations = 8;
  // A contact problem at rest solves some five systems, most of them from good guesses.
  constexpr double kSystems = 2.5;
  // Time of a block in an iteration over that of one of the factor's flops: 5 ns, 1/27 ns.
  constexpr double kBlock = 140;
  const auto [mass, ratio] = measure(matrix);
  NodalCost cost{mass, factor, std::numeric_limits<double>::infinity(), 0};
  if (ratio == 0 || matrix.nodes() == 0) return cost;
  const double iterations = kIterations * std::sqrt(ratio);
  cost.iterate = kSystems * iterations * kBlock * static_cast<double>(matrix.pattern->blocks());
  cost.iterations = static_cast<int>(std::min(iterations, 1e6));
  return cost;
}

}  // namespace uzawa
