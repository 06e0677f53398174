#include "batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "mocap_goals.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa::python {

namespace {

void copy(std::span<const double> from, std::span<double> to) { std::copy(from.begin(), from.end(), to.begin()); }
bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::vector<double> list(std::span<const double> x) { return {x.begin(), x.end()}; }

BatchStatus batch_status(StepStatus status) {
  switch (status) {
    case StepStatus::Solved: return BatchStatus::Solved;
    case StepStatus::Relaxed: return BatchStatus::Relaxed;
    case StepStatus::Capped: return BatchStatus::Capped;
    case StepStatus::LeastViolation: return BatchStatus::LeastViolation;
    case StepStatus::Failed: return BatchStatus::Failed;
  }
  return BatchStatus::Failed;
}

}  // namespace

Batch::Batch(const ModelHandle& handle, std::size_t count, int threads, WorldOptions options)
    : base_(handle.shared()),
      options_(std::move(options)),
      settings_(to_settings(options_)),
      pool_(threads),
      sims_(count),
      errors_(count) {
  const Model& m = model();
  qpos = SharedBuffer<double>({count, at(m.nq())});
  qvel = SharedBuffer<double>({count, at(m.nv())});
  act = SharedBuffer<double>({count, at(m.na())});
  ctrl = SharedBuffer<double>({count, at(m.nu())});
  applied = SharedBuffer<double>({count, at(m.nv())});
  time = SharedBuffer<double>({count});
  residual = SharedBuffer<double>({count});
  penetration = SharedBuffer<double>({count});
  status = SharedBuffer<std::int8_t>({count});
  contacts = SharedBuffer<int>({count});
  xpos = SharedBuffer<double>({count, m.spec().bodies.size(), 3});
  xquat = SharedBuffer<double>({count, m.spec().bodies.size(), 4});
  mocap_pos = SharedBuffer<double>({count, m.mocap_bodies().size(), 3});
  mocap_quat = SharedBuffer<double>({count, m.mocap_bodies().size(), 4});
  for (int k = 0; k < threads; ++k) workers_.push_back(std::make_unique<Worker>(base_, settings_));
  dt_ = workers_.front()->world.dt();
  for (std::size_t i = 0; i < count; ++i) {
    sims_[i].at = workers_.front()->world.save();
    pull(i, sims_[i].at.state);
  }
}

class Batch::Turn {
 public:
  Turn(Batch& batch, std::size_t i) : batch_(batch), sim_(batch.sims_[i]) {
    if (sim_.stale) batch_.rebuild(i);
    if (sim_.own) return;
    {
      const std::lock_guard lock(batch_.workers_mutex_);
      taken_ = std::move(batch_.workers_.back());  // a thread takes one at a time, and there is one for each
      batch_.workers_.pop_back();
    }
    taken_->world.exchange(sim_.at);
  }
  ~Turn() {
    if (!taken_) return;
    taken_->world.exchange(sim_.at);
    const std::lock_guard lock(batch_.workers_mutex_);
    batch_.workers_.push_back(std::move(taken_));
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  Worker& worker() { return sim_.own ? *sim_.own : *taken_; }
  World& world() { return worker().world; }

 private:
  Batch& batch_;
  Sim& sim_;
  std::unique_ptr<Worker> taken_;
};

const State& Batch::state(std::size_t i) const {
  return sims_[i].own ? sims_[i].own->world.state() : sims_[i].at.state;
}

void Batch::check_ids(std::span<const std::int64_t> ids) const {
  std::vector<char> seen(size());
  for (const std::int64_t id : ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= size()) {
      throw InputError("", "simulation " + std::to_string(id), "the batch has " + std::to_string(size()));
    }
    if (seen[static_cast<std::size_t>(id)]++ != 0) {
      throw InputError("", "simulation " + std::to_string(id), "is named twice");
    }
  }
}

