#pragma once

#include <span>
#include <vector>

#include "uzawa/base/aligned_vector.hpp"
#include "uzawa/problem/problem.hpp"
#include "uzawa/solver/cond/nodalization.hpp"
#include "uzawa/solver/cond/step_sizes.hpp"

namespace uzawa {

/// Second level of COND's surrogate of A: W + P (P^T A P)^-1 P^T, where P moves aggregates of neighbouring nodes of a
/// soft body as rigid wholes, without rotation. Step sizes of single nodes take many iterations over motions of large
/// parts; those are what it solves for exactly. Aggregates are made of nodes that no constraint touches: W stays one
/// number a node where contacts act, so their surrogate problems remain single ones in closed form ([COND] Prop. 3).
/// Blocks that W inverts (StepSizes::has_inverse) need none. Iterations of a cold solve to 1e-6 (`benchmark_cond`) with
/// it and without: cube of 8,000 nodes 202 and 564, of 1,728 and 1 MPa 567 and 1,229, mat of 1,600 221 and 405, between
/// two rigid bodies 1,185 and 982.
class CoarseCorrection {
 public:
  /// Nothing to do where `asked` is false. False where A is not positive definite.
  [[nodiscard]] bool prepare(const Problem& problem, const Nodalization& nodes, const StepSizes& sizes, bool asked);
  /// v -= scale P (P^T A P)^-1 P^T (A v - b): `product` is A v before the step, `v` velocities after that of the nodes.
  void correct(double scale, std::span<const double> product, std::span<const double> b, double* v);

 private:
  /// A soft body: its nodes and coarse dofs.
  struct Body {
    int offset, nodes;         ///< first dof; number
    int first_node;            ///< place in aggregate_
    int aggregates;            ///< number
    std::size_t first, place;  ///< of its coarse vector; of its matrix
  };
  void mark_touched(const Nodalization& nodes, int dofs);
  void aggregate(const NodalPattern& pattern, Body& body);
  bool factorize(const NodalMatrix& matrix, const Body& body);
  bool invert(double* matrix, int size);

  std::vector<Body> bodies_;
  std::vector<char> touched_;        ///< per dof
  std::vector<int> aggregate_;       ///< per node of all bodies; -1: none
  std::vector<int> start_, around_;  ///< neighbours of each node, of one body at a time
  std::vector<int> queue_;
  std::vector<double> inverse_;            ///< (P^T A P)^-1 of each body, dense
  AlignedVector<double> factor_, column_;  ///< scratch
  std::vector<double> force_, motion_;
};

}  // namespace uzawa
