#pragma once

#include <span>
#include <string>
#include <vector>

#include "uzawa/sim/world.hpp"

/// What the checks of several scenes measure.
namespace uzawa::scenarios {

/// How far a free body has moved: of its centre, plus what its rotation moves a point at `reach` m from it. m.
double displacement(const Model& model, int body, const State& from, const State& to, double reach);

/// The heights, positions and so on of free bodies are read with this: first place of the body's joint in q or v.
std::size_t q_of(const Model& model, int body);
std::size_t v_of(const Model& model, int body);

/// How well the steps of a run were solved, and what must not happen in any scene.
class StepWatch {
 public:
  void watch(const World& world) { add(world.report()); }
  void add(const StepReport& report);
  bool all_solved() const { return unsolved_ == 0; }
  bool none_failed() const { return failed_ == 0; }
  double penetration() const { return penetration_; }  ///< m, deepest of all steps
  /// The judge's residual, over the steps that had constraints. It mixes m/s and N s: the norm of what is left of all
  /// laws, over the number of constraints.
  /// `share`: of the steps that have no larger one; 0.5: the median, 1: the worst.
  double residual(double share) const;
  /// "all steps solved", or how many were not, or had to leave overlaps.
  std::string text() const;

 private:
  int steps_ = 0, unsolved_ = 0, failed_ = 0;  ///< those that failed are not solved, either
  double penetration_ = 0;
  std::vector<double> residuals_;
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

/// How far the centres of bodies on free joints and of nodes of soft bodies have moved, m: the farthest of them.
double farthest_moved(const Model& model, std::span<const int> bodies, const State& from, const State& to);

/// Where the nodes of a soft body are in a state, m.
std::vector<Vec3> node_places(const Model& model, int soft_body, const State& state);

/// For what must stay where it is once it has come to rest.
class CreepWatch {
 public:
  /// `settled`: s; all is at rest by then.
  explicit CreepWatch(double settled) : settled_(settled) {}
  void watch(const World& world) {
    if (world.state().time <= settled_ + 0.5 * world.dt()) rest_ = world.state();
  }
  /// m, since then, of the centre or node that has moved farthest.
  double drift(const World& world, std::span<const int> bodies) const;
  /// m/s: the drift over the time that it took.
  double creep(const World& world, std::span<const int> bodies) const;

 private:
  double settled_;
  State rest_;
};

/// How far joints are beyond their limits; m or rad, 0: none is.
double limit_violation(const Model& model, const State& state);

/// A joint was at its limit in the last step, and was held back there.
bool at_limit(const World& world);

/// The angle between a body's z axis and the vertical, rad; `q` is where its free joint begins.
double tilt_of(const double* q);

/// The largest velocity of all dofs, or of those of a free body; m/s or rad/s.
double fastest(const State& state);
double fastest(const Model& model, int body, const State& state);

/// s that a fall from rest through a height (m) takes.
double fall_time(double height);
/// The next tenth: for times that are estimates.
double rounded_up(double seconds);

/// Torque or force of a hinge's or slide's dry friction in the last step, N m or N; 0: it has none.
double joint_friction(const World& world, int joint);

/// Numbers for messages: three digits and the unit.
std::string with_unit(double value, const char* unit);

}  // namespace uzawa::scenarios
