#pragma once

#include <random>
#include <vector>

#include "uzawa/collision/collider.hpp"

/// Scenes without a file: geoms on free bodies, placed by their links' poses.
namespace uzawa::test {

inline GeomSpec geom(ShapeType shape, const Vec3& size, int asset = -1) {
  GeomSpec g;
  g.shape = shape;
  g.size = size;
  g.asset = asset;
  return g;
}

/// Each geom on a free body of its own; geoms of type Plane stay on the ground.
inline ModelSpec free_geoms(std::vector<GeomSpec> geoms) {
  ModelSpec spec;
  for (GeomSpec& g : geoms) {
    if (g.shape != ShapeType::Plane && g.shape != ShapeType::HeightField) {
      BodySpec body;
      body.mass = 1;
      body.principal_inertia = {1, 1, 1};
      spec.bodies.push_back(body);
      JointSpec joint;
      joint.type = JointType::Free;
      joint.body = g.body = static_cast<int>(spec.bodies.size()) - 1;
      spec.joints.push_back(joint);
    }
    spec.geoms.push_back(g);
  }
  return spec;
}

inline Quat random_turn(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return normalized({normal(random), {normal(random), normal(random), normal(random)}});
}

inline Pose at(double x, double y, double z, const Quat& turn = {}) { return Pose::from({x, y, z}, turn); }

/// A closed mesh of a box with these half sizes, two triangles a side.
inline MeshSpec box_mesh(const Vec3& half) {
  MeshSpec mesh;
  mesh.name = "box";
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back({static_cast<float>((i & 1) != 0 ? half.x() : -half.x()),
                             static_cast<float>((i & 2) != 0 ? half.y() : -half.y()),
                             static_cast<float>((i & 4) != 0 ? half.z() : -half.z())});
  }
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

/// A random cloud of points in a ball.
inline MeshSpec rock(int points, double radius, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  MeshSpec mesh;
  mesh.name = "rock";
  for (int i = 0; i < points; ++i) {
    const Vec3 d{normal(random), normal(random), normal(random)};
    const Vec3 p = d * (radius / norm(d));
    mesh.vertices.push_back(
        {static_cast<float>(p.x()), static_cast<float>(0.7 * p.y()), static_cast<float>(0.5 * p.z())});
  }
  return mesh;
}

}  // namespace uzawa::test
