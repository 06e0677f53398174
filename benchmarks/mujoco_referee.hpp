#pragma once

#include <span>
#include <vector>

#include "model_pair.hpp"
#include "uzawa/problem/judge.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa::bench {

/// MuJoCo's state before a step and its impulses after it, in the eyes of our judge. MuJoCo's contact forces are put in
/// at the contacts that we find at the same state, each at the nearest one of the same pair of geoms (of a flex: the
/// nearest of all).
class Referee {
 public:
  Referee(const Model& model, std::span<const double> control)
      : world_(model), control_(control.begin(), control.end()) {}

  /// Before MuJoCo's step.
  void look_at_state(const mjData* d);
  /// After it: the residual of its impulses; NaN where something pushes that has no place among our contacts.
  double residual(const ModelPair& pair);
  /// m, the deepest at the state looked at, as our collider finds it.
  double penetration() const { return world_.report().penetration; }

 private:
  bool collect_impulses(const ModelPair& pair);

  World world_;
  std::vector<double> control_, lambda_;
  PreparedProblem prepared_;
  Judge judge_;
};

}  // namespace uzawa::bench
