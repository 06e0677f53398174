#include "uzawa/assembly/assembler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "uzawa/assembly/row_writers.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

namespace {

std::vector<double> tendon_rest_lengths(const Model& model) {
  DynamicsData data(model);
  const State reference = model.reference_state();
  forward_kinematics(model, reference.q, data);
  tendon_lengths(model, reference.q, data);
  return data.tendon_length;
}

/// Constraints whose rows change with q: equalities, and ranges of ball joints and of tendons through sites.
bool has_curved_constraints(const Model& model) {
  const ModelSpec& spec = model.spec();
  const auto ranged_ball = [](const JointSpec& j) { return j.type == JointType::Ball && j.range.has_value(); };
  const auto ranged_path = [](const TendonSpec& t) { return !t.path.empty() && t.range.has_value(); };
  return !spec.equalities.empty() || std::any_of(spec.joints.begin(), spec.joints.end(), ranged_ball) ||
         std::any_of(spec.tendons.begin(), spec.tendons.end(), ranged_path);
}

/// Links that are held by others, or by joints: their points move along curves.
bool has_bent_paths(const Model& model) {
  return std::any_of(model.spec().joints.begin(), model.spec().joints.end(),
                     [](const JointSpec& joint) { return joint.type != JointType::Free; });
}

}  // namespace

Assembler::Assembler(const Model& model, AssemblySettings settings)
    : model_(model),
      settings_(std::move(settings)),
      map_(model),
      writer_(model, map_, problem_),
      diagonal_(at(model.nv())),
      impulse_(at(model.nv())),
      rest_length_(tendon_rest_lengths(model)),
      curved_model_(has_curved_constraints(model)),
      curved_(curved_model_),
      ahead_(model),
      ahead_q_(at(model.nq())),
      bent_paths_(has_bent_paths(model)),
      bends_(bent_paths_ ? model.links().size() : 0),
      link_scratch_(bends_.size()),
      limit_active_(model.spec().joints.size()),
      limit_asked_(model.spec().joints.size()) {
  prepare(settings_, model);
  problem_.name = model.spec().name;
  map_.build_blocks(problem_);
}

void Assembler::assemble(const State& middle, std::span<const double> expected_v, std::span<const double> control,
                         const ThetaRule& rule, const DynamicsData& data, std::span<const double> impulse,
                         std::span<const Contact> contacts, std::span<const Contact> later) {
  problem_.dt = rule.h;
  std::copy(impulse.begin(), impulse.end(), impulse_.begin());
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::copy(limit_asked_.begin(), limit_asked_.end(), limit_active_.begin());
  if (curved_) look_ahead(middle, expected_v, rule.h);
  if (bent_paths_) path_bends(model_, middle.v, data, link_scratch_, bends_);

  const StepView view{model_, middle, data, expected_v, ahead_q_, ahead_, rule, settings_, bends_};
  writer_.start(data, middle.v, asleep_);
  write_springs(middle, control, rule, data);
  write_equalities(view, rest_length_, writer_);
  write_point_ties(view, ties_.points, writer_);
  write_no_slip(view, ties_.no_slip, writer_);
  write_dry_friction(view, writer_);
  write_joint_limits(view, limit_active_, writer_);
  write_tendon_limits(view, writer_);
  write_contacts(view, contacts, writer_);
  write_later_contacts(view, later, writer_);
  writer_.finish();

  map_.update(data, 1, diagonal_, impulse_, problem_);
  for (std::size_t t = 0; t < asleep_.size(); ++t) {
    const Block& block = problem_.blocks[t];
    if (asleep_[t] != 0) std::fill_n(problem_.b.begin() + block.offset, block.size, 0.0);
  }
}

int Assembler::assemble_impacts(const State& middle, const ThetaRule& rule, DynamicsData& data,
                                std::span<const Contact> contacts) {
  const StepView view{model_, middle, data, middle.v, middle.q, data, rule, settings_, {}, true};
  problem_.dt = rule.h;
  writer_.start(data, middle.v, asleep_);
  const int count = write_impacts(view, contacts, writer_);
  if (count > 0) {
    write_equalities(view, rest_length_, writer_);
    write_point_ties(view, ties_.points, writer_);
    write_no_slip(view, ties_.no_slip, writer_);
    write_limits_in_impact(view, writer_);
    momentum(middle.v, data, impulse_);
    std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
    map_.update(data, 1, diagonal_, impulse_, problem_);
  }
  writer_.finish();
  return count;
}

