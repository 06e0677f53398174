#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/data.hpp"

namespace uzawa {

/// Energy of each subsystem from step to step, in the terms of the carried momentum p (CarriedMomentum): with the
/// weight G = -h g of the links along the dofs,
///
///     E_k = 1/2 p^T M^-1 p + 1/2 G^T M^-1 p + V(q_k)
///
/// is the energy at the time of q_k, because p lags behind by half of the step's weight. Velocity products do no work,
/// so E_{k+1} - E_k is the work of all other forces: from w_a, the velocities after the first half of the products, to
/// the solved velocities it is (1/2 v^T M v - 1/2 w_a^T M w_a) - 1/2 G^T (w_a + v).
struct EnergyAccount {
  EnergyAccount() = default;
  explicit EnergyAccount(const Model& model);  ///< nothing is known

  std::vector<double> energy;   ///< J, per subsystem: E_k at the start of a step, E_{k+1} as it must be at its end
  std::vector<double> credit;   ///< J, per subsystem: what velocity products have taken so far and may give back
  std::vector<double> kinetic;  ///< J, per subsystem: of p
  bool known = false;           ///< the step before was booked
  bool open = false;            ///< this step is booked: some tree turns fast

  bool operator==(const EnergyAccount&) const = default;
};

/// A step of finite length misses this by O(h^3), in either direction; where links turn by more than some tenth of a
/// radian in a step the error is large, and a gain feeds itself. So gains are bounded: what exceeds the account, and
/// what was lost in the steps before, is taken out of p. Momenta along a base that slides or flies, the linear momentum
/// of the robot, stay as they are: of
///
///     w = M^-1 p = w_b + w_i,     w_b: motion of the base's translations alone, with their momenta of p,
///
/// the parts are orthogonal in the metric of M, and w_i alone is scaled. data.mass and data.mass_factor are those of
/// the present pose; `w`: M^-1 p, after it as before.
void limit_gain(const Model& model, const DynamicsData& data, std::span<const double> weight, EnergyAccount& account,
                std::span<double> p, std::span<double> w);
/// Velocity products c (per dof) and `product` (per link), shortened where half of them would turn the velocities by
/// more than half a radian. `acceleration`: M^-1 c, of what is left of it.
void limit_products(const Model& model, const DynamicsData& data, double h, const EnergyAccount& account,
                    std::span<double> c, std::span<double> acceleration, std::span<Force> product);
/// After limit_gain; p is the momentum after the first half of the velocity products, w = M^-1 p.
void book_start(const Model& model, std::span<const double> weight, std::span<const double> p,
                std::span<const double> w, EnergyAccount& account);
/// At the end of the step, with its solved velocities; `velocity`: per link.
void book_end(const Model& model, double h, std::span<const double> v, std::span<const Motion> velocity,
              const DynamicsData& data, EnergyAccount& account);
/// A move of the links in no time (`displacement`: per link) changes the potential energy, and no other force works.
void book_displacement(const Model& model, std::span<const Motion> displacement, const DynamicsData& data,
                       EnergyAccount& account);

}  // namespace uzawa
