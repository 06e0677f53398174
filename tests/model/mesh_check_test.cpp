#include "uzawa/model/mesh_check.hpp"

#include <gtest/gtest.h>

#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

TetMesh two_tets() {
  return {.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, .tets = {{0, 1, 2, 3}, {1, 2, 3, 4}}};
}

TEST(MeshCheck, GoodMeshStaysAsItIs) {
  TetMesh mesh = two_tets();
  const MeshReport report = check_mesh(mesh, "a.msh");
  EXPECT_TRUE(report.notes().empty());
  EXPECT_EQ(report.pieces, 1);
  EXPECT_EQ(mesh.tets, two_tets().tets);
}

TEST(MeshCheck, TurnsInvertedTets) {
  TetMesh mesh = two_tets();
  std::swap(mesh.tets[1][0], mesh.tets[1][2]);
  const MeshReport report = check_mesh(mesh, "a.msh");
  EXPECT_EQ(report.inverted, 1);
  EXPECT_EQ(report.notes(), std::vector<std::string>{"1 tetrahedron inside out: turned"});
  for (const auto& tet : mesh.tets) EXPECT_GT(signed_volume(mesh, tet), 0);
}

TEST(MeshCheck, DropsUnusedNodesAndRepeatedTets) {
  TetMesh mesh = two_tets();
  mesh.nodes.insert(mesh.nodes.begin(), {Vec3{9, 9, 9}, Vec3{8, 8, 8}});
  for (auto& tet : mesh.tets) {
    for (int& node : tet) node += 2;
  }
  mesh.tets.push_back({3, 4, 2, 5});  // the first one, its nodes in another order
  const MeshReport report = check_mesh(mesh, "a.msh");
  EXPECT_EQ(report.unused_nodes, 2);
  EXPECT_EQ(report.repeated, 1);
  EXPECT_EQ(mesh.nodes.size(), 5U);
  EXPECT_EQ(mesh.tets, two_tets().tets);
}

TEST(MeshCheck, CountsPiecesAndCoincidentNodes) {
  TetMesh mesh = two_tets();
  mesh.nodes.insert(mesh.nodes.end(), {Vec3{1, 1, 1}, Vec3{2, 1, 1}, Vec3{1, 2, 1}, Vec3{1, 1, 2}});
  mesh.tets.push_back({5, 6, 7, 8});
  const MeshReport report = check_mesh(mesh, "a.msh");
  EXPECT_EQ(report.pieces, 2);
  EXPECT_EQ(report.coincident_nodes, 1);
  EXPECT_EQ(mesh.nodes.size(), 9U);
}

void expect_refused(TetMesh mesh, const std::string& element, const std::string& reason) {
  try {
    check_mesh(mesh, "a.msh");
    FAIL() << "accepted: " << reason;
  } catch (const InputError& error) {
    EXPECT_EQ(error.source(), "a.msh");
    EXPECT_EQ(error.element(), element);
    EXPECT_NE(error.reason().find(reason), std::string::npos) << error.what();
  }
}

TEST(MeshCheck, NamesWhatCannotBeRepaired) {
  TetMesh flat = two_tets();
  flat.nodes[4] = {0.5, 0.25, 0.25};  // in the plane of the shared face
  expect_refused(flat, "tetrahedron 1", "degenerate");
  flat.nodes[4] = {0.5, 0.25, 0.25 + 1e-10};
  expect_refused(flat, "tetrahedron 1", "degenerate");
  TetMesh lost = two_tets();
  lost.tets[0][2] = 5;
  expect_refused(lost, "tetrahedron 0", "node 5");
  TetMesh infinite = two_tets();
  infinite.nodes[3].set(0, INFINITY);
  expect_refused(infinite, "node 3", "finite");
  TetMesh overlapping = two_tets();
  overlapping.nodes.push_back({2, 2, 2});
  overlapping.tets.push_back({1, 2, 3, 5});
  expect_refused(overlapping, "tetrahedron 2", "overlap");
  expect_refused(TetMesh{}, "mesh", "no tetrahedra");
}

}  // namespace
}  // namespace uzawa