template <typename Task>
void Batch::for_all(std::span<const std::int64_t> ids, Task&& task) {
  pool_.for_each(static_cast<int>(ids.size()), [&](int k) {
    const auto i = static_cast<std::size_t>(ids[at(k)]);
    try {
      task(i, at(k));
    } catch (const std::exception& error) {
      fail(i, error.what(), state(i));
    }
  });
}

/// What was refused is not its state.
void Batch::fail(std::size_t i, const std::string& reason, const State& state) {
  errors_[i] = reason;
  status.row(i)[0] = static_cast<std::int8_t>(BatchStatus::Failed);
  pull(i, state);
}

void Batch::change(const ChangeField& field, int element, std::span<const std::int64_t> ids,
                   std::span<const double> values) {
  check_ids(ids);
  const auto width = at(field.width);
  for (const double x : values) {
    if (!std::isfinite(x)) throw InputError(model().spec().source, field.name, "is not a finite number");
  }
  auto [entry, is_new] = changes_.try_emplace({&field, element});
  if (is_new) entry->second = changed(field, element);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const auto i = static_cast<std::size_t>(ids[k]);
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(k * width), width,
                entry->second.begin() + static_cast<std::ptrdiff_t>(i * width));
    sims_[i].stale = true;
  }
}

std::vector<double> Batch::changed(const ChangeField& field, int element) const {
  const auto entry = changes_.find({&field, element});
  if (entry != changes_.end() && !entry->second.empty()) return entry->second;
  const auto width = at(field.width);
  std::vector<double> out(size() * width);
  for (std::size_t i = 0; i < size(); ++i)
    field.get(model().spec(), at(element), std::span(out).subspan(i * width, width));
  return out;
}

/// A world of the model with this simulation's numbers, that goes on from where the old one is.
void Batch::rebuild(std::size_t i) {
  Sim& sim = sims_[i];
  ModelSpec spec = model().spec();
  bool other_shapes = false;
  for (const auto& [key, values] : changes_) {
    const auto& [field, element] = key;
    const auto width = at(field->width);
    field->set(spec, at(element), std::span(values).subspan(i * width, width));
    other_shapes = other_shapes || field->changes_shapes;
  }
  Model changed_model(std::move(spec));
  auto shared = other_shapes ? std::make_shared<const SharedModel>(std::move(changed_model))
                             : std::make_shared<const SharedModel>(std::move(changed_model), *base_);
  auto next = std::make_unique<Worker>(std::move(shared), settings_);
  next->world.restore(sim.own ? sim.own->world.save() : sim.at);
  sim.own = std::move(next);
  sim.stale = false;
}

void Batch::push(std::size_t i, Worker& worker) {
  const State& state = worker.world.state();
  const bool same = same_bits(qpos.row(i), state.q) && same_bits(qvel.row(i), state.v) &&
                    same_bits(act.row(i), state.activation) && same_bits(time.row(i), {&state.time, 1});
  if (!same) {
    worker.world.set_state(
        State{list(qpos.row(i)), list(qvel.row(i)), list(act.row(i)), time.row(i)[0], state.mocap, state.mocap_v});
  }
  join_mocap(mocap_pos.row(i), mocap_quat.row(i), worker.goals);
  guide_mocap(worker.world, worker.goals);
  const std::span<const double> force = applied.row(i);
  const bool pushed = std::any_of(force.begin(), force.end(), [](double x) { return x != 0; });
  worker.control.assign(ctrl.row(i).begin(), ctrl.row(i).end());
  worker.applied.assign(force.begin(), pushed ? force.end() : force.begin());
}

void Batch::pull(std::size_t i, const State& state) {
  copy(state.q, qpos.row(i));
  copy(state.v, qvel.row(i));
  copy(state.activation, act.row(i));
  time.row(i)[0] = state.time;
  split_mocap(state.mocap, mocap_pos.row(i), mocap_quat.row(i));
}

