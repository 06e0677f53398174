#include "subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "mesh_model.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/base/spelling.hpp"
#include "uzawa/sim/overlaps.hpp"

namespace uzawa::cli {

namespace {

namespace fs = std::filesystem;
using scenarios::Description;
using scenarios::SceneRun;

void refuse(bool wrong, const char* option, const std::string& reason) {
  if (wrong) throw InputError("", option, reason);
}

int named_keyframe(const Model& model, const std::string& wanted) {
  std::string names;
  for (const KeyframeSpec& key : model.spec().keyframes) {
    if (key.name == wanted) return model.keyframe(wanted);
    names += (names.empty() ? "" : ", ") + (key.name.empty() ? "(no name)" : key.name);
  }
  if (names.empty()) throw InputError(model.spec().source, "keyframe '" + wanted + "'", "the model has none");
  throw InputError(model.spec().source, "keyframe '" + wanted + "'",
                   fmt::format("there is none of that name; did you mean {}? There are: {}",
                               nearest_name(model.spec().keyframes, wanted), names));
}

/// A keyframe by name or number; -1: none was asked for and the model has none.
int find_keyframe(const Model& model, const std::string& wanted) {
  const int count = static_cast<int>(model.spec().keyframes.size());
  if (wanted.empty()) return count > 0 ? 0 : -1;
  if (wanted == "none") return -1;
  if (wanted.find_first_not_of("0123456789") != std::string::npos) return named_keyframe(model, wanted);
  const int index = wanted.size() > 6 ? count : std::stoi(wanted);
  if (index >= count) {
    throw InputError(model.spec().source, "keyframe " + wanted, fmt::format("the model has {}", count));
  }
  return index;
}

}  // namespace

Subject::Subject(const Description& description, const RunArguments& arguments)
    : description_(&description), parameters_(description.parameters), seed_(arguments.seed) {
  refuse(!arguments.keyframe.empty(), "--keyframe", "is for model files; a scene has a start of its own");
  refuse(!arguments.controls.empty(), "--controls", "is for model files; a scene has a controller of its own");
  refuse(arguments.exclude_overlaps, "--exclude-overlaps", "is for model files");
  for (const std::string& assignment : arguments.assignments) parameters_.set(assignment);
  parameter_text_ = parameters_.text();
  const SimSettings own = SceneRun::settings(description, parameters_);
  settings_ = arguments.settings;
  settings_.dt = arguments.dt.value_or(own.dt);
  settings_.assembly = own.assembly;
  settings_.assembly.restitution = arguments.restitution.value_or(own.assembly.restitution);
  scene_ = std::make_unique<SceneRun>(description, parameters_, seed_, settings_);
}

Subject::Subject(const RunArguments& arguments)
    : parameters_({}), seed_(arguments.seed), settings_(arguments.settings) {
  refuse(!arguments.assignments.empty(), "--set", "is for named scenes; a model file has no parameters");
  LoadedModel loaded = load_subject(arguments.model, arguments.load);
  for (const std::string& warning : loaded.warnings) fmt::print(stderr, "uzawa: note: {}\n", warning);
  if (arguments.exclude_overlaps) loaded.model = exclude_overlaps(loaded.model, find_overlaps(loaded.model));
  settings_.dt = arguments.dt.value_or(0);
  settings_.assembly.restitution = arguments.restitution.value_or(settings_.assembly.restitution);
  world_ = std::make_unique<World>(std::move(loaded.model), settings_);
  control_.assign(static_cast<std::size_t>(world_->model().nu()), 0.0);
  if (const int key = find_keyframe(world_->model(), arguments.keyframe); key >= 0) {
    world_->set_state(world_->model().keyframe_state(key));
    const std::span<const double> given = world_->model().keyframe_control(key);
    std::copy(given.begin(), given.end(), control_.begin());
  }
  if (!arguments.controls.empty()) start_track(arguments.controls);
  start_ = world_->state();
}

/// Mocap bodies start where the file has them.
void Subject::start_track(const std::filesystem::path& controls) {
  track_.emplace(controls, world_->model());
  State state = world_->state();
  for (const auto& [mocap, pose] : track_->mocap(state.time)) {
    pose.position.store(&state.mocap[7 * static_cast<std::size_t>(mocap)]);
    to_quaternion(pose.rotation).store(&state.mocap[7 * static_cast<std::size_t>(mocap) + 3]);
  }
  world_->set_state(std::move(state));
}

const StepReport& Subject::step(std::span<const double> push) {
  if (scene_) return scene_->step(push);
  if (track_) {
    track_->apply(world_->state().time, control_);
    for (const auto& [mocap, pose] : track_->mocap(world_->state().time + world_->dt())) {
      world_->move_mocap(mocap, pose);
    }
  }
  return world_->step(control_, push);
}

/// A world of the same bodies, at its start.
std::unique_ptr<World> Subject::with_friction(const SimSettings& settings, double friction) const {
  ModelSpec spec = plain_ ? *plain_ : world().model().spec();
  SimSettings scaled = settings;
  for (GeomSpec& geom : spec.geoms) geom.friction[0] *= friction;
  const auto scale = [&](auto& pair) {
    for (int k = 0; k < 2; ++k) pair[static_cast<std::size_t>(k)] *= friction;
  };
  for (ContactPairSpec& pair : spec.contact_pairs) scale(pair.friction);
  for (PairMaterial& pair : scaled.assembly.pairs) {
    if (pair.friction) scale(*pair.friction);
  }
  return std::make_unique<World>(Model(std::move(spec)), scaled);
}

void Subject::change(const SimSettings& settings, double friction) {
  if (!plain_) plain_ = std::make_shared<const ModelSpec>(world().model().spec());
  std::unique_ptr<World> next = with_friction(settings, friction);
  next->restore(world().save());
  settings_ = settings;
  friction_ = friction;
  if (scene_) {
    scene_->replace_world(std::move(next));
  } else {
    world_ = std::move(next);
  }
}

void Subject::reset() {
  if (scene_) {
    scene_ = std::make_unique<SceneRun>(*description_, parameters_, seed_, settings_);
    if (friction_ != 1) change(settings_, friction_);
  } else {
    world_ = with_friction(settings_, friction_);
    world_->set_state(start_);
  }
}

LogInfo Subject::info() const {
  LogInfo info = describe(world());
  info.version = UZAWA_VERSION;
  info.scene = description_ != nullptr ? description_->name : "";
  info.parameters = parameter_text_;
  info.seed = seed_;
  return info;
}

void Subject::judge(RunSummary& summary) const {
  if (!scene_) return;
  if (world().state().time < scene_->times().check_time * (1 - 1e-9)) {
    summary.no_check = fmt::format("not judged: needs {:g} s", scene_->times().check_time);
  } else {
    summary.check = scene_->check();
  }
}

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

}  // namespace uzawa::cli
