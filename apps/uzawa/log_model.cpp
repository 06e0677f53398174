#include "log_model.hpp"

#include <sstream>

#include "mesh_model.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::cli {

namespace fs = std::filesystem;

namespace {

Model model_of_scene(const fs::path& log, const LogInfo& info) {
  const scenarios::Description* scene = scenarios::find_scene(info.scene);
  if (scene == nullptr) throw InputError(log.string(), "scene " + info.scene, "this version has no such scene");
  scenarios::Parameters parameters(scene->parameters);
  std::istringstream words(info.parameters);
  for (std::string assignment; words >> assignment;) parameters.set(assignment);
  return Model(scene->make(parameters, info.seed)->model());
}

}  // namespace

Model model_of_log(const fs::path& log, const LogInfo& info, const fs::path& file, const LoadOptions& options) {
  if (file.empty() && info.scene.empty() && info.source.empty()) {
    throw InputError(log.string(), "model", "the log names neither a scene nor a file: say --model");
  }
  const bool from_scene = file.empty() && !info.scene.empty();
  Model model =
      from_scene ? model_of_scene(log, info) : load_subject(file.empty() ? fs::path(info.source) : file, options).model;
  std::vector<std::string> bodies;
  for (const BodySpec& body : model.spec().bodies) bodies.push_back(body.name);
  const bool same = bodies == info.bodies && static_cast<std::size_t>(model.nq()) == info.start.q.size() &&
                    static_cast<std::size_t>(model.nv()) == info.start.v.size();
  if (!same) throw InputError(log.string(), "model", "the model has other bodies or joints than the log");
  return model;
}

}  // namespace uzawa::cli
