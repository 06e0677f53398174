#pragma once

namespace uzawa {

/// The three problems that are written in a step.
enum class Phase {
  Velocity,  ///< v_{k+1}: laws and gaps that may be met within the step; no recovery of errors of position
  Impact,    ///< velocities after the impacts of this step: no time passes
  Position   ///< a move x that corrects errors of position: J x + error
};

}  // namespace uzawa
