#pragma once

#include <string>

#include "uzawa/sim/world.hpp"

/// What the checks of several scenes measure.
namespace uzawa::scenarios {

/// How far a free body has moved: of its centre, plus what its rotation moves a point at `reach` m from it. m.
double displacement(const Model& model, int body, const State& from, const State& to, double reach);

/// The heights, positions and so on of free bodies are read with this: first place of the body's joint in q or v.
std::size_t q_of(const Model& model, int body);
std::size_t v_of(const Model& model, int body);

/// Counts what must not happen in any scene.
class StepWatch {
 public:
  void watch(const World& world);
  bool all_solved() const { return failed_ == 0 && unsolved_ == 0; }
  bool none_failed() const { return failed_ == 0; }
  double penetration() const { return penetration_; }  ///< m, deepest of all steps
  double residual() const { return residual_; }        ///< worst of all steps
  /// "all steps solved", or how many were not, or had to leave overlaps.
  std::string text() const;

 private:
  int steps_ = 0, unsolved_ = 0, failed_ = 0, jammed_ = 0;
  double penetration_ = 0, residual_ = 0;
};

/// For what must stand still: how far any body of a scene of free bodies has been from its start.
class DriftWatch {
 public:
  void start(const State& state) { start_ = state; }
  /// `reach`: of the farthest point of a body from its centre, m.
  void watch(const World& world, double reach);
  double drift() const { return drift_; }  ///< m

 private:
  State start_;
  double drift_ = 0;
};

/// How far joints are beyond their limits; m or rad, 0: none is.
double limit_violation(const Model& model, const State& state);

/// The largest velocity of all dofs, m/s or rad/s.
double fastest(const State& state);

/// Torque or force of a hinge's or slide's dry friction in the last step, N m or N; 0: it has none.
double joint_friction(const World& world, int joint);

/// Numbers for messages: three digits and the unit.
std::string with_unit(double value, const char* unit);

}  // namespace uzawa::scenarios
