#include <gtest/gtest.h>

#include <cstdlib>

#include "agreement.hpp"
#include "meshes.hpp"
#include "temp_folder.hpp"
#include "urdf_samples.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa::test {
namespace {

namespace fs = std::filesystem;

/// The same arm as kUrdfArm, written by hand as MJCF: URDF's rpy turns about fixed axes, MuJoCo's eulerseq XYZ.
const std::string kArmAsMjcf = R"(<mujoco><compiler angle="radian" eulerseq="XYZ" autolimits="true"/><worldbody>
  <body name="base"><inertial pos="0 0 0" mass="5" diaginertia=".1 .1 .1"/>
  <body name="upper" pos="0 0 .3" euler="0 .5 0"><joint type="hinge" axis="0 1 0" range="-2 1.5" damping=".4"/>
    <body pos=".1 0 .2" euler=".1 .2 .3"><inertial pos="0 0 0" mass="2" fullinertia=".03 .04 .05 .001 .002 .003"/></body>
  <body name="lower" pos=".2 0 .4" euler=".2 0 .1"><joint type="slide" axis="1 0 0" range="-.1 .2"/>
    <inertial pos="0 .1 .15" mass="1" diaginertia=".01 .02 .015"/>
  <body name="tool" pos="0 0 .2" euler="0 0 1"><inertial pos="0 0 0" mass=".3" diaginertia=".001 .001 .001"/></body>
  </body></body></body></worldbody></mujoco>)";

TEST(Urdf, ArmAgreesWithMujoco) {
  const TempFolder folder;
  expect_agreement(folder.write("arm.urdf", kUrdfArm));
}

TEST(Urdf, ArmAgreesWithTheSameArmInMjcf) {
  const TempFolder folder;
  const LoadedModel urdf = load_model(folder.write("arm.urdf", kUrdfArm));
  const Model mjcf = load_model(folder.write("arm.xml", kArmAsMjcf)).model;
  ASSERT_EQ(urdf.model.nv(), 2);
  MujocoOracle theirs(folder.path() / "arm.xml");
  const cli::Differences found = cli::compare(mjcf, theirs, kStates, 1);
  EXPECT_LE(found.worst(), kAgreement);
  // The hand-written file has one more body (the turned inertia), so only joint-space quantities compare.
  MujocoOracle ours(folder.path() / "arm.urdf");
  std::mt19937_64 random(7);
  for (int i = 0; i < kStates; ++i) {
    const cli::RandomState drawn = cli::random_state(urdf.model, random);
    ours.evaluate(drawn.state, drawn.control);
    theirs.evaluate(drawn.state, drawn.control);
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_NEAR(ours.bias_force()[d], theirs.bias_force()[d], 1e-8);
      EXPECT_NEAR(ours.passive_force()[d], theirs.passive_force()[d], 1e-8);
    }
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(ours.mass_matrix()[k], theirs.mass_matrix()[k], 1e-8);
  }
}

TEST(Urdf, FixedLinksKeepTheirNamesAndMimicBecomesEquality) {
  const TempFolder folder;
  const Model model = load_model(folder.write("arm.urdf", kUrdfArm)).model;
  EXPECT_EQ(model.body_link(model.body("tool")), model.body_link(model.body("lower")));
  EXPECT_EQ(model.spec().joints.at(0).range->upper, 1.5);
  EXPECT_EQ(model.spec().joints.at(0).friction_loss, .1);
  ASSERT_EQ(model.spec().equalities.size(), 1U);
  const EqualitySpec& mimic = model.spec().equalities[0];
  EXPECT_EQ(mimic.type, EqualityType::Joint);
  EXPECT_EQ(mimic.first, model.joint("elbow"));
  EXPECT_EQ(mimic.second, model.joint("shoulder"));
  EXPECT_EQ(mimic.polynomial, (std::array<double, 5>{.01, .05, 0, 0, 0}));
}

TEST(Urdf, FreeBaseHangsTheRootOnAFreeJoint) {
  const TempFolder folder;
  const fs::path path = folder.write("arm.urdf", kUrdfArm);
  LoadOptions options;
  options.free_base = true;
  const Model model = load_model(path, options).model;
  EXPECT_EQ(model.nv(), 8);
  EXPECT_EQ(model.spec().joints.at(0).type, JointType::Free);
  EXPECT_EQ(model.spec().joints.at(0).body, model.body("base"));
  expect_agreement(path, options);
}

