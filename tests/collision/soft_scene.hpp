#pragma once

#include <vector>

#include "free_geoms.hpp"

/// Soft bodies without a file: each node on a body with three slides.
namespace uzawa::test {

/// Appends a node body; returns its number.
inline int add_node(ModelSpec& spec, const Vec3& place) {
  BodySpec body;
  body.position = place;
  body.mass = 0.01;
  spec.bodies.push_back(body);
  for (int axis = 0; axis < 3; ++axis) {
    JointSpec joint;
    joint.type = JointType::Slide;
    joint.body = static_cast<int>(spec.bodies.size()) - 1;
    joint.axis = Vec3::unit(axis);
    spec.joints.push_back(joint);
  }
  return static_cast<int>(spec.bodies.size()) - 1;
}

struct SoftElements {
  std::vector<Vec3> nodes;
  std::vector<std::array<int, 4>> tets;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges;
};

/// Appends a soft body and its skin; returns the skin's geom.
inline int add_soft(ModelSpec& spec, const SoftElements& from, double radius = 0) {
  SoftBodySpec soft;
  soft.tets = from.tets;
  soft.triangles = from.triangles;
  soft.edges = from.edges;
  soft.material.thickness = 1e-3;
  for (const Vec3& node : from.nodes) soft.bodies.push_back(add_node(spec, node));
  spec.soft_bodies.push_back(soft);
  GeomSpec skin = geom(ShapeType::Skin, {radius, 0, 0}, static_cast<int>(spec.soft_bodies.size()) - 1);
  spec.geoms.push_back(skin);
  return static_cast<int>(spec.geoms.size()) - 1;
}

/// Appends a geom on a free body at a place; returns the geom.
inline int add_free(ModelSpec& spec, GeomSpec g, const Vec3& place, const Quat& turn = {}) {
  BodySpec body;
  body.position = place;
  body.orientation = turn;
  body.mass = 1;
  body.principal_inertia = {1, 1, 1};
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.type = JointType::Free;
  joint.body = g.body = static_cast<int>(spec.bodies.size()) - 1;
  spec.joints.push_back(joint);
  spec.geoms.push_back(g);
  return static_cast<int>(spec.geoms.size()) - 1;
}

inline ModelSpec empty_scene() {
  ModelSpec spec;
  return spec;
}

/// Poses of the links at the reference configuration, where bodies are as in the spec; all of these scenes' bodies are
/// children of the ground.
inline std::vector<Pose> reference_poses(const Model& model) {
  std::vector<Pose> poses;
  for (const Link& link : model.links()) {
    const BodySpec& body = model.spec().bodies[static_cast<std::size_t>(link.body)];
    poses.push_back(Pose::from(body.position, normalized(body.orientation)));
  }
  return poses;
}

/// A single tetrahedron with a corner at the origin and edges of length `size` along the axes.
inline SoftElements one_tet(double size, const Vec3& at_place = {}) {
  SoftElements e;
  e.nodes = {at_place, at_place + Vec3{size, 0, 0}, at_place + Vec3{0, size, 0}, at_place + Vec3{0, 0, size}};
  e.tets = {{0, 1, 2, 3}};
  return e;
}

/// A sheet of n x n squares of two triangles in the plane z = 0 about a centre, normals up.
inline SoftElements sheet(int n, double half, const Vec3& center = {}) {
  SoftElements e;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) e.nodes.push_back(center + Vec3{half * (2. * i / n - 1), half * (2. * j / n - 1), 0});
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 2, d = a + n + 1;
      e.triangles.push_back({a, b, c});
      e.triangles.push_back({a, c, d});
    }
  }
  return e;
}

/// A block of cells of five tetrahedra each, about a centre.
inline SoftElements block(std::array<int, 3> cells, const Vec3& half, const Vec3& center = {}) {
  SoftElements e;
  const auto node = [&](int i, int j, int k) { return (k * (cells[1] + 1) + j) * (cells[0] + 1) + i; };
  for (int k = 0; k <= cells[2]; ++k) {
    for (int j = 0; j <= cells[1]; ++j) {
      for (int i = 0; i <= cells[0]; ++i) {
        e.nodes.push_back(center + Vec3{half.x() * (2. * i / cells[0] - 1), half.y() * (2. * j / cells[1] - 1),
                                        half.z() * (2. * k / cells[2] - 1)});
      }
    }
  }
  for (int k = 0; k < cells[2]; ++k) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int i = 0; i < cells[0]; ++i) {
        const auto corner = [&](int bits) { return node(i + (bits & 1), j + (bits >> 1 & 1), k + (bits >> 2 & 1)); };
        // Alternating cells are mirrored, so that diagonals of neighbours match.
        const int flip = (i + j + k) % 2;
        constexpr int kTets[2][5][4] = {{{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}},
                                        {{1, 0, 5, 3}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}, {0, 3, 5, 6}}};
        for (const auto& tet : kTets[flip]) {
          std::array<int, 4> t{corner(tet[0]), corner(tet[1]), corner(tet[2]), corner(tet[3])};
          const auto& x = e.nodes;
          const auto p = [&](std::size_t c) { return x[static_cast<std::size_t>(t[c])]; };
          if (dot(cross(p(1) - p(0), p(2) - p(0)), p(3) - p(0)) < 0) std::swap(t[2], t[3]);
          e.tets.push_back(t);
        }
      }
    }
  }
  return e;
}

/// A cord along x.
inline SoftElements cord(int stretches, double half, const Vec3& center = {}) {
  SoftElements e;
  for (int i = 0; i <= stretches; ++i) e.nodes.push_back(center + Vec3{half * (2. * i / stretches - 1), 0, 0});
  for (int i = 0; i < stretches; ++i) e.edges.push_back({i, i + 1});
  return e;
}

/// The point of the current shape that a contact's weights name: of the skin of its first or second geom.
inline Vec3 spot(const Model& model, std::span<const Pose> poses, const Contact& c, bool first) {
  const GeomSpec& g = model.spec().geoms[static_cast<std::size_t>(first ? c.geom1 : c.geom2)];
  const std::array<int, 3>& face = model.skin(g.asset).faces[static_cast<std::size_t>(first ? c.face1 : c.face2)];
  const std::array<double, 2>& w = first ? c.weights1 : c.weights2;
  const auto node = [&](std::size_t k) {
    const int body =
        model.spec().soft_bodies[static_cast<std::size_t>(g.asset)].bodies[static_cast<std::size_t>(face[k])];
    const Pose in_link = model.body_pose(body);
    const int link = model.body_link(body);
    return link < 0 ? in_link.position : poses[static_cast<std::size_t>(link)] * in_link.position;
  };
  if (face[2] < 0) return node(0) * w[0] + node(1) * (1 - w[0]);
  return node(0) * w[0] + node(1) * w[1] + node(2) * (1 - w[0] - w[1]);
}

/// What every contact must hold: order of geoms, unit normal, weights on the face, key of its own.
inline bool is_sound(const Contact& c) {
  const auto good = [](int face, const std::array<double, 2>& w) {
    return face < 0 || (w[0] >= 0 && w[1] >= 0 && w[0] + w[1] <= 1 + 1e-12);
  };
  return c.geom1 <= c.geom2 && std::abs(norm(c.normal) - 1) < 1e-9 && good(c.face1, c.weights1) &&
         good(c.face2, c.weights2);
}

}  // namespace uzawa::test
