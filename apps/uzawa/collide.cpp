#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "mesh_model.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/collision/collider.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa::cli {

namespace {

/// A configuration and where it comes from.
struct NamedPose {
  std::vector<double> q;
  std::string origin;
};

NamedPose keyframe_pose(const Model& model, const std::string& name) {
  return {model.keyframe_state(model.keyframe(name)).q, "keyframe '" + name + "'"};
}

nlohmann::json parse_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw InputError(path.string(), "", "cannot be opened");
  try {
    return nlohmann::json::parse(file);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path.string(), "", one_line(error.what()));
  }
}

std::vector<double> numbers(const nlohmann::json& list, const std::string& source, std::size_t size) {
  if (!list.is_array()) throw InputError(source, "qpos", "should be a list of numbers");
  std::vector<double> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_number() || !std::isfinite(list[i].get<double>())) {
      throw InputError(source, fmt::format("qpos[{}]", i), "is not a finite number");
    }
    values.push_back(list[i].get<double>());
  }
  if (values.size() != size) {
    throw InputError(source, "qpos", fmt::format("has {} values where the model needs {}", values.size(), size));
  }
  return values;
}

/// A list of numbers, {"qpos": list} or {"keyframe": name}.
NamedPose pose_from_file(const Model& model, const std::filesystem::path& path) {
  const nlohmann::json content = parse_file(path);
  const auto size = static_cast<std::size_t>(model.nq());
  if (content.is_array()) return {numbers(content, path.string(), size), path.string()};
  if (content.is_object() && content.contains("qpos")) {
    return {numbers(content["qpos"], path.string(), size), path.string()};
  }
  if (content.is_object() && content.contains("keyframe") && content["keyframe"].is_string()) {
    return keyframe_pose(model, content["keyframe"].get<std::string>());
  }
  throw InputError(path.string(), "", "holds neither a list of numbers, nor \"qpos\", nor \"keyframe\"");
}

NamedPose choose_pose(const Model& model, const CollideArguments& arguments) {
  if (!arguments.pose.empty()) return pose_from_file(model, arguments.pose);
  if (!arguments.keyframe.empty()) return keyframe_pose(model, arguments.keyframe);
  if (!model.spec().keyframes.empty()) {
    const std::string& name = model.spec().keyframes.front().name;
    return {model.keyframe_state(0).q, name.empty() ? "first keyframe" : "keyframe '" + name + "'"};
  }
  return {model.reference_state().q, "reference configuration"};
}

std::string geom_name(const Model& model, int geom) {
  const GeomSpec& spec = model.spec().geoms[static_cast<std::size_t>(geom)];
  if (!spec.name.empty()) return spec.name;
  const std::string& body = model.spec().bodies[static_cast<std::size_t>(spec.body)].name;
  return fmt::format("{}#{}", body, geom);
}

nlohmann::json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

/// Face of the soft body that a side is on, its nodes and their weights; null where the geom is rigid.
nlohmann::json skin_json(const Model& model, int geom, int face, const std::array<double, 2>& weights) {
  if (face < 0) return nullptr;
  const GeomSpec& skin = model.spec().geoms[static_cast<std::size_t>(geom)];
  const std::array<int, 3>& corners = model.skin(skin.asset).faces[static_cast<std::size_t>(face)];
  if (corners[2] < 0) {  // a stretch of a cord
    return {{"face", face}, {"nodes", {corners[0], corners[1]}}, {"weights", {weights[0], 1 - weights[0]}}};
  }
  return {{"face", face}, {"nodes", corners}, {"weights", {weights[0], weights[1], 1 - weights[0] - weights[1]}}};
}

void print_json(const CollideArguments& arguments, const LoadedModel& loaded, const NamedPose& pose,
                const Collider& collider) {
  nlohmann::json contacts = nlohmann::json::array();
  for (const Contact& c : collider.contacts()) {
    contacts.push_back({{"geoms", {geom_name(loaded.model, c.geom1), geom_name(loaded.model, c.geom2)}},
                        {"geom_ids", {c.geom1, c.geom2}},
                        {"pair", c.pair},
                        {"position", to_json(c.position)},
                        {"normal", to_json(c.normal)},
                        {"gap", c.gap},
                        {"skins",
                         {skin_json(loaded.model, c.geom1, c.face1, c.weights1),
                          skin_json(loaded.model, c.geom2, c.face2, c.weights2)}},
                        {"key", fmt::format("{:016x}", c.key)}});
  }
  const CollisionStats& stats = collider.stats();
  const nlohmann::json out = {{"model", arguments.model.string()},
                              {"pose", pose.origin},
                              {"qpos", pose.q},
                              {"margin", arguments.margin},
                              {"candidates", stats.candidates},
                              {"touching_pairs", stats.touching},
                              {"dropped", stats.dropped},
                              {"contacts", contacts},
                              {"warnings", loaded.warnings}};
  fmt::print("{}\n", out.dump(2));
}

void print_text(const CollideArguments& arguments, const LoadedModel& loaded, const NamedPose& pose,
                const Collider& collider) {
  const CollisionStats& stats = collider.stats();
  fmt::print("{} at {}: {} contacts of {} pairs ({} pairs looked at", arguments.model.string(), pose.origin,
             collider.contacts().size(), stats.touching, stats.candidates);
  if (stats.dropped > 0) fmt::print(", {} points left out", stats.dropped);
  fmt::print(")\n");
  if (!collider.shapes().enabled()) fmt::print("  the model turns contacts off\n");
  std::size_t width = 5;
  for (const Contact& c : collider.contacts()) {
    width = std::max({width, geom_name(loaded.model, c.geom1).size(), geom_name(loaded.model, c.geom2).size()});
  }
  if (!collider.contacts().empty()) {
    fmt::print("  {:<{}}  {:<{}}  {:>26}  {:>23}  {:>10}\n", "geom", width, "geom", width, "position (m)",
               "normal (first to second)", "gap (m)");
  }
  for (const Contact& c : collider.contacts()) {
    fmt::print("  {:<{}}  {:<{}}  {:>8.4f} {:>8.4f} {:>8.4f}  {:>7.4f} {:>7.4f} {:>7.4f}  {:>11.3e}\n",
               geom_name(loaded.model, c.geom1), width, geom_name(loaded.model, c.geom2), width, c.position.x(),
               c.position.y(), c.position.z(), c.normal.x(), c.normal.y(), c.normal.z(), c.gap);
  }
  for (const std::string& warning : loaded.warnings) fmt::print("  note: {}\n", warning);
}

}  // namespace

int collide(const CollideArguments& arguments) {
  const LoadedModel loaded = load_subject(arguments.model, arguments.load);
  const NamedPose pose = choose_pose(loaded.model, arguments);
  DynamicsData data(loaded.model);
  forward_kinematics(loaded.model, pose.q, data);
  Collider collider(loaded.model);
  collider.run(data.link_pose, {.distance = arguments.margin});
  if (arguments.json) {
    print_json(arguments, loaded, pose, collider);
  } else {
    print_text(arguments, loaded, pose, collider);
  }
  return kOk;
}

}  // namespace uzawa::cli