TEST(Urdf, IsKnownByItsRootElement) {
  const TempFolder folder;
  EXPECT_EQ(load_model(folder.write("arm.xml", kUrdfArm)).model.nv(), 2);
}

/// A robot of one link with these meshes; the second one collides.
std::string robot_with(const std::string& visual, const std::string& collision, const std::string& scale = "1 1 1") {
  const auto part = [&](const std::string& kind, const std::string& uri) {
    return '<' + kind + R"(><geometry><mesh scale=")" + scale + R"(" filename=")" + uri + R"("/></geometry></)" + kind +
           '>';
  };
  return R"(<robot name="r"><link name="base"/><link name="hand"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)" +
         part("visual", visual) + part("collision", collision) +
         R"(</link><joint name="j" type="continuous"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/></joint>
            </robot>)";
}

/// Largest coordinate of a geom's mesh in its body's frame.
double reach(const Model& model, std::size_t geom) {
  double largest = 0;
  const GeomSpec& spec = model.spec().geoms.at(geom);
  for (const auto& v : model.spec().meshes.at(static_cast<std::size_t>(spec.asset)).vertices) {
    const Vec3 point = model.geom_pose(static_cast<int>(geom)) * Vec3{v[0], v[1], v[2]};
    for (int k = 0; k < 3; ++k) largest = std::max(largest, point[k]);
  }
  return largest;
}

TEST(Urdf, PackageIsFoundAboveTheFileInOptionsAndInTheEnvironment) {
  const TempFolder folder;
  const std::string robot =
      robot_with("package://robot_description/meshes/a.stl", "package://robot_description/meshes/a.stl");
  folder.write("robot_description/meshes/a.stl", binary_stl_tetrahedron());
  const fs::path inside = folder.write("robot_description/urdf/robot.urdf", robot);
  const fs::path beside = folder.write("robot.urdf", robot);
  const TempFolder elsewhere;
  const fs::path far = elsewhere.write("robot.urdf", robot);
  for (const fs::path& path : {inside, beside}) EXPECT_EQ(load_model(path).model.spec().geoms.size(), 2U) << path;
  EXPECT_THROW(load_model(far), InputError);
  LoadOptions options;
  options.packages["robot_description"] = folder.path() / "robot_description";
  EXPECT_EQ(load_model(far, options).model.spec().geoms.size(), 2U);
  ASSERT_EQ(setenv("ROS_PACKAGE_PATH", ("/nowhere:" + folder.path().string()).c_str(), 1), 0);
  EXPECT_EQ(load_model(far).model.spec().geoms.size(), 2U);
  ASSERT_EQ(unsetenv("ROS_PACKAGE_PATH"), 0);
}

