#pragma once

#include <span>

#include "uzawa/dynamics/integrators.hpp"

/// The energy of a state that a step starts from, and the work of its forces.
///
/// A step is a kick of all impulses at q_k, then a drift by h v_{k+1}: velocities belong to the time between two
/// positions. Energy at the position itself is
///
///     E_k = 1/2 p^T w + V(q_k) + h/2 f(q_k)^T v_k,       w = M^-1 (p + h gravity)
///
/// p: carried momentum; V: gravity and springs; f: force of the springs. The products of a momentum before the kick and
/// velocities after it (and half a kick of the springs) are what makes it the energy of one time: in free fall and with
/// explicit springs it is constant to rounding, where 1/2 v_k^T M v_k + V(q_k) changes by h times the power of gravity.
/// Forces do work along (v_k + v_{k+1})/2, the mean of the displacements before and after the kick, over h; then
/// E_{k+1} - E_k is the sum of the works exactly where M is constant, and to second order elsewhere.
namespace uzawa {

/// J, of springs of joints and tendons that are stretched as they are at q; needs tendon_lengths(q).
double spring_energy(const Model& model, std::span<const double> q, const DynamicsData& data);

struct StartEnergy {
  double kinetic = 0;    ///< J, 1/2 p^T w
  double potential = 0;  ///< J, of gravity, springs, soft bodies and rods
};
/// After start_step.
StartEnergy start_energy(const Model& model, double h, const DynamicsData& data, const MiddleWorkspace& workspace);

struct StepWork {
  double actuators = 0;  ///< J, put in
  double external = 0;   ///< J, put in, by external forces and by gravity compensation that no actuator bears
  double damped = 0;     ///< J, taken by dampers, drag, and springs that are evaluated at the end of the step
};
/// Of the forces in the middle of a step, along the mean of the joint velocities at its start and its end. What is left
/// to the end of the step (springs, dampers, servos) is not part of it. After start_step; `scratch`: per dof.
StepWork middle_work(const Model& model, std::span<const double> mean, std::span<const double> external, double h,
                     const DynamicsData& data, const MiddleWorkspace& workspace, std::span<double> scratch);

}  // namespace uzawa
