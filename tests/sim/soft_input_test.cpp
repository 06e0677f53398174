/// Soft bodies that cannot be: one line that names the body and the element.
#include <gtest/gtest.h>

#include "sim/soft_scenes.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

TetMesh one_tet() { return {{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}, {{0, 1, 2, 3}}}; }

/// The message of the error that building a world throws; empty: none.
std::string complaint(const TetMesh& mesh, const SoftBodyOptions& options, ModelSpec spec = test::ground(0.5)) {
  try {
    add_soft_body(spec, mesh, options);
    World world{Model(spec)};
    for (int i = 0; i < 3; ++i) world.step();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_names(const std::string& message, const std::vector<std::string>& parts) {
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << '"' << message << '"';
}

TEST(SoftInputTest, BadElements) {
  const SoftBodyOptions options = test::jelly("pad", {0, 0, 1});
  TetMesh mesh = one_tet();
  EXPECT_EQ(complaint(mesh, options), "");
  std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  expect_names(complaint(mesh, options), {"pad", "tetrahedron 0", "inverted"});
  mesh = one_tet();
  mesh.nodes[3] = {0.03, 0.03, 0};
  expect_names(complaint(mesh, options), {"pad", "tetrahedron 0", "degenerate"});
  mesh = one_tet();
  mesh.tets[0][3] = 2;
  expect_names(complaint(mesh, options), {"pad", "tetrahedron 0", "degenerate"});
  mesh = one_tet();
  mesh.tets[0][3] = 9;
  expect_names(complaint(mesh, options), {"pad", "tetrahedron 0", "node 9"});
  mesh = one_tet();
  mesh.nodes.push_back({1, 1, 1});
  expect_names(complaint(mesh, options), {"pad", "node 4", "no element"});
  mesh = one_tet();
  mesh.nodes[1] = {std::nan(""), 0, 0};
  expect_names(complaint(mesh, options), {"pad", "node 1", "finite"});
  expect_names(complaint({}, options), {"pad", "no nodes"});
}

TEST(SoftInputTest, BadMaterialsAndPins) {
  SoftBodyOptions options = test::jelly("pad", {0, 0, 1});
  for (const double poisson : {0.5, 0.7, -1.0, std::nan("")}) {
    options.material.poisson = poisson;
    expect_names(complaint(one_tet(), options), {"pad", "Poisson's ratio"});
  }
  options = test::jelly("pad", {0, 0, 1});
  options.material.young = 0;
  expect_names(complaint(one_tet(), options), {"pad", "Young's modulus"});
  options = test::jelly("pad", {0, 0, 1});
  options.pinned = {17};
  expect_names(complaint(one_tet(), options), {"pad", "pinned node 17", "does not exist"});
  options = test::jelly("pad", {0, 0, 1});
  options.carried = {{0, 5}};
  expect_names(complaint(one_tet(), options), {"pad", "body 5", "does not exist"});
}

/// Two tetrahedra with a common face.
TetMesh two_tets() {
  TetMesh mesh = one_tet();
  mesh.nodes.push_back({0.1, 0.1, 0.1});
  mesh.tets.push_back({1, 2, 3, 4});
  return mesh;
}

TEST(SoftInputTest, ElementsThatNothingCanDeform) {
  ModelSpec spec = test::ground(0.5);
  const int box = test::add_box(spec, {.position = {0, 0, 2}}), other = test::add_box(spec, {.position = {0, 0, 3}});
  SoftBodyOptions options = test::jelly("pad", {0, 0, 1});
  // All of an element on one body, or on the ground: it is never strained.
  options.carried = carried_by(box, {0, 1, 2, 3});
  EXPECT_EQ(complaint(one_tet(), options, spec), "");
  const TetMesh cube = box_mesh({0.1, 0.1, 0.1}, {2, 2, 2});
  const std::vector<int> upper = select_nodes(cube.nodes, [](const Vec3& n) { return n.z() > -1e-9; });
  options.carried = carried_by(box, upper);
  EXPECT_EQ(complaint(cube, options, spec), "");
  options.carried.clear();
  options.pinned = upper;
  EXPECT_EQ(complaint(cube, options, spec), "");
  // On two bodies: a spring between rigid bodies is not what a soft body is.
  options.pinned.clear();
  options.carried = {{0, other}, {1, box}, {2, box}, {3, box}};
  expect_names(complaint(two_tets(), options, spec), {"pad", "tetrahedron 0"});
}

/// Pieces that nothing joins are two bodies of one name: each falls and rests for itself.
TEST(SoftInputTest, DisconnectedPiecesFallEachForItself) {
  TetMesh mesh = one_tet();
  for (const Vec3& node : one_tet().nodes) mesh.nodes.push_back(node + Vec3{1, 0, 0.05});
  mesh.tets.push_back({4, 5, 6, 7});
  ModelSpec spec = test::ground(0.5);
  add_soft_body(spec, mesh, test::jelly("pad", {0, 0, 0.01}, 0.01));
  World world{Model(spec)};
  test::run(world, 500);
  EXPECT_NEAR(test::node_position(world, 0).z(), 0, 1e-6);
  EXPECT_NEAR(test::node_position(world, 4).z(), 0, 1e-6);
  EXPECT_NEAR(test::node_position(world, 4).x(), 1, 1e-2);
  EXPECT_LT(test::largest_speed(world), 1e-3);
}

TEST(SoftInputTest, BadRods) {
  const auto rod_complaint = [](const std::vector<Vec3>& points, const RodOptions& options) -> std::string {
    try {
      ModelSpec spec = test::ground(0.5);
      add_rod(spec, points, options);
      World world{Model(spec)};
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  RodOptions options;
  options.name = "rope";
  EXPECT_EQ(rod_complaint(test::line({}, {1, 0, 0}, 2), options), "");
  expect_names(rod_complaint({{0, 0, 0}}, options), {"rope", "points"});
  expect_names(rod_complaint({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, options), {"rope", "segment 1", "no length"});
  options.poisson = 0.51;
  expect_names(rod_complaint(test::line({}, {1, 0, 0}, 2), options), {"rope", "Poisson's ratio"});
  options = {.name = "rope", .radius = 0};
  expect_names(rod_complaint(test::line({}, {1, 0, 0}, 2), options), {"rope", "radius"});
  ModelSpec spec;
  const int rod = add_rod(spec, test::line({}, {1, 0, 0}, 2), {.name = "rope"});
  EXPECT_THROW(tie_rod_end(spec, rod + 1, RodEnd::First, 0), InputError);
  EXPECT_THROW(tie_rod_end(spec, rod, RodEnd::First, 99), InputError);
}

}  // namespace
}  // namespace uzawa
