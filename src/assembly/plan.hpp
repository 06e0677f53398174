#pragma once

#include <vector>

#include "uzawa/assembly/subsystem_block.hpp"

namespace uzawa {

/// Data that the assembly derives once from a Model, shared by any number of Assemblers. The model must outlive it.
struct AssemblyPlan {
  explicit AssemblyPlan(const Model& model);

  const Model& model;
  SubsystemBlocks blocks;
  std::vector<double> tendon_rest_length;  ///< per tendon, m, at the reference configuration
  /// Some constraint of the model is not linear in q: equalities, ranges of ball joints and of tendons through sites.
  bool has_curved_constraints = false;
  /// Some link moves on other joints than free ones, so that its points move along curves.
  bool has_bent_paths = false;
};

}  // namespace uzawa
