#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "uzawa/assembly/assembler.hpp"
#include "uzawa/collision/collider.hpp"
#include "uzawa/dynamics/smooth_end.hpp"
#include "uzawa/sim/energy_book.hpp"
#include "uzawa/sim/impulse_shares.hpp"
#include "uzawa/sim/plane_choice.hpp"
#include "uzawa/sim/position_projection.hpp"
#include "uzawa/sim/second_look.hpp"
#include "uzawa/sim/sensor_readings.hpp"
#include "uzawa/sim/settings.hpp"
#include "uzawa/sim/shared_model.hpp"
#include "uzawa/sim/sleep.hpp"
#include "uzawa/sim/step_data.hpp"
#include "uzawa/sim/unreached_contacts.hpp"
#include "uzawa/sim/warm_start.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// A model that moves: state, memory of the last steps, and settings. step.cpp shows a step on one screen.
class World {
 public:
  /// Throws InputError for invalid settings, an unknown solver or invalid shapes.
  explicit World(Model model, SimSettings settings = {});
  /// The same with a model that other worlds share: nothing of it is copied.
  explicit World(std::shared_ptr<const SharedModel> shared, SimSettings settings = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const Model& model() const { return model_; }
  const std::shared_ptr<const SharedModel>& shared_model() const { return shared_; }
  const SimSettings& settings() const { return settings_; }
  double dt() const { return rule_.h; }
  const State& state() const { return state_; }
  /// Throws InputError that names the joint or actuator where a number is not finite, or the sizes are wrong. Warm
  /// starts and velocities of earlier steps are forgotten, and every subsystem is awake.
  void set_state(State state);

  /// Where a mocap body (Model::mocap) will be at the end of the next step, in world axes. It goes there at constant
  /// velocity, which contacts and equalities feel; then it stands until it is moved again. `set_state` puts it anywhere
  /// at once. Throws InputError for a pose that is not finite.
  void move_mocap(int mocap, const Pose& pose);

  /// Rolling wheels, skates and points that are tied together, in addition to the model's constraints. Every subsystem
  /// is woken.
  void set_ties(Ties ties);
  const Ties& ties() const { return assembler_.ties(); }

  /// One step. `control`: one number an actuator, or empty for zeros; `external`: joint-space force (N, N m), or empty.
  /// Throws InputError that names the actuator or joint where a number is not finite.
  const StepReport& step(std::span<const double> control = {}, std::span<const double> external = {});
  const StepReport& report() const { return step_.report; }

  // -- the same step, stage by stage, for callers that need the results in between: all stages, in this order. Each
  // throws InputError where the one before it has not run. A step that was started may be started again.
  /// Poses, velocities and the impulse of all forces in the middle of the step: `data()`.
  void start(std::span<const double> control = {}, std::span<const double> external = {});
  /// `contacts()`, with speculative ones that the present velocities reach.
  void find_contacts();
  /// `problem()`, after the impacts where there is restitution.
  void assemble();
  /// `result()`: solves the problem, and again after each refinement that its solution requires (refine.cpp).
  void solve();
  /// v_{k+1} and q_{k+1}, and the projection of positions: `state()`. Where the solve has failed the state stays.
  const StepReport& integrate();

  // -- results of the last step
  /// Contacts at the start of the step, then contacts found at its end (SecondLook), with points at the start and
  /// normals at the end of the step; last those that the motion has not reached, which have no rows.
  std::span<const Contact> contacts() const { return step_.contacts; }
  const Problem& problem() const { return assembler_.problem(); }
  const Result& result() const { return step_.result; }
  /// Keys of the problem's constraints: contact keys, or constraint_key() for the others.
  std::span<const std::uint64_t> keys() const { return assembler_.keys(); }
  const DynamicsData& data() const { return step_.dynamics; }
  /// Of all sensors of the model, at Model::sensor_address, after the last step (SensorReadings); zeros before it.
  std::span<const double> sensor_values() const { return sensors_ ? sensors_->values() : std::span<const double>{}; }
  /// Of one, as in world.sensor(world.model().sensor("imu")).
  std::span<const double> sensor(int sensor) const;

  /// The complete state that the next step depends on. A restored world continues with the same bits.
  struct Snapshot {
    State state;
    CarriedMomentum momentum;
    WarmStart warm;
    Sleep::Record sleep;
    Ties ties;
    EnergyBook::Record energy;
  };
  Snapshot save() const { return {state_, momentum_, warm_, sleep_.record(), assembler_.ties(), book_.record()}; }
  void restore(const Snapshot& snapshot);
  /// `restore`, and `other` becomes what `save` returned before: nothing is copied, so that one world can run many
  /// simulations in turns. `other` must be of a world with this model's sizes.
  void exchange(Snapshot& other);

 private:
  void require(Stage stage, const char* missing) const;
  void collide();
  bool is_useless(const Contact& contact) const;
  void drop_useless_contacts(std::size_t first);
  bool may_defer() const;
  void wake_sleepers();
  void pass_on_impacts();
  void predict_smooth();
  void write_problem();
  void mark_touched();
  void stop_mocap();
  void guide_mocap();
  void finish_mocap();
  void open_book();
  void book_work();

  void solve_problem();
  void accept_result();
  void keep_impulses(std::span<const int> but);
  bool velocities_are_finite() const;
  void write_report();
  Settings solve_settings() const;
  bool has_time_for_another() const;
  ThreadPool* collision_threads();

  // refiners (refine.cpp)
  bool refine();
  bool add_passed_limits();
  bool add_end_contacts();
  bool add_deferred_contacts();
  bool relinearise();

  // fixed
  std::shared_ptr<const SharedModel> shared_;
  const Model& model_;
  SimSettings settings_;
  ThetaRule rule_;
  const Solver& solver_;
  // state that the next step depends on (Snapshot)
  State state_;
  CarriedMomentum momentum_;
  WarmStart warm_;
  Sleep sleep_;
  EnergyBook book_;
  // the step, and the tools of its stages
  StepData step_;
  Collider collider_;
  StepEnd end_, elastic_end_;  ///< where the step leads; where soft bodies have their forces
  PlaneChoice planes_;
  UnreachedContacts unreached_;
  SecondLook second_look_;
  Assembler assembler_;
  PositionProjection projection_;
  std::unique_ptr<SensorReadings> sensors_;  ///< null: the model has none
  /// Of a step with RK4; none otherwise.
  struct Smooth {
    explicit Smooth(const Model& model) : end(model), shares(model) {}
    SmoothEnd end;
    ImpulseShares shares;
  };
  std::optional<Smooth> smooth_;
  Workspace workspace_, rescue_, impact_;
  std::vector<double> kept_impulses_, elastic_v_;
};

}  // namespace uzawa
