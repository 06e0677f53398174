#include <cmath>

#include "agreement.hpp"
#include "elastic_verification.hpp"
#include "temp_folder.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/kinematics.hpp"

/// MJCF flexes: vertices, masses and pins are MuJoCo's, materials what the file says.
namespace uzawa::test {
namespace {

class FlexTest : public testing::Test {
 protected:
  void SetUp() override {
    if (is_legacy_mujoco()) GTEST_SKIP() << "flexes came later";
  }
  const std::filesystem::path& write(const std::string& xml) { return path_ = folder_.write("model.xml", xml); }
  LoadedModel load(const std::string& xml) { return load_model(write(xml)); }

  const TempFolder folder_;
  std::filesystem::path path_;
};

/// Where the nodes are at the configuration q.
std::vector<Vec3> node_positions(const Model& model, const SoftBodySpec& soft, std::span<const double> q) {
  DynamicsData data(model);
  forward_kinematics(model, q, data);
  std::vector<Vec3> positions;
  for (std::size_t i = 0; i < soft.bodies.size(); ++i) {
    positions.push_back(body_pose(model, data, soft.bodies[i]) * soft.offsets[i]);
  }
  return positions;
}

bool mentions(const std::vector<std::string>& notes, const std::string& phrase) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(phrase) != std::string::npos; });
}

/// A grid of 3 x 4 x 5 points below a turned and displaced body, one of its faces pinned.
const std::string kSolid =
    mjcf(R"(<geom type="plane" size="1 1 1"/><body name="mount" pos=".1 .2 .7" euler="0 0 1.5707963267948966">
    <flexcomp name="jelly" type="grid" dim="3" count="3 4 5" spacing=".1 .2 .3" pos="0 0 .5" radius=".004" mass="1.2"
      rgba=".1 .2 .3 .4" group="2">
      <elasticity young="2e4" poisson=".4" damping=".003"/>
      <edge damping=".7"/>
      <contact contype="3" conaffinity="5" condim="1" priority="2" friction=".4 .01 .02" margin=".003" gap=".001"
        selfcollide="none"/>
      <pin gridrange="0 0 0 2 3 0"/>
    </flexcomp></body>)");

TEST_F(FlexTest, SolidHasTheVerticesMassesAndPinsOfTheFile) {
  const LoadedModel loaded = load(kSolid);
  const ModelSpec& spec = loaded.model.spec();
  ASSERT_EQ(spec.soft_bodies.size(), 1U);
  const SoftBodySpec& soft = spec.soft_bodies[0];
  EXPECT_EQ(soft.name, "jelly");
  ASSERT_EQ(soft.bodies.size(), 60U);
  EXPECT_EQ(loaded.model.nv(), 3 * (60 - 12));
  const std::vector<Vec3> positions = node_positions(loaded.model, soft, spec.reference_q);
  for (int i = 0; i < 60; ++i) {
    const Vec3 local{0.1 * (i / 20 - 1), 0.2 * (i / 5 % 4 - 1.5), 0.3 * (i % 5 - 2) + 0.5};
    const Vec3 world{0.1 - local.y(), 0.2 + local.x(), 0.7 + local.z()};  // a quarter turn about z
    EXPECT_LT(norm(positions[at(i)] - world), 1e-12) << i;
    const BodySpec& body = spec.bodies[at(soft.bodies[at(i)])];
    const bool pinned = i % 5 == 0;
    EXPECT_EQ(body.name, pinned ? "mount" : "jelly_" + std::to_string(i));
    EXPECT_NEAR(body.mass, pinned ? 0 : 1.2 / 60, 1e-15);
  }
  expect_agreement(path_);
}

