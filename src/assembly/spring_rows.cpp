#include "uzawa/assembly/assembler.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {

bool Assembler::is_servo(const SpringDamper& element) const {
  return element.source >= static_cast<int>(model_.spec().joints.size() + model_.spec().tendons.size());
}

/// An element along one of the block's own dofs is an entry of the diagonal.
bool Assembler::is_soft_row(const SpringDamper& element) const {
  return element.row.dofs.size() != 1 || !plan_->blocks[model_.dof_subsystem(element.row.dofs[0])].has_state_dofs();
}

double Assembler::end_gain(const SpringDamper& element, const ThetaRule& rule) const {
  if (left_to_end_ == nullptr) return (1 - rule.theta) * element.impulse_gain(rule.h);
  return left_to_end_->has(element) ? rule.h * element.damping : 0;
}

/// b holds all forces in the middle of the step, -K e_m - D r v_k among them. At its end they are
/// -K (e_m + (1-theta) h r v_{k+1}) - D r vhat: the part with v_k goes to b, the part with v_{k+1} to A or to a row of
/// its own.
void Assembler::write_springs(const State& middle, std::span<const double> control, const ThetaRule& rule,
                              const DynamicsData& data) {
  end_passive_.reset(diagonal_.size());
  end_servos_.reset(diagonal_.size());
  has_soft_springs_ = false;
  for_each_spring_damper(model_, middle, control, data, [&](const SpringDamper& element) {
    const double gain = end_gain(element, rule);
    if (gain <= 0) return;
    EndImpulse& end = is_servo(element) ? end_servos_ : end_passive_;
    const double explicit_part = (1 - rule.theta) * rule.h * element.damping * element.row.rate(middle.v);
    if (left_to_end_ == nullptr) element.row.add_force(explicit_part, impulse_);  // else b is without it already
    element.row.add_force(explicit_part, end.start);
    if (!is_soft_row(element)) {
      const double c = element.row.scale * element.row.coefficients[0];
      const std::size_t d = at(element.row.dofs[0]);
      diagonal_[d] += gain * c * c;
      end.gain[d] += gain * c * c;
      return;
    }
    has_soft_springs_ = true;
    writer_.hold_row(element.row);
    writer_.soft(constraint_key(ConstraintSource::Spring, element.source), 0, 0, gain);
  });
}

double Assembler::EndImpulse::work(std::span<const double> mean, std::span<const double> after) const {
  double sum = 0;
  for (std::size_t d = 0; d < mean.size(); ++d) sum += (start[d] - gain[d] * after[d]) * mean[d];
  return sum;
}

Assembler::EndWork Assembler::end_work(const State& middle, std::span<const double> control, const ThetaRule& rule,
                                       const DynamicsData& data, std::span<const double> mean,
                                       std::span<const double> after) const {
  EndWork work{end_passive_.work(mean, after), end_servos_.work(mean, after)};
  if (!has_soft_springs_) return work;
  for_each_spring_damper(model_, middle, control, data, [&](const SpringDamper& element) {
    const double gain = end_gain(element, rule);
    if (gain <= 0 || !is_soft_row(element)) return;
    (is_servo(element) ? work.servos : work.passive) -= gain * element.row.rate(after) * element.row.rate(mean);
  });
  return work;
}

}  // namespace uzawa
