#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/temp_folder.hpp"
#include "run_program.hpp"

/// Files with soft bodies as a user sees them.
namespace uzawa::test {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class SoftFile : public testing::Test {
 protected:
  nlohmann::json run_json(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const ProgramResult result = run_program(folder_.path(), arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    return nlohmann::json::parse(result.out, nullptr, false);
  }
  TempFolder folder_;
};

/// Of flexes, which MuJoCo 2 does not know.
class FlexFile : public SoftFile {
 protected:
  void SetUp() override {
    folder_.write("cube.xml", kCube);
    folder_.write("empty.xml", "<mujoco/>");
    const std::string version = run_json({"info", "empty.xml"})["mujoco"];
    if (version.rfind("2.", 0) == 0) GTEST_SKIP() << "flexes came later";
  }
  /// A cube whose lowest nodes are 1 mm in the floor.
  inline static const std::string kCube = R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
    <flexcomp name="jelly" type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1" pos="0 0 .1" radius=".001" mass="1">
    <elasticity young="1e5" poisson=".3"/><contact selfcollide="none"/></flexcomp></worldbody></mujoco>)";
};

TEST_F(FlexFile, VerifyComparesElasticForces) {
  const nlohmann::json found = run_json({"verify", "cube.xml", "--states", "3"});
  EXPECT_TRUE(found["passed"]);
  EXPECT_LE(found["soft_vertices"], 1e-9);
  EXPECT_GT(found["elastic_force"], 1e-9);  // another law: StVK's strain is of second order
  EXPECT_LE(found["elastic_force"], 1e-3);
  const ProgramResult text = run_program(folder_.path(), {"verify", "cube.xml", "--states", "1"});
  for (const char* part : {"soft vertices", "elastic force"}) EXPECT_TRUE(contains(text.out, part)) << text.out;
}

TEST_F(FlexFile, CollideNamesSkinAndNodes) {
  const nlohmann::json found = run_json({"collide", "cube.xml"});
  ASSERT_EQ(found["contacts"].size(), 9U) << found.dump();
  for (const nlohmann::json& contact : found["contacts"]) {
    EXPECT_EQ(contact["geoms"], nlohmann::json({"floor", "jelly"}));
    EXPECT_NEAR(contact["gap"], -0.001, 1e-12);
    EXPECT_TRUE(contact["skins"][0].is_null());
    const nlohmann::json& skin = contact["skins"][1];
    ASSERT_EQ(skin["nodes"].size(), 3U);
    double sum = 0;
    for (const double weight : skin["weights"]) sum += weight;
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

/// Nodes without elasticity around them, carried by a link that moves, lengths held by equalities: a force on the link
/// moves its mass and that of the free nodes, whatever part of it the carried nodes have.
TEST_F(FlexFile, PadWithoutElasticityOnALinkRuns) {
  folder_.write("pad.xml", R"(<mujoco><option timestep=".001"/><worldbody><body name="finger" pos="0 0 1">
    <joint name="slide" type="slide" axis="1 0 0"/><geom type="box" size=".02 .1 .1" contype="0" conaffinity="0"/>
    <flexcomp name="pad" type="grid" dim="3" count="2 3 3" spacing=".05 .05 .05" pos=".045 0 0" radius=".001" mass=".1">
    <edge equality="true"/><contact selfcollide="none"/><pin gridrange="0 0 0 0 2 2"/></flexcomp></body></worldbody>
    <actuator><motor joint="slide"/></actuator><keyframe><key ctrl="2"/></keyframe></mujoco>)");
  const nlohmann::json found = run_json({"run", "pad.xml", "--time", "0.03"});
  EXPECT_EQ(found["statuses"]["solved"], 30);
  EXPECT_LT(found["energy"]["unexplained_gain"], 1e-6);
  const double mass = 1000 * 0.04 * 0.2 * 0.2 + 0.1 / 2;
  EXPECT_NEAR(found["v"][0], 2 * 0.03 / mass, 1e-7);
}

const char* const kTet =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 5\n2 .1 0 5\n3 0 .1 5\n4 0 0 5.1\n"
    "$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";

TEST_F(SoftFile, TetMeshFallsOnAFloor) {
  folder_.write("tet.msh", kTet);
  const nlohmann::json info = run_json({"info", "tet.msh"});
  EXPECT_EQ(info["soft_bodies"][0]["tets"], 1);
  EXPECT_NEAR(info["moving_mass"], 1000 * 0.001 / 6, 1e-12);
  const nlohmann::json found = run_json({"run", "tet.msh", "--time", "0.2"});
  EXPECT_EQ(found["statuses"]["solved"], 100);
  EXPECT_EQ(found["contacts"]["most"], 3);  // 0.045 s of fall
  EXPECT_LT(found["penetration"], 1e-6);
}

TEST_F(SoftFile, MeshesThatAreNoneAreRefused) {
  folder_.write("bad.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0");
  folder_.write("odd.vtk", "hello");
  folder_.write("tet.msh", kTet);
  for (const char* command : {"info", "run", "collide"}) {
    for (const char* file : {"bad.msh", "odd.vtk", "missing.msh"}) {
      const ProgramResult result = run_program(folder_.path(), {command, file});
      EXPECT_EQ(result.exit_code, 2) << command << file;
      EXPECT_TRUE(contains(result.err, file)) << result.err;
    }
  }
  const ProgramResult verify = run_program(folder_.path(), {"verify", "tet.msh"});
  EXPECT_EQ(verify.exit_code, 2);
  EXPECT_TRUE(contains(verify.err, "is a mesh")) << verify.err;
}

}  // namespace
}  // namespace uzawa::test