TEST(Urdf, SameFileNameInTwoFoldersStaysTwoMeshes) {
  const TempFolder folder;
  folder.write("visual/hand.obj", obj_tetrahedron());
  folder.write("collision/hand.obj", "v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Model model = load_model(folder.write("r.urdf", robot_with("visual/hand.obj", "collision/hand.obj"))).model;
  ASSERT_EQ(model.spec().meshes.size(), 2U);
  ASSERT_EQ(model.spec().geoms.size(), 2U);
  const bool first_collides = model.spec().geoms[0].contact_type != 0;
  EXPECT_NEAR(reach(model, first_collides ? 1 : 0), 1, 1e-6);
  EXPECT_NEAR(reach(model, first_collides ? 0 : 1), 3, 1e-6);
}

class UrdfMesh : public testing::TestWithParam<const char*> {};
TEST_P(UrdfMesh, IsReadAndScaled) {
  const TempFolder folder;
  const std::string extension = GetParam();
  const std::string content = extension == ".dae"   ? collada_tetrahedron()
                              : extension == ".obj" ? obj_tetrahedron()
                              : extension == ".STL" ? binary_stl_tetrahedron()
                                                    : ascii_stl_tetrahedron();
  const std::string file = "m" + extension;
  folder.write(file, content);
  for (const auto& [scale, size] : {std::pair{"1 1 1", 1.0}, {"2 2 2", 2.0}}) {
    const Model model = load_model(folder.write("r.urdf", robot_with(file, file, scale))).model;
    for (std::size_t g = 0; g < 2; ++g) EXPECT_NEAR(reach(model, g), size, 1e-6) << scale;
    EXPECT_EQ(model.spec().meshes.at(0).faces.size(), 4U);
  }
}
INSTANTIATE_TEST_SUITE_P(Formats, UrdfMesh, testing::Values(".dae", ".obj", ".STL", ".stl"), [](const auto& format) {
  return std::string(format.param) == ".STL" ? "BinaryStl" : std::string(format.param).substr(1);
});

TEST(Urdf, MissingMeshNamesTheLinkAndWhereItLooked) {
  const TempFolder folder;
  for (const char* uri : {"meshes/lost.stl", "package://some_robot/lost.stl"}) {
    const fs::path path = folder.write("r.urdf", robot_with(uri, uri));
    try {
      load_model(path);
      FAIL() << "loaded";
    } catch (const InputError& error) {
      EXPECT_EQ(error.source(), path.string());
      EXPECT_EQ(error.element(), "link 'hand'");
      EXPECT_NE(error.reason().find(uri), std::string::npos) << error.what();
      EXPECT_NE(error.reason().find(folder.path().string()), std::string::npos) << error.what();
    }
  }
}

TEST(Urdf, BadMeshesAreRefusedByName) {
  const TempFolder folder;
  for (const auto& [file, content] : {std::pair{"m.dae", std::string("<COLLADA")},
                                      {"m.stl", std::string("solid")},
                                      {"m.obj", std::string("v 1")},
                                      {"m.ply", std::string()}}) {
    folder.write(file, content);
    const fs::path path = folder.write("r.urdf", robot_with(file, file));
    try {
      load_model(path);
      ADD_FAILURE() << file << " loaded";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find('m'), std::string::npos);
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

struct BadUrdf {
  const char *name, *from, *to, *named;  ///< what to break in kUrdfArm; what the message must name
};
void PrintTo(const BadUrdf& bad, std::ostream* out) { *out << bad.name; }

class BrokenUrdf : public testing::TestWithParam<BadUrdf> {};
TEST_P(BrokenUrdf, IsRefusedInOneLineThatNamesIt) {
  const TempFolder folder;
  const fs::path path = folder.write("arm.urdf", replaced(kUrdfArm, GetParam().from, GetParam().to));
  try {
    load_model(path);
    FAIL() << "loaded";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind(path.string(), 0), 0U) << text;
    EXPECT_NE(text.find(GetParam().named), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Cases, BrokenUrdf,
    testing::Values(BadUrdf{"NoRobot", "robot", "robber", "<robot>"}, BadUrdf{"Cut", "</robot>", "", "line"},
                    BadUrdf{"MimicOfNothing", R"(<mimic joint="shoulder")", R"(<mimic joint="hip")",
                            "joint 'elbow', line 20: mimics joint 'hip'"},
                    BadUrdf{"MimicMultiplier", R"(multiplier=".05")", R"(multiplier="lots")", "elbow"},
                    BadUrdf{"MimicNan", R"(multiplier=".05")", R"(multiplier="nan")", "elbow"},
                    BadUrdf{"UnknownParent", R"(<parent link="upper"/>)", R"(<parent link="thigh"/>)",
                            "joint 'elbow', line 18: parent link 'thigh'"},
                    BadUrdf{"JointType", "prismatic", "magic", "joint 'elbow', line 18: its type 'magic'"},
                    BadUrdf{"MassInWords", R"(<mass value="1"/>)", R"(<mass value="one"/>)",
                            "link 'lower', line 11: its mass"},
                    BadUrdf{"MassNan", R"(<mass value="1"/>)", R"(<mass value="nan"/>)", "<mass>, line 11"},
                    BadUrdf{"InertiaMacro", R"(iyy=".02")", R"(iyy="${i}")", "link 'lower', line 12: its inertia"},
                    BadUrdf{"Compiler", R"(xyz=".2 0 .4")", R"(xyz=".2 none .4")", "line 18"}),
    [](const auto& bad) { return bad.param.name; });

TEST(Urdf, FreeBaseWithoutARootIsRefused) {
  const TempFolder folder;
  LoadOptions options;
  options.free_base = true;
  EXPECT_THROW(load_model(folder.write("r.urdf", R"(<robot name="r"/>)"), options), InputError);
}

}  // namespace
}  // namespace uzawa::test