TEST_F(FlexTest, TetrahedraFillTheSolidAndAreOriented) {
  const LoadedModel loaded = load(kSolid);
  const SoftBodySpec& soft = loaded.model.spec().soft_bodies[0];
  const std::vector<Vec3> x = node_positions(loaded.model, soft, loaded.model.spec().reference_q);
  double volume = 0;
  for (const std::array<int, 4>& t : soft.tets) {
    const Vec3 a = x[at(t[0])];
    const double six = dot(cross(x[at(t[1])] - a, x[at(t[2])] - a), x[at(t[3])] - a);
    EXPECT_GT(six, 0);
    volume += six / 6;
  }
  EXPECT_NEAR(volume, 0.2 * 0.6 * 1.2, 1e-12);
  EXPECT_TRUE(soft.triangles.empty());
}

TEST_F(FlexTest, MaterialIsThatOfTheFile) {
  const SoftMaterial material = load(kSolid).model.spec().soft_bodies[0].material;
  EXPECT_EQ(material.young, 2e4);
  EXPECT_EQ(material.poisson, 0.4);
  EXPECT_EQ(material.damping, 0.003);
  EXPECT_EQ(material.edge_damping, 0.7);
  EXPECT_FALSE(material.averaged_dilatation);
}

TEST_F(FlexTest, SkinIsTheLastGeomWithTheContactsOfTheFlex) {
  const LoadedModel loaded = load(kSolid);
  ASSERT_EQ(loaded.model.spec().geoms.size(), 2U);
  EXPECT_EQ(loaded.model.spec().geoms[0].shape, ShapeType::Plane);
  const GeomSpec& skin = loaded.model.spec().geoms[1];
  EXPECT_EQ(skin.shape, ShapeType::Skin);
  EXPECT_EQ(skin.body, 0);
  EXPECT_EQ(skin.asset, 0);
  EXPECT_EQ(skin.size.x(), 0.004);
  EXPECT_EQ(skin.contact_type, 3);
  EXPECT_EQ(skin.contact_affinity, 5);
  EXPECT_EQ(skin.contact_dimension, 1);
  EXPECT_EQ(skin.priority, 2);
  EXPECT_EQ(skin.friction, (std::array<double, 3>{0.4, 0.01, 0.02}));
  EXPECT_EQ(skin.margin, 0.003);
  EXPECT_EQ(skin.gap, 0.001);
  EXPECT_EQ(skin.group, 2);
  EXPECT_EQ(skin.rgba, (std::array<float, 4>{0.1F, 0.2F, 0.3F, 0.4F}));
  EXPECT_FALSE(loaded.model.spec().soft_bodies[0].self_contact);
}

std::string cloth(const std::string& content, const std::string& attributes = "") {
  return mjcf(
      R"(<body name="hook" pos="0 0 1"><flexcomp name="cloth" type="grid" dim="2" count="4 3 1" spacing=".1 .1 .1"
      mass=".3" radius=".01" )" +
      attributes + '>' + content + "</flexcomp></body>");
}

TEST_F(FlexTest, ShellsStretchAndBendAsTheFileSays) {
  struct Case {
    const char* word;
    bool stretching, bending;
  };
  for (const Case& c :
       {Case{"none", false, false}, {"bend", false, true}, {"stretch", true, false}, {"both", true, true}}) {
    const LoadedModel loaded = load(
        cloth(R"(<elasticity young="3e5" poisson=".2" thickness=".002" elastic2d=")" + std::string(c.word) + R"("/>)"));
    const SoftBodySpec& soft = loaded.model.spec().soft_bodies[0];
    EXPECT_EQ(soft.material.stretching, c.stretching) << c.word;
    EXPECT_EQ(soft.material.bending, c.bending) << c.word;
    EXPECT_EQ(soft.material.thickness, 0.002);
    EXPECT_EQ(soft.material.young, 3e5);
    EXPECT_EQ(soft.triangles.size(), 12U);
    EXPECT_TRUE(soft.tets.empty());
    EXPECT_TRUE(soft.edges.empty());
    expect_agreement(path_);
  }
}

