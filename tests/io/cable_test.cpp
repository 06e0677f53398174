#include <cmath>
#include <random>

#include "agreement.hpp"
#include "temp_folder.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"

/// MuJoCo's cables, against the law of its plugin.
namespace uzawa::test {
namespace {

constexpr double kTwist = 2e6, kBend = 5e6;  // Pa
/// Relative: MuJoCo keeps the vertices of composites, up to 1 m away, in single precision; the links are 0.1 m long.
constexpr double kSinglePrecision = 2 * 1.2e-7 / 0.1;

std::string cable(const std::string& attributes, const std::string& geom = R"(type="capsule" size=".01")",
                  const std::string& flat = "false", const std::string& joint = "") {
  return mjcf(R"(<composite type="cable" )" + attributes + R"( offset="0 0 1"><plugin plugin="mujoco.elasticity.cable">
      <config key="twist" value="2e6"/><config key="bend" value="5e6"/><config key="flat" value=")" +
                  flat + R"("/></plugin><joint kind="main" damping=".02" )" + joint + "/><geom " + geom +
                  "/></composite>",
              R"(<extension><plugin plugin="mujoco.elasticity.cable"/></extension>)");
}
const std::string kStraight = R"(curve="s" count="11 1 1" size="1" initial="none")";
const std::string kArc = R"(curve="cos(s) sin(s) 0" count="11 1 1" size="1 .5 1" initial="none")";

class CableTest : public testing::Test {
 protected:
  void SetUp() override {
    if (is_legacy_mujoco()) GTEST_SKIP() << "plugins came later";
  }
  const TempFolder folder_;
};

/// Force of the springs alone.
std::vector<double> spring_force(const Model& model, const std::vector<double>& q) {
  DynamicsData data(model);
  const std::vector<double> v(at(model.nv()), 0.0);
  std::vector<double> tau(at(model.nv()));
  forward_kinematics(model, q, data);
  link_velocities(model, v, data);
  tendon_lengths(model, q, data);
  passive_force(model, q, v, data, tau);
  return tau;
}

/// The plugin's law: with R the orientation of a link in the link before, w its rotation vector and w_0 that at rest,
/// the moment on the link is -R^T K (w - w_0) / l in its frame. In coordinates of the ball joint that is the force
/// itself.
Vec3 plugin_moment(const Model& model, int joint, const std::vector<double>& q, bool flat) {
  const BodySpec& body = model.spec().bodies[at(model.spec().joints[at(joint)].body)];
  const Quat rest = normalized(body.orientation);
  const Quat now = rest * normalized(Quat::from(&q[at(model.joint_q(joint))]));
  const Vec3 bent = log_rotation(now) - (flat ? Vec3{} : log_rotation(rest));
  Vec3 moment;
  for (int k = 0; k < 3; ++k) moment.set(k, -model.spec().joints[at(joint)].ball_stiffness[k] * bent[k]);
  return rotate(conjugate(now), moment);
}

/// Largest difference from the plugin's law over the largest force, at poses within `spread` of the reference.
double worst_difference(const Model& model, double spread, bool flat) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-spread, spread);
  double worst = 0, largest = 0;
  for (int sample = 0; sample < 10; ++sample) {
    std::vector<double> q = model.spec().reference_q;
    for (int j = 0; j < static_cast<int>(model.spec().joints.size()); ++j) {
      const double x = uniform(random), y = uniform(random), z = uniform(random);
      exp_rotation({x, y, z}).store(&q[at(model.joint_q(j))]);
    }
    const std::vector<double> tau = spring_force(model, q);
    for (int j = 0; j < static_cast<int>(model.spec().joints.size()); ++j) {
      const Vec3 theirs = plugin_moment(model, j, q, flat), ours = Vec3::from(&tau[at(model.joint_v(j))]);
      worst = std::max(worst, norm(ours - theirs));
      largest = std::max(largest, norm(theirs));
    }
  }
  return worst / largest;
}

