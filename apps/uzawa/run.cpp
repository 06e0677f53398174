#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

#include "commands.hpp"
#include "recorder.hpp"
#include "run_summary.hpp"
#include "terminal.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa::cli {

namespace {

namespace fs = std::filesystem;
using scenarios::Description;
using scenarios::SceneRun;

constexpr double kMostSteps = 2e9;  // steps are counted in an int

void refuse(bool wrong, const char* option, const std::string& reason) {
  if (wrong) throw InputError("", option, reason);
}

/// A keyframe by name or number; -1: none was asked for and the model has none.
int find_keyframe(const Model& model, const std::string& wanted) {
  const int count = static_cast<int>(model.spec().keyframes.size());
  if (wanted.empty()) return count > 0 ? 0 : -1;
  if (wanted == "none") return -1;
  if (wanted.find_first_not_of("0123456789") != std::string::npos) return model.keyframe(wanted);
  const int index = wanted.size() > 6 ? count : std::stoi(wanted);
  if (index >= count) {
    throw InputError(model.spec().source, "keyframe " + wanted, fmt::format("the model has {}", count));
  }
  return index;
}

/// What is run: a named scene, or a model under constant controls.
class Subject {
 public:
  Subject(const Description& description, const RunArguments& arguments) : description_(&description) {
    refuse(!arguments.keyframe.empty(), "--keyframe", "is for model files; a scene has a start of its own");
    scenarios::Parameters parameters(description.parameters);
    for (const std::string& assignment : arguments.assignments) parameters.set(assignment);
    parameters_ = parameters.text();
    SimSettings settings = arguments.settings;
    const SimSettings own = SceneRun::settings(description, parameters);
    settings.dt = arguments.dt.value_or(own.dt);
    settings.assembly = own.assembly;
    settings.assembly.restitution = arguments.restitution.value_or(own.assembly.restitution);
    scene_ = std::make_unique<SceneRun>(description, parameters, arguments.seed, settings);
  }

  explicit Subject(const RunArguments& arguments) {
    refuse(!arguments.assignments.empty(), "--set", "is for named scenes; a model file has no parameters");
    LoadedModel loaded = load_model(arguments.model, arguments.load);
    for (const std::string& warning : loaded.warnings) fmt::print(stderr, "uzawa: note: {}\n", warning);
    SimSettings settings = arguments.settings;
    settings.dt = arguments.dt.value_or(0);
    settings.assembly.restitution = arguments.restitution.value_or(settings.assembly.restitution);
    world_ = std::make_unique<World>(std::move(loaded.model), settings);
    control_.assign(static_cast<std::size_t>(world_->model().nu()), 0.0);
    if (const int key = find_keyframe(world_->model(), arguments.keyframe); key >= 0) {
      world_->set_state(world_->model().keyframe_state(key));
      const std::span<const double> given = world_->model().keyframe_control(key);
      std::copy(given.begin(), given.end(), control_.begin());
    }
  }

  const World& world() const { return scene_ ? scene_->world() : *world_; }
  const StepReport& step() { return scene_ ? scene_->step() : world_->step(control_); }
  std::span<const double> control() const { return scene_ ? scene_->drive().control : control_; }
  std::span<const double> external() const {
    return scene_ ? std::span<const double>(scene_->drive().external) : std::span<const double>();
  }
  double duration() const { return description_ != nullptr ? description_->duration : 1; }
  std::string scene() const { return description_ != nullptr ? description_->name : ""; }
  const std::string& parameters() const { return parameters_; }

  /// The verdict on the run, where it has gone far enough.
  void judge(RunSummary& summary) const {
    if (!scene_) return;
    if (world().state().time < description_->check_time * (1 - 1e-9)) {
      summary.no_check = fmt::format("not judged: needs {:g} s", description_->check_time);
    } else {
      summary.check = scene_->check();
    }
  }

