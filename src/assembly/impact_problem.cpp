#include <algorithm>
#include <cmath>

#include "uzawa/assembly/assembler.hpp"
#include "uzawa/assembly/row_writers.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/inertia.hpp"

namespace uzawa {

int Assembler::assemble_impacts(const State& middle, std::span<const double> control, std::span<const double> impulse,
                                const ThetaRule& rule, DynamicsData& data, std::span<const Contact> contacts) {
  const StepView view{model_, middle, data, middle.q, data, rule, settings_, {}, Phase::Impact};
  problem_.dt = rule.h;
  writer_.start(data, middle.v, asleep_);
  if (!contacts.empty()) find_free_velocity(middle, control, impulse, rule, data);
  const int count = write_impacts(view, contacts, free_v_, writer_);
  if (count > 0) {
    write_equalities(view, plan_->tendon_rest_length, writer_);
    write_point_ties(view, ties_.points, writer_);
    write_no_slip(view, ties_.no_slip, writer_);
    write_limits_in_impact(view, writer_);
    momentum(middle.v, data, impulse_);
    std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
    update_blocks(data);
  }
  writer_.finish();
  return count;
}

/// The diagonal stands for the whole row product of a spring along several dofs, and is the larger: then forces push no
/// harder than they do in the step, and no impact gains by them.
void Assembler::find_free_velocity(const State& middle, std::span<const double> control,
                                   std::span<const double> impulse, const ThetaRule& rule, DynamicsData& data) {
  free_v_.assign(impulse.begin(), impulse.end());
  mass_matrix(data);
  for_each_spring_damper(model_, middle, control, data, [&](const SpringDamper& element) {
    const double gain = (1 - rule.theta) * element.impulse_gain(rule.h);
    if (gain <= 0) return;
    const CoordinateRow& row = element.row;
    row.add_force((1 - rule.theta) * rule.h * element.damping * row.rate(middle.v), free_v_);
    double sum = 0;
    for (const double c : row.coefficients) sum += std::abs(c);
    for (std::size_t k = 0; k < row.dofs.size(); ++k) {
      data.mass.diagonal(row.dofs[k]) += gain * row.scale * row.scale * std::abs(row.coefficients[k]) * sum;
    }
  });
  if (factorize_mass(data)) {
    data.mass_factor.solve(free_v_);
  } else {
    std::copy(middle.v.begin(), middle.v.end(), free_v_.begin());
  }
}

}  // namespace uzawa
