#include "uzawa/log/replay_soft_scene.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/replay_appearance.hpp"

namespace uzawa {

namespace {

using nlohmann::json;

void put(const Vec3& x, ByteWriter& out) {
  for (int k = 0; k < 3; ++k) out.put(static_cast<float>(x[k]));
}

/// Faces of a skin by its vertices; -1 stays what it is.
void put_faces(const SoftSkin& skin, ByteWriter& out) {
  for (const auto& face : skin.faces) {
    for (const int node : face) {
      const auto vertex = std::lower_bound(skin.vertices.begin(), skin.vertices.end(), node) - skin.vertices.begin();
      out.put(static_cast<std::int32_t>(node < 0 ? -1 : vertex));
    }
  }
}

/// kg, of all links that carry nodes and nothing else.
double mass_of_nodes(const Model& model, const SoftBodySpec& soft, const ReplayLayout& layout) {
  std::set<int> links;
  for (const int body : soft.bodies) {
    const int link = model.body_link(body);
    if (link >= 0 && layout.place[at(link)] < 0) links.insert(link);
  }
  double mass = 0;
  for (const int link : links) mass += model.links()[at(link)].mass;
  return mass;
}

/// m, to be drawn around the skin: that of its geom, or half of what a shell is thick.
double radius_of(const ModelSpec& spec, int soft_body) {
  for (const GeomSpec& geom : spec.geoms) {
    if (geom.shape == ShapeType::Skin && geom.asset == soft_body && geom.size.x() > 0) return geom.size.x();
  }
  return 0.5 * spec.soft_bodies[at(soft_body)].material.thickness;
}

/// Its geom is drawn with a texture by the places that the file gives.
bool is_textured(const ModelSpec& spec, int soft_body) {
  return std::any_of(spec.geoms.begin(), spec.geoms.end(), [&](const GeomSpec& geom) {
    return geom.shape == ShapeType::Skin && geom.asset == soft_body && places_texture(spec, geom);
  });
}

json soft_body_json(const Model& model, const ReplayLayout& layout, const DynamicsData& rest, int soft_body) {
  const SoftBodySpec& soft = model.spec().soft_bodies[at(soft_body)];
  const SoftSkin& skin = model.skin(soft_body);
  const std::vector<ReplayLayout::SkinPoint>& points = layout.skins[at(soft_body)];
  ByteWriter bytes;
  put_faces(skin, bytes);
  for (const auto& [link, point] : points) bytes.put(static_cast<std::int32_t>(link));
  for (const auto& [link, point] : points) put(point, bytes);
  for (const auto& [link, point] : points) put(link < 0 ? point : rest.link_pose[at(link)] * point, bytes);
  const bool textured = is_textured(model.spec(), soft_body);
  for (const auto& place : textured ? soft.texture_places : std::vector<std::array<float, 2>>{}) {
    for (const float part : place) bytes.put(part);
  }
  return {{"name", soft.name},
          {"mass", mass_of_nodes(model, soft, layout)},
          {"nodes", soft.bodies.size()},
          {"vertices", skin.vertices.size()},
          {"faces", skin.faces.size()},
          {"closed", skin.closed},
          {"textured", textured},
          {"radius", radius_of(model.spec(), soft_body)},
          {"data", to_base64(deflated(bytes.bytes()))}};
}

/// The geom by which a link of a rod is drawn; -1: there is none.
int tube_geom(const ModelSpec& spec, int body) {
  const auto found = std::find_if(spec.geoms.begin(), spec.geoms.end(), [&](const GeomSpec& geom) {
    const bool round = geom.shape == ShapeType::Capsule || geom.shape == ShapeType::Cylinder;
    return geom.body == body && round && !geom.sdf && geom.rgba[3] > 0;
  });
  return found == spec.geoms.end() ? -1 : static_cast<int>(found - spec.geoms.begin());
}

bool is_closed(const RodSpec& rod) {
  const int last = static_cast<int>(rod.bodies.size()) - 1;
  return last > 1 && std::any_of(rod.joints.begin(), rod.joints.end(), [&](const RodJointSpec& joint) {
           return std::min(joint.first, joint.second) == 0 && std::max(joint.first, joint.second) == last;
         });
}

}  // namespace

json soft_bodies_json(const Model& model, const ReplayLayout& layout) {
  DynamicsData rest(model);
  forward_kinematics(model, model.reference_state().q, rest);
  json out = json::array();
  for (int s = 0; s < static_cast<int>(layout.skins.size()); ++s) {
    out.push_back(soft_body_json(model, layout, rest, s));
  }
  return out;
}

json rods_json(const Model& model, const ReplayLayout& layout) {
  const ModelSpec& spec = model.spec();
  json out = json::array();
  for (const RodSpec& rod : spec.rods) {
    json links = json::array(), geoms = json::array();
    bool round = rod.bodies.size() > 1;
    for (const int body : rod.bodies) {
      const int geom = tube_geom(spec, body);
      round = round && geom >= 0;
      links.push_back(layout.place[at(model.body_link(body))]);
      geoms.push_back(geom);
    }
    if (!round) continue;
    out.push_back(
        {{"name", rod.name}, {"links", std::move(links)}, {"geoms", std::move(geoms)}, {"closed", is_closed(rod)}});
  }
  return out;
}

}  // namespace uzawa
