#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/stiff_dampers.hpp"

namespace uzawa {

/// A step whose smooth part is RK4's, as in [LCP] section V, and whose impulses come on top:
///
///     (q_s, v_s) = RK4 of all forces but stiff dampers', without constraints, over the step
///     (M(q_k) + h D) v_{k+1} = M(q_k) v_s + J^T lambda   the velocity problem, [LCP] eq. 14; D: StiffDampers
///     q_{k+1} = q_s + c h (v_{k+1} - v_s)                c = 1/2: lambda is a constant force; 1: an impact at the
///     start
///
/// Without impulses and stiff dampers it is RK4, of fourth order. [LCP] takes the velocity of Euler's rule in the
/// problem and gives the forces that it finds to the integration; here the problem has RK4's velocity, so that v_{k+1}
/// is what the contact laws hold for.
class SmoothEnd {
 public:
  explicit SmoothEnd(const Model& model);

  /// RK4 from `start`. False where M is not positive definite.
  [[nodiscard]] bool predict(const State& start, std::span<const double> control, std::span<const double> external,
                             double h);
  /// Those that RK4 has left to the problem.
  const StiffDampers& dampers() const { return dampers_; }
  /// v_s in the coordinates of the start: of bodies that fly alone the centre of mass has the velocity of the end.
  std::span<const double> velocity() const { return velocity_; }
  /// Joint velocities that lead through the step, with v_{k+1} = `next`: (v_k + v_s)/2 + c (next - v_s). `share`: c, by
  /// dof.
  void mean_velocity(std::span<const double> next, std::span<const double> share, std::span<double> mean) const;
  /// The state at the end.
  void finish(std::span<const double> next, std::span<const double> share, State& state);

 private:
  const Model& model_;
  DynamicsData data_;
  StiffDampers dampers_;
  IntegratorWorkspace workspace_;
  double h_ = 0;
  State start_, end_;
  std::vector<double> velocity_, move_;
};

}  // namespace uzawa
