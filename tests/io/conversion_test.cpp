#include <gtest/gtest.h>

#include <algorithm>

#include "agreement.hpp"
#include "meshes.hpp"
#include "temp_folder.hpp"

/// What dynamics cannot show: names, shapes, materials, meshes, contact rules, keyframes.
namespace uzawa::test {
namespace {

LoadedModel load_text(const TempFolder& folder, const std::string& xml) {
  return load_model(folder.write("model.xml", xml));
}

template <typename Elements>
const auto& named(const Elements& elements, const std::string& name) {
  const auto it = std::find_if(elements.begin(), elements.end(), [&](const auto& e) { return e.name == name; });
  if (it == elements.end()) throw std::runtime_error("no element '" + name + "'");
  return *it;
}

void expect_near(const Vec3& actual, const Vec3& expected) {
  EXPECT_NEAR(norm(actual - expected), 0, 1e-12) << actual.x() << ' ' << actual.y() << ' ' << actual.z();
}

TEST(Conversion, NamesAndOptions) {
  const TempFolder folder;
  const ModelSpec spec =
      load_text(folder, mjcf(R"(<body name="arm"><joint name="elbow" range="-1 2" limited="true" margin=".1"
                                frictionloss=".3"/><geom name="rod" size=".1"/><site name="tip" pos="1 2 3"/></body>)",
                             R"(<option timestep=".004" gravity="1 2 3"><flag contact="disable" limit="disable"
                                frictionloss="disable" filterparent="disable"/></option>)",
                             R"(<actuator><motor name="drive" joint="elbow"/></actuator>)"))
          .model.spec();
  EXPECT_EQ(spec.name, "case");
  EXPECT_EQ(spec.source, (folder.path() / "model.xml").string());
  EXPECT_EQ(spec.bodies.at(0).name, "world");
  EXPECT_EQ(spec.bodies.at(1).name, "arm");
  EXPECT_EQ(spec.joints.at(0).name, "elbow");
  EXPECT_EQ(spec.geoms.at(0).name, "rod");
  EXPECT_EQ(spec.sites.at(0).name, "tip");
  EXPECT_EQ(spec.actuators.at(0).name, "drive");
  expect_near(spec.sites.at(0).position, {1, 2, 3});
  ASSERT_TRUE(spec.joints.at(0).range.has_value());
  EXPECT_EQ(spec.joints.at(0).range->lower, -1);
  EXPECT_EQ(spec.joints.at(0).range->upper, 2);
  EXPECT_EQ(spec.joints.at(0).limit_margin, .1);
  EXPECT_EQ(spec.joints.at(0).friction_loss, .3);
  EXPECT_EQ(spec.options.timestep, .004);
  expect_near(spec.options.gravity, {1, 2, 3});
  EXPECT_FALSE(spec.options.contacts);
  EXPECT_FALSE(spec.options.limits);
  EXPECT_FALSE(spec.options.friction_loss);
  EXPECT_FALSE(spec.options.filter_parent);
  EXPECT_TRUE(spec.options.equalities);
}

TEST(Conversion, ConstraintFlagSwitchesAllConstraintsOff) {
  const TempFolder folder;
  const OptionsSpec options =
      load_text(folder, mjcf(R"(<geom size="1"/>)", R"(<option><flag constraint="disable"/></option>)"))
          .model.options();
  EXPECT_FALSE(options.contacts || options.limits || options.friction_loss || options.equalities);
}

