#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "model_change.hpp"
#include "model_handle.hpp"
#include "simulation.hpp"
#include "uzawa/base/thread_pool.hpp"

namespace uzawa::python {

/// What became of a simulation since it was reset. A failed one stays as it was before the step that failed.
enum class BatchStatus : std::int8_t { Ready, Solved, Relaxed, Capped, LeastViolation, Failed };

/// Many simulations of one model, each on one thread at a time. A simulation never looks at another one, so its bits
/// depend neither on their number nor on that of the threads.
///
/// There are as many worlds as threads, and simulations take turns in them (World::exchange): the scratch memory of a
/// world, some hundred kB, stays in the processor's cache, and a simulation is what its next step depends on.
class Batch {
 public:
  Batch(const ModelHandle& model, std::size_t count, int threads, WorldOptions options);

  class Guard {
   public:
    explicit Guard(Batch& batch) : busy_(batch.busy_) {
      if (busy_.exchange(true)) throw std::runtime_error("the batch is in use by another thread");
    }
    ~Guard() { busy_ = false; }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    std::atomic<bool>& busy_;
  };

  std::size_t size() const { return sims_.size(); }
  int threads() const { return pool_.threads(); }
  const Model& model() const { return base_->model(); }
  double dt() const { return dt_; }

  /// A field of one element in the simulations `ids`: a row of numbers each. Taken over by the next step.
  void change(const ChangeField& field, int element, std::span<const std::int64_t> ids, std::span<const double> values);
  /// The numbers as they are: size() rows.
  std::vector<double> changed(const ChangeField& field, int element) const;

  /// The simulations `ids` start from these rows of states and controls, one row for all or one each.
  void reset(std::span<const std::int64_t> ids, std::span<const State> states,
             std::span<const std::vector<double>> controls);
  /// The simulations `ids` make steps; the others wait. `goes_on`: what a call has found is added to that of the last
  /// one.
  void step(std::span<const std::int64_t> ids, int count, bool goes_on);

  /// Array names of a rollout's record; each is written at rows (simulation, time).
  struct Record {
    std::string name;
    std::vector<double> values;
    std::size_t width = 1;
    std::vector<std::size_t> shape;  ///< of one entry
  };
  /// `controls`: size() x horizon x nu; each control holds for `count` steps. Runs those from `first` on.
  void rollout(std::span<const double> controls, std::size_t horizon, std::size_t first, std::size_t number, int count,
               std::vector<Record>& records);
  /// An empty record. Throws InputError with the nearest where that name can't be recorded.
  Record make_record(const std::string& name, std::size_t horizon) const;

  FullSnapshot save(std::size_t i);
  void restore(std::size_t i, const FullSnapshot& snapshot);
  const std::string& error(std::size_t i) const { return errors_[i]; }
  void update_frames();

  SharedBuffer<double> qpos, qvel, act, ctrl, applied, time, residual, penetration;
  SharedBuffer<double> mocap_pos, mocap_quat;  ///< goals of the next step
  SharedBuffer<std::int8_t> status;
  SharedBuffer<int> contacts;
  SharedBuffer<double> xpos, xquat;  ///< by update_frames

 private:
  /// A world with what its steps need besides.
  struct Worker {
    Worker(std::shared_ptr<const SharedModel> shared, const SimSettings& settings)
        : world(std::move(shared), settings) {}
    World world;
    std::vector<double> control, applied, goals;  ///< of the step at hand
    std::optional<FrameMaker> maker;
  };
  struct Sim {
    World::Snapshot at;           ///< where it is, unless it has a world of its own
    std::unique_ptr<Worker> own;  ///< with numbers of its own in the model
    bool stale = false;           ///< these numbers have changed since its world was made
  };
  /// A simulation in a world, while this exists.
  class Turn;

  void check_ids(std::span<const std::int64_t> ids) const;
  template <typename Task>
  void for_all(std::span<const std::int64_t> ids, Task&& task);
  bool has_failed(std::size_t i) { return status.row(i)[0] == static_cast<std::int8_t>(BatchStatus::Failed); }
  void fail(std::size_t i, const std::string& reason, const State& state);
  const State& state(std::size_t i) const;
  void rebuild(std::size_t i);
  void push(std::size_t i, Worker& worker);
  void pull(std::size_t i, const State& state);
  void run(std::size_t i, Worker& worker, int count, bool goes_on);
  void write_record(std::size_t i, std::size_t entry, Worker& worker, Record& record);

  std::shared_ptr<const SharedModel> base_;
  WorldOptions options_;
  SimSettings settings_;
  ThreadPool pool_;
  std::vector<std::unique_ptr<Worker>> workers_;  ///< those that are free
  double dt_ = 0;
  std::mutex workers_mutex_;
  std::vector<Sim> sims_;
  std::vector<std::string> errors_;
  /// Changed fields: by field and element, size() rows of numbers.
  std::map<std::pair<const ChangeField*, int>, std::vector<double>> changes_;
  std::atomic<bool> busy_ = false;
};

}  // namespace uzawa::python
