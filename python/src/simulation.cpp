#include "simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "mocap_goals.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa::python {

namespace {

/// How long Ctrl-C and other threads may have to wait, but for a step that takes longer.
constexpr std::chrono::milliseconds kPatience(20);

/// From the best to the worst.
int rank(StepStatus status) {
  switch (status) {
    case StepStatus::Solved: return 0;
    case StepStatus::Relaxed: return 1;
    case StepStatus::Capped: return 2;
    case StepStatus::LeastViolation: return 3;
    case StepStatus::Failed: return 4;
  }
  return 4;
}

/// By their bits, so that a NaN differs from what was there before.
bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

void copy(std::span<const double> from, std::span<double> to) { std::copy(from.begin(), from.end(), to.begin()); }

std::vector<double> copied(std::span<const double> x) { return {x.begin(), x.end()}; }

std::size_t size(int n) { return static_cast<std::size_t>(n); }

}  // namespace

SimSettings to_settings(const WorldOptions& options) {
  SimSettings settings;
  settings.dt = options.dt;
  settings.theta = options.theta;
  settings.solver = options.solver;
  settings.solve.tolerance = options.tolerance;
  settings.solve.threads = options.threads;
  settings.assembly.restitution = options.restitution;
  settings.warm_start = options.warm_start;
  settings.work = options.work;
  settings.budget_us = options.budget_us;
  settings.sleep.enabled = options.sleep;
  settings.book_energy = options.energy;
  if (!(options.tolerance > 0)) throw InputError("", "tolerance", "must be a positive number");
  if (options.threads < 1 || options.threads > 256) throw InputError("", "threads", "must be from 1 to 256");
  for (const auto& [name, value] : options.settings) find_setting(name).assign(settings.solve, value);
  return settings;
}

void Report::add(const StepReport& other) {
  step = other;
  if (steps == 0 || rank(other.status) > rank(status)) status = other.status;
  residual = std::max(residual, other.residual);
  penetration = std::max(penetration, other.penetration);
  iterations = std::max(iterations, other.iterations);
  ++steps;
}

Simulation::Simulation(std::shared_ptr<const SharedModel> shared, WorldOptions options)
    : shared_(std::move(shared)),
      options_(std::move(options)),
      world_(std::make_unique<World>(shared_, to_settings(options_))) {
  const Model& m = model();
  qpos = SharedBuffer<double>({size(m.nq())});
  qvel = SharedBuffer<double>({size(m.nv())});
  act = SharedBuffer<double>({size(m.na())});
  ctrl = SharedBuffer<double>({size(m.nu())});
  applied = SharedBuffer<double>({size(m.nv())});
  mocap_pos = SharedBuffer<double>({m.mocap_bodies().size(), 3});
  mocap_quat = SharedBuffer<double>({m.mocap_bodies().size(), 4});
  pull();
}

/// Mocap bodies are where the world has them: their arrays are goals.
State Simulation::written_state() const {
  const State& state = world_->state();
  return {copied(qpos.span()), copied(qvel.span()), copied(act.span()), time, state.mocap, state.mocap_v};
}

void Simulation::push() {
  const State& state = world_->state();
  const bool same = same_bits(qpos.span(), state.q) && same_bits(qvel.span(), state.v) &&
                    same_bits(act.span(), state.activation) && same_bits({&time, 1}, {&state.time, 1});
  if (!same) {
    world_->set_state(written_state());
    stepped_ = false;
  }
  join_mocap(mocap_pos.span(), mocap_quat.span(), goals_);
  guide_mocap(*world_, goals_);
  const std::span<const double> control = ctrl.span(), force = applied.span();
  control_.assign(control.begin(), control.end());
  const bool pushed = std::any_of(force.begin(), force.end(), [](double x) { return x != 0; });
  applied_.assign(force.begin(), pushed ? force.end() : force.begin());
}

void Simulation::pull() {
  const State& state = world_->state();
  copy(state.q, qpos.span());
  copy(state.v, qvel.span());
  copy(state.activation, act.span());
  time = state.time;
  split_mocap(state.mocap, mocap_pos.span(), mocap_quat.span());
  if (frames_ && frames_->is_exported()) frames_->update(state.q, state.v, state);
}

void Simulation::reset(const State& state, std::span<const double> control) {
  world_->set_state(state);
  stepped_ = false;
  std::fill(applied.span().begin(), applied.span().end(), 0.0);
  std::fill(ctrl.span().begin(), ctrl.span().end(), 0.0);
  copy(control, ctrl.span());
  report = {};
  pull();
}

void Simulation::place_mocap() {
  State state = written_state();
  join_mocap(mocap_pos.span(), mocap_quat.span(), state.mocap);
  check_mocap(model(), state.mocap);
  state.mocap_v.clear();
  world_->set_state(std::move(state));
  stepped_ = false;
  pull();
}

/// True where it should be called again.
bool Simulation::run(int count, int& done) {
  const nb::gil_scoped_release release;
  const auto start = std::chrono::steady_clock::now();
  while (done < count) {
    report.add(world_->step(control_, applied_));
    ++done;
    if (recording_) recording_->add(*world_, control_, applied_);
    if (report.status == StepStatus::Failed) return false;
    if (done < count && std::chrono::steady_clock::now() - start > kPatience) return true;
  }
  return false;
}

Report Simulation::step(int count) {
  if (count < 1) throw InputError("", "nstep", "must be at least 1");
  push();
  report = {};
  try {
    int done = 0;
    while (run(count, done)) {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
  } catch (...) {
    stepped_ = report.steps > 0;
    pull();
    throw;
  }
  stepped_ = true;
  pull();
  report.time = time;
  return report;
}

FullSnapshot Simulation::save() {
  push();
  return {world_->save(), copied(ctrl.span()), copied(applied.span()), goals_};
}

void Simulation::restore(const FullSnapshot& snapshot) {
  if (snapshot.control.size() != ctrl.span().size() || snapshot.applied.size() != applied.span().size()) {
    throw InputError(model().spec().source, "snapshot", "is of another model");
  }
  check_mocap(model(), snapshot.mocap);
  world_->restore(snapshot.world);
  copy(snapshot.control, ctrl.span());
  copy(snapshot.applied, applied.span());
  stepped_ = false;
  report = {};
  pull();
  split_mocap(snapshot.mocap, mocap_pos.span(), mocap_quat.span());
}

const LogFrame& Simulation::frame() {
  if (!stepped_) return no_frame_;
  if (!maker_) maker_.emplace(*world_);
  return maker_->make(control_, applied_);
}

void Simulation::record(const std::string& path, int every) {
  if (recording_) throw InputError(path, "recording", "the world is being recorded to " + recording_->path());
  push();
  recording_.emplace(path, *world_, every);
}

void Simulation::end_recording() {
  if (!recording_) return;
  Recording last = std::move(*recording_);
  recording_.reset();
  last.close();
}

Frames& Simulation::frames() {
  if (!frames_) frames_.emplace(model());
  frames_->update(qpos.span(), qvel.span(), world_->state());
  return *frames_;
}

}  // namespace uzawa::python
