#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "uzawa/sim/world.hpp"

/// Named scenes: each is one file with its parameters at the top, what it is made of, who drives it, and a check that
/// says what is expected and what was measured. Tests, benchmarks, `uzawa run NAME` and the viewer use them unchanged.
namespace uzawa::scenarios {

/// A number of a scene that may be changed: `uzawa run box-stack --set count=20`.
struct Parameter {
  const char* name;
  double value;  ///< unless something else is said
  double least, most;
  const char* about;   ///< meaning and unit
  bool whole = false;  ///< no fractions
};

/// The parameters of one run.
class Parameters {
 public:
  explicit Parameters(std::span<const Parameter> known);
  /// "name=value". Throws InputError for a name that the scene does not have and a value out of its range.
  void set(const std::string& assignment);
  void set(std::string_view name, double value);

  double operator[](std::string_view name) const;
  int count(std::string_view name) const { return static_cast<int>((*this)[name]); }
  /// All of them, as in "count=10 mu=0.5".
  std::string text() const;

 private:
  std::size_t index(std::string_view name) const;

  std::span<const Parameter> known_;
  std::vector<double> values_;
};

/// Random numbers of a scene; the same on every machine, which the distributions of <random> do not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform(double lower, double upper);

 private:
  std::uint64_t state_;
};

/// What a run should have shown, and what it did.
struct Outcome {
  bool holds = false;
  std::string expected, measured;  ///< a few words each
  std::string wrong;               ///< names of what is not as expected: "drift, penetration"
};

/// What a controller gives to a step.
struct Drive {
  std::vector<double> control;   ///< nu
  std::vector<double> external;  ///< nv, N or N m along the dofs
};

/// How long a run takes, s.
struct Times {
  double duration = 0;    ///< unless something else is said
  double check_time = 0;  ///< a shorter run can't be judged
};

/// One run of a scene. A scene may keep memory from step to step, for its controller and for its check.
class Scene {
 public:
  Scene() = default;
  virtual ~Scene() = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  virtual ModelSpec model() const = 0;
  /// With its parameters; `usual` is what the description says, which is for the defaults.
  virtual Times times(const Times& usual) const { return usual; }
  /// Settings that belong to the scene, such as restitution; dt is that of its description.
  virtual void adjust(SimSettings& settings) const { static_cast<void>(settings); }
  /// Rolling wheels and ties in addition to the model's constraints.
  virtual Ties ties(const Model& model) const { return static_cast<void>(model), Ties{}; }
  /// Changes the state at the reference configuration, at rest, into the one that the run begins with.
  virtual void start(const Model& model, State& state) { static_cast<void>(model), static_cast<void>(state); }
  /// Before each step; `drive` is as the last call left it, zero at first.
  virtual void drive(const World& world, Drive& drive) { static_cast<void>(world), static_cast<void>(drive); }
  /// After each step, for the check.
  virtual void watch(const World& world) { static_cast<void>(world); }
  virtual Outcome check(const World& world) const = 0;
};

/// A scene as it is listed.
struct Description {
  const char* name;
  const char* summary;
  double dt;                    ///< s
  double duration, check_time;  ///< s, as in Times; for the default parameters: a run knows its own
  std::span<const Parameter> parameters;
  std::unique_ptr<Scene> (*make)(const Parameters& parameters, std::uint64_t seed);
};

/// The `make` of a scene class that takes the parameters, and the seed where something in it is random.
template <typename SceneClass>
std::unique_ptr<Scene> make_scene(const Parameters& parameters, std::uint64_t seed) {
  if constexpr (std::is_constructible_v<SceneClass, Parameters, std::uint64_t>) {
    return std::make_unique<SceneClass>(parameters, seed);
  } else {
    return std::make_unique<SceneClass>(parameters);
  }
}

std::span<const Description> scenes();
/// Null where there is none of that name.
const Description* find_scene(std::string_view name);
/// The name that comes closest.
std::string_view nearest_scene(std::string_view name);

/// A scene in a world of its own, step by step.
class SceneRun {
 public:
  SceneRun(const Description& description, const Parameters& parameters, std::uint64_t seed = 1);
  /// Instead of `settings(...)`.
  SceneRun(const Description& description, const Parameters& parameters, std::uint64_t seed,
           const SimSettings& settings);

  /// The default ones, with what belongs to the scene.
  static SimSettings settings(const Description& description, const Parameters& parameters);

  World& world() { return *world_; }
  const World& world() const { return *world_; }
  const Drive& drive() const { return drive_; }
  /// With the parameters of this run.
  const Times& times() const { return times_; }
  /// `push`: joint-space force (N, N m) on top of what the scene's controller gives; empty: none.
  const StepReport& step(std::span<const double> push = {});
  /// Goes on in another world, which has the same bodies; controller and check keep their memory.
  void replace_world(std::unique_ptr<World> world);
  Outcome check() const { return scene_->check(*world_); }

 private:
  void set_ties();

  std::unique_ptr<Scene> scene_;
  Times times_;
  std::unique_ptr<World> world_;
  Drive drive_;
  std::vector<double> pushed_;  ///< nv
};

}  // namespace uzawa::scenarios
