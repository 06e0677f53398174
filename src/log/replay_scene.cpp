#include "uzawa/log/replay_scene.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <variant>

#include "uzawa/collision/sdf/sdf_shape.hpp"
#include "uzawa/collision/shapes/height_field.hpp"
#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/replay_appearance.hpp"
#include "uzawa/log/replay_soft_scene.hpp"

namespace uzawa {

namespace {

using nlohmann::json;

// Signed distances are drawn coarser than they are sampled for contacts: the eye needs no 0.05 mm.
constexpr double kDrawnChordError = 2e-4;   // m
constexpr double kDrawnLongestEdge = 10.0;  // m: flat parts stay whole

const char* name_of(ShapeType shape) {
  switch (shape) {
    case ShapeType::Plane: return "plane";
    case ShapeType::Sphere: return "sphere";
    case ShapeType::Capsule: return "capsule";
    case ShapeType::Ellipsoid: return "ellipsoid";
    case ShapeType::Cylinder: return "cylinder";
    case ShapeType::Box: return "box";
    case ShapeType::Skin: return "skin";
    case ShapeType::Mesh:
    case ShapeType::HeightField: break;
  }
  return "mesh";
}

json to_json(const Vec3& x) { return {x.x(), x.y(), x.z()}; }
json to_json(const Quat& q) { return {q.w, q.v.x(), q.v.y(), q.v.z()}; }
json to_json(const std::array<float, 4>& color) {
  json out = json::array();
  for (const float c : color) out.push_back(std::round(c * 1e3) / 1e3);
  return out;
}

Surface surface_of(const MeshSpec& mesh) {
  Surface out;
  for (const auto& v : mesh.vertices) out.vertices.emplace_back(v[0], v[1], v[2]);
  out.faces = mesh.faces;
  return out;
}

Surface surface_of(const HeightFieldSpec& spec) {
  const HeightField field(spec);
  Surface out;
  append_grid(out, field.rows() - 1, field.columns() - 1,
              [&](int row, int column) { return field.point(row, column); });
  return out;
}

Surface surface_of(const SdfSpec& spec, const MeshSpec* mesh, const std::string& name) {
  const bool baked = spec.parts.size() == 1 && std::holds_alternative<BakedMeshSpec>(spec.parts.front().shape);
  if (baked && mesh != nullptr) return surface_of(*mesh);
  SdfSpec drawn = spec;
  drawn.chord_error = std::max(spec.chord_error, kDrawnChordError);
  drawn.longest_edge = kDrawnLongestEdge;
  return SdfShape::from_spec(drawn, mesh, name).surface()->surface();
}

/// Meshes of a scene; equal ones are kept once.
class MeshList {
 public:
  /// `texture_places`: of the corners of the faces, or none.
  int add(const Surface& surface, std::span<const std::array<float, 2>> texture_places = {}) {
    ByteWriter bytes;
    for (const Vec3& v : surface.vertices) {
      for (int k = 0; k < 3; ++k) bytes.put(static_cast<float>(v[k]));
    }
    for (const auto& face : surface.faces) {
      for (const int corner : face) bytes.put(static_cast<std::uint32_t>(corner));
    }
    for (const auto& place : texture_places) {
      for (const float part : place) bytes.put(part);
    }
    const auto [place, is_new] = places_.try_emplace(deflated(bytes.bytes()), static_cast<int>(list_.size()));
    if (is_new) {
      list_.push_back({{"vertices", surface.vertices.size()},
                       {"faces", surface.faces.size()},
                       {"textured", !texture_places.empty()},
                       {"data", to_base64(place->first)}});
    }
    return place->second;
  }
  json take() { return std::move(list_); }

 private:
  json list_ = json::array();
  std::map<std::string, int> places_;
};

json geom_json(const Model& model, const ReplayLayout& layout, int index, MeshList& meshes) {
  const ModelSpec& spec = model.spec();
  const GeomSpec& geom = spec.geoms[static_cast<std::size_t>(index)];
  const Pose& pose = model.geom_pose(index);
  const int link = model.geom_link(index);
  json out = {{"name", geom.name},
              {"link", link < 0 ? -1 : layout.place[static_cast<std::size_t>(link)]},
              {"shape", name_of(geom.shape)},
              {"size", to_json(geom.size)},
              {"position", to_json(pose.position)},
              {"orientation", to_json(to_quaternion(pose.rotation))},
              {"color", to_json(geom.rgba)},
              {"group", geom.group}};
  if (geom.material >= 0) out["material"] = geom.material;
  const MeshSpec* mesh = geom.shape == ShapeType::Mesh ? &spec.meshes[static_cast<std::size_t>(geom.asset)] : nullptr;
  if (geom.sdf) {
    out["shape"] = "mesh";
    out["mesh"] = meshes.add(surface_of(*geom.sdf, mesh, geom.name));
  } else if (mesh != nullptr) {
    if (places_texture(spec, geom)) {
      out["mesh"] = meshes.add(surface_of(*mesh), mesh->texture_places);
    } else {
      out["mesh"] = meshes.add(surface_of(*mesh));
    }
  } else if (geom.shape == ShapeType::HeightField) {
    out["mesh"] = meshes.add(surface_of(spec.height_fields[static_cast<std::size_t>(geom.asset)]));
  }
  if (geom.shape == ShapeType::Skin) out["soft"] = geom.asset;
  return out;
}

/// Those whose values a frame has.
json joints_json(const Model& model, const ReplayLayout& layout) {
  json out = json::array();
  for (const int number : layout.joints) {
    const JointSpec& joint = model.spec().joints[static_cast<std::size_t>(number)];
    const int link = model.body_link(joint.body);
    out.push_back({{"name", joint.name},
                   {"link", layout.place[static_cast<std::size_t>(link)]},
                   {"slides", joint.type == JointType::Slide}});
  }
  return out;
}

}  // namespace

std::string scene_message(const LogInfo& info, const Model& model) {
  const ModelSpec& spec = model.spec();
  MeshList meshes;
  json links = json::array(), geoms = json::array();
  const ReplayLayout layout(model);
  for (const int number : layout.links) {
    const Link& link = model.links()[static_cast<std::size_t>(number)];
    const std::string& name = spec.bodies[static_cast<std::size_t>(link.body)].name;
    const int parent = link.parent < 0 ? -1 : layout.place[static_cast<std::size_t>(link.parent)];
    links.push_back({{"name", name}, {"mass", link.mass}, {"number", number}, {"parent", parent}});
  }
  for (int g = 0; g < static_cast<int>(spec.geoms.size()); ++g) geoms.push_back(geom_json(model, layout, g, meshes));
  const json out = {{"type", "scene"},
                    {"format", "uzawa-replay"},
                    {"version", kReplayVersion},
                    {"program", info.version},
                    {"name", info.scene.empty() ? info.model : info.scene},
                    {"parameters", info.parameters},
                    {"seed", info.seed},
                    {"solver", info.solver},
                    {"dt", info.dt},
                    {"rate", kReplayRate},
                    {"gravity", to_json(spec.options.gravity)},
                    {"links", std::move(links)},
                    {"joints", joints_json(model, layout)},
                    {"geoms", std::move(geoms)},
                    {"meshes", meshes.take()},
                    {"softs", soft_bodies_json(model, layout)},
                    {"rods", rods_json(model, layout)},
                    {"appearance", appearance_json(model, layout)}};
  std::string text = out.dump(-1, ' ', false, json::error_handler_t::replace), safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace uzawa
