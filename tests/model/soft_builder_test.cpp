#include "uzawa/model/soft_builder.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {
namespace {

/// Two tetrahedra that share a face: volumes 1/6 and 1/3 m^3.
TetMesh two_tets() {
  return {.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, .tets = {{0, 1, 2, 3}, {1, 2, 3, 4}}};
}

/// A link that a hinge carries, with an arm fixed to it, and written configurations.
ModelSpec arm() {
  ModelSpec spec;
  spec.bodies.push_back({.name = "link",
                         .position = {0, 0, 2},
                         .orientation = exp_rotation({0, 0, 0.7}),
                         .mass = 1,
                         .principal_inertia = {1, 1, 1}});
  spec.bodies.push_back(
      {.name = "hand", .parent = 1, .position = {0.5, 0, 0}, .orientation = exp_rotation({0.3, 0, 0}), .mass = 1});
  spec.joints.push_back({.body = 1});
  spec.reference_q = {0.2};
  spec.spring_q = {0.1};
  spec.keyframes.push_back({.name = "home", .q = {1}, .v = {2}, .activation = {}, .control = {}});
  return spec;
}

double tet_volume(const TetMesh& mesh) {
  double volume = 0;
  for (const auto& tet : mesh.tets) volume += signed_volume(mesh, tet);
  return volume;
}

TEST(SoftBuilder, NodesAreBodiesWithAQuarterOfEachTet) {
  ModelSpec spec;
  SoftBodyOptions options;
  options.name = "jelly";
  options.density = 600;
  options.position = {1, 2, 3};
  options.orientation = exp_rotation({0, 0, M_PI / 2});
  options.radius = 0.01;
  options.friction = {0.4, 0, 0};
  options.self_contact = true;
  ASSERT_EQ(add_soft_body(spec, two_tets(), options), 0);
  const Model model(spec);
  EXPECT_EQ(model.nv(), 15);
  const double volumes[] = {1.0 / 6, 1.0 / 2, 1.0 / 2, 1.0 / 2, 1.0 / 3};  // of the elements around each node
  for (int i = 0; i < 5; ++i) {
    const BodySpec& node = spec.bodies[at(i + 1)];
    EXPECT_EQ(node.name, "jelly_" + std::to_string(i));
    EXPECT_NEAR(node.mass, 600 * volumes[i] / 4, 1e-12);
    const Vec3 p = two_tets().nodes[at(i)];
    EXPECT_LT(norm(node.position - Vec3{1 - p.y(), 2 + p.x(), 3 + p.z()}), 1e-15);
    for (int axis = 0; axis < 3; ++axis) {
      const JointSpec& joint = spec.joints[at(3 * i + axis)];
      EXPECT_EQ(joint.body, i + 1);
      EXPECT_EQ(joint.type, JointType::Slide);
      EXPECT_EQ(norm(joint.axis - Vec3::unit(axis)), 0);
    }
  }
  EXPECT_NEAR(model.total_mass(), 600 * tet_volume(two_tets()), 1e-12);
  ASSERT_EQ(spec.geoms.size(), 1U);
  EXPECT_EQ(spec.geoms[0].shape, ShapeType::Skin);
  EXPECT_EQ(spec.geoms[0].asset, 0);
  EXPECT_EQ(spec.geoms[0].size.x(), 0.01);
  EXPECT_EQ(spec.geoms[0].friction[0], 0.4);
  EXPECT_TRUE(spec.soft_bodies[0].self_contact);
  EXPECT_TRUE(spec.soft_bodies[0].offsets.empty());
}

TEST(SoftBuilder, UniformMassIsThatOfMujoco) {
  ModelSpec spec;
  SoftBodyOptions options;
  options.mass = 2;
  options.lumping = MassLumping::Uniform;
  options.pinned = {0};
  add_soft_body(spec, two_tets(), options);
  ASSERT_EQ(spec.bodies.size(), 5U);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_DOUBLE_EQ(spec.bodies[i].mass, 0.4);
}

TEST(SoftBuilder, PinnedAndCarriedNodesStayWhereTheyAre) {
  ModelSpec spec = arm();
  SoftBodyOptions options;
  options.position = {0.1, 0.2, 2};
  options.orientation = exp_rotation({0.1, -0.4, 0.2});
  options.pinned = {1};
  options.carried = carried_by(2, {0, 4});
  const int index = add_soft_body(spec, two_tets(), options);
  const SoftBodySpec& soft = spec.soft_bodies[at(index)];
  EXPECT_EQ(soft.bodies, (std::vector<int>{2, 0, 3, 4, 2}));
  // World places of the nodes by way of their bodies, with a pose composed here.
  const Pose link = Pose::from({0, 0, 2}, exp_rotation({0, 0, 0.7}));
  const Pose hand = link * Pose::from({0.5, 0, 0}, exp_rotation({0.3, 0, 0}));
  const Pose mesh = Pose::from(options.position, options.orientation);
  for (int i = 0; i < 5; ++i) {
    const int body = soft.bodies[at(i)];
    const Pose pose = body == 0 ? Pose{} : body == 2 ? hand : Pose::from(spec.bodies[at(body)].position, {});
    EXPECT_LT(norm(pose * soft.offsets[at(i)] - mesh * two_tets().nodes[at(i)]), 1e-15) << i;
  }
  // Written configurations grow with the joints.
  EXPECT_EQ(spec.reference_q, (std::vector<double>{0.2, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(spec.spring_q, (std::vector<double>{0.1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(spec.keyframes[0].q, (std::vector<double>{1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(spec.keyframes[0].v, (std::vector<double>{2, 0, 0, 0, 0, 0, 0}));
  EXPECT_NO_THROW(Model{spec});
}

TEST(SoftBuilder, ShellsAndCords) {
  ModelSpec spec;
  SoftBodyOptions options;
  options.material.thickness = 0.002;
  options.density = 500;
  const TriangleMesh square{.nodes = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}, {0, 2, 3}}};
  EXPECT_EQ(add_shell(spec, square, options), 0);
  EXPECT_NEAR(spec.bodies[1].mass, 500 * 0.002 / 3, 1e-15);
  EXPECT_NEAR(spec.bodies[2].mass, 500 * 0.002 / 6, 1e-15);
  options.radius = 0.01;
  const CordMesh cord{.nodes = {{0, 0, 1}, {2, 0, 1}, {3, 0, 1}}, .edges = {{0, 1}, {1, 2}}};
  EXPECT_EQ(add_cord(spec, cord, options), 1);
  EXPECT_NEAR(spec.bodies[6].mass, 500 * M_PI * 1e-4 * 1.5, 1e-15);
  EXPECT_EQ(spec.geoms[1].asset, 1);
  EXPECT_EQ(spec.soft_bodies[1].bodies, (std::vector<int>{5, 6, 7}));
  const Model model(spec);
  EXPECT_NEAR(model.total_mass(), 500 * (0.002 + 3 * M_PI * 1e-4), 1e-14);
}

TEST(SoftBuilder, SelectsNodes) {
  const std::vector<Vec3> nodes = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.5, 0}, {0, 0, 2}};
  EXPECT_EQ(nodes_in_box(nodes, {0, 0, 0}, {1, 0.5, 1}), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(select_nodes(nodes, [](const Vec3& p) { return p.z() > 1; }), (std::vector<int>{3}));
}

struct BadBody {
  const char* reason;
  std::function<void(TetMesh&, SoftBodyOptions&)> spoil;
};

class SoftBuilderErrors : public testing::TestWithParam<BadBody> {};

TEST_P(SoftBuilderErrors, NameBodyAndReason) {
  ModelSpec spec;
  spec.source = "scene.xml";
  TetMesh mesh = two_tets();
  SoftBodyOptions options;
  options.name = "jelly";
  GetParam().spoil(mesh, options);
  try {
    add_soft_body(spec, mesh, options);
    FAIL() << "accepted: " << GetParam().reason;
  } catch (const InputError& error) {
    EXPECT_EQ(error.source(), "scene.xml");
    EXPECT_EQ(error.element(), "soft body 'jelly'");
    EXPECT_EQ(error.reason(), GetParam().reason);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SoftBuilderErrors,
    testing::Values(BadBody{"pinned node 7 does not exist",
                            [](TetMesh&, SoftBodyOptions& o) {
                              o.pinned = {0, 7};
                            }},
                    BadBody{"pinned node -1 does not exist", [](TetMesh&, SoftBodyOptions& o) { o.pinned = {-1}; }},
                    BadBody{"node 1 is carried by body 5, which does not exist",
                            [](TetMesh&, SoftBodyOptions& o) {
                              o.carried = {{1, 5}};
                            }},
                    BadBody{"tetrahedron 1 is inverted",
                            [](TetMesh& m, SoftBodyOptions&) { std::swap(m.tets[1][0], m.tets[1][1]); }},
                    BadBody{"tetrahedron 0 is degenerate", [](TetMesh& m, SoftBodyOptions&) { m.tets[0][3] = 0; }},
                    BadBody{"tetrahedron 1 has node 9, which does not exist",
                            [](TetMesh& m, SoftBodyOptions&) { m.tets[1][2] = 9; }},
                    BadBody{"node 5 belongs to no element",
                            [](TetMesh& m, SoftBodyOptions&) { m.nodes.push_back({}); }},
                    BadBody{"node 2 is not finite", [](TetMesh& m, SoftBodyOptions&) { m.nodes[2].set(1, NAN); }},
                    BadBody{"has no mass", [](TetMesh&, SoftBodyOptions& o) { o.density = 0; }},
                    BadBody{"has no tetrahedra", [](TetMesh& m, SoftBodyOptions&) { m.tets.clear(); }}));

}  // namespace
}  // namespace uzawa
