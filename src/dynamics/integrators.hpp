#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/carried_momentum.hpp"
#include "uzawa/dynamics/data.hpp"

/// Time stepping of the smooth part (no contacts, limits or dry friction).
namespace uzawa {

class StiffDampers;

/// q <- q + h v on the manifold: quaternions move along the exponential of the body rate and stay of unit length.
void integrate_position(const Model& model, std::span<const double> v, double h, std::span<double> q);

/// The same for a state that moves on with its velocities. Bodies that fly alone move with their centres of mass: v of
/// the joint's origin is expressed anew at the end, so that the velocity of the centre of mass stays.
void move_on(const Model& model, double h, std::span<double> q, std::span<double> v);

/// A correction of positions in no time, `move` per dof: links keep the velocities of their centres of mass.
void displace(const Model& model, std::span<const double> move, std::span<double> q, std::span<double> v);

/// The theta rule, [AL] eq. 2: vhat = theta v_k + (1 - theta) v_{k+1}, q_{k+1} = q_k + h vhat.
///
/// Deviation: [AL] takes M and tau at q_k. At theta > 0 that is an explicit rule, which adds theta (h w)^2 of the
/// energy of a swing w in every step. Here they, and all constraints, are taken at the middle q_m = q_k + theta h v_k
/// (Moreau's midpoint rule at theta = 1/2). Then the q_m of all steps are the positions of semi-implicit Euler, for
/// every theta: energy stays bounded, and a bound on q_m and on the next q_m is one on q_{k+1}, which is between them.
/// At theta = 1/2 the rule is of second order where forces depend on positions.
struct ThetaRule {
  double h = 1.0 / 240;  ///< s, > 0
  double theta = 0;      ///< 0 <= theta < 1; 0: semi-implicit Euler, 1/2: midpoint
};

/// A and b of the step's linear system A vhat = b (+ J^T lambda, impulses, added by the assembly).
struct DiscreteSystem {
  explicit DiscreteSystem(const Model& model) : a(model.topology()), b(static_cast<std::size_t>(model.nv())) {}
  TreeMatrix a;           ///< M/(1-theta) + sum over spring-dampers of (h^2 K + h D) r r^T
  std::vector<double> b;  ///< N s or N m s
};

/// State and impulse in the middle of a step, by start_step; sized at construction.
struct MiddleWorkspace {
  explicit MiddleWorkspace(const Model& model);
  State state;                  ///< where M, forces and constraints are taken: (q_m, v_k)
  std::vector<double> impulse;  ///< momentum + h tau, per dof, N s or N m s
  /// Velocities that forces and impulses of the step act on, per dof: v_k after the step's share of velocity products.
  std::vector<double> start_v;
  std::vector<Force> momentum;         ///< per link (CarriedMomentum), about the reference point of its tree
  std::vector<Force> product;          ///< per link: velocity products, by momentum_impulse
  EnergyAccount account;               ///< carried over
  std::vector<double> kick;            ///< carried over, zero where nothing is
  std::vector<Motion> velocity;        ///< per link, scratch
  double kinetic = 0;                  ///< J, of that momentum (energy.hpp), by momentum_impulse
  std::vector<double> passive;         ///< passive_force in the middle, per dof
  std::vector<double> actuation;       ///< actuator_force in the middle, per dof
  std::vector<double> moving;          ///< per dof, scratch of momentum_impulse: velocities of the momentum alone
  std::vector<double> force, scratch;  ///< per dof
};

/// Memory of the steppers, sized at construction.
struct IntegratorWorkspace : MiddleWorkspace {
  explicit IntegratorWorkspace(const Model& model);
  CarriedMomentum carried;  ///< from step to step
  DiscreteSystem system;
  TreeMatrix factor;
  State stage;  ///< RK4
  std::vector<double> q_rate[4], v_rate[4], act_rate[4];
};

/// The part of `discretize` that forms no matrix: the state in the middle of the step (q_m, v_k), its poses, velocities
/// and tendons in `data`, and in workspace.impulse the right side for v_{k+1} with all forces taken there: the momentum
/// that is carried over (M v_k where none is) + h tau. The implicit part of spring-dampers (see for_each_spring_damper)
/// is left to the caller.
void start_step(const Model& model, const State& state, const CarriedMomentum& carried, std::span<const double> control,
                std::span<const double> external, const ThetaRule& rule, DynamicsData& data,
                MiddleWorkspace& workspace);

/// Velocities of the middle jump to v: the velocity-dependent part of start_step is repeated.
void jump_in_middle(const Model& model, std::span<const double> v, std::span<const double> control,
                    std::span<const double> external, const ThetaRule& rule, DynamicsData& data,
                    MiddleWorkspace& workspace);

/// Fills the system for the state. Gravity, Coriolis and external forces are taken in the middle of the step; joint
/// damping, springs and the position and velocity gains of actuators at its end, so that high gains are stable at any
/// step: with error e at its start, K and D along a row r, impulse = -h K e - (h^2 K + h D) r vhat.
/// `external` is an extra joint-space force (N, N m), or empty. Forces of soft bodies and rods are taken in the middle
/// of the step: for stiff ones a World has the implicit form.
void discretize(const Model& model, const State& state, std::span<const double> control,
                std::span<const double> external, const ThetaRule& rule, DynamicsData& data,
                IntegratorWorkspace& workspace);

/// Advances the state by one step, given v_{k+1}: q, v, activation, time; and the momentum that it carries.
void finish_step(const Model& model, std::span<const double> v, std::span<const double> control, const ThetaRule& rule,
                 const DynamicsData& data, MiddleWorkspace& workspace, CarriedMomentum& carried, State& state);

/// discretize, solve, finish_step. False (state untouched) where A is not positive definite.
[[nodiscard]] bool theta_step(const Model& model, std::span<const double> control, std::span<const double> external,
                              const ThetaRule& rule, DynamicsData& data, IntegratorWorkspace& workspace, State& state);

/// Classic fourth-order Runge-Kutta. Quaternions are integrated as four numbers (which keeps the order) and
/// normalised at the end. False (state untouched) where M is not positive definite. Without the forces of the dampers
/// `but`, if there are any.
[[nodiscard]] bool rk4_step(const Model& model, std::span<const double> control, std::span<const double> external,
                            double h, DynamicsData& data, IntegratorWorkspace& workspace, State& state,
                            const StiffDampers* but = nullptr);

}  // namespace uzawa
