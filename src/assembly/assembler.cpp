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

Assembler::Assembler(std::shared_ptr<const AssemblyPlan> plan, AssemblySettings settings)
    : plan_(std::move(plan)),
      model_(plan_->model),
      settings_(std::move(settings)),
      writer_(plan_->blocks, problem_),
      diagonal_(at(model_.nv())),
      impulse_(at(model_.nv())),
      bends_(plan_->has_bent_paths ? model_.links().size() : 0),
      link_scratch_(bends_.size()),
      limit_active_(model_.spec().joints.size()),
      limit_asked_(model_.spec().joints.size()) {
  prepare(settings_, model_);
  if (settings_.errors_in_rows) body_mobility_ = body_mobilities(model_);
  problem_.name = model_.spec().name;
  for (const auto& block : plan_->blocks.all()) block->add_to(problem_);
  set_ties({});
}

Assembler::Assembler(const Model& model, AssemblySettings settings)
    : Assembler(std::make_shared<const AssemblyPlan>(model), std::move(settings)) {}

void Assembler::assemble(const State& middle, std::span<const double> start_v, std::span<const double> control,
                         const ThetaRule& rule, const DynamicsData& data, std::span<const double> impulse,
                         std::span<const Contact> contacts, std::span<const Contact> later) {
  problem_.dt = rule.h;
  std::copy(impulse.begin(), impulse.end(), impulse_.begin());
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::copy(limit_asked_.begin(), limit_asked_.end(), limit_active_.begin());
  if (curved_) look_ahead(middle.q, start_v, data, rule.h);
  if (plan_->has_bent_paths) path_bends(model_, start_v, data, link_scratch_, bends_);

  taut_.clear();
  const StepView view{model_,    middle, start_v,         data,   ahead_q_,      curved_ ? *ahead_ : data, rule,
                      settings_, bends_, Phase::Velocity, &taut_, body_mobility_};
  writer_.start(data, start_v, asleep_, data.mocap_end_velocity);
  write_springs(middle, control, rule, data);
  write_equalities(view, plan_->tendon_rest_length, writer_);
  write_point_ties(view, ties_.points, writer_);
  write_no_slip(view, ties_.no_slip, writer_);
  for (const auto& block : plan_->blocks.all()) block->write_ties(data, writer_);
  write_dry_friction(view, writer_);
  write_joint_limits(view, limit_active_, writer_);
  write_tendon_limits(view, writer_);
  write_contacts(view, contacts, writer_);
  write_later_contacts(view, later, writer_);
  writer_.finish();

  update_blocks({data, rule, diagonal_, impulse_, middle.v});
  if (settings_.errors_in_rows) {
    problem_.start_v.resize(problem_.b.size());
    problem_velocity(data, middle.v, problem_.start_v);
  } else {
    damping_.apply(writer_.held_rows(), problem_);
    held_work_.apply(writer_.held_rows(), problem_);
  }
  for (std::size_t t = 0; t < asleep_.size(); ++t) {
    const Block& block = problem_.blocks[t];
    if (asleep_[t] != 0) std::fill_n(problem_.b.begin() + block.offset, block.size, 0.0);
  }
}

void Assembler::update_blocks(const BlockInput& in) {
  for (const auto& block : plan_->blocks.all()) block->update(in, problem_);
}

void Assembler::look_ahead(std::span<const double> q, std::span<const double> v, const DynamicsData& data, double h) {
  std::copy(q.begin(), q.end(), ahead_q_.begin());
  std::copy(v.begin(), v.end(), ahead_v_.begin());
  move_on(model_, h, ahead_q_, ahead_v_);
  ahead_->mocap_pose = data.mocap_pose;
  move_mocap(data.mocap_velocity, h, ahead_->mocap_pose);
  forward_kinematics(model_, ahead_q_, *ahead_);
  tendon_lengths(model_, ahead_q_, *ahead_);
  if (!ties_.no_slip.empty()) link_velocities(model_, ahead_v_, *ahead_);
}

void Assembler::set_ties(Ties ties) {
  validate(ties, model_);
  ties_ = std::move(ties);
  curved_ = plan_->has_curved_constraints || !ties_.points.empty() || !ties_.no_slip.empty();
  if (curved_ && !ahead_) {
    ahead_.emplace(model_);
    ahead_q_.resize(at(model_.nq()));
    ahead_v_.resize(at(model_.nv()));
  }
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

double Assembler::mocap_work(std::span<const double> lambda) const {
  double work = 0;
  const std::span<const DrivenRow> driven = writer_.driven_rows();
  if (driven.empty()) return 0;
  std::size_t next = 0;  // driven rows are in the order of the constraints
  for (const ConstraintRef& ref : problem_.constraints) {
    if (next == driven.size()) break;
    if (ref.row != driven[next].row) continue;
    const double* impulse = &lambda[at(ref.row)];
    const Vec3& velocity = driven[next++].velocity;
    work -= Problem::dims(ref.kind) == 3 ? dot(Vec3::from(impulse), velocity) : impulse[0] * velocity.z();
  }
  return work;
}

bool Assembler::let_rates_give_way(std::span<const double> start_v, const DynamicsData& data, std::span<const double> v,
                                   std::span<const double> lambda) {
  if (writer_.held_rows().empty() || settings_.errors_in_rows) return false;
  start_velocity_.resize(v.size());
  problem_velocity(data, start_v, start_velocity_);
  return held_work_.look(problem_, writer_.held_rows(), writer_.driven_rows(), start_velocity_, v, lambda);
}

void Assembler::forget_findings() {
  std::fill(limit_asked_.begin(), limit_asked_.end(), 0);
  held_work_.reset();
}

}  // namespace uzawa
