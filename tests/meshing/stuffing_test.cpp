#include "uzawa/meshing/stuffing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mesh_checks.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/collision/distance/mesh_sdf.hpp"
#include "uzawa/collision/distance/sdf_primitives.hpp"
#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/mesh_check.hpp"

namespace uzawa::test {
namespace {

/// The paper's bounds, degrees.
constexpr double kSmallestAngle = 10.7, kLargestAngle = 164.8;

void expect_good_angles(const TetMesh& mesh) {
  const MeshQuality quality = quality_of(mesh);
  EXPECT_GT(quality.smallest_volume, 0);
  EXPECT_GT(degrees(quality.smallest_dihedral), kSmallestAngle);
  EXPECT_LT(degrees(quality.largest_dihedral), kLargestAngle);
}

void expect_sound(const TetMesh& mesh, int euler) {
  expect_good_angles(mesh);
  const Boundary boundary = boundary_of(mesh);
  EXPECT_EQ(boundary.defect, "");
  EXPECT_EQ(boundary.euler, euler);
  EXPECT_NEAR(boundary.volume, quality_of(mesh).volume, 1e-12 * boundary.volume);
}

/// Largest distance of the boundary's nodes, and of its faces' centres, from the surface.
std::pair<double, double> deviation(const TetMesh& mesh, const DistanceFunction& distance) {
  double nodes = 0, faces = 0;
  for (const auto& face : boundary_of(mesh).faces) {
    Vec3 centre;
    for (const int node : face) {
      centre += mesh.nodes[at(node)] * (1.0 / 3);
      nodes = std::max(nodes, std::abs(distance(mesh.nodes[at(node)])));
    }
    faces = std::max(faces, std::abs(distance(centre)));
  }
  return {nodes, faces};
}

Aabb cube(double half) { return {{-half, -half, -half}, {half, half, half}}; }

double ball(const Vec3& p) { return norm(p - Vec3{0.01, -0.02, 0.03}) - 1; }

double ring(const Vec3& p) { return length(length(p.x(), p.y()) - 1, p.z()) - 0.4; }

TEST(Stuffing, BallConvergesToSecondOrder) {
  double last_volume = 0, last_faces = 0;
  for (const double cell : {0.4, 0.2, 0.1}) {
    const TetMesh mesh = stuff(ball, cube(1.1), cell);
    expect_sound(mesh, 2);
    const double missing = 4 * M_PI / 3 - quality_of(mesh).volume;
    const auto [nodes, faces] = deviation(mesh, ball);
    EXPECT_LT(nodes, 1e-10);
    // A chord of length s stays within s^2/(8 R) of a circle; a triangle's centre within s^2/(6 R), s at most 1.5
    // cells.
    EXPECT_LT(faces, cell * cell * 1.5 * 1.5 / 6);
    EXPECT_GT(missing, 0);
    if (cell < 0.4) {
      EXPECT_NEAR(last_volume / missing, 4, 0.8);
      EXPECT_GT(last_faces / faces, 2.5);
    }
    last_volume = missing;
    last_faces = faces;
  }
}

TEST(Stuffing, RingHasAHole) {
  const TetMesh mesh = stuff(ring, cube(1.5), 0.15);
  expect_sound(mesh, 0);
  EXPECT_NEAR(quality_of(mesh).volume, 2 * M_PI * M_PI * 0.16, 0.1);
}

TEST(Stuffing, AnglesKeepThePapersBounds) {
  std::mt19937 engine(7);
  const auto number = [&] { return static_cast<double>(engine() % 2000001) / 1e6 - 1; };
  for (int trial = 0; trial < 40; ++trial) {
    const Vec3 wave{5 + 3 * number(), 5 + 3 * number(), 5 + 3 * number()}, shift{number(), number(), number()};
    const double radius = 0.7 + 0.2 * number();
    const auto blob = [&](const Vec3& p) {
      const Vec3 phase = scaled(p, wave) + 3 * shift;
      return norm(p) - radius + 0.2 * std::sin(phase.x()) * std::sin(phase.y()) * std::sin(phase.z());
    };
    expect_good_angles(stuff(blob, cube(1.2), 0.17 + 0.05 * number()));
  }
}

TEST(Stuffing, FlatFacesOnLatticePlanesAreExact) {
  // Bounds of 2 m and cells of 0.25 m put lattice planes on the faces.
  const TetMesh mesh = stuff(BoxSdf({1, 1, 1}), 0.25);
  expect_sound(mesh, 2);
  EXPECT_NEAR(quality_of(mesh).volume, 8, 1e-12);
}

TEST(Stuffing, ThinPartsSurviveDownToTwoCells) {
  const auto plate = [](double thickness) {
    return [=](const Vec3& p) {
      // Tilted, so that it fits no lattice plane.
      const Vec3 q = rotate(exp_rotation({0.3, 0.5, 0.1}), p);
      return BoxSdf({1, 1, thickness / 2}, thickness / 4).evaluate(q).distance;
    };
  };
  for (const double thickness : {0.3, 0.2}) {
    TetMesh mesh = stuff(plate(thickness), cube(1.8), 0.1);
    expect_good_angles(mesh);
    EXPECT_EQ(check_mesh(mesh, "plate").pieces, 1);
    EXPECT_EQ(boundary_of(mesh).defect, "");
    EXPECT_NEAR(quality_of(mesh).volume, 4 * thickness, 0.1 * 4 * thickness);
  }
  // Thinner than the lattice sees: what comes out is still made of good tetrahedra, or refused.
  try {
    expect_good_angles(stuff(plate(0.04), cube(1.8), 0.1));
  } catch (const InputError& error) {
    EXPECT_NE(error.reason().find("smaller cells"), std::string::npos);
  }
}

TEST(Stuffing, WatertightMesh) {
  const TetMesh solid = ball_mesh(1, 6);
  Surface surface{.vertices = solid.nodes, .faces = boundary_of(solid).faces};
  const TetMesh mesh = stuff(surface, 0.2, "ball");
  expect_sound(mesh, 2);
  EXPECT_NEAR(quality_of(mesh).volume, quality_of(solid).volume, 0.02 * 4);
  // Only a part of the lattice is sampled where the function is a distance; the mesh is the same.
  const MeshSdf shape(surface);
  const TetMesh sampled = stuff(shape, 0.2);
  EXPECT_EQ(mesh.tets, sampled.tets);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) EXPECT_LT(norm(mesh.nodes[i] - sampled.nodes[i]), 1e-12);
  surface.faces.pop_back();
  EXPECT_THROW(stuff(surface, 0.2, "ball"), InputError);
}

std::string refusal(const DistanceFunction& distance, const Aabb& bounds, double cell) {
  try {
    stuff(distance, bounds, cell);
  } catch (const InputError& error) {
    return error.reason();
  }
  return "accepted";
}

TEST(Stuffing, RefusesWithAReason) {
  EXPECT_NE(refusal([](const Vec3&) { return 1.0; }, cube(1), 0.1).find("is inside: take smaller"), std::string::npos);
  EXPECT_EQ(refusal(ball, cube(0.5), 0.1), "the solid reaches beyond its bounds");
  EXPECT_EQ(refusal(ball, cube(1.1), 0), "the cell size is not positive");
  EXPECT_EQ(refusal(ball, cube(1.1), 1e-9), "the cells are too small for a solid of this size");
  EXPECT_EQ(refusal(ball, cube(-10), 0.1), "the bounds are empty");
  EXPECT_NE(refusal([](const Vec3&) { return NAN; }, cube(1), 0.1).find("not finite at"), std::string::npos);
}

TEST(Stuffing, SameMeshEveryTime) {
  const TetMesh first = stuff(ring, cube(1.5), 0.2), second = stuff(ring, cube(1.5), 0.2);
  EXPECT_EQ(first.tets, second.tets);
  for (std::size_t i = 0; i < first.nodes.size(); ++i) EXPECT_EQ(norm(first.nodes[i] - second.nodes[i]), 0);
}

}  // namespace
}  // namespace uzawa::test
