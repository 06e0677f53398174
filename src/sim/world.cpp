#include "uzawa/sim/world.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/sim/input_checks.hpp"

namespace uzawa {

namespace {

/// Of the look-ahead distance: what forces add to the way of a step. With more, contacts near by keep their rows; with
/// less, more steps are solved twice.
constexpr double kReachMargin = 0.25;

void check_rk4(const Model& model, const SimSettings& settings) {
  const auto refuse = [&](const std::string& reason) { throw InputError(model.spec().source, "smooth rk4", reason); };
  if (!model.elastic_systems().empty()) {
    refuse("takes all forces explicitly, which soft bodies and rods are too stiff for; use theta");
  }
  if (settings.theta != 0) refuse("and theta " + std::to_string(settings.theta) + ": there is no theta in RK4");
  if (settings.sleep.enabled) refuse("does not know sleep");
  if (find_solver(settings.solver).traits.soft) refuse("wants hard contacts, " + settings.solver + " has soft ones");
}

ThetaRule checked_rule(const Model& model, const SimSettings& settings) {
  const ThetaRule rule{settings.dt != 0 ? settings.dt : model.options().timestep, settings.theta};
  if (!(rule.h > 0) || !std::isfinite(rule.h))
    throw InputError("", "time step", "must be a positive number of seconds");
  if (!(rule.theta >= 0 && rule.theta < 1)) throw InputError("", "theta", "must be at least 0 and less than 1");
  if (!(settings.sleep.speed >= 0 && settings.sleep.time >= 0)) {
    throw InputError("", "sleep", "speed and time must not be negative");
  }
  if (settings.smooth == SmoothRule::Rk4) check_rk4(model, settings);
  if (!(settings.work >= 0)) throw InputError("", "work", "must be a number of Newton steps, 0 or more");
  if (!(settings.second_look >= 0)) throw InputError("", "second look", "must be a number of m, 0 or more");
  if (!(settings.most_gain >= 0)) throw InputError("", "gain of energy", "must be a number of J, 0 or more");
  return rule;
}

/// With what the method wants of the rows, and what the model says of bounces.
SimSettings complete(SimSettings settings, const Model& model) {
  const Solver::Traits& traits = find_solver(settings.solver).traits;
  if (traits.soft) settings.assembly.errors_in_rows = true;
  if (traits.at_start) settings.second_look = std::numeric_limits<double>::infinity();
  add_restitutions(model, settings.assembly);
  return settings;
}

StepStatus step_status(SolveStatus status) {
  switch (status) {
    case SolveStatus::Converged: return StepStatus::Solved;
    case SolveStatus::IterationLimit:
    case SolveStatus::Stalled:
    case SolveStatus::Frictionless:
    case SolveStatus::WorkLimit:
    case SolveStatus::Interrupted:
    case SolveStatus::TimeLimit: return StepStatus::Capped;
    case SolveStatus::LeastViolation: return StepStatus::LeastViolation;
    case SolveStatus::Relaxed: return StepStatus::Relaxed;
  }
  return StepStatus::Failed;
}

}  // namespace

World::World(Model model, SimSettings settings) : World(share(std::move(model)), std::move(settings)) {}

World::World(std::shared_ptr<const SharedModel> shared, SimSettings settings)
    : shared_(std::move(shared)),
      model_(shared_->model()),
      settings_(complete(std::move(settings), model_)),
      rule_(checked_rule(model_, settings_)),
      solver_(find_solver(settings_.solver)),
      state_(model_.reference_state()),
      momentum_(model_),
      sleep_(model_, settings_.sleep),
      step_(model_),
      collider_(shared_->shapes(), settings_.collision),
      end_(model_),
      elastic_end_(model_),
      planes_(model_, shared_->shapes()),
      unreached_(model_, kReachMargin * settings_.look_ahead),
      second_look_(model_, shared_->shapes(), settings_.collision, settings_.look_ahead, settings_.second_look),
      assembler_(shared_->plan(), settings_.assembly),
      projection_(shared_),
      sensors_(model_.sensor_values() > 0 ? std::make_unique<SensorReadings>(model_) : nullptr) {
  if (settings_.smooth != SmoothRule::Rk4) return;
  smooth_.emplace(model_);
  smooth_->end.dampers().check_springs(rule_.h);
  assembler_.leave_to_end(smooth_->end.dampers());
}

void World::set_state(State state) {
  check_state(model_, state);
  state_ = std::move(state);
  if (state_.mocap.empty()) state_.mocap = model_.reference_state().mocap;
  state_.mocap_v.resize(6 * step_.mocap_end.size(), 0.0);
  stop_mocap();
  momentum_.forget();
  book_.forget();
  warm_.clear();
  sleep_.wake_all();
  step_.stage = Stage::Integrated;
}

std::span<const double> World::sensor(int sensor) const {
  const SensorSpec& spec = model_.spec().sensors.at(at(sensor));
  return sensor_values().subspan(at(model_.sensor_address(sensor)), at(sensor_size(spec.type)));
}

void World::set_ties(Ties ties) {
  assembler_.set_ties(std::move(ties));
  sleep_.wake_all();
}

void World::restore(const Snapshot& snapshot) {
  check_size(model_, "sleep", snapshot.sleep.group.size(), static_cast<int>(model_.subsystems().size()));
  set_ties(snapshot.ties);
  set_state(snapshot.state);
  momentum_ = snapshot.momentum;
  warm_ = snapshot.warm;
  sleep_.set_record(snapshot.sleep);
  book_.set_record(snapshot.energy);
}

void World::exchange(Snapshot& other) {
  std::swap(state_, other.state);
  std::swap(momentum_, other.momentum);
  std::swap(warm_, other.warm);
  sleep_.exchange(other.sleep);
  Ties ties = assembler_.ties();
  assembler_.set_ties(std::move(other.ties));
  other.ties = std::move(ties);
  const EnergyBook::Record energy = book_.record();
  book_.set_record(other.energy);
  other.energy = energy;
  stop_mocap();
  step_.stage = Stage::Integrated;
}

bool World::velocities_are_finite() const { return all_finite(step_.result.v); }

void World::write_report() {
  StepReport& report = step_.report;
  const Result& result = step_.result;
  report.solve_status = result.status;
  report.status = velocities_are_finite() ? step_status(result.status) : StepStatus::Failed;
  if (report.status == StepStatus::Solved && report.impact_residual > settings_.solve.tolerance) {
    report.status = StepStatus::Capped;
  }
  report.islands = result.stats.islands;
  report.constraints = static_cast<int>(problem().constraints.size());
  report.contacts = problem().contacts.size();
  report.residual = std::max(report.impact_residual, result.verdict.residual);
  report.siconos = result.verdict.siconos;
  const bool polygons = result.polyhedral.solved && report.status == StepStatus::Relaxed;
  report.method_error = polygons ? result.polyhedral.solver_error : report.residual;
  report.polygon_error = polygons ? result.polyhedral.linearisation_error : 0;
  report.penetration = 0;
  for (const Contact& contact : step_.start_contacts()) {
    report.penetration = std::max(report.penetration, -contact.gap);
  }
}

}  // namespace uzawa
