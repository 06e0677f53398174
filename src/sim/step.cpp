/// One step of a World, the whole pipeline on one screen:
///
///   start          dynamics: poses, velocities, M v_k + h tau in the middle of the step
///   find_contacts  collision: Contact[], speculative ones among them, that may be met within the step
///   assemble       impacts, where there is restitution: velocities after the bounces of this step;
///                  then the Problem: A, b, constraints
///   solve          island by island with the method asked for, from the impulses of the last step; the problem is
///                  refined until its solution calls for no other (refine.cpp)
///   integrate      v_{k+1} and q_{k+1}; then phase two: errors of position are projected out of q, and v stays
#include <algorithm>
#include <chrono>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/sim/adhesion.hpp"
#include "uzawa/sim/input_checks.hpp"
#include "uzawa/sim/levers.hpp"
#include "uzawa/sim/rolling.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa {

StepData::StepData(const Model& model)
    : control(at(model.nu())),
      mocap_end(mocap_poses(model, {})),
      dynamics(model),
      middle(model),
      next_v(at(model.nv())),
      drift_v(at(model.nv())),
      mean_v(at(model.nv())),
      linear(model.links().size()),
      angular(model.links().size()) {
  external.reserve(at(model.nv()));
}

const StepReport& World::step(std::span<const double> control, std::span<const double> external) {
  start(control, external);
  find_contacts();
  assemble();
  solve();
  return integrate();
}

void World::require(Stage stage, const char* missing) const {
  if (step_.stage == stage) return;
  throw InputError(model_.spec().source, "step", std::string("the stage before is missing: World::") + missing);
}

void World::start(std::span<const double> control, std::span<const double> external) {
  check_inputs(model_, control, external);
  step_.report = {};
  step_.watch.start();
  step_.started = std::chrono::steady_clock::now();
  step_.control.assign(at(model_.nu()), 0.0);
  std::copy(control.begin(), control.end(), step_.control.begin());
  step_.external.assign(external.begin(), external.end());

  guide_mocap();
  start_step(model_, state_, momentum_, step_.control, step_.external, rule_, step_.dynamics, step_.middle);
  open_book();
  step_.watch.lap(step_.report.times.dynamics);
  step_.stage = Stage::Started;
}

void World::find_contacts() {
  require(Stage::Started, "start");
  collide();
  step_.watch.lap(step_.report.times.collision);
  wake_sleepers();
  step_.stage = Stage::ContactsFound;
}

void World::assemble() {
  require(Stage::ContactsFound, "find_contacts");
  step_.solving = std::chrono::steady_clock::now();
  if (settings_.assembly.has_restitution()) {
    pass_on_impacts();
    step_.watch.lap(step_.report.times.solve);
  }
  if (smooth_) predict_smooth();
  link_velocities(model_, step_.middle.start_v, step_.dynamics);
  end_.set(step_.middle.state.q, step_.middle.start_v, rule_.h, step_.mocap_end);
  measure_rolling(model_, collider_.shapes(), step_.dynamics, rule_.h, end_,
                  std::span(step_.contacts).first(step_.first_look));
  assembler_.forget_findings();
  add_adhesion(model_, contacts(), step_.dynamics, rule_.h, step_.middle.impulse);
  write_problem();
  step_.watch.lap(step_.report.times.assembly);
  step_.stage = Stage::Assembled;
}

/// With RK4 impulses act on the velocities that it ends with. It starts after the impacts of the step.
void World::predict_smooth() {
  const State& start = step_.middle.state;
  if (!smooth_->end.predict(start, step_.control, step_.external, rule_.h)) return;  // the problem itself will say so
  std::copy(start.v.begin(), start.v.end(), step_.middle.start_v.begin());
  link_velocities(model_, smooth_->end.velocity(), step_.dynamics);
  momentum(smooth_->end.velocity(), step_.dynamics, step_.middle.impulse);
}

const StepReport& World::integrate() {
  require(Stage::Solved, "solve");
  if (step_.report.status == StepStatus::Failed) {
    book_.finish({});
  } else {
    if (settings_.sleep.enabled) {
      sleep_.put_to_sleep(problem(), rule_.h, step_.next_v);
      step_.drift_v = step_.next_v;
    }
    book_work();
    if (sensors_) sensors_->start(state_);
    finish_mocap();
    if (smooth_) {
      smooth_->end.finish(step_.next_v, smooth_->shares.by_dof(), state_);
    } else {
      finish_step(model_, step_.next_v, step_.control, rule_, step_.dynamics, step_.middle, momentum_, state_);
    }
    const PositionProjection::Outcome corrected =
        projection_.project(step_, assembler_, rule_.h, settings_.assembly, ties(), sleep_.asleep(), state_, momentum_);
    book_.add_projected(corrected.potential);
    step_.report.moves = corrected.moves;
    step_.report.position_error = corrected.error;
    step_.report.remainder = corrected.remainder;
    if (sensors_) sensors_->finish(state_, step_, problem(), keys(), rule_.h);
  }
  step_.watch.lap(step_.report.times.integrate);
  step_.stage = Stage::Integrated;
  return step_.report;
}

