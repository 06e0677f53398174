#include "uzawa/io/sdf_text.hpp"

#include <gtest/gtest.h>

#include "temp_folder.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/io/load.hpp"

/// Signed distances in scene files: <custom><text name="uzawa.sdf:GEOM" data="..."/></custom>.
namespace uzawa::test {
namespace {

SdfSpec parse(const std::string& text) { return mujoco::parse_sdf(text, "scene.xml", "text 'uzawa.sdf:thing'"); }

template <typename Shape>
Shape only(const std::string& text) {
  const SdfSpec spec = parse(text);
  EXPECT_EQ(spec.parts.size(), 1U);
  return std::get<Shape>(spec.parts[0].shape);
}

TEST(SdfText, Threads) {
  const auto bolt = only<ThreadSpec>("thread kind=bolt diameter=0.048 pitch=0.005 length=0.1 width=0.075 head=0.03");
  EXPECT_FALSE(bolt.internal);
  EXPECT_EQ(bolt.diameter, 0.048);
  EXPECT_EQ(bolt.pitch, 0.005);
  EXPECT_EQ(bolt.length, 0.1);
  EXPECT_EQ(bolt.width, 0.075);
  EXPECT_EQ(bolt.head_height, 0.03);
  EXPECT_LT(bolt.chamfer, 0);
  const auto nut = only<ThreadSpec>("thread length=.038 kind=nut clearance=1e-4 chamfer=0 pitch=.005 diameter=.048");
  EXPECT_TRUE(nut.internal);
  EXPECT_EQ(nut.clearance, 1e-4);
  EXPECT_EQ(nut.chamfer, 0);
  EXPECT_NEAR(nut.width, 0.075, 1e-15);  // ISO 4032
}

TEST(SdfText, Dishes) {
  const auto dish = only<RevolvedSpec>("dish radius=0.1 height=0.03 foot=0.05 thickness=0.004");
  ASSERT_EQ(dish.skeleton.size(), 3U);
  EXPECT_EQ(dish.skeleton[1].radius, 0.05);
  EXPECT_EQ(dish.skeleton[2].height, 0.03);
  EXPECT_EQ(dish.rounding, 0.004);
  EXPECT_EQ(only<RevolvedSpec>("pot radius=0.1 height=0.1 thickness=0.004 rounding=0.01").rounding, 0.01);
  EXPECT_NE(only<RevolvedSpec>("bowl radius=0.1 height=0.05 thickness=0.004").skeleton[1].bulge, 0);
  EXPECT_EQ(only<RevolvedSpec>("plate radius=0.1 height=0.02 thickness=0.004").skeleton.back().radius, 0.1);
  EXPECT_EQ(only<RevolvedSpec>("bottle radius=.04 height=.2 neck=.015 neck_height=.05 thickness=.003").skeleton.size(),
            5U);
  const auto free_form = only<RevolvedSpec>("revolved points=0,0;0.05,0,0.4;0.06,0.05 thickness=0.003");
  ASSERT_EQ(free_form.skeleton.size(), 3U);
  EXPECT_EQ(free_form.skeleton[1].bulge, 0.4);
  EXPECT_EQ(free_form.rounding, 0);
}

TEST(SdfText, UnionsPosesAndResolution) {
  const SdfSpec spec =
      parse("box half=1,2,3 rounding=0.1 pos=4,5,6 quat=0,2,0,0 chord=1e-4 | box half=1,1,1 edge=0.02");
  ASSERT_EQ(spec.parts.size(), 2U);
  EXPECT_EQ(norm(spec.parts[0].position - Vec3{4, 5, 6}), 0);
  EXPECT_EQ(spec.parts[0].orientation.v.x(), 1);
  EXPECT_EQ(std::get<RoundedBoxSpec>(spec.parts[0].shape).half_size.z(), 3);
  EXPECT_EQ(spec.chord_error, 1e-4);
  EXPECT_EQ(spec.longest_edge, 0.02);
  EXPECT_EQ(only<BakedMeshSpec>("mesh cell=0.001").cell, 0.001);
}

struct BadText {
  const char *text, *reason;
};
class SdfTextError : public testing::TestWithParam<BadText> {};
TEST_P(SdfTextError, IsNamed) {
  try {
    parse(GetParam().text);
    FAIL() << "no complaint about " << GetParam().text;
  } catch (const InputError& error) {
    EXPECT_EQ(error.source(), "scene.xml");
    EXPECT_EQ(error.element(), "text 'uzawa.sdf:thing'");
    EXPECT_NE(error.reason().find(GetParam().reason), std::string::npos) << error.reason();
  }
}
INSTANTIATE_TEST_SUITE_P(
    Texts, SdfTextError,
    testing::Values(BadText{"", "no shape"}, BadText{"  ", "no shape"},
                    BadText{"cone radius=1", "unknown shape 'cone'"},
                    BadText{"thread diameter=.048 pitch=.005 length=.1", "needs kind="},
                    BadText{"thread kind=screw diameter=.048 pitch=.005 length=.1", "bolt or nut"},
                    BadText{"thread kind=bolt diameter=.048 length=.1", "needs pitch="},
                    BadText{"thread kind=bolt diameter=.048 pitch=.005 length=.1 colour=3", "no setting 'colour'"},
                    BadText{"thread kind=bolt diameter=.048 pitch=.005 length=.1 length=.2", "given twice"},
                    BadText{"thread kind=bolt diameter=48mm pitch=.005 length=.1", "'48mm' is not a number"},
                    BadText{"thread kind=bolt diameter=nan pitch=.005 length=.1", "not a number"},
                    BadText{"thread kind=bolt diameter=.048 pitch=.05 length=.1", "third of the diameter"},
                    BadText{"thread kind=bolt diameter=-1 pitch=.005 length=.1", "must be positive"},
                    BadText{"thread kind=bolt diameter=.048 pitch=.005 length=.1 width=.07", "a width and a height"},
                    BadText{"thread kind=nut diameter=.048 pitch=.005 length=.03 width=.04", "wider than its thread"},
                    BadText{"dish radius=.1 height=.03 foot=.05", "needs thickness="},
                    BadText{"dish radius=.1 height=.03 foot=.05 thickness=0", "thickness must be positive"},
                    BadText{"bottle radius=.04 height=.06 neck=.015 neck_height=.05 thickness=.003", "do not fit"},
                    BadText{"revolved points=0,0 thickness=.003", "two points"},
                    BadText{"revolved points=0,0;1 thickness=.003", "radius,height"},
                    BadText{"revolved points=0,0;-1,0 thickness=.003", "negative"},
                    BadText{"box half=1,2", "3 numbers"}, BadText{"box half=1,2,3 rounding=2", "rounding exceeds"},
                    BadText{"box half=1,2,3 |", "no shape"}, BadText{"box half=1,2,3 | mesh", "cannot be joined"},
                    BadText{"box =3", "not key=value"}, BadText{"box half", "not key=value"},
                    BadText{"box half=1,1,1 chord=0", "chord error"}, BadText{"mesh pos=1,2,3", "no setting 'pos'"}));

/// A scene with one geom and one text.
std::string scene(const std::string& geom, const std::string& text_name, const std::string& data,
                  const std::string& assets = "") {
  return "<mujoco><asset>" + assets + "</asset><custom><text name=\"" + text_name + "\" data=\"" + data +
         "\"/></custom><worldbody><body pos=\"0 0 1\"><freejoint/>" + geom + "</body></worldbody></mujoco>";
}

TEST(SdfScene, GeomGetsItsSdf) {
  const TempFolder folder;
  const auto file =
      folder.write("scene.xml", scene(R"(<geom name="bolt" type="cylinder" size=".024 .05" mass="2"/>)",
                                      "uzawa.sdf:bolt", "thread kind=bolt diameter=0.048 pitch=0.005 length=0.1"));
  const Model model = load_model(file).model;
  ASSERT_EQ(model.spec().geoms.size(), 1U);
  const GeomSpec& geom = model.spec().geoms[0];
  ASSERT_TRUE(geom.sdf);
  EXPECT_EQ(std::get<ThreadSpec>(geom.sdf->parts[0].shape).pitch, 0.005);
  EXPECT_EQ(geom.shape, ShapeType::Cylinder);
  EXPECT_NEAR(model.total_mass(), 2, 1e-12);
}

std::string complaint(const std::string& xml) {
  const TempFolder folder;
  const auto file = folder.write("scene.xml", xml);
  try {
    load_model(file);
  } catch (const InputError& error) {
    EXPECT_EQ(error.source(), file.string());
    return error.element() + ": " + error.reason();
  }
  return "";
}

TEST(SdfScene, ComplaintsNameTheText) {
  const std::string ball = R"(<geom name="ball" size=".1"/>)";
  EXPECT_EQ(complaint(scene(ball, "uzawa.sdf:box", "box half=1,1,1")),
            "text 'uzawa.sdf:box': no geom has the name 'box'");
  EXPECT_EQ(complaint(scene(ball, "uzawa.sdf", "box half=1,1,1")), "text 'uzawa.sdf': name must be uzawa.sdf:GEOM");
  EXPECT_EQ(complaint(scene(ball, "uzawa.sdf:ball", "mesh")),
            "text 'uzawa.sdf:ball': 'mesh' needs a mesh geom, and 'ball' is none");
  EXPECT_EQ(complaint(scene(ball, "uzawa.sdf:ball", "box half=1,1")),
            "text 'uzawa.sdf:ball': half needs 3 numbers with commas between them");
  EXPECT_EQ(complaint(scene(ball, "somebody.else:ball", "what ever")), "");
}

/// A box off the origin and off the axes, as a mesh: the compiler moves it.
const char* const kMesh =
    R"(<mesh name="m" vertex="1 1 1  1.4 1 1  1 1.6 1  1.4 1.6 1  1 1 2  1.4 1 2  1 1.6 2  1.4 1.6 2"/>)";

TEST(SdfScene, AnalyticShapeOnAMeshIsInTheAxesOfTheFile) {
  const std::string xml = scene(R"(<geom name="thing" type="mesh" mesh="m"/>)", "uzawa.sdf:thing",
                                "box half=.2,.3,.5 pos=1.2,1.3,1.5", kMesh);
  const std::string reason = complaint(xml);
  if (mujoco_version() == "2.2.2") {
    EXPECT_NE(reason.find("primitive geom"), std::string::npos);
    return;
  }
  ASSERT_EQ(reason, "");
  const TempFolder folder;
  const Model model = load_model(folder.write("scene.xml", xml)).model;
  const GeomSpec& geom = model.spec().geoms[0];
  // The vertices, in the geom's frame, are the corners of the box that the text says.
  const Pose frame = Pose::from(geom.sdf->position, geom.sdf->orientation);
  for (const auto& v : model.spec().meshes[0].vertices) {
    const Vec3 in_file = transpose_times(frame.rotation, Vec3{v[0], v[1], v[2]} - frame.position);
    const Vec3 corner = in_file - geom.sdf->parts[0].position;
    EXPECT_NEAR(std::abs(corner.x()), 0.2, 1e-6);
    EXPECT_NEAR(std::abs(corner.y()), 0.3, 1e-6);
    EXPECT_NEAR(std::abs(corner.z()), 0.5, 1e-6);
  }
}

TEST(SdfScene, MeshIsItsOwnSdf) {
  const TempFolder folder;
  const auto file = folder.write(
      "scene.xml", scene(R"(<geom name="thing" type="mesh" mesh="m"/>)", "uzawa.sdf:thing", "mesh cell=0.01", kMesh));
  const Model model = load_model(file).model;
  const GeomSpec& geom = model.spec().geoms[0];
  EXPECT_EQ(std::get<BakedMeshSpec>(geom.sdf->parts[0].shape).cell, 0.01);
  EXPECT_EQ(norm(geom.sdf->position), 0);
}

}  // namespace
}  // namespace uzawa::test
