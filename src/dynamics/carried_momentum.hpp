#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/data.hpp"
#include "uzawa/dynamics/gain_limit.hpp"

namespace uzawa {

struct MiddleWorkspace;

/// Momenta of the links at the end of a step, which the next step starts from in place of M(q) v. A step moves every
/// link by h v_{k+1} along its joints; momenta that were computed again from v at the new pose would gain or lose the
/// work of the curvature of these paths, always to the same side where motion is fast, and chains explode. Carried over
/// link by link the momentum is what the step has left, to second order.
///
///     p = sum J_i(q_k)^T (P_i, L_i) + armature v_k          the carried momentum, along the joints at q_k
///     w = M^-1 (p - h g)                                    velocities of the step without constraints; with the kick
///     of
///                                                           the last step where that was less: something carries it
///     b = p - h/2 c(q_k, w) - h g + h tau                   c: velocity products without gravity
///     (P_i, L_i) <- I_i V_i(v_{k+1}) + h/2 F_i(w)           F_i: rate of link i's momentum at w; c = sum J_i^T F_i
///
/// Half of the velocity products acts before the step's velocities are found and half after, so that they do no work on
/// average. Bodies that fly alone need no memory: their momentum is M v about the centre of mass, whatever the frame of
/// their joint, and their gyroscopic part is implicit (gyroscopic.hpp).
struct CarriedMomentum {
  CarriedMomentum() = default;
  explicit CarriedMomentum(const Model& model);  ///< of no state yet, with memory for all

  std::vector<Vec3> linear;   ///< P, per link, kg m/s
  std::vector<Vec3> angular;  ///< L, per link, about its centre of mass, kg m^2/s
  std::vector<double> kick;   ///< per dof: what forces and impulses of the step have added to the velocities
  EnergyAccount account;      ///< see limit_gain
  std::vector<double> q, v;   ///< the state that they belong to; from another one a step starts with M v

  bool belongs_to(const State& state) const { return v == state.v && q == state.q && !linear.empty(); }
  void forget() { linear.clear(); }
  bool operator==(const CarriedMomentum&) const = default;
};

/// workspace.momentum: of each link about the reference point of its tree at the poses of `data`, carried over where
/// `carried` belongs to the state at the start of the step, else that of data.velocity.
void start_momentum(const Model& model, const State& state, const CarriedMomentum& carried, const DynamicsData& data,
                    MiddleWorkspace& workspace);
/// workspace.momentum after a jump of the joint velocities.
void add_velocity_jump(const Model& model, std::span<const double> jump, const DynamicsData& data,
                       MiddleWorkspace& workspace);
/// impulse = p - h/2 c - h g, from workspace.momentum and the joint velocities v (armature); workspace.kinetic.
void momentum_impulse(const Model& model, std::span<const double> v, double h, DynamicsData& data,
                      MiddleWorkspace& workspace, std::span<double> impulse);
/// At the end of a step that was solved with velocities v and has led to `state`.
void carry_momentum(const Model& model, std::span<const double> v, double h, const State& state,
                    const DynamicsData& data, MiddleWorkspace& workspace, CarriedMomentum& carried);

}  // namespace uzawa