TEST(Conversion, GeomTypesAndSizes) {
  const TempFolder folder;
  const ModelSpec spec = load_text(folder, mjcf(R"(
      <geom name="plane" type="plane" size="1 2 .1"/><geom name="sphere" size=".1"/>
      <geom name="capsule" type="capsule" size=".1 .2"/><geom name="between" type="capsule" size=".1" fromto="0 0 0 1 0 0"/>
      <geom name="ellipsoid" type="ellipsoid" size=".1 .2 .3"/><geom name="cylinder" type="cylinder" size=".1 .2"/>
      <geom name="box" type="box" size=".1 .2 .3" pos="1 2 3"/>)"))
                             .model.spec();
  const std::initializer_list<std::pair<const char*, ShapeType>> shapes = {
      {"plane", ShapeType::Plane},         {"sphere", ShapeType::Sphere},     {"capsule", ShapeType::Capsule},
      {"ellipsoid", ShapeType::Ellipsoid}, {"cylinder", ShapeType::Cylinder}, {"box", ShapeType::Box}};
  for (const auto& [name, shape] : shapes) EXPECT_EQ(named(spec.geoms, name).shape, shape) << name;
  expect_near(named(spec.geoms, "box").size, {.1, .2, .3});
  expect_near(named(spec.geoms, "box").position, {1, 2, 3});
  EXPECT_EQ(named(spec.geoms, "cylinder").size.y(), .2);
  const GeomSpec& between = named(spec.geoms, "between");
  EXPECT_EQ(between.size.x(), .1);
  EXPECT_NEAR(between.size.y(), .5, 1e-12);
  expect_near(between.position, {.5, 0, 0});
  EXPECT_NEAR(std::abs(rotate(between.orientation, Vec3{0, 0, 1}).x()), 1, 1e-12) << "along the segment";
}

TEST(Conversion, MaterialsAndColours) {
  const TempFolder folder;
  const ModelSpec spec =
      load_text(folder, mjcf(R"(<geom name="plain" size="1"/><geom name="own" size="1" rgba=".1 .2 .3 .4"/>
                                <geom name="painted" size="1" material="red"/>
                                <geom name="both" size="1" material="red" rgba=".1 .2 .3 .4"/>
                                <geom name="rough" size="1" friction=".7 .02 .003" condim="1" priority="3" margin=".02"
                                      gap=".01" contype="5" conaffinity="6" group="2"/>)",
                             R"(<asset><material name="red" rgba="1 0 0 1"/></asset>)"))
          .model.spec();
  EXPECT_EQ(named(spec.geoms, "plain").rgba, GeomSpec{}.rgba);
  EXPECT_EQ(named(spec.geoms, "own").rgba, (std::array<float, 4>{.1F, .2F, .3F, .4F}));
  EXPECT_EQ(named(spec.geoms, "painted").rgba, (std::array<float, 4>{1, 0, 0, 1}));
  EXPECT_EQ(named(spec.geoms, "both").rgba, (std::array<float, 4>{.1F, .2F, .3F, .4F}));
  const GeomSpec& rough = named(spec.geoms, "rough");
  EXPECT_EQ(rough.friction, (std::array<double, 3>{.7, .02, .003}));
  EXPECT_EQ(rough.contact_dimension, 1);
  EXPECT_EQ(rough.priority, 3);
  EXPECT_EQ(rough.margin, .02);
  EXPECT_EQ(rough.gap, .01);
  EXPECT_EQ(rough.contact_type, 5);
  EXPECT_EQ(rough.contact_affinity, 6);
  EXPECT_EQ(rough.group, 2);
}

/// The mesh as the world sees it: vertices through the geom's pose, since the compiler centres and turns a mesh.
std::vector<Vec3> world_vertices(const Model& model, int geom) {
  const GeomSpec& spec = model.spec().geoms.at(static_cast<std::size_t>(geom));
  std::vector<Vec3> found;
  for (const auto& v : model.spec().meshes.at(static_cast<std::size_t>(spec.asset)).vertices) {
    found.push_back(model.geom_pose(geom) * Vec3{v[0], v[1], v[2]});
  }
  return found;
}

bool holds_point(const std::vector<Vec3>& points, const Vec3& point) {
  return std::any_of(points.begin(), points.end(), [&](const Vec3& p) { return norm(p - point) < 1e-6; });
}

class MeshFormat : public testing::TestWithParam<const char*> {};
TEST_P(MeshFormat, KeepsVerticesAndFaces) {
  const TempFolder folder;
  const std::string extension = GetParam();
  folder.write("meshes/tetrahedron" + extension, extension == ".obj" ? obj_tetrahedron() : binary_stl_tetrahedron());
  const Model model = load_text(folder, mjcf(R"(<geom name="g" type="mesh" mesh="m" pos="1 2 3"/>)",
                                             R"(<asset><mesh name="m" scale="2 2 2" file="meshes/tetrahedron)" +
                                                 extension + R"("/></asset>)"))
                          .model;
  const MeshSpec& mesh = model.spec().meshes.at(0);
  EXPECT_EQ(mesh.name, "m");
  // Legacy repeats the corners of an OBJ for each face.
  EXPECT_EQ(mesh.vertices.size(), is_legacy_mujoco() && extension == ".obj" ? 12U : 4U);
  ASSERT_EQ(mesh.faces.size(), 4U);
  const std::vector<Vec3> vertices = world_vertices(model, 0);
  for (const Vec3& corner : {Vec3{1, 2, 3}, Vec3{3, 2, 3}, Vec3{1, 4, 3}, Vec3{1, 2, 5}}) {
    EXPECT_TRUE(holds_point(vertices, corner)) << corner.x() << ' ' << corner.y() << ' ' << corner.z();
  }
  double volume = 0;  // positive where the faces turn outwards
  for (const auto& face : mesh.faces) {
    const auto corner = [&](int k) { return vertices[static_cast<std::size_t>(face[static_cast<std::size_t>(k)])]; };
    volume += dot(corner(0), cross(corner(1), corner(2))) / 6;
  }
  EXPECT_NEAR(volume, 8.0 / 6, 1e-5);
}
INSTANTIATE_TEST_SUITE_P(Formats, MeshFormat, testing::Values(".obj", ".stl"),
                         [](const auto& format) { return std::string(format.param).substr(1); });