/// Mocap bodies stay where they are until they are moved.
void World::stop_mocap() {
  for (std::size_t m = 0; m < step_.mocap_end.size(); ++m) {
    step_.mocap_end[m] = mocap_pose(model_, state_, static_cast<int>(m));
  }
}

/// The velocities with which mocap bodies get to their goals in this step. Whatever sleeps may be touched.
void World::guide_mocap() {
  bool moves = false;
  for (std::size_t m = 0; m < step_.mocap_end.size(); ++m) {
    Motion& velocity = step_.dynamics.mocap_end_velocity[m];
    velocity = mocap_velocity(mocap_pose(model_, state_, static_cast<int>(m)), step_.mocap_end[m], rule_.h);
    moves = moves || norm(velocity.linear) + norm(velocity.angular) > 0;
  }
  if (moves) sleep_.wake_all();
}

void World::finish_mocap() {
  for (std::size_t m = 0; m < step_.mocap_end.size(); ++m) {
    const Motion& velocity = step_.dynamics.mocap_end_velocity[m];
    step_.mocap_end[m].position.store(&state_.mocap[7 * m]);
    to_quaternion(step_.mocap_end[m].rotation).store(&state_.mocap[7 * m + 3]);
    velocity.linear.store(&state_.mocap_v[6 * m]);
    velocity.angular.store(&state_.mocap_v[6 * m + 3]);
  }
  stop_mocap();  // with the state's bits: rounding must not turn a body that stands, and a restored world has no others
}

void World::move_mocap(int mocap, const Pose& pose) {
  if (mocap < 0 || at(mocap) >= step_.mocap_end.size()) {
    throw InputError(model_.spec().source, "mocap " + std::to_string(mocap), "there is no such mocap body");
  }
  double sum = pose.position.x() + pose.position.y() + pose.position.z();
  for (const Vec3& column : pose.rotation.col) sum += column.x() + column.y() + column.z();
  if (!std::isfinite(sum)) {
    throw InputError(model_.spec().source, "mocap " + std::to_string(mocap), "its pose is not finite");
  }
  step_.mocap_end[at(mocap)] = pose;
}

void World::collide() {
  const DynamicsData& data = step_.dynamics;
  for (int i = 0; i < static_cast<int>(step_.linear.size()); ++i) {
    step_.linear[at(i)] = point_velocity(model_, data, i, data.link_pose[at(i)].position);
    step_.angular[at(i)] = data.velocity[at(i)].angular;
  }
  collider_.run(data.link_pose, {settings_.look_ahead, rule_.h, step_.linear, step_.angular}, collision_threads());
  end_.set(step_.middle.state.q, step_.middle.state.v, rule_.h, step_.mocap_end);
  planes_.choose(collider_.contacts(), data.link_pose, end_, warm_, step_.contacts);
  drop_useless_contacts(0);
  unreached_.clear();
  if (may_defer()) unreached_.defer(data, step_.middle.state.v, rule_.h, warm_, step_.contacts);
  step_.first_look = step_.contacts.size();
}

/// Not where contacts act that need not close: impacts, which meet in rounds, springs with a reach, adhesion.
bool World::may_defer() const {
  return !settings_.assembly.has_restitution() && !settings_.assembly.errors_in_rows && !has_adhesion(model_);
}

bool World::is_useless(const Contact& contact) const {
  return !has_lever(model_, collider_.shapes(), step_.dynamics, contact);
}

void World::drop_useless_contacts(std::size_t first) {
  const auto begin = step_.contacts.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = std::remove_if(begin, step_.contacts.end(), [&](const Contact& c) { return is_useless(c); });
  step_.contacts.erase(end, step_.contacts.end());
}

ThreadPool* World::collision_threads() {
  return settings_.solve.threads > 1 ? &workspace_.threads(settings_.solve.threads) : nullptr;
}

void World::wake_sleepers() {
  if (!settings_.sleep.enabled) return;
  sleep_.wake(step_.contacts, step_.control, step_.external);
  assembler_.set_asleep(sleep_.asleep());
  step_.report.asleep = sleep_.count();
}

/// Soft bodies and rods that touch something take their forces at the end of the step.
void World::mark_touched() {
  if (model_.elastic_systems().empty()) return;
  for (const Contact& contact : step_.contacts) {
    for (const Side& side : contact_sides(model_, contact)) {
      if (side.subsystem < 0) continue;
      const Subsystem& subsystem = model_.subsystems()[at(side.subsystem)];
      if (subsystem.kind == SubsystemKind::Elastic) step_.dynamics.elastic[at(subsystem.elastic)]->at_end = true;
    }
  }
}

void World::write_problem() {
  mark_touched();
  assembler_.assemble(step_.middle.state, step_.middle.start_v, step_.control, rule_, step_.dynamics,
                      step_.middle.impulse, step_.start_contacts(), step_.end_contacts());
}

}  // namespace uzawa