TEST_F(FlexTest, CordsHaveEdgesAsSprings) {
  const LoadedModel loaded = load(replaced(cloth(R"(<edge stiffness="40" damping=".2"/><pin id="0"/>)"),
                                           R"(dim="2" count="4 3 1")", R"(dim="1" count="6 1 1")"));
  const SoftBodySpec& soft = loaded.model.spec().soft_bodies[0];
  EXPECT_EQ(soft.edges.size(), 5U);
  EXPECT_EQ(soft.material.edge_stiffness, 40);
  EXPECT_EQ(soft.material.edge_damping, 0.2);
  EXPECT_EQ(soft.bodies[0], loaded.model.body("hook"));
  expect_agreement(path_);
}

TEST_F(FlexTest, TouchesItselfUnlessTheFileSaysNo) {
  const auto touches = [&](const std::string& contact) {
    return load(cloth(contact)).model.spec().soft_bodies[0].self_contact;
  };
  EXPECT_TRUE(touches(""));
  EXPECT_TRUE(touches(R"(<contact selfcollide="bvh"/>)"));
  EXPECT_FALSE(touches(R"(<contact selfcollide="none"/>)"));
  EXPECT_FALSE(touches(R"(<contact contype="1" conaffinity="2"/>)"));
}

/// Files within files: each flex keeps its own material.
TEST_F(FlexTest, MaterialsOfIncludedAndAttachedFlexes) {
  const auto part = [](const std::string& name, const std::string& count, const std::string& elasticity) {
    return mjcf("<body name=\"" + name + R"("><flexcomp name="soft" type="grid" dim="3" spacing=".1 .1 .1" mass="1"
        radius=".01" count=")" +
                count + R"("><elasticity )" + elasticity + "/></flexcomp></body>");
  };
  folder_.write("included.xml", part("a", "2 2 2", R"(young="1e3" poisson=".1")"));
  folder_.write("attached.xml", part("b", "2 2 3", R"(young="2e3" poisson=".2")"));
  const LoadedModel loaded =
      load(R"(<mujoco><include file="included.xml"/><asset><model name="other" file="attached.xml"/>
      </asset><worldbody><frame pos="0 0 1"><attach model="other" body="b" prefix="left_"/></frame>
      <frame pos="0 0 2"><attach model="other" body="b" prefix="right_"/></frame></worldbody></mujoco>)");
  const std::vector<SoftBodySpec>& soft = loaded.model.spec().soft_bodies;
  ASSERT_EQ(soft.size(), 3U);
  for (const SoftBodySpec& body : soft) {
    const bool included = body.name == "soft";
    EXPECT_EQ(body.bodies.size(), included ? 8U : 12U) << body.name;
    EXPECT_EQ(body.material.young, included ? 1e3 : 2e3) << body.name;
    EXPECT_EQ(body.material.poisson, included ? 0.1 : 0.2) << body.name;
  }
}

/// A cloth below a body that flies, turned by 0.9 rad about z at the reference and by 0.4 rad more in the keyframe.
const std::string kFlying =
    mjcf(R"(<body name="drone" pos="1 2 3" euler="0 0 .9"><freejoint/><geom size=".1" mass="2"/>
      <flexcomp name="net" type="grid" dim="2" count="2 2 1" spacing=".2 .2 .2" mass=".4" radius=".01" pos="0 0 -.5">
      <pin id="3"/></flexcomp><body name="arm" pos="0 0 .2"><joint name="hinge"/><geom size=".05"/></body></body>)",
         "", R"(<keyframe><key name="turned" qpos="4 5 6 0.79608379854905587 0 0 0.60518640573603955
      .01 .02 .03  0 0 0  0 0 .1  .3" qvel="1 2 3 0 0 2  .5 0 0  0 0 0  0 0 0  0"/></keyframe>)");

