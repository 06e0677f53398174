#include "support/soft_models.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "uzawa/base/at.hpp"

namespace uzawa::test {

TetMesh box_mesh(int nx, int ny, int nz, const Vec3& half) {
  TetMesh mesh;
  const auto number = [&](int i, int j, int k) { return (k * ny + j) * nx + i; };
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        mesh.nodes.emplace_back(half.x() * (2.0 * i / (nx - 1) - 1), half.y() * (2.0 * j / (ny - 1) - 1),
                                half.z() * (2.0 * k / (nz - 1) - 1));
      }
    }
  }
  // From corner to opposite corner along the axes in all six orders (Kuhn).
  std::array<int, 3> order{0, 1, 2};
  do {
    const bool even = (order[1] - order[0] + 3) % 3 == 1;
    for (int cell = 0; cell < (nx - 1) * (ny - 1) * (nz - 1); ++cell) {
      std::array<int, 3> p{cell % (nx - 1), cell / (nx - 1) % (ny - 1), cell / ((nx - 1) * (ny - 1))};
      std::array<int, 4> tet{number(p[0], p[1], p[2])};
      for (std::size_t c = 0; c < 3; ++c) {
        ++p[at(order[c])];
        tet[c + 1] = number(p[0], p[1], p[2]);
      }
      if (!even) std::swap(tet[2], tet[3]);
      mesh.tets.push_back(tet);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return mesh;
}

TetMesh ball_mesh(int n, double radius) {
  TetMesh mesh = box_mesh(n, n, n, {1, 1, 1});
  for (Vec3& x : mesh.nodes) {
    const double cube = std::max({std::abs(x.x()), std::abs(x.y()), std::abs(x.z())});
    if (cube > 0) x = x * (radius * cube / norm(x));
  }
  return mesh;
}

SoftBodySpec& add_soft_body(ModelSpec& spec, const std::string& name, const std::vector<Vec3>& nodes, double radius,
                            const std::array<float, 4>& rgba) {
  SoftBodySpec soft;
  soft.name = name;
  for (const Vec3& node : nodes) {
    BodySpec body;
    body.name = name + std::to_string(soft.bodies.size());
    body.parent = 0;
    body.position = node;
    body.mass = 1.0 / static_cast<double>(nodes.size());
    body.principal_inertia = {1e-6, 1e-6, 1e-6};
    spec.bodies.push_back(body);
    soft.bodies.push_back(static_cast<int>(spec.bodies.size()) - 1);
    for (int axis = 0; axis < 3; ++axis) {
      JointSpec joint;
      joint.type = JointType::Slide;
      joint.body = soft.bodies.back();
      joint.axis = Vec3(axis == 0, axis == 1, axis == 2);
      spec.joints.push_back(joint);
    }
  }
  GeomSpec geom;
  geom.name = name;
  geom.shape = ShapeType::Skin;
  geom.asset = static_cast<int>(spec.soft_bodies.size());
  geom.size = {radius, 0, 0};
  geom.rgba = rgba;
  spec.geoms.push_back(geom);
  return spec.soft_bodies.emplace_back(std::move(soft));
}

namespace {

/// Turns z to the unit vector given.
Quat turn_to(const Vec3& axis) {
  const Vec3 z(0, 0, 1), by = cross(z, axis);
  const double angle = std::atan2(norm(by), dot(z, axis));
  if (norm(by) > 1e-12) return exp_rotation(by * (angle / norm(by)));
  return axis.z() > 0 ? Quat() : exp_rotation({std::numbers::pi, 0, 0});
}

}  // namespace

RodSpec& add_rod(ModelSpec& spec, const std::string& name, const std::vector<Vec3>& points, double radius,
                 const std::array<float, 4>& rgba) {
  RodSpec rod;
  rod.name = name;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 way = points[i + 1] - points[i];
    BodySpec body;
    body.name = name + std::to_string(i);
    body.parent = 0;
    body.position = 0.5 * (points[i] + points[i + 1]);
    body.orientation = turn_to(way * (1 / norm(way)));
    body.mass = 0.1;
    body.principal_inertia = {1e-4, 1e-4, 1e-4};
    spec.bodies.push_back(body);
    rod.bodies.push_back(static_cast<int>(spec.bodies.size()) - 1);
    JointSpec joint;
    joint.type = JointType::Free;
    joint.body = rod.bodies.back();
    spec.joints.push_back(joint);
    GeomSpec geom;
    geom.name = body.name;
    geom.body = joint.body;
    geom.shape = ShapeType::Capsule;
    geom.size = {radius, 0.5 * norm(way), 0};
    geom.rgba = rgba;
    spec.geoms.push_back(geom);
    if (i > 0) rod.joints.push_back({.first = static_cast<int>(i) - 1, .second = static_cast<int>(i)});
  }
  return spec.rods.emplace_back(std::move(rod));
}

void deform(const Model& model, int soft_body, const std::function<Vec3(const Vec3&)>& move, State& state) {
  for (const int body : model.spec().soft_bodies[at(soft_body)].bodies) {
    const int number = model.body_link(body);
    if (number < 0) continue;  // pinned
    const Link& link = model.links()[at(number)];
    const Vec3 rest = model.spec().bodies[at(body)].position, way = move(rest) - rest;
    for (int axis = 0; axis < 3; ++axis) state.q[at(model.joint_q(link.joint_begin + axis))] = way[axis];
  }
}

void lay_rod(const Model& model, int rod, const std::vector<Vec3>& points, double twist, State& state) {
  const std::vector<int>& bodies = model.spec().rods[at(rod)].bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    double* q = &state.q[at(model.joint_q(model.links()[at(model.body_link(bodies[i]))].joint_begin))];
    const Vec3 way = points[i + 1] - points[i], middle = 0.5 * (points[i] + points[i + 1]);
    for (int k = 0; k < 3; ++k) q[k] = middle[k];
    (turn_to(way * (1 / norm(way))) * exp_rotation({0, 0, twist * static_cast<double>(i)})).store(q + 3);
  }
}

}  // namespace uzawa::test
