#include <algorithm>
#include <cmath>

#include "uzawa/assembly/assembler.hpp"
#include "uzawa/assembly/row_writers.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

int Assembler::assemble_impacts(const MiddleWorkspace& workspace, std::span<const double> control,
                                std::span<const double> external, const ThetaRule& rule, DynamicsData& data,
                                std::span<const Contact> contacts) {
  const State& middle = workspace.state;
  const StepView view{model_, middle, middle.v, data, middle.q, data, rule, settings_, {}, Phase::Impact};
  problem_.dt = rule.h;
  writer_.start(data, middle.v, asleep_, data.mocap_velocity);
  if (!contacts.empty()) find_kick(workspace, control, external, rule, data);
  const int count = write_impacts(view, contacts, kick_, writer_);
  if (count > 0) {
    write_equalities(view, plan_->tendon_rest_length, writer_);
    write_point_ties(view, ties_.points, writer_);
    write_no_slip(view, ties_.no_slip, writer_);
    write_limits_in_impact(view, writer_);
    momentum(middle.v, data, impulse_);
    std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
    for (const auto& block : plan_->blocks.all()) block->write_ties(data, writer_);
    update_blocks({data, rule, diagonal_, impulse_, middle.v, Phase::Impact});
  }
  writer_.finish();
  return count;
}

/// Without velocity products, which an impact changes: a kick that is the same before and after it leaves energy as it
/// is (energy.hpp). The diagonal stands for the whole row product of a spring along several dofs, and is the larger:
/// then forces push no harder than they do in the step.
void Assembler::find_kick(const MiddleWorkspace& workspace, std::span<const double> control,
                          std::span<const double> external, const ThetaRule& rule, DynamicsData& data) {
  const Motion fall{{}, model_.options().gravity * rule.h};
  for (std::size_t i = 0; i < data.force.size(); ++i) data.force[i] = data.tree.inertia[i] * fall;
  kick_.resize(at(model_.nv()));
  project_link_forces(data, kick_);
  for (std::size_t d = 0; d < kick_.size(); ++d) {
    kick_[d] += rule.h * (workspace.passive[d] + workspace.actuation[d] + (external.empty() ? 0 : external[d]));
  }
  mass_matrix(data);
  for_each_spring_damper(model_, workspace.state, control, data, [&](const SpringDamper& element) {
    const double gain = (1 - rule.theta) * element.impulse_gain(rule.h);
    if (gain <= 0) return;
    const CoordinateRow& row = element.row;
    const double damping = (1 - rule.theta) * rule.h * element.damping;
    row.add_force((damping - gain) * row.rate(workspace.state.v), kick_);
    double sum = 0;
    for (const double c : row.coefficients) sum += std::abs(c);
    for (std::size_t k = 0; k < row.dofs.size(); ++k) {
      data.mass.diagonal(row.dofs[k]) += gain * row.scale * row.scale * std::abs(row.coefficients[k]) * sum;
    }
  });
  if (factorize_mass(data)) {
    data.mass_factor.solve(kick_);
  } else {
    std::fill(kick_.begin(), kick_.end(), 0.0);
  }
}

}  // namespace uzawa