TEST_F(FlexTest, VerticesBelowAMovingBodyStandOnTheGround) {
  const LoadedModel loaded = load(kFlying);
  EXPECT_TRUE(mentions(loaded.warnings, "free vertices below a moving body")) << loaded.warnings.size();
  const ModelSpec& spec = loaded.model.spec();
  MujocoOracle oracle(path_);
  oracle.evaluate(loaded.model.reference_state(), {});
  DynamicsData data(loaded.model);
  forward_kinematics(loaded.model, spec.reference_q, data);
  ASSERT_EQ(static_cast<int>(spec.bodies.size()), oracle.bodies());
  for (int b = 0; b < oracle.bodies(); ++b) {
    const bool vertex = spec.bodies[at(b)].name.rfind("net_", 0) == 0;
    EXPECT_TRUE(!vertex || spec.bodies[at(b)].parent == 0);
    EXPECT_LT(norm(body_pose(loaded.model, data, b).position - oracle.body_pose(b).position), 1e-12) << b;
  }
  const SoftBodySpec& soft = spec.soft_bodies[0];
  EXPECT_EQ(soft.bodies[3], loaded.model.body("drone"));
  EXPECT_EQ(loaded.model.nv(), 6 + 9 + 1);
  EXPECT_THROW(cli::compare(loaded.model, oracle, 1, 1), InputError);  // their coordinates differ from MuJoCo's
}

TEST_F(FlexTest, KeyframesBelowAMovingBodyAreConverted) {
  const LoadedModel loaded = load(kFlying);
  const ModelSpec& spec = loaded.model.spec();
  const KeyframeSpec& key = spec.keyframes[0];
  const double angle = 1.3;  // 2 atan2(0.605..., 0.796...)
  const Vec3 centre{4, 5, 6};
  const auto turned = [&](const Vec3& x) {
    return Vec3{std::cos(angle) * x.x() - std::sin(angle) * x.y(), std::sin(angle) * x.x() + std::cos(angle) * x.y(),
                x.z()};
  };
  const std::vector<Vec3> positions = node_positions(loaded.model, spec.soft_bodies[0], key.q);
  const Vec3 corner[] = {{-0.1, -0.1, -0.5}, {-0.1, 0.1, -0.5}, {0.1, -0.1, -0.5}, {0.1, 0.1, -0.5}};
  const Vec3 moved[] = {{0.01, 0.02, 0.03}, {}, {0, 0, 0.1}, {}}, rate[] = {{0.5, 0, 0}, {}, {}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LT(norm(positions[i] - (centre + turned(corner[i] + moved[i]))), 1e-9) << i;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 arm = turned(corner[i] + moved[i]);
    const Vec3 velocity = Vec3{1, 2, 3} + cross(Vec3{0, 0, 2}, arm) + turned(rate[i]);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(key.v[6 + 3 * i + at(k)], velocity[k], 1e-9) << i;
  }
  EXPECT_EQ(key.q.back(), 0.3);  // the hinge after them
}

TEST_F(FlexTest, EdgeEqualitiesHoldEachLength) {
  const LoadedModel loaded = load(cloth(R"(<edge equality="true"/><pin id="0 1"/>)"));
  const ModelSpec& spec = loaded.model.spec();
  const std::size_t edges = 4 * 2 + 3 * 3 + 3 * 2;  // along x, along y, diagonals
  ASSERT_EQ(spec.equalities.size(), edges - 1);     // one is between two pins
  DynamicsData data(loaded.model);
  forward_kinematics(loaded.model, spec.reference_q, data);
  tendon_lengths(loaded.model, spec.reference_q, data);
  std::size_t diagonals = 0;
  for (const EqualitySpec& equality : spec.equalities) {
    EXPECT_EQ(equality.type, EqualityType::Tendon);
    EXPECT_TRUE(equality.active);
    EXPECT_EQ(equality.second, -1);
    const double length = data.tendon_length[at(equality.first)];
    const bool diagonal = length > 0.12;
    diagonals += diagonal ? 1 : 0;
    EXPECT_NEAR(length, diagonal ? std::sqrt(0.02) : 0.1, 1e-12);
  }
  EXPECT_EQ(diagonals, 6U);
  expect_agreement(path_);
}

