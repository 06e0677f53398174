#include "uzawa/collision/skin/skin_shape.hpp"

#include <algorithm>

namespace uzawa {

namespace {

/// Poses of the links at the reference configuration, where bodies have their spec poses.
std::vector<Pose> reference_poses(const ModelSpec& spec) {
  std::vector<Pose> poses(spec.bodies.size());
  for (std::size_t i = 1; i < spec.bodies.size(); ++i) {
    const BodySpec& body = spec.bodies[i];
    poses[i] = poses[at(body.parent)] * Pose::from(body.position, normalized(body.orientation));
  }
  return poses;
}

void set_weight(SkinSpot& spot, int corner, int corners, double weight) {
  if (corner + 1 < corners) spot.weights[at(corner)] = weight;
}

}  // namespace

SkinShape::SkinShape(const Model& model, int geom_index) : geom(geom_index) {
  const GeomSpec& from = model.spec().geoms[at(geom)];
  const SoftBodySpec& soft = model.spec().soft_bodies[at(from.asset)];
  const SoftSkin& skin = model.skin(from.asset);
  radius = from.size.x();
  closed = skin.closed;
  self_contact = soft.self_contact;
  const std::vector<Pose> poses = reference_poses(model.spec());
  std::vector<int> vertex_of(soft.bodies.size(), -1);
  for (const int node : skin.vertices) {
    vertex_of[at(node)] = static_cast<int>(body.size());
    const int carrier = soft.bodies[at(node)];
    const Vec3 offset = soft.offsets.empty() ? Vec3{} : soft.offsets[at(node)];
    body.push_back(carrier);
    link.push_back(model.body_link(carrier));
    point.push_back(model.body_pose(carrier) * offset);
    rest.push_back(poses[at(carrier)] * offset);
  }
  for (const std::array<int, 3>& face : skin.faces) {
    faces.push_back({vertex_of[at(face[0])], vertex_of[at(face[1])], face[2] < 0 ? -1 : vertex_of[at(face[2])]});
  }
  list_edges(skin, vertex_of);
  tree = SkinTree(faces, rest);
}

void SkinShape::list_edges(const SoftSkin& skin, const std::vector<int>& vertex_of) {
  for (const std::array<int, 2>& edge : skin.edges) edges.push_back({vertex_of[at(edge[0])], vertex_of[at(edge[1])]});
  edge_faces.assign(edges.size(), {-1, -1});
  std::vector<std::vector<int>> around(body.size());
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    const SkinFace& face = faces[at(f)];
    const int corners = corner_count(face);
    face_edges.push_back({-1, -1, -1});
    for (int k = 0; k < corners; ++k) {
      around[at(face[at(k)])].push_back(f);
      if (corners == 2 && k == 1) break;
      const auto [low, high] = std::minmax(face[at(k)], face[at((k + 1) % corners)]);
      // Vertices ascend with the nodes, so edges ascend as SoftSkin's do.
      const std::array<int, 2> ends{low, high};
      const int edge = static_cast<int>(std::lower_bound(edges.begin(), edges.end(), ends) - edges.begin());
      face_edges.back()[at(k)] = edge;
      std::array<int, 2>& beside = edge_faces[at(edge)];
      if (beside[0] < 0) {
        beside[0] = f;
      } else if (beside[1] < 0) {
        beside[1] = f;
      }
    }
  }
  for (const std::vector<int>& list : around) {
    vertex_faces.items.insert(vertex_faces.items.end(), list.begin(), list.end());
    vertex_faces.close();
  }
  for (const std::array<int, 2>& edge : edges) depth += norm(rest[at(edge[1])] - rest[at(edge[0])]);
  depth /= static_cast<double>(std::max<std::size_t>(edges.size(), 1));
}

int SkinShape::corner_of(int face, int vertex) const {
  const SkinFace& corners = faces[at(face)];
  return corners[0] == vertex ? 0 : corners[1] == vertex ? 1 : 2;
}

SkinSpot SkinShape::at_vertex(int vertex) const {
  SkinSpot spot{vertex_faces[vertex].front(), {}};
  set_weight(spot, corner_of(spot.face, vertex), corner_count(faces[at(spot.face)]), 1);
  return spot;
}

SkinSpot SkinShape::on_edge(int edge, double share) const {
  SkinSpot spot{edge_faces[at(edge)][0], {}};
  const int corners = corner_count(faces[at(spot.face)]);
  set_weight(spot, corner_of(spot.face, edges[at(edge)][0]), corners, 1 - share);
  set_weight(spot, corner_of(spot.face, edges[at(edge)][1]), corners, share);
  return spot;
}

}  // namespace uzawa