TEST(Conversion, HeightField) {
  const TempFolder folder;
  std::string file;
  const auto append = [&](const auto& value) { file.append(reinterpret_cast<const char*>(&value), sizeof value); };
  append(2);  // rows
  append(3);  // columns
  for (const float height : {0.F, 1.F, 2.F, 3.F, 4.F, 4.F}) append(height);
  folder.write("field.bin", file);
  const ModelSpec spec =
      load_text(folder, mjcf(R"(<geom name="g" type="hfield" hfield="f"/>)",
                             R"(<asset><hfield name="f" file="field.bin" size="1 2 3 .5"/></asset>)"))
          .model.spec();
  EXPECT_EQ(spec.geoms.at(0).shape, ShapeType::HeightField);
  EXPECT_EQ(spec.geoms.at(0).asset, 0);
  const HeightFieldSpec& field = spec.height_fields.at(0);
  EXPECT_EQ(field.name, "f");
  EXPECT_EQ(field.rows, 2);
  EXPECT_EQ(field.columns, 3);
  EXPECT_EQ(field.size, (std::array<double, 4>{1, 2, 3, .5}));
  EXPECT_EQ(field.elevation, (std::vector<float>{0, .25F, .5F, .75F, 1, 1}));
}

TEST(Conversion, ContactPairsAndExcludes) {
  const TempFolder folder;
  const ModelSpec spec =
      load_text(folder, mjcf(R"(<geom name="floor" type="plane" size="1 1 1"/><body name="a"><freejoint/>
                                <geom name="ball" size=".1"/></body><body name="b"><freejoint/><geom size=".1"/></body>)",
                             "",
                             R"(<contact><exclude body1="a" body2="b"/><exclude body1="world" body2="b"/>
                                <pair name="touch" geom1="floor" geom2="ball" condim="1" friction=".1 .2 .3 .4 .5" margin=".02"
                                gap=".01"/></contact>)"))
          .model.spec();
  ASSERT_EQ(spec.contact_excludes.size(), 2U);
  const auto excluded = [&](int first, int second) {
    return std::any_of(spec.contact_excludes.begin(), spec.contact_excludes.end(), [&](const ContactExcludeSpec& e) {
      return std::minmax(e.body1, e.body2) == std::minmax(first, second);
    });
  };
  EXPECT_TRUE(excluded(1, 2));
  EXPECT_TRUE(excluded(0, 2));
  ASSERT_EQ(spec.contact_pairs.size(), 1U);
  const ContactPairSpec& pair = spec.contact_pairs[0];
  EXPECT_EQ(std::minmax(pair.geom1, pair.geom2), std::minmax(0, 1));
  EXPECT_EQ(pair.name, "touch");
  EXPECT_EQ(pair.dimension, 1);
  // The other way round than in the file: on a floor MuJoCo's first tangent is our second one (convert_pair).
  EXPECT_EQ(pair.friction, (std::array<double, 5>{.2, .1, .3, .5, .4}));
  EXPECT_EQ(pair.margin, .02);
  EXPECT_EQ(pair.gap, .01);
}

TEST(Conversion, Keyframes) {
  const TempFolder folder;
  const LoadedModel loaded = load_text(
      folder, mjcf(R"(<body pos="0 0 1"><joint name="j"/><joint name="k" type="slide"/><geom size=".1"/></body>)", "",
                   R"(<actuator><motor joint="j"/><general joint="k" dyntype="integrator"/></actuator><keyframe>
                      <key name="home" qpos=".1 .2"/>
                      <key name="go" time="3" qpos=".3 .4" qvel=".5 .6" act=".7" ctrl=".8 .9"/></keyframe>)"));
  const Model& model = loaded.model;
  ASSERT_EQ(model.spec().keyframes.size(), 2U);
  EXPECT_EQ(model.keyframe_state(model.keyframe("home")).q, (std::vector<double>{.1, .2}));
  const State go = model.keyframe_state(model.keyframe("go"));
  EXPECT_EQ(go, (State{.q = {.3, .4}, .v = {.5, .6}, .activation = {.7}, .time = 3}));
  const auto control = model.keyframe_control(model.keyframe("go"));
  EXPECT_EQ(std::vector<double>(control.begin(), control.end()), (std::vector<double>{.8, .9}));
}

TEST(Conversion, ActuatorRanges) {
  const TempFolder folder;
  const ModelSpec spec =
      load_text(folder, mjcf(R"(<body><joint name="j"/><geom size=".1"/></body>)", "",
                             R"(<actuator><general joint="j" dyntype="integrator" ctrllimited="true" ctrlrange="-1 2"
                                forcelimited="true" forcerange="-3 4" actlimited="true" actrange="-5 6"/></actuator>)"))
          .model.spec();
  const ActuatorSpec& actuator = spec.actuators.at(0);
  EXPECT_EQ(actuator.control_range->lower, -1);
  EXPECT_EQ(actuator.force_range->upper, 4);
  EXPECT_EQ(actuator.activation_range->lower, -5);
}

}  // namespace
}  // namespace uzawa::test