TEST_F(FlexTest, EqualityElementsHoldEdgesToo) {
  const std::string equality =
      R"(<equality><joint joint1="a" joint2="b"/><flex flex="cloth" active="false"/></equality>)";
  const std::string arms =
      R"(<body><joint name="a"/><geom size=".1"/></body><body><joint name="b"/><geom size=".1"/></body>)";
  const LoadedModel loaded =
      load(replaced(replaced(cloth(""), "</mujoco>", equality + "</mujoco>"), "<worldbody>", "<worldbody>" + arms));
  const std::vector<EqualitySpec>& equalities = loaded.model.spec().equalities;
  ASSERT_EQ(equalities.size(), 1U + 23U);
  EXPECT_EQ(equalities[0].type, EqualityType::Joint);
  EXPECT_FALSE(equalities[1].active);
}

TEST_F(FlexTest, RigidFlexesAreCarried) {
  const LoadedModel loaded =
      load(mjcf(R"(<body name="ball"><freejoint/><geom size=".1"/><flexcomp name="shell" type="box"
      dim="3" count="2 2 2" spacing=".2 .2 .2" radius=".01" rigid="true"/></body>)"));
  const SoftBodySpec& soft = loaded.model.spec().soft_bodies[0];
  for (const int body : soft.bodies) EXPECT_EQ(body, loaded.model.body("ball"));
  EXPECT_FALSE(soft.tets.empty());
  EXPECT_FALSE(soft.self_contact);
  EXPECT_EQ(loaded.model.nv(), 6);
  expect_agreement(path_);
}

/// A band between two links: its vertices have places in the frames of any bodies.
TEST_F(FlexTest, VerticesOnLinksAreCarried) {
  const LoadedModel loaded = load(mjcf(
      R"(<body name="upper"><joint name="a" axis="0 1 0"/><geom size=".1"/><body name="lower" pos="1 0 0"><joint name="b"/>
      <geom size=".1"/></body></body>)",
      "",
      R"(<deformable><flex name="band" dim="1" body="upper lower world" vertex="0 0 .1  0 0 .2  0 2 0" element="0 1 1 2">
      <edge stiffness="10"/></flex></deformable>)"));
  const SoftBodySpec& soft = loaded.model.spec().soft_bodies[0];
  EXPECT_EQ(soft.bodies, (std::vector<int>{1, 2, 0}));
  const std::vector<Vec3> positions = node_positions(loaded.model, soft, loaded.model.spec().reference_q);
  EXPECT_LT(norm(positions[1] - Vec3{1, 0, 0.2}), 1e-15);
  EXPECT_LT(norm(positions[2] - Vec3{0, 2, 0}), 1e-15);
  EXPECT_TRUE(loaded.warnings.empty());
  expect_agreement(path_);
}

TEST_F(FlexTest, PiecesAreThoseOfTheFile) {
  const auto with = [](const std::string& numeric) {
    return replaced(kSolid, "<worldbody>", "<custom>" + numeric + "</custom><worldbody>");
  };
  EXPECT_EQ(load(with(R"(<numeric name="uzawa.pieces:jelly" data="3"/>)")).model.spec().soft_bodies[0].pieces.count, 3);
  std::string each = "0";
  for (int v = 1; v < 60; ++v) each += v < 30 ? " 0" : " 1";
  const Model cut = load(with("<numeric name=\"uzawa.pieces:jelly\" data=\"" + each + "\"/>")).model;
  ASSERT_EQ(cut.spec().soft_bodies[0].pieces.of.size(), 60U);
  EXPECT_EQ(cut.spec().soft_bodies[0].pieces.of.back(), 1);
  for (const char* wrong :
       {R"(<numeric name="uzawa.pieces:nobody" data="3"/>)", R"(<numeric name="uzawa.pieces" data="3"/>)",
        R"(<numeric name="uzawa.pieces:jelly" data="1.5"/>)", R"(<numeric name="uzawa.pieces:jelly" data="0 1"/>)"}) {
    try {
      load(with(wrong));
      FAIL() << wrong;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("numeric 'uzawa.pieces"), std::string::npos) << error.what();
    }
  }
}

