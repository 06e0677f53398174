#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/judge.hpp"
#include "uzawa/solver/solver.hpp"
#include "uzawa/solver/subsystems.hpp"

namespace uzawa {

/// The iteration of SubADMM ([AL] eq. 35-40) with its state, to be run for as long as one likes. The method `subadmm`
/// is this until the judge is content; CANAL uses it to sort out contacts where Newton is lost.
class SubAdmmIteration {
 public:
  /// Starts from these impulses; the judge must be prepared.
  void prepare(const Problem& problem, const SubAdmmSettings& settings, Judge& judge, std::span<const double> lambda);
  /// One iteration, and every so often another penalty.
  void step(const Problem& problem);
  /// Impulses of the last iteration, in the order of the problem's constraints.
  std::span<const double> impulses(const Problem& problem);

  double beta() const { return beta_; }
  int factorizations() const { return factorizations_; }
  bool healthy() const { return healthy_; }  ///< all subsystem matrices were positive definite

 private:
  void iterate(const Problem& problem);
  void adapt(const Problem& problem);
  void factorize(const Problem& problem);
  void load(std::size_t side);

  SubAdmmSettings settings_;
  Subsystems subsystems_;
  std::vector<double> v_, lambda_;
  std::vector<Vec3> impulse_;  ///< per constraint: lambda as a 3-vector (n in z)
  std::vector<Vec3> z_, g_;    ///< per side: slack, and beta z + lambda
  double beta_ = 1, primal_ = 0, dual_ = 0, primal_scale_ = 0;
  int steps_ = 0, factorizations_ = 0;
  bool healthy_ = true;
};

}  // namespace uzawa