/// A simulation that has failed stays as it is.
void Batch::run(std::size_t i, Worker& worker, int count, bool goes_on) {
  if (has_failed(i)) return;
  push(i, worker);
  Report report;
  for (int k = 0; k < count && report.status != StepStatus::Failed; ++k) {
    report.add(worker.world.step(worker.control, worker.applied));
  }
  pull(i, worker.world.state());
  const auto kept = [goes_on](auto old) { return goes_on ? old : decltype(old)(0); };
  residual.row(i)[0] = std::max(report.residual, kept(residual.row(i)[0]));
  penetration.row(i)[0] = std::max(report.penetration, kept(penetration.row(i)[0]));
  contacts.row(i)[0] = report.step.contacts;
  const BatchStatus now = batch_status(report.status);  // from the best to the worst
  status.row(i)[0] = std::max(static_cast<std::int8_t>(now), kept(status.row(i)[0]));
  if (now == BatchStatus::Failed) errors_[i] = "no method found finite velocities";
}

void Batch::step(std::span<const std::int64_t> ids, int count, bool goes_on) {
  check_ids(ids);
  for_all(ids, [&](std::size_t i, std::size_t) {
    if (has_failed(i)) return;
    Turn turn(*this, i);
    run(i, turn.worker(), count, goes_on);
  });
}

void Batch::reset(std::span<const std::int64_t> ids, std::span<const State> states,
                  std::span<const std::vector<double>> controls) {
  check_ids(ids);
  for_all(ids, [&](std::size_t i, std::size_t k) {
    Turn turn(*this, i);
    turn.world().set_state(states[states.size() == 1 ? 0 : k]);
    pull(i, turn.world().state());
    const std::vector<double>& control = controls[controls.size() == 1 ? 0 : k];
    std::fill(ctrl.row(i).begin(), ctrl.row(i).end(), 0.0);
    copy(control, ctrl.row(i));
    std::fill(applied.row(i).begin(), applied.row(i).end(), 0.0);
    residual.row(i)[0] = penetration.row(i)[0] = 0;
    contacts.row(i)[0] = 0;
    errors_[i].clear();
    status.row(i)[0] = static_cast<std::int8_t>(BatchStatus::Ready);
  });
}

void Batch::rollout(std::span<const double> controls, std::size_t horizon, std::size_t first, std::size_t number,
                    int count, std::vector<Record>& records) {
  std::vector<std::int64_t> ids(size());
  std::iota(ids.begin(), ids.end(), 0);
  const auto nu = at(model().nu());
  for_all(ids, [&](std::size_t i, std::size_t) {
    Turn turn(*this, i);
    for (std::size_t t = first; t < first + number; ++t) {
      copy(controls.subspan((i * horizon + t) * nu, nu), ctrl.row(i));
      try {
        run(i, turn.worker(), count, false);
      } catch (const std::exception& error) {
        fail(i, error.what(), turn.world().state());
      }
      for (Record& record : records) write_record(i, i * horizon + t, turn.worker(), record);
    }
  });
}

FullSnapshot Batch::save(std::size_t i) {
  Turn turn(*this, i);
  push(i, turn.worker());
  return {turn.world().save(), list(ctrl.row(i)), list(applied.row(i)), turn.worker().goals};
}

void Batch::restore(std::size_t i, const FullSnapshot& snapshot) {
  if (snapshot.control.size() != at(model().nu()) || snapshot.applied.size() != at(model().nv())) {
    throw InputError(model().spec().source, "snapshot", "is of another model");
  }
  check_mocap(model(), snapshot.mocap);
  Turn turn(*this, i);
  turn.world().restore(snapshot.world);
  pull(i, turn.world().state());
  split_mocap(snapshot.mocap, mocap_pos.row(i), mocap_quat.row(i));
  copy(snapshot.control, ctrl.row(i));
  copy(snapshot.applied, applied.row(i));
  errors_[i].clear();
  status.row(i)[0] = static_cast<std::int8_t>(BatchStatus::Ready);
}

}  // namespace uzawa::python
