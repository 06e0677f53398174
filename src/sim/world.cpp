#include "uzawa/sim/world.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

std::string joint_name(const Model& model, std::size_t joint) {
  return "joint '" + model.spec().joints[joint].name + "'";
}

/// Throws with the name of the joint whose numbers are not finite; `address` and `size` say where they are.
template <typename Address, typename Size>
void check_joints(const Model& model, const char* what, std::span<const double> values, Address&& address,
                  Size&& size) {
  if (all_finite(values)) return;
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const std::span<const double> own =
        values.subspan(at(address(static_cast<int>(j))), at(size(model.spec().joints[j].type)));
    if (!all_finite(own)) {
      throw InputError(model.spec().source, joint_name(model, j), std::string(what) + " is not a finite number");
    }
  }
}
void check_positions(const Model& model, std::span<const double> q) {
  check_joints(
      model, "its position", q, [&](int j) { return model.joint_q(j); }, q_size);
}
void check_velocities(const Model& model, const char* what, std::span<const double> v) {
  check_joints(
      model, what, v, [&](int j) { return model.joint_v(j); }, v_size);
}

void check_size(const Model& model, const char* what, std::size_t size, int expected) {
  if (size == at(expected)) return;
  throw InputError(model.spec().source, what,
                   "has " + std::to_string(size) + " numbers, the model needs " + std::to_string(expected));
}

void check_actuators(const Model& model, const char* what, std::span<const double> values, bool activations) {
  if (all_finite(values)) return;
  for (int a = 0; a < model.nu(); ++a) {
    const int i = activations ? model.actuator_activation(a) : a;
    if (i < 0 || std::isfinite(values[at(i)])) continue;
    throw InputError(model.spec().source, "actuator '" + model.spec().actuators[at(a)].name + "'",
                     std::string(what) + " is not a finite number");
  }
}

ThetaRule checked_rule(const Model& model, const SimSettings& settings) {
  const ThetaRule rule{settings.dt != 0 ? settings.dt : model.options().timestep, settings.theta};
  if (!(rule.h > 0) || !std::isfinite(rule.h))
    throw InputError("", "time step", "must be a positive number of seconds");
  if (!(rule.theta >= 0 && rule.theta < 1)) throw InputError("", "theta", "must be at least 0 and less than 1");
  if (!(settings.sleep.speed >= 0 && settings.sleep.time >= 0)) {
    throw InputError("", "sleep", "speed and time must not be negative");
  }
  if (!(settings.second_look >= 0)) throw InputError("", "second look", "must be a number of m, 0 or more");
  return rule;
}

StepStatus step_status(SolveStatus status) {
  switch (status) {
    case SolveStatus::Converged: return StepStatus::Solved;
    case SolveStatus::IterationLimit:
    case SolveStatus::Stalled:
    case SolveStatus::TimeLimit: return StepStatus::Capped;
    case SolveStatus::LeastViolation: return StepStatus::LeastViolation;
    case SolveStatus::Relaxed: return StepStatus::Relaxed;
  }
  return StepStatus::Failed;
}

}  // namespace

const char* to_string(StepStatus status) {
  switch (status) {
    case StepStatus::Solved: return "solved";
    case StepStatus::Capped: return "capped";
    case StepStatus::LeastViolation: return "least-violation";
    case StepStatus::Relaxed: return "relaxed";
    case StepStatus::Failed: return "failed";
    case StepStatus::Jammed: return "jammed";
  }
  return "";
}

StageTimes& StageTimes::operator+=(const StageTimes& b) {
  dynamics += b.dynamics;
  collision += b.collision;
  assembly += b.assembly;
  solve += b.solve;
  integrate += b.integrate;
  return *this;
}

World::World(Model model, SimSettings settings)
    : model_(std::move(model)),
      settings_(std::move(settings)),
      rule_(checked_rule(model_, settings_)),
      solver_(find_solver(settings_.solver)),
      state_(model_.reference_state()),
      data_(model_),
      dynamics_(model_),
      collider_(model_, settings_.collision),
      second_look_(model_, collider_.shared_shapes(), settings_.collision, settings_.look_ahead, settings_.second_look),
      assembler_(model_, settings_.assembly),
      sleep_(model_, settings_.sleep),
      no_control_(at(model_.nu())),
      last_v_(state_.v),
      last_change_(at(model_.nv())),
      expected_v_(at(model_.nv())),
      next_v_(at(model_.nv())),
      linear_(model_.links().size()),
      angular_(model_.links().size()) {}

void World::set_state(State state) {
  check_size(model_, "position", state.q.size(), model_.nq());
  check_size(model_, "velocity", state.v.size(), model_.nv());
  check_size(model_, "activation", state.activation.size(), model_.na());
  check_positions(model_, state.q);
  check_velocities(model_, "its velocity", state.v);
  check_actuators(model_, "its activation", state.activation, true);
  if (!std::isfinite(state.time)) throw InputError(model_.spec().source, "time", "is not a finite number");
  state_ = std::move(state);
  last_v_ = state_.v;
  std::fill(last_change_.begin(), last_change_.end(), 0.0);
  warm_.clear();
  sleep_.wake_all();
}

void World::set_ties(Ties ties) {
  assembler_.set_ties(std::move(ties));
  sleep_.wake_all();
}

void World::restore(const Snapshot& snapshot) {
  check_size(model_, "last velocity", snapshot.last_v.size(), model_.nv());
  check_size(model_, "last change of velocity", snapshot.last_change.size(), model_.nv());
  check_size(model_, "sleep", snapshot.sleep.group.size(), model_.topology()->trees());
  set_ties(snapshot.ties);
  set_state(snapshot.state);
  last_v_ = snapshot.last_v;
  last_change_ = snapshot.last_change;
  warm_ = snapshot.warm;
  sleep_.set_book(snapshot.sleep);
}

void World::check_inputs(std::span<const double> control, std::span<const double> external) const {
  if (!control.empty()) {
    check_size(model_, "control", control.size(), model_.nu());
    check_actuators(model_, "its control", control, false);
  }
  if (!external.empty()) {
    check_size(model_, "external force", external.size(), model_.nv());
    check_velocities(model_, "the external force on it", external);
  }
}

std::span<const double> World::control_or_zeros(std::span<const double> control) const {
  return control.empty() ? std::span<const double>(no_control_) : control;
}

bool World::velocities_are_finite() const { return all_finite(result_.v); }

void World::write_report() {
  report_.solve_status = result_.status;
  report_.status = velocities_are_finite() ? step_status(result_.status) : StepStatus::Failed;
  if (report_.status == StepStatus::Solved && report_.impact_residual > settings_.solve.tolerance) {
    report_.status = StepStatus::Capped;
  }
  report_.islands = result_.stats.islands;
  report_.constraints = static_cast<int>(problem().constraints.size());
  report_.contacts = problem().contacts.size();
  report_.residual = std::max(report_.impact_residual, result_.verdict.residual);
  report_.siconos = result_.verdict.siconos;
  report_.penetration = 0;
  for (const Contact& contact : contacts().first(first_look_)) {
    report_.penetration = std::max(report_.penetration, -contact.gap);
  }
}

}  // namespace uzawa