void Assembler::look_ahead(const State& middle, std::span<const double> expected_v, double h) {
  std::copy(middle.q.begin(), middle.q.end(), ahead_q_.begin());
  integrate_position(model_, expected_v, h, ahead_q_);
  forward_kinematics(model_, ahead_q_, ahead_);
  tendon_lengths(model_, ahead_q_, ahead_);
  if (!ties_.no_slip.empty()) link_velocities(model_, expected_v, ahead_);
}

void Assembler::set_ties(Ties ties) {
  validate(ties, model_);
  ties_ = std::move(ties);
  curved_ = curved_model_ || !ties_.points.empty() || !ties_.no_slip.empty();
}

/// b holds all forces in the middle of the step, -K e_m - D r v_k among them. At its end they are
/// -K (e_m + (1-theta) h r v_{k+1}) - D r vhat: the part with v_k goes to b, the part with v_{k+1} to A or to a row of
/// its own.
void Assembler::write_springs(const State& middle, std::span<const double> control, const ThetaRule& rule,
                              const DynamicsData& data) {
  for_each_spring_damper(model_, middle, control, data, [&](const SpringDamper& element) {
    const double gain = (1 - rule.theta) * element.impulse_gain(rule.h);
    if (gain <= 0) return;
    const double explicit_part = (1 - rule.theta) * rule.h * element.damping;
    element.row.add_force(explicit_part * element.row.rate(middle.v), impulse_);
    if (element.row.dofs.size() == 1 && !map_.is_free_body(map_.dof_block(element.row.dofs[0]))) {
      const double c = element.row.scale * element.row.coefficients[0];
      diagonal_[at(element.row.dofs[0])] += gain * c * c;
      return;
    }
    writer_.hold_row(element.row);
    writer_.soft(constraint_key(ConstraintSource::Spring, element.source), 0, 0, gain);
  });
}

bool Assembler::add_passed_limits(const State& middle, const ThetaRule& rule, std::span<const double> v) {
  if (!model_.options().limits) return false;
  bool any = false;
  for (std::size_t j = 0; j < limit_active_.size(); ++j) {
    const JointSpec& joint = model_.spec().joints[j];
    const bool scalar = joint.type == JointType::Hinge || joint.type == JointType::Slide;
    if (!joint.range || !scalar || limit_active_[j] != 0) continue;
    const int index = static_cast<int>(j);
    const double q = middle.q[at(model_.joint_q(index))] + rule.h * v[at(model_.joint_v(index))];
    if (q >= joint.range->lower && q <= joint.range->upper) continue;
    limit_asked_[j] = 1;
    any = true;
  }
  return any;
}

/// The curvature of a constraint is about L (h w)^2 / 2 for a lever L; a change dw of w makes L (h w) (h dw).
bool Assembler::must_relinearise(const ThetaRule& rule, std::span<const double> expected_v,
                                 std::span<const double> v) const {
  if (!curved_) return false;
  double fastest = 0, change = 0;
  for (std::size_t d = 0; d < v.size(); ++d) {
    fastest = std::max({fastest, std::abs(v[d]), std::abs(expected_v[d])});
    change = std::max(change, std::abs(v[d] - expected_v[d]));
  }
  return rule.h * rule.h * fastest * change > settings_.relinearisation;
}

bool Assembler::leave_errors(std::span<const int> constraints) {
  bool changed = false;
  const auto set = [&](double& value, double without) {
    changed = changed || value != without;
    value = without;
  };
  for (const int c : constraints) {
    const ConstraintRef& ref = problem_.constraints[at(c)];
    if (ref.kind == ConstraintKind::Contact) {
      Vec3& e = problem_.contacts.e[at(ref.index)];
      const Vec3 without{0, 0, std::max(0.0, e.z())};  // a gap stays one
      const Vec3 difference = e - without;
      changed = changed || dot(difference, difference) > 0;
      e = without;
    } else if (ref.kind == ConstraintKind::Limit) {
      set(problem_.limits.lower[at(ref.index)], std::min(0.0, problem_.limits.lower[at(ref.index)]));
      set(problem_.limits.upper[at(ref.index)], std::max(0.0, problem_.limits.upper[at(ref.index)]));
    }
  }
  return changed;
}

void Assembler::forget_passed_limits() { std::fill(limit_asked_.begin(), limit_asked_.end(), 0); }

}  // namespace uzawa