TEST_F(FlexTest, SolidsWithoutElasticityAreSurfaces) {
  const LoadedModel loaded = load(replaced(kSolid, R"(young="2e4" poisson=".4" damping=".003")", R"(poisson=".4")"));
  const SoftBodySpec& soft = loaded.model.spec().soft_bodies[0];
  EXPECT_TRUE(soft.tets.empty());
  EXPECT_EQ(soft.triangles.size(), 2U * 2 * (2 * 3 + 3 * 4 + 2 * 4));
  EXPECT_FALSE(soft.material.stretching || soft.material.bending);
  EXPECT_TRUE(mentions(loaded.warnings, "without elasticity"));
  EXPECT_TRUE(load(replaced(kSolid, "<worldbody>", R"(<option><flag spring="disable"/></option><worldbody>)"))
                  .model.spec()
                  .soft_bodies[0]
                  .tets.empty());
}

/// What only MuJoCo's own stepping refuses, and what its older releases knew.
TEST_F(FlexTest, FilesForOtherReleasesLoad) {
  const std::string elastic = R"(<elasticity young="1e4" thickness=".01" elastic2d="both"/>)";
  EXPECT_NO_THROW(load(replaced(cloth(elastic), "<worldbody>", R"(<option integrator="implicitfast"/><worldbody>)")));
  EXPECT_TRUE(mentions(load(cloth(elastic + R"(<contact passive="true"/>)")).warnings, "passive contacts"));
  EXPECT_FALSE(mentions(load(cloth(R"(<contact internal="false"/>)")).warnings, "internal collisions"));
  EXPECT_TRUE(mentions(load(cloth(R"(<contact internal="true"/>)")).warnings, "internal collisions"));
  folder_.write("parts/old.xml", cloth(R"(<contact internal="true"/>)"));
  EXPECT_NO_THROW(load(R"(<mujoco><include file="parts/old.xml"/></mujoco>)"));
}

TEST_F(FlexTest, ElasticForcesOfMujocoCanBeAskedFor) {
  const LoadedModel loaded = load(kSolid);
  State state = loaded.model.reference_state();
  state.q[0] = 1e-4;
  for (const Elasticity elasticity : {Elasticity::Off, Elasticity::On}) {
    MujocoOracle oracle(path_, {}, elasticity);
    oracle.evaluate(state, {});
    double largest = 0;
    for (const double force : oracle.passive_force()) largest = std::max(largest, std::abs(force));
    EXPECT_EQ(largest > 1e-3, elasticity == Elasticity::On) << largest;
  }
}

/// Laws that differ by terms of second order in the strain, 1e-4: solids, membranes, edges.
TEST_F(FlexTest, ElasticForcesAreMujocosAtSmallStrain) {
  const std::string membrane =
      cloth(R"(<elasticity young="3e5" poisson=".2" thickness=".002" elastic2d="stretch"/><pin id="0 1"/>)");
  const std::string springs =
      replaced(cloth(R"(<edge stiffness="40"/><pin id="0"/>)"), R"(dim="2" count="4 3 1")", R"(dim="1" count="6 1 1")");
  for (const std::string& xml : {kSolid, membrane, springs}) {
    const LoadedModel loaded = load(xml);
    const cli::FlexDifferences found = cli::compare_flexes(loaded.model, path_, {}, 3, 1);
    EXPECT_LE(found.vertices, kAgreement) << xml;
    EXPECT_LE(found.force, 1e-3) << xml;
    // A material that is one percent stiffer is seen.
    ModelSpec spec = loaded.model.spec();
    spec.soft_bodies[0].material.young *= 1.01;
    spec.soft_bodies[0].material.edge_stiffness *= 1.01;
    EXPECT_NEAR(cli::compare_flexes(Model(spec), path_, {}, 3, 1).force, 0.01, 1e-3) << xml;
  }
}

}  // namespace
}  // namespace uzawa::test