TEST_F(CableTest, StiffnessIsThatOfTheCrossSection) {
  const double length = 0.1, r4 = 1e-8;
  const LoadedModel loaded = load_model(folder_.write("model.xml", cable(kStraight)));
  ASSERT_EQ(loaded.model.spec().joints.size(), 9U);  // ten links, the first is fixed
  for (const JointSpec& joint : loaded.model.spec().joints) {
    EXPECT_EQ(joint.type, JointType::Ball);
    EXPECT_NEAR(joint.ball_stiffness.x() / (kTwist * M_PI * r4 / 2 / length), 1, kSinglePrecision);
    EXPECT_NEAR(joint.ball_stiffness.y() / (kBend * M_PI * r4 / 4 / length), 1, kSinglePrecision);
    EXPECT_NEAR(joint.ball_stiffness.z() / (kBend * M_PI * r4 / 4 / length), 1, kSinglePrecision);
  }
}

TEST_F(CableTest, BoxesBendAboutTheirTwoAxes) {
  const LoadedModel loaded =
      load_model(folder_.write("model.xml", cable(kStraight, R"(type="box" size="1 .02 .004")")));
  const double length = 0.1, width = 0.04, height = 0.008;
  for (const JointSpec& joint : loaded.model.spec().joints) {
    const double about_width = kBend * width * std::pow(height, 3) / 12 / length;
    const double about_height = kBend * height * std::pow(width, 3) / 12 / length;
    EXPECT_NEAR(joint.ball_stiffness.y() / about_width, 1, kSinglePrecision);
    EXPECT_NEAR(joint.ball_stiffness.z() / about_height, 1, kSinglePrecision);
    // Saint-Venant's series for a strip of ratio 5: J = 0.2913 a b^3.
    EXPECT_NEAR(joint.ball_stiffness.x() / (kTwist * width * height * height * height / length), 0.2913, 2e-4);
  }
}

TEST_F(CableTest, ForcesAreThoseOfThePlugin) {
  const Model straight = load_model(folder_.write("straight.xml", cable(kStraight))).model;
  EXPECT_LT(worst_difference(straight, 1e-3, false), 1e-3);
  const Model flat =
      load_model(folder_.write("flat.xml", cable(kStraight, R"(type="capsule" size=".01")", "true"))).model;
  EXPECT_LT(worst_difference(flat, 1e-3, true), 1e-3);
}

/// Twist and bending have one stiffness here: then the two laws agree at any pose.
TEST_F(CableTest, IsotropicSectionsAgreeAtAnyPose) {
  const std::string xml = replaced(cable(kStraight), R"(key="twist" value="2e6")", R"(key="twist" value="2.5e6")");
  EXPECT_LT(worst_difference(load_model(folder_.write("model.xml", xml)).model, 1, false), 1e-12);
}

/// An arc of a half circle: in the plane of the arc the law is exact; drawn flat it pulls straight, by E I times the
/// curvature.
TEST_F(CableTest, RestsAsDrawnOrFlat) {
  const Model drawn = load_model(folder_.write("drawn.xml", cable(kArc))).model;
  for (const double force : spring_force(drawn, drawn.spec().reference_q)) EXPECT_EQ(force, 0);
  const std::string capsule = R"(type="capsule" size=".01")";
  const Model flat = load_model(folder_.write("flat.xml", cable(kArc, capsule, "true"))).model;
  const std::vector<double> tau = spring_force(flat, flat.spec().reference_q);
  const double bend = M_PI / 10, length = 2 * 0.5 * std::sin(bend / 2), stiffness = kBend * M_PI * 1e-8 / 4;
  for (int j = 0; j < static_cast<int>(flat.spec().joints.size()); ++j) {
    const Vec3 moment = Vec3::from(&tau[at(flat.joint_v(j))]);
    EXPECT_NEAR(norm(moment) / (stiffness * bend / length), 1, kSinglePrecision);
    EXPECT_LT(norm(moment - plugin_moment(flat, j, flat.spec().reference_q, true)), 1e-9);
  }
}