 private:
  const Description* description_ = nullptr;
  std::unique_ptr<SceneRun> scene_;
  std::unique_ptr<World> world_;
  std::vector<double> control_;
  std::string parameters_;
};

std::unique_ptr<Subject> make_subject(const RunArguments& arguments) {
  const std::string name = arguments.model.string();
  if (const Description* scene = scenarios::find_scene(name)) return std::make_unique<Subject>(*scene, arguments);
  std::error_code error;
  const bool looks_like_a_file = name.find_first_of("./") != std::string::npos || fs::exists(arguments.model, error);
  if (looks_like_a_file) return std::make_unique<Subject>(arguments);
  throw InputError(name, "",
                   fmt::format("no such scene or file; did you mean {}? `uzawa scenes` lists the scenes",
                               scenarios::nearest_scene(name)));
}

std::unique_ptr<Recorder> make_recorder(const RunArguments& arguments, const Subject& subject) {
  if (arguments.log.empty() && arguments.html.empty()) return nullptr;
  LogInfo info = describe(subject.world());
  info.version = UZAWA_VERSION;
  info.scene = subject.scene();
  info.parameters = subject.parameters();
  info.seed = arguments.seed;
  return std::make_unique<Recorder>(arguments, subject.world(), std::move(info));
}

long step_count(double duration, double dt) {
  refuse(!(duration / dt <= kMostSteps), "--time", fmt::format("{:g} s are too many steps of {:g} s", duration, dt));
  return std::lround(duration / dt);
}

/// Steps until the end, Ctrl-C or a step that fails; `log_error` gets what is wrong with the log, which also ends it.
RunSummary simulate(Subject& subject, long steps, Recorder* recorder, std::exception_ptr& log_error) {
  RunSummary summary;
  const InterruptGuard guard;
  const World& world = subject.world();
  const double start = world.state().time;
  const auto clock_start = std::chrono::steady_clock::now();
  const auto to_log = [&](auto&& write) {
    try {
      if (recorder != nullptr) write();
    } catch (const InputError&) {
      log_error = std::current_exception();
    }
  };
  {
    ProgressBar bar;
    for (long i = 0; i < steps && !InterruptGuard::interrupted() && !log_error; ++i) {
      const StepReport& report = subject.step();
      summary.add(report);
      to_log([&] { recorder->record(summary.steps, subject.control(), subject.external()); });
      if (report.status == StepStatus::Failed) break;
      bar.show(static_cast<double>(i + 1) / static_cast<double>(steps), world.state().time);
    }
  }
  summary.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  summary.simulated = world.state().time - start;
  summary.interrupted = summary.steps < steps && InterruptGuard::interrupted();
  if (!log_error) to_log([&] { recorder->close(summary.interrupted); });
  return summary;
}

}  // namespace

int run(const RunArguments& arguments) {
  const std::unique_ptr<Subject> subject = make_subject(arguments);
  const double duration = arguments.duration.value_or(subject->duration());
  const long steps = step_count(duration, subject->world().dt());
  const std::unique_ptr<Recorder> recorder = make_recorder(arguments, *subject);

  std::exception_ptr log_error;
  RunSummary summary = simulate(*subject, steps, recorder.get(), log_error);
  summary.name = arguments.model.string();
  summary.parameters = subject->parameters();
  summary.seed = arguments.seed;
  if (recorder && !log_error) {
    summary.log = arguments.log.string();
    summary.frames = recorder->log_frames();
    summary.replay = arguments.html.string();
    summary.replay_frames = recorder->replay_frames();
  }
  if (summary.interrupted) {
    summary.no_check = "not judged: interrupted";
  } else {
    subject->judge(summary);
  }
  (arguments.json ? print_json : print_table)(summary, subject->world());
  if (log_error) std::rethrow_exception(log_error);
  if (summary.interrupted) return kInterrupted;
  const bool failed = summary.count(StepStatus::Failed) > 0 || (summary.check && !summary.check->holds);
  return failed ? kFailed : kOk;
}

int list_scenes(bool parameters) {
  for (const Description& scene : scenarios::scenes()) {
    fmt::print("{:<16} {}\n", scene.name, scene.summary);
    if (!parameters) continue;
    fmt::print("    {:g} s in steps of {:g} s\n", scene.duration, scene.dt);
    for (const scenarios::Parameter& p : scene.parameters)
      fmt::print("    {:<12} {:<8g} {}\n", p.name, p.value, p.about);
  }
  return kOk;
}

}  // namespace uzawa::cli
