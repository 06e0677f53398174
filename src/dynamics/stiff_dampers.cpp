#include "uzawa/dynamics/stiff_dampers.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

// RK4's interval of stability: |1 + z + z^2/2 + z^3/6 + z^4/24| <= 1 for real z from -2.785 on, and for imaginary ones
// up to 2 sqrt(2).
constexpr double kMostDecay = 2.785, kMostTurn = 2.828;

std::string name_of(const Model& model, int source) {
  const ModelSpec& spec = model.spec();
  const int joints = static_cast<int>(spec.joints.size()), tendons = static_cast<int>(spec.tendons.size());
  if (source < joints) return "joint '" + spec.joints[at(source)].name + "'";
  if (source < joints + tendons) return "tendon '" + spec.tendons[at(source - joints)].name + "'";
  return "actuator '" + spec.actuators[at(source - joints - tendons)].name + "'";
}

void place(const Model& model, const State& state, std::span<const double> control, DynamicsData& data,
           std::span<double> scratch) {
  forward_kinematics(model, state, data);
  link_velocities(model, state.v, data);
  tendon_lengths(model, state.q, data);
  actuator_force(model, state, control, data, scratch);
}

bool factorize(DynamicsData& data) {
  mass_matrix(data);
  return factorize_mass(data);
}

}  // namespace

StiffDampers::StiffDampers(const Model& model)
    : model_(model), rate_(model.subsystems().size()), scratch_(at(model.nv()) + 4) {}

/// r^T M^-1 r; data.mass_factor is that of the state.
double StiffDampers::inverse_mass(const SpringDamper& element, const DynamicsData& data) {
  const CoordinateRow& row = element.row;
  if (row.dofs.size() == 1) {
    const double c = row.scale * row.coefficients[0];
    return c * c * data.mass_factor.inverse_diagonal(row.dofs[0], scratch_);
  }
  const std::span<double> x = std::span(scratch_).first(at(model_.nv()));
  std::fill(x.begin(), x.end(), 0.0);
  row.add_force(1, x);
  return data.mass_factor.inverse_form(x);
}

/// The square of a sum is at most as many times the sum of squares: so a row over several subsystems counts in each.
void StiffDampers::add_rate(const SpringDamper& element, double rate) {
  const std::span<const int> dofs = element.row.dofs;
  const int first = model_.dof_subsystem(dofs[0]);
  if (std::all_of(dofs.begin(), dofs.end(), [&](int dof) { return model_.dof_subsystem(dof) == first; })) {
    rate_[at(first)] += rate;
  } else {
    for (const int dof : dofs) rate_[at(model_.dof_subsystem(dof))] += static_cast<double>(dofs.size()) * rate;
  }
}

bool StiffDampers::find(const State& start, std::span<const double> control, double h, DynamicsData& data) {
  any_ = false;
  std::fill(rate_.begin(), rate_.end(), 0.0);
  place(model_, start, control, data, std::span(scratch_).first(at(model_.nv())));
  bool factorized = false, positive = true;
  for_each_spring_damper(model_, start, control, data, [&](const SpringDamper& element) {
    if (element.damping <= 0) return;
    if (!std::exchange(factorized, true)) positive = factorize(data);
    if (positive) add_rate(element, h * element.damping * inverse_mass(element, data));
  });
  any_ = std::any_of(rate_.begin(), rate_.end(), [](double rate) { return rate > kMostDecay; });
  return positive;
}

bool StiffDampers::has(const SpringDamper& element) const {
  return any_ && element.damping > 0 && std::any_of(element.row.dofs.begin(), element.row.dofs.end(), [&](int dof) {
           return rate_[at(model_.dof_subsystem(dof))] > kMostDecay;
         });
}

void StiffDampers::leave_out(const State& state, std::span<const double> control, const DynamicsData& data,
                             std::span<double> tau) const {
  if (!any_) return;
  for_each_spring_damper(model_, state, control, data, [&](const SpringDamper& element) {
    if (has(element)) element.row.add_force(element.damping * element.row.rate(state.v), tau);
  });
}

void StiffDampers::check_springs(double h) const {
  StiffDampers scratch(model_);
  DynamicsData data(model_);
  const State state = model_.reference_state();
  const std::vector<double> control(at(model_.nu()));
  if (!scratch.find(state, control, h, data) || !factorize(data)) return;  // the first step will say so
  for_each_spring_damper(model_, state, control, data, [&](const SpringDamper& element) {
    const double turn = std::sqrt(element.stiffness * scratch.inverse_mass(element, data));
    if (h * turn <= kMostTurn) return;
    std::ostringstream reason;
    reason.precision(3);
    reason << "its spring turns at " << turn << " rad/s, and smooth rk4 at a step of " << h << " s is stable up to "
           << kMostTurn / h << ": use theta, or steps below " << kMostTurn / turn << " s";
    throw InputError(model_.spec().source, name_of(model_, element.source), reason.str());
  });
}

}  // namespace uzawa