/// Droop over reach of a cantilever under its own weight, with rho g A L^3 / (E I) = 10: 1.0668 by the elastica. A
/// chain is clamped in the middle of its first link, and then of second order in the length of the links.
TEST_F(CableTest, HeavyCantileverDroopsAsTheElastica) {
  for (const auto& [links, tolerance] : {std::pair{10, 0.01}, {20, 0.0025}}) {
    const double length = 1 / (links + 0.5), radius = 0.01;
    const double young = 1 / (M_PI * std::pow(radius, 4) / 4), density = 10 / (9.81 * M_PI * radius * radius);
    const auto text = [](double x) { return std::to_string(x); };
    std::string xml = cable(R"(curve="s" count=")" + std::to_string(links + 2) + R"( 1 1" size=")" +
                                text(length * (links + 1)) + R"(" initial="none")",
                            R"(type="cylinder" size=".01" density=")" + text(density) + '"');
    xml = replaced(replaced(xml, R"("2e6")", '"' + text(young) + '"'), R"("5e6")", '"' + text(young) + '"');
    const Model model =
        load_model(folder_.write("model.xml", replaced(xml, R"(damping=".02")", R"(damping="1")"))).model;
    State state = model.reference_state();
    DynamicsData data(model);
    IntegratorWorkspace workspace(model);
    for (int i = 0; i < 3000; ++i) {  // a minute, to rest
      ASSERT_TRUE(theta_step(model, {}, {}, {.h = 0.02, .theta = 0}, data, workspace, state));
    }
    forward_kinematics(model, state.q, data);
    const Vec3 tip = body_pose(model, data, links + 1) * Vec3{length, 0, 0};
    EXPECT_NEAR((1 - tip.z()) / (tip.x() - length / 2) / 1.0668, 1, tolerance) << links;
  }
}

TEST_F(CableTest, FirstJointHasNoSpring) {
  for (const auto& [initial, type] : {std::pair{"free", JointType::Free}, {"ball", JointType::Ball}}) {
    const auto path = folder_.write("model.xml", cable(replaced(kStraight, "none", initial)));
    const LoadedModel loaded = load_model(path);
    ASSERT_EQ(loaded.model.spec().joints.size(), 10U);
    EXPECT_EQ(loaded.model.spec().joints[0].type, type);
    EXPECT_EQ(norm(loaded.model.spec().joints[0].ball_stiffness), 0);
    EXPECT_GT(norm(loaded.model.spec().joints[1].ball_stiffness), 0);
    expect_agreement(path);
  }
}

TEST_F(CableTest, WorksOnBodiesWrittenByHand) {
  const std::string plugin = R"(<plugin instance="rubber"/>)";
  const std::string link = R"(<geom type="cylinder" fromto="0 0 0 .2 0 0" size=".02"/>)";
  const std::string model = mjcf(
      R"(<body name="a">)" + link + plugin + R"(<body name="b" pos=".2 0 0"><joint type="ball" name="j"/>)" + link +
          plugin + "</body></body>",
      R"(<extension><plugin plugin="mujoco.elasticity.cable"><instance name="rubber"><config key="twist" value="1e6"/>
         <config key="bend" value="2e6"/></instance></plugin></extension>)");
  const LoadedModel loaded = load_model(folder_.write("model.xml", model));
  EXPECT_NEAR(loaded.model.spec().joints[0].ball_stiffness.x(), 1e6 * M_PI * 1.6e-7 / 2 / 0.2, 1e-9);
  const std::string hinged = replaced(model, R"(type="ball")", R"(type="hinge")");
  const Inspection refused = inspect_model(folder_.write("hinged.xml", hinged));
  ASSERT_EQ(refused.unsupported.size(), 1U);
  EXPECT_EQ(refused.unsupported[0], "cables that are no chains of ball joints (a)");
}

TEST_F(CableTest, FlatWithJointSpringsIsRefused) {
  const std::string capsule = R"(type="capsule" size=".01")";
  const Inspection found = inspect_model(folder_.write("model.xml", cable(kArc, capsule, "true", R"(stiffness="1")")));
  ASSERT_EQ(found.unsupported.size(), 1U);
  EXPECT_EQ(found.unsupported[0], "flat cables with joint springs (B_first)");
}

}  // namespace
}  // namespace uzawa::test
