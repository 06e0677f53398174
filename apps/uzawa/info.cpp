#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"

namespace uzawa::cli {

namespace {

const char* type_name(JointType type) {
  switch (type) {
    case JointType::Free: return "free";
    case JointType::Ball: return "ball";
    case JointType::Slide: return "slide";
    case JointType::Hinge: return "hinge";
  }
  return "";
}

nlohmann::json joint_json(const Model& model, int j) {
  const JointSpec& joint = model.spec().joints[static_cast<std::size_t>(j)];
  nlohmann::json out = {{"name", joint.name},
                        {"type", type_name(joint.type)},
                        {"body", model.spec().bodies[static_cast<std::size_t>(joint.body)].name},
                        {"q", model.joint_q(j)},
                        {"v", model.joint_v(j)},
                        {"armature", joint.armature},
                        {"damping", joint.damping},
                        {"stiffness", joint.stiffness},
                        {"friction_loss", joint.friction_loss},
                        {"range", nullptr}};
  if (joint.range) out["range"] = {joint.range->lower, joint.range->upper};
  return out;
}

void print_json(const ModelArguments& arguments, const Inspection& found) {
  nlohmann::json out = {{"model", arguments.model.string()},
                        {"mujoco", mujoco_version()},
                        {"supported", found.model.has_value()},
                        {"unsupported", found.unsupported},
                        {"warnings", found.warnings},
                        {"bodies", found.bodies},
                        {"joints", found.joints},
                        {"nq", found.nq},
                        {"nv", found.nv},
                        {"actuators", found.actuators},
                        {"tendons", found.tendons},
                        {"equalities", found.equalities},
                        {"geoms", found.geoms},
                        {"meshes", found.meshes},
                        {"sites", found.sites},
                        {"keyframes", found.keyframes},
                        {"mass", found.mass}};
  if (found.model) {
    out["name"] = found.model->spec().name;
    out["links"] = found.model->links().size();
    out["trees"] = found.model->topology()->trees();
    out["moving_mass"] = found.model->total_mass();
    out["joint_list"] = nlohmann::json::array();
    for (int j = 0; j < found.joints; ++j) out["joint_list"].push_back(joint_json(*found.model, j));
  }
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_joints(const Model& model) {
  fmt::print("\n{:<28} {:<6} {:<24} {:>4} {:>4}  {:>20}  {:>9} {:>9} {:>9}\n", "joint", "type", "body", "q", "v",
             "range", "armature", "damping", "friction");
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    const std::string range =
        joint.range ? fmt::format("[{:.4g}, {:.4g}]", joint.range->lower, joint.range->upper) : "-";
    fmt::print("{:<28} {:<6} {:<24} {:>4} {:>4}  {:>20}  {:>9.4g} {:>9.4g} {:>9.4g}\n", joint.name,
               type_name(joint.type), model.spec().bodies[static_cast<std::size_t>(joint.body)].name,
               model.joint_q(static_cast<int>(j)), model.joint_v(static_cast<int>(j)), range, joint.armature,
               joint.damping, joint.friction_loss);
  }
}

}  // namespace

int info(const ModelArguments& arguments) {
  const Inspection found = inspect_model(arguments.model, arguments.load);
  if (arguments.json) {
    print_json(arguments, found);
    return kOk;
  }
  fmt::print("{}\n", arguments.model.string());
  fmt::print("  bodies {}, joints {}, nq {}, nv {}, actuators {}, tendons {}, equalities {}\n", found.bodies,
             found.joints, found.nq, found.nv, found.actuators, found.tendons, found.equalities);
  fmt::print("  geoms {}, meshes {}, sites {}, keyframes {}\n", found.geoms, found.meshes, found.sites,
             found.keyframes);
  fmt::print("  mass {:.6g} kg\n", found.mass);
  if (found.model) {
    fmt::print("  kinematic trees {}, moving links {}, moving mass {:.6g} kg\n", found.model->topology()->trees(),
               found.model->links().size(), found.model->total_mass());
  }
  for (const std::string& what : found.unsupported) fmt::print("  not supported yet: {}\n", what);
  for (const std::string& what : found.warnings) fmt::print("  note: {}\n", what);
  if (found.model && found.joints > 0) print_joints(*found.model);
  return kOk;
}

}  // namespace uzawa::cli
