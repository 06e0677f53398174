#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "mesh_model.hpp"
#include "uzawa/sim/overlaps.hpp"

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

/// What a soft body consists of.
struct SoftBodySummary {
  int free = 0, pinned = 0, carried = 0;  ///< nodes: with motion of their own, on the ground, on a link
  double mass = 0;                        ///< kg, of the free nodes
};

SoftBodySummary summarize(const Model& model, const SoftBodySpec& soft) {
  SoftBodySummary summary;
  for (const int body : soft.bodies) {
    const int index = model.body_link(body);
    if (index < 0) {
      ++summary.pinned;
      continue;
    }
    const Link& link = model.links()[static_cast<std::size_t>(index)];
    bool slides = link.parent < 0 && link.joint_end - link.joint_begin == 3;
    for (int j = link.joint_begin; j < link.joint_end; ++j) {
      slides = slides && model.spec().joints[static_cast<std::size_t>(j)].type == JointType::Slide;
    }
    ++(slides ? summary.free : summary.carried);
    if (slides) summary.mass += model.spec().bodies[static_cast<std::size_t>(body)].mass;
  }
  return summary;
}

/// What the elements resist.
std::string material_text(const SoftBodySpec& soft) {
  const SoftMaterial& material = soft.material;
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  const bool shell = !soft.triangles.empty() && (material.stretching || material.bending);
  if (!soft.tets.empty() || shell) {
    add(fmt::format("E {:.4g} Pa, nu {:.4g}, damping {:.4g} s", material.young, material.poisson, material.damping));
  }
  if (shell) {
    add(fmt::format("shell of {:.4g} m", material.thickness));
    if (!material.bending) add("stretches only");
    if (!material.stretching) add("bends only");
  }
  if (material.edge_stiffness > 0) add(fmt::format("edges {:.4g} N/m", material.edge_stiffness));
  if (material.edge_damping > 0) add(fmt::format("edges {:.4g} N s/m", material.edge_damping));
  return text.empty() ? "no elasticity" : text;
}

nlohmann::json soft_body_json(const Model& model, const SoftBodySpec& soft) {
  const SoftBodySummary summary = summarize(model, soft);
  const SoftMaterial& material = soft.material;
  return {{"name", soft.name},
          {"nodes", soft.bodies.size()},
          {"free_nodes", summary.free},
          {"pinned_nodes", summary.pinned},
          {"carried_nodes", summary.carried},
          {"tets", soft.tets.size()},
          {"triangles", soft.triangles.size()},
          {"edges", soft.edges.size()},
          {"self_contact", soft.self_contact},
          {"mass", summary.mass},
          {"young", material.young},
          {"poisson", material.poisson},
          {"damping", material.damping},
          {"thickness", material.thickness},
          {"stretching", material.stretching},
          {"bending", material.bending},
          {"edge_stiffness", material.edge_stiffness},
          {"edge_damping", material.edge_damping}};
}

void print_soft_bodies(const Model& model) {
  for (const SoftBodySpec& soft : model.spec().soft_bodies) {
    const SoftBodySummary summary = summarize(model, soft);
    fmt::print(
        "  soft body '{}': nodes {} (free {}, pinned {}, carried {}), tets {}, triangles {}, edges {}, mass {:.6g} "
        "kg\n",
        soft.name, soft.bodies.size(), summary.free, summary.pinned, summary.carried, soft.tets.size(),
        soft.triangles.size(), soft.edges.size(), summary.mass);
    fmt::print("    {}{}\n", material_text(soft), soft.self_contact ? ", touches itself" : "");
  }
}

nlohmann::json joint_json(const Model& model, int j) {
  const JointSpec& joint = model.spec().joints[static_cast<std::size_t>(j)];
  nlohmann::json out = {
      {"name", joint.name},
      {"type", type_name(joint.type)},
      {"body", model.spec().bodies[static_cast<std::size_t>(joint.body)].name},
      {"q", model.joint_q(j)},
      {"v", model.joint_v(j)},
      {"armature", joint.armature},
      {"damping", joint.damping},
      {"stiffness", joint.stiffness},
      {"ball_stiffness", {joint.ball_stiffness.x(), joint.ball_stiffness.y(), joint.ball_stiffness.z()}},
      {"friction_loss", joint.friction_loss},
      {"range", nullptr}};
  if (joint.range) out["range"] = {joint.range->lower, joint.range->upper};
  return out;
}

const std::string& body_name(const Model& model, int body) {
  return model.spec().bodies[static_cast<std::size_t>(body)].name;
}

/// Pairs that touch each other already where the model begins.
std::vector<Overlap> overlaps_of(const Inspection& found, bool excluded) {
  return found.model && !excluded ? find_overlaps(*found.model) : std::vector<Overlap>{};
}

nlohmann::json overlaps_json(const Inspection& found, bool excluded) {
  nlohmann::json out = nlohmann::json::array();
  for (const Overlap& overlap : overlaps_of(found, excluded)) {
    out.push_back({{"body1", body_name(*found.model, overlap.body1)},
                   {"body2", body_name(*found.model, overlap.body2)},
                   {"depth", overlap.depth}});
  }
  return out;
}

void print_overlaps(const Inspection& found, bool excluded) {
  constexpr std::size_t kShown = 20;
  const std::vector<Overlap> overlaps = overlaps_of(found, excluded);
  for (std::size_t i = 0; i < std::min(overlaps.size(), kShown); ++i) {
    fmt::print("  overlap: '{}' and '{}' by {:.3g} mm at the reference configuration\n",
               body_name(*found.model, overlaps[i].body1), body_name(*found.model, overlaps[i].body2),
               overlaps[i].depth * 1e3);
  }
  if (overlaps.size() > kShown) fmt::print("  overlap: and {} pairs more\n", overlaps.size() - kShown);
  if (!overlaps.empty()) fmt::print("  --exclude-overlaps keeps these bodies from touching\n");
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
    out["overlaps"] = overlaps_json(found, arguments.exclude_overlaps);
    out["sensors"] = found.model->spec().sensors.size();
    out["name"] = found.model->spec().name;
    out["links"] = found.model->links().size();
    out["trees"] = found.model->topology()->trees();
    out["moving_mass"] = found.model->total_mass();
    out["joint_list"] = nlohmann::json::array();
    for (int j = 0; j < found.joints; ++j) out["joint_list"].push_back(joint_json(*found.model, j));
    out["soft_bodies"] = nlohmann::json::array();
    for (const SoftBodySpec& soft : found.model->spec().soft_bodies) {
      out["soft_bodies"].push_back(soft_body_json(*found.model, soft));
    }
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
  const Inspection found = inspect_subject(arguments.model, arguments.load);
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
    if (const std::size_t sensors = found.model->spec().sensors.size(); sensors > 0)
      fmt::print("  sensors {}\n", sensors);
    fmt::print("  kinematic trees {}, moving links {}, moving mass {:.6g} kg\n", found.model->topology()->trees(),
               found.model->links().size(), found.model->total_mass());
    print_soft_bodies(*found.model);
  }
  for (const std::string& what : found.unsupported) fmt::print("  not supported yet: {}\n", what);
  for (const std::string& what : found.warnings) fmt::print("  note: {}\n", what);
  print_overlaps(found, arguments.exclude_overlaps);
  if (found.model && found.joints > 0) print_joints(*found.model);
  return kOk;
}

}  // namespace uzawa::cli
