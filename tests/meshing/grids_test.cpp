#include "uzawa/meshing/grids.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mesh_checks.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/model/mesh_check.hpp"

namespace uzawa::test {
namespace {

/// Whole, positively oriented, with a closed boundary around its volume, and nothing for check_mesh to repair.
void expect_sound(const TetMesh& mesh, int euler) {
  const MeshQuality quality = quality_of(mesh);
  EXPECT_GT(quality.smallest_volume, 0);
  const Boundary boundary = boundary_of(mesh);
  EXPECT_EQ(boundary.defect, "");
  EXPECT_EQ(boundary.euler, euler);
  EXPECT_NEAR(boundary.volume, quality.volume, 1e-12 * quality.volume);
  TetMesh copy = mesh;
  EXPECT_TRUE(check_mesh(copy, "grid").notes().empty());
}

TEST(Grids, BoxOfKuhnCubes) {
  const TetMesh mesh = box_mesh({0.4, 0.3, 0.2}, {4, 3, 2});
  EXPECT_EQ(mesh.nodes.size(), 60U);
  EXPECT_EQ(mesh.tets.size(), 144U);
  expect_sound(mesh, 2);
  const MeshQuality quality = quality_of(mesh);
  EXPECT_NEAR(quality.volume, 0.024, 1e-16);
  EXPECT_NEAR(quality.smallest_volume, 1e-3 / 6, 1e-15);
  EXPECT_NEAR(degrees(quality.smallest_dihedral), 45, 1e-9);
  EXPECT_NEAR(degrees(quality.largest_dihedral), 90, 1e-9);
  EXPECT_NEAR(quality.longest_edge, 0.1 * std::sqrt(3.0), 1e-15);
}

/// The error of a polyhedron inscribed in a curved surface falls with the square of the cells.
template <typename Mesh>
void expect_second_order(Mesh&& mesh_of, double exact) {
  const double coarse = quality_of(mesh_of(4)).volume - exact, fine = quality_of(mesh_of(8)).volume - exact;
  EXPECT_LT(coarse, 0);
  EXPECT_NEAR(coarse / fine, 4, 0.2);
}

TEST(Grids, Cylinder) {
  const TetMesh mesh = cylinder_mesh(0.5, 1, 4, 8);
  expect_sound(mesh, 2);
  // Sides of a regular polygon of 24 corners.
  EXPECT_NEAR(quality_of(mesh).volume, 12 * 0.25 * std::sin(2 * M_PI / 24), 1e-12);
  EXPECT_GT(degrees(quality_of(mesh).smallest_dihedral), 30);
  EXPECT_LT(degrees(quality_of(mesh).largest_dihedral), 130);
  expect_second_order([](int n) { return cylinder_mesh(1, 1, n, n); }, M_PI);
}

TEST(Grids, Ball) {
  for (const int layers : {1, 2, 5, 10}) {
    const TetMesh mesh = ball_mesh(0.3, layers);
    EXPECT_EQ(mesh.tets.size(), static_cast<std::size_t>(20 * layers * layers * layers));
    expect_sound(mesh, 2);
    for (const auto& face : boundary_of(mesh).faces) {
      EXPECT_NEAR(norm(mesh.nodes[static_cast<std::size_t>(face[0])]), 0.3, 1e-15);
    }
    EXPECT_GT(degrees(quality_of(mesh).smallest_dihedral), 35);
    EXPECT_LT(degrees(quality_of(mesh).largest_dihedral), 135);
  }
  expect_second_order([](int n) { return ball_mesh(1, n); }, 4 * M_PI / 3);
}

TEST(Grids, Tube) {
  const TetMesh mesh = tube_mesh(0.5, 1, 1, {.across = 2, .around = 24, .along = 4});
  expect_sound(mesh, 0);
  EXPECT_NEAR(quality_of(mesh).volume, 12 * std::sin(2 * M_PI / 24) * 0.75, 1e-12);
  EXPECT_GT(degrees(quality_of(mesh).smallest_dihedral), 25);
  expect_sound(tube_mesh(0.1, 0.2, 0.1, {.across = 1, .around = 3, .along = 1}), 0);
}

TEST(Grids, RefuseWithAReason) {
  EXPECT_THROW(box_mesh({1, 0, 1}, {1, 1, 1}), InputError);
  EXPECT_THROW(box_mesh({1, 1, 1}, {1, -1, 1}), InputError);
  EXPECT_THROW(box_mesh({1, 1, 1}, {100000, 100000, 100000}), InputError);
  EXPECT_THROW(cylinder_mesh(NAN, 1, 1, 1), InputError);
  EXPECT_THROW(ball_mesh(1, 0), InputError);
  EXPECT_THROW(tube_mesh(0.2, 0.1, 1, {}), InputError);
  EXPECT_THROW(tube_mesh(0.1, 0.2, 1, {.around = 2}), InputError);
}

}  // namespace
}  // namespace uzawa::test
