#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "run_summary.hpp"
#include "uzawa/live/live_subject.hpp"
#include "uzawa/log/control_track.hpp"
#include "uzawa/log/log_frame.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::cli {

/// What is run: a named scene, or a model under the controls of its keyframe.
class Subject : public LiveSubject {
 public:
  Subject(const scenarios::Description& description, const RunArguments& arguments);
  explicit Subject(const RunArguments& arguments);

  const World& world() const override { return scene_ ? scene_->world() : *world_; }
  const StepReport& step(std::span<const double> push = {}) override;
  void change(const SimSettings& settings, double friction) override;
  void reset() override;

  std::span<const double> control() const { return scene_ ? scene_->drive().control : control_; }
  std::span<const double> external() const {
    return scene_ ? std::span<const double>(scene_->drive().external) : std::span<const double>();
  }
  double duration() const { return scene_ ? scene_->times().duration : 1; }
  const std::string& parameters() const { return parameter_text_; }
  /// For a log or a viewer: the run at its present state.
  LogInfo info() const;
  /// The verdict on the run, where it has gone far enough.
  void judge(RunSummary& summary) const;

 private:
  void start_track(const std::filesystem::path& controls);
  std::unique_ptr<World> with_friction(const SimSettings& settings, double friction) const;

  const scenarios::Description* description_ = nullptr;
  scenarios::Parameters parameters_;
  std::string parameter_text_;
  std::uint64_t seed_;
  std::unique_ptr<scenarios::SceneRun> scene_;  ///< of a scene
  std::unique_ptr<World> world_;                ///< of a model
  std::vector<double> control_;
  std::optional<ControlTrack> track_;       ///< of a model: controls over time
  State start_;                             ///< of a model
  SimSettings settings_;                    ///< as they are now, friction of pairs apart
  double friction_ = 1;                     ///< factor
  std::shared_ptr<const ModelSpec> plain_;  ///< the model with its own friction; none: that has not been changed
};

/// Of a named scene or of a file, whichever `arguments.model` names. Throws InputError where it is neither.
std::unique_ptr<Subject> make_subject(const RunArguments& arguments);

}  // namespace uzawa::cli
