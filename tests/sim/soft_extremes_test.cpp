/// What nobody should do to a soft body or a rod: it does not explode, and the status says what happened.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/soft_scenes.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/scenarios/catalog.hpp"

namespace uzawa {
namespace {

bool is_finite(const State& state) {
  const auto finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  return finite(state.q) && finite(state.v);
}

class CrushTest : public testing::TestWithParam<SolidLaw> {};

/// Two plates crush a ball to 15 % of its height within 0.24 s, hold it and let go.
TEST_P(CrushTest, ABallIsCrushedFlatAndRecovers) {
  constexpr double kRadius = 0.04, kStroke = 0.85 * kRadius;
  ModelSpec spec = test::empty_space(2e-3);
  SoftBodyOptions options = test::jelly("ball", {}, 2e-3);
  options.material.law = GetParam();
  add_soft_body(spec, ball_mesh(kRadius, 3), options);
  const Vec3 half{0.2, 0.2, 0.01};
  test::PlateOptions plate{.half = half, .position = {0, 0, kRadius + half.z()}, .mu = 0.5};
  test::add_plate(spec, "top", plate);
  plate.position = {0, 0, -kRadius - half.z()};
  test::add_plate(spec, "bottom", plate);
  World world{Model(spec)};
  int solved = 0;
  double deepest = 0, fastest = 0, flattest = 1;
  constexpr int kSteps = 300;
  for (int i = 0; i < kSteps; ++i) {
    const double stroke = kStroke * std::clamp(i < kSteps / 2 ? i / 120.0 : (kSteps - 30 - i) / 120.0, -0.1, 1.0);
    const StepReport& report = world.step(std::vector<double>{-stroke, stroke});
    ASSERT_TRUE(is_finite(world.state())) << i;
    ASSERT_NE(report.status, StepStatus::Failed) << i;
    if (is_solved(report.status)) {
      ++solved;
    } else {
      EXPECT_GT(report.residual, world.settings().solve.tolerance);
    }
    deepest = std::max(deepest, report.penetration);
    fastest = std::max(fastest, test::largest_speed(world));
    const double height = 2 * kRadius + world.state().q[at(world.model().nq()) - 2] - world.state().q.back();
    flattest = std::min(flattest, height / (2 * kRadius));
  }
  EXPECT_LT(flattest, 0.2);
  EXPECT_LT(fastest, 20);  // the plates move at 0.14 m/s; a crushed ball of 0.1 MPa springs back at some 10 m/s
  EXPECT_GT(solved, kSteps * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Laws, CrushTest, testing::Values(SolidLaw::Corotational, SolidLaw::NeoHookean),
                         [](const auto& law) {
                           return law.param == SolidLaw::Corotational ? "Corotational" : "NeoHookean";
                         });

/// One end is held, the other is turned a hundred times by a strong motor, in 5 s.
TEST(SoftExtremesTest, ARodIsTwistedAHundredTimes) {
  constexpr int kLinks = 20, kTurns = 100;
  ModelSpec spec = test::empty_space(5e-3);
  spec.options.gravity = {0.981, 0, 0};  // so that it does not stay straight
  BodySpec wheel{.name = "wheel", .position = {0, 0, 0.45}, .mass = 1};
  wheel.principal_inertia = {1e-2, 1e-2, 1e-2};
  spec.bodies.push_back(wheel);
  spec.joints.push_back(JointSpec{.name = "wheel", .type = JointType::Hinge, .body = 1, .axis = {0, 0, 1}});
  spec.reference_q = {0};
  ActuatorSpec servo;
  servo.name = "wheel";
  servo.gain = {1e3, 0, 0};
  servo.bias = {0, -1e3, -10};
  spec.actuators.push_back(servo);
  RodOptions options;
  options.damping = 0.01;
  const int rod = add_rod(spec, test::line({0, 0, 0}, {0, 0, 0.4}, kLinks), options);
  tie_rod_end(spec, rod, RodEnd::First, 0);
  tie_rod_end(spec, rod, RodEnd::Last, 1);
  World world{Model(spec)};
  int solved = 0;
  double fastest = 0, farthest = 0, turn = 0;
  constexpr int kSteps = 1000;
  for (int i = 0; i < kSteps; ++i) {
    const StepReport& report = world.step(std::vector<double>{2 * M_PI * kTurns * i / kSteps});
    ASSERT_TRUE(is_finite(world.state())) << i;
    ASSERT_NE(report.status, StepStatus::Failed) << i;
    solved += is_solved(report.status) ? 1 : 0;
    turn = std::max(turn, largest_rod_turn(world.data()));
    const bool first_turns = i < kSteps / 50;  // two
    EXPECT_LT(largest_rod_turn(world.data()), first_turns ? 2 * M_PI * 2 / (kLinks - 1) : 3.15) << i;
    for (int k = 0; k < kLinks; ++k) {
      fastest = std::max(fastest, norm(test::link_velocity(world, k)));
      farthest = std::max(farthest, norm(test::link_position(world, k) - Vec3{0, 0, 0.2}));
    }
  }
  EXPECT_GT(turn, M_PI / 2);  // five turns a joint: what happened is in the report
  EXPECT_GT(solved, kSteps * 9 / 10);
  EXPECT_LT(farthest, 0.45);
  EXPECT_LT(fastest, 100);
  EXPECT_NEAR(world.state().q[0] / (2 * M_PI), kTurns, 2);
}

/// A stack that buckles: jellies slide over the edges of plates, fall on them and on each other.
TEST(SoftExtremesTest, ASlenderStackFallsWithoutGain) {
  const scenarios::Description stack = scenarios::jelly_stack();
  scenarios::Parameters parameters(stack.parameters);
  for (const char* given : {"cells=1", "plates=3", "young=2e4", "mu=0.01"}) parameters.set(given);
  scenarios::SceneRun run(stack, parameters, 1);
  const double start = test::total_energy(run.world());
  for (int i = 0; i < 700; ++i) {
    const StepReport& report = run.step();
    ASSERT_EQ(report.status, StepStatus::Solved) << i;
    ASSERT_LT(report.penetration, 3e-3) << i;  // m; a cell has 60 mm
    ASSERT_LT(report.energy.gain, 1e-3) << i;
    ASSERT_LT(report.energy.projected, 5e-3) << i;
  }
  EXPECT_LT(test::total_energy(run.world()), 0.7 * start);
}

/// A bar falls across a drum and slides off it: faces move over it by some millimetres a step, and what the contacts of
/// the step's start cannot know is found at its end.
TEST(SoftExtremesTest, ABarThatSlidesOffADrumDoesNotSinkIntoIt) {
  ModelSpec spec = test::empty_space(2e-3);
  spec.options.gravity = {0, 0, -9.81};
  SoftBodyOptions options = test::jelly("bar", {0.06, 0, 0.2}, 2e-3);
  options.material.young = 2e4;
  add_soft_body(spec, box_mesh({0.4, 0.08, 0.04}, {10, 2, 1}), options);
  GeomSpec drum{.name = "drum", .shape = ShapeType::Cylinder};
  drum.size = {0.1, 0.2, 0};
  drum.orientation = exp_rotation({M_PI / 2, 0, 0});
  drum.friction = test::kSmooth;
  spec.geoms.push_back(drum);
  World world{Model(spec)};
  double projected = 0;
  for (int i = 0; i < 250; ++i) {
    const StepReport& report = world.step();
    ASSERT_EQ(report.status, StepStatus::Solved) << i;
    EXPECT_LT(report.penetration, 7e-5) << i;  // m; 9e-5 without the second look, of faces that are 40 mm long
    projected += report.energy.projected;
  }
  EXPECT_LT(projected, 0.02);                          // J; 0.2 without
  EXPECT_LT(test::node_position(world, 0).z(), -0.2);  // it has slid off and falls
}

/// A thread of 20 um radius, whose links are 500 times as long as thick, swings down from one end.
TEST(SoftExtremesTest, AThreadSwingsDown) {
  constexpr double kLength = 0.5;
  for (const double young : {1e6, 1e9}) {
    ModelSpec spec = test::empty_space(2e-3);
    spec.options.gravity = {0, 0, -9.81};
    RodOptions options;
    options.radius = 20e-6;
    options.young = young;
    const int rod = add_rod(spec, test::line({0, 0, 1}, {kLength, 0, 1}, 50), options);
    tie_rod_end(spec, rod, RodEnd::First, 0, EqualityType::Connect);
    World world{Model(spec)};
    for (int i = 0; i < 100; ++i) {
      const StepReport& report = world.step();
      ASSERT_EQ(report.status, StepStatus::Solved) << young << ' ' << i;
      ASSERT_LT(report.energy.gain, 1e-10) << young << ' ' << i;
    }
    // 0.2 s: the free end is still falling like a stone, and an inextensible thread keeps its length.
    EXPECT_NEAR(test::link_position(world, 49).z(), 1 - 0.5 * 9.81 * 0.04, 0.02) << young;
    double length = 0;
    for (int k = 1; k < 50; ++k) length += norm(test::link_position(world, k) - test::link_position(world, k - 1));
    if (young > 1e6) {
      EXPECT_NEAR(length, kLength * 49 / 50, 1e-3) << young;
    }
  }
}

/// A rope of stiff links slides over a drum at theta = 1/2, which damps no vibration: contacts must not make energy of
/// those that are too fast for the step.
TEST(MidpointTest, RopeOverADrumGainsNothing) {
  const scenarios::Description capstan = scenarios::capstan();
  const scenarios::Parameters parameters(capstan.parameters);
  SimSettings settings = scenarios::SceneRun::settings(capstan, parameters);
  settings.theta = 0.5;
  scenarios::SceneRun run(capstan, parameters, 1, settings);
  const double start = test::total_energy(run.world());
  for (int i = 0; i < 200; ++i) {
    const StepReport& report = run.step();
    ASSERT_EQ(report.status, StepStatus::Solved) << i;
    ASSERT_LT(report.energy.gain, 1e-2) << i;  // J; the weights fall by some joules
    ASSERT_LT(test::total_energy(run.world()), start + 1e-2) << i;
  }
}

/// A cube that turns further in a step than forces at its middle can be followed: it slows down.
TEST(MidpointTest, ACubeThatSpinsTooFastGainsNothing) {
  constexpr double kStep = 2e-3;
  for (const double turn : {0.3, 0.6, 1.2}) {  // rad a step
    ModelSpec spec = test::empty_space(kStep);
    add_soft_body(spec, box_mesh({0.1, 0.1, 0.1}, {2, 2, 2}), test::jelly("cube", {}));
    World world(Model(spec), {.theta = 0.5});
    State state = world.state();
    const DynamicsData data = test::data_of(world);
    for (std::size_t i = 0; i < data.link_com.size(); ++i) {
      cross(Vec3{0, 0, turn / kStep}, data.link_com[i]).store(&state.v[3 * i]);
    }
    world.set_state(state);
    const double start = test::total_energy(world);
    for (int i = 0; i < 200; ++i) {
      world.step();
      ASSERT_TRUE(is_finite(world.state())) << turn << ' ' << i;
      ASSERT_LT(test::total_energy(world), 1.2 * start) << turn << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace uzawa
