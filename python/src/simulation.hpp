#pragma once

#include <atomic>
#include <optional>

#include "bindings.hpp"
#include "recording.hpp"
#include "uzawa/log/log_frame.hpp"
#include "uzawa/sim/world.hpp"
#include "world_options.hpp"

namespace uzawa::python {

/// The worst of several steps: status, residual, penetration; sums of iterations; the rest is of the last step.
struct Report {
  StepReport step;  ///< the last
  StepStatus status = StepStatus::Solved;
  double residual = 0, penetration = 0;
  int iterations = 0;  ///< of the hardest step
  int steps = 0;       ///< that were made; a failed one ends them
  double time = 0;     ///< s, simulated, after them

  void add(const StepReport& report);
};

/// All that a world goes on from, its controls included.
struct FullSnapshot {
  World::Snapshot world;
  std::vector<double> control, applied;
  std::vector<double> mocap;  ///< goals, 7 a mocap body
};
std::string snapshot_bytes(const FullSnapshot& snapshot);
/// Throws InputError where these are not the bytes of a snapshot. Whether it fits a model is checked when it is
/// restored.
FullSnapshot snapshot_from_bytes(std::string_view bytes);

/// Frames of bodies, geoms and sites at a state, in memory that arrays show.
class Frames {
 public:
  explicit Frames(const Model& model);
  /// Makes them anew where the state is another than the last time. `mocap`: has the poses of mocap bodies.
  void update(std::span<const double> q, std::span<const double> v, const State& mocap);
  bool is_exported() const;

  SharedBuffer<double> xpos, xquat, xmat, cvel, geom_xpos, geom_xmat, site_xpos, site_xmat;
  const DynamicsData& data() const { return data_; }
  DynamicsData& data() { return data_; }

 private:
  const Model& model_;
  DynamicsData data_;
  State state_;
};

/// A world with memory that numpy reads and writes. What a user writes there is taken over by the next call (push),
/// what a step has changed is written there after it (pull): both while the interpreter is locked, so that other
/// threads of Python see whole steps. The engine works on memory of its own meanwhile.
class Simulation {
 public:
  Simulation(std::shared_ptr<const SharedModel> shared, WorldOptions options);

  /// One user at a time: throws where another thread has not left yet.
  class Guard {
   public:
    explicit Guard(Simulation& simulation) : busy_(simulation.busy_) {
      if (busy_.exchange(true)) throw std::runtime_error("the world is in use by another thread");
    }
    ~Guard() { busy_ = false; }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    std::atomic<bool>& busy_;
  };

  const Model& model() const { return world_->model(); }
  World& world() { return *world_; }
  const WorldOptions& options() const { return options_; }

  void push();
  void pull();
  /// Takes a state and controls as a new start.
  void reset(const State& state, std::span<const double> control);
  /// Mocap bodies are at their goals at once, at rest.
  void place_mocap();
  /// Makes steps without the interpreter's lock, and looks for Ctrl-C now and then.
  Report step(int count);

  FullSnapshot save();
  void restore(const FullSnapshot& snapshot);
  /// Contacts of the last step with their forces; none after a reset.
  const LogFrame& frame();
  /// At what the arrays hold now.
  Frames& frames();
  /// Writes every further step into a file, until `end_recording`.
  void record(const std::string& path, int every);
  void end_recording();

  SharedBuffer<double> qpos, qvel, act, ctrl, applied;
  SharedBuffer<double> mocap_pos, mocap_quat;  ///< goals of the next step
  double time = 0;
  Report report;  ///< of the last call of step

 private:
  bool run(int count, int& done);
  State written_state() const;

  std::shared_ptr<const SharedModel> shared_;
  WorldOptions options_;
  std::unique_ptr<World> world_;
  std::vector<double> control_, applied_, goals_;  ///< of the step at hand
  std::optional<Frames> frames_;
  std::optional<FrameMaker> maker_;
  LogFrame no_frame_;
  std::optional<Recording> recording_;
  bool stepped_ = false;
  std::atomic<bool> busy_ = false;
};

}  // namespace uzawa::python
