/// Steps whose smooth part is RK4's.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "sim/scenes.hpp"
#include "support/simple_models.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/model/rod_builder.hpp"

namespace uzawa {
namespace {

using test::kGravity;

SimSettings rk4(double dt = 0.001, const char* solver = "auto") {
  return {.dt = dt, .smooth = SmoothRule::Rk4, .solver = solver};
}

/// Two rods that swing freely from the horizontal.
ModelSpec double_pendulum() {
  ModelSpec spec;
  test::add_triple_pendulum(spec, {});
  spec.bodies.pop_back();
  spec.joints.pop_back();
  return spec;
}

void let_go(World& world) {
  State state = world.state();
  state.q = {1.5, 0.5};
  world.set_state(state);
}

std::vector<double> after(double seconds, int steps) {
  World world(Model(double_pendulum()), rk4(seconds / steps));
  let_go(world);
  test::run(world, steps);
  std::vector<double> out = world.state().q;
  out.insert(out.end(), world.state().v.begin(), world.state().v.end());
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

TEST(SmoothTest, DoublePendulumIsOfFourthOrder) {
  const std::vector<double> exact = after(0.5, 6400);
  double before = 0;
  for (const int steps : {100, 200, 400}) {
    const double error = distance(after(0.5, steps), exact);
    if (before > 0) {
      EXPECT_GT(std::log2(before / error), 3.7) << steps;
      EXPECT_LT(std::log2(before / error), 4.5) << steps;
    }
    before = error;
  }
  EXPECT_LT(before, 1e-6);
}

/// An oracle that knows no integrator.
TEST(SmoothTest, DoublePendulumKeepsItsEnergy) {
  World world(Model(double_pendulum()), rk4());
  let_go(world);
  const double start = test::energy(world);
  test::run(world, 5000);
  EXPECT_NEAR(test::energy(world), start, 1e-7);
  EXPECT_LT(world.report().energy.gain, 1e-7);
}

TEST(SmoothTest, TumblingBodyWithAnOffsetFrameFalls) {
  ModelSpec spec = test::free_body();
  spec.bodies.back().com = {0.3, -0.2, 0.1};
  World world(Model(std::move(spec)), rk4());
  State state = world.state();
  state.v = {1, 0, 2, 3, -2, 4};
  world.set_state(state);
  const auto centre = [&] {
    return Vec3::from(world.state().q.data()) +
           rotate(normalized(Quat::from(&world.state().q[3])), Vec3{0.3, -0.2, 0.1});
  };
  const Vec3 start = centre();
  const Vec3 v = Vec3{1, 0, 2} + cross(Vec3{3, -2, 4}, Vec3{0.3, -0.2, 0.1});
  test::run(world, 1000);
  EXPECT_LT(norm(centre() - (start + v + Vec3{0, 0, -kGravity / 2})), 1e-9);
}

TEST(SmoothTest, BoxRestsOnTheFloor) {
  for (const char* solver : {"auto", "lcp"}) {
    ModelSpec spec = test::ground(0.5, 0);
    test::add_box(spec, {.half = {0.1, 0.1, 0.05}, .position = {0, 0, 0.05}});
    const double mass = spec.bodies.back().mass;
    World world(Model(std::move(spec)), rk4(0.001, solver));
    for (int i = 0; i < 500; ++i) world.step();
    EXPECT_NEAR(world.state().q[2], 0.05, 1e-8) << solver;
    for (const double v : world.state().v) EXPECT_NEAR(v, 0, 1e-7) << solver;
    double force = 0;
    for (const int row : world.problem().contacts.row)
      force += world.result().lambda[static_cast<std::size_t>(row) + 2];
    EXPECT_NEAR(force, mass * kGravity * world.dt(), 1e-6 * mass) << solver;
  }
}

/// x = v^2 / (2 mu g): a constant force is integrated exactly, but for the step in which the box stops.
TEST(SmoothTest, SlidingDistance) {
  const double mu = 0.4, v = 1.5;
  ModelSpec spec = test::ground(mu, 0);
  test::add_box(spec, {.half = {0.1, 0.1, 0.02}, .position = {0, 0, 0.02}});
  World world(Model(std::move(spec)), rk4());
  State state = world.state();
  state.v[0] = v;
  world.set_state(state);
  test::run(world, 600);
  EXPECT_NEAR(world.state().q[0], v * v / (2 * mu * kGravity), 5e-6);
  EXPECT_NEAR(world.state().v[0], 0, 1e-7);
}

/// Impacts come early enough in the step to stop the ball where it touches, at any step.
TEST(SmoothTest, ImpactDoesNotPenetrate) {
  for (const double dt : {0.0005, 0.001, 0.004, 0.01}) {
    ModelSpec spec = test::ground(0.5, 0);
    test::add_ball(spec, "ball", 0.1, 2, {0, 0, 0.6});
    World world(Model(std::move(spec)), rk4(dt));
    State state = world.state();
    state.v[0] = 1;
    world.set_state(state);
    double lowest = 1, most = test::energy(world);
    for (int i = 0; i * dt < 0.6; ++i) {
      test::run(world, 1);
      lowest = std::min(lowest, world.state().q[2]);
      EXPECT_LT(test::energy(world), most * (1 + 1e-9) + 1e-9) << dt;
      most = std::min(most, test::energy(world));
    }
    EXPECT_GT(lowest, 0.1 - 2e-6) << dt;
    EXPECT_NEAR(world.state().q[2], 0.1, 1e-5) << dt;
  }
}

/// By how much a rod that hangs from an equality and swings for a second gains energy, J; the loop must stay closed.
double gain_of_swing(double dt) {
  ModelSpec spec;
  test::add_box(spec, {.half = {0.02, 0.02, 0.25}, .position = {0, 0, -0.25}});
  spec.geoms.clear();
  spec.equalities.push_back(
      {.name = "hook", .type = EqualityType::Connect, .first = 1, .second = 0, .first_anchor = {0, 0, 0.25}});
  World world(Model(std::move(spec)), rk4(dt));
  State state = world.state();
  state.v[0] = -1;  // 4 rad/s about the hook
  state.v[4] = 4;
  world.set_state(state);
  const double start = test::energy(world);
  for (int i = 0; i * dt < 1; ++i) {
    test::run(world, 1);
    const Vec3 top =
        Vec3::from(world.state().q.data()) + rotate(normalized(Quat::from(&world.state().q[3])), Vec3{0, 0, 0.25});
    EXPECT_LT(norm(top), 1e-7) << i;
  }
  return test::energy(world) - start;
}

/// The problem of constraints is that of the start of the step, as in [LCP] eq. 14: of first order.
TEST(SmoothTest, EqualitiesHoldToFirstOrder) {
  const double coarse = gain_of_swing(0.001), fine = gain_of_swing(0.0005);
  EXPECT_LT(std::abs(coarse), 0.015);  // of 0.67 J that swing
  EXPECT_NEAR(fine / coarse, 0.5, 0.1);
}

TEST(SmoothTest, BallBouncesToItsHeight) {
  ModelSpec spec = test::ground(0, 0);
  test::add_ball(spec, "ball", 0.1, 2, {0, 0, 0.6});
  SimSettings settings = rk4();
  settings.assembly.restitution = 1;
  World world(Model(std::move(spec)), settings);
  double highest = 0;
  for (int i = 0; i < 700; ++i) {
    test::run(world, 1);
    if (i > 400) highest = std::max(highest, world.state().q[2]);
  }
  EXPECT_NEAR(highest, 0.6, 0.005);
}

TEST(SmoothTest, RestoredWorldGoesOnWithTheSameBits) {
  ModelSpec spec = test::ground(0.5, 0);
  for (int i = 0; i < 3; ++i) {
    test::add_box(
        spec,
        {.name = "box " + std::to_string(i), .half = {0.1, 0.1, 0.05}, .position = {0.02 * i, 0, 0.06 + 0.11 * i}});
  }
  const Model model(std::move(spec));
  World world(Model(model), rk4()), other(Model(model), rk4());
  test::run(world, 60);
  other.restore(world.save());
  test::run(world, 60);
  test::run(other, 60);
  EXPECT_EQ(world.state().q, other.state().q);
  EXPECT_EQ(world.state().v, other.state().v);
}

/// A wheel of unit inertia on a hinge, with a damper.
ModelSpec damped_wheel(double damping) {
  ModelSpec spec = test::free_body();
  spec.options.gravity = {};
  spec.bodies.back().mass = 1;
  spec.bodies.back().principal_inertia = {1, 1, 1};
  spec.joints[0].type = JointType::Hinge;
  spec.joints[0].axis = {0, 0, 1};
  spec.joints[0].damping = damping;
  return spec;
}

double speed_after(ModelSpec spec, int steps) {
  World world(Model(std::move(spec)), rk4());
  State state = world.state();
  state.v[0] = 2;
  world.set_state(state);
  test::run(world, steps);
  return world.state().v[0];
}

/// Dampers that RK4 is stable with are its own: exponential decay to fourth order.
TEST(SmoothTest, SlowDecayIsThatOfRk4) { EXPECT_NEAR(speed_after(damped_wheel(10), 200), 2 * std::exp(-2), 1e-9); }

/// Stiffer ones act at the end of the step: v / (1 + h D / m), stable at any gain. RK4 would end at 1e18 m/s.
TEST(SmoothTest, FastDecayIsImplicit) {
  for (const double damping : {3000.0, 1e4, 1e7}) {
    EXPECT_NEAR(speed_after(damped_wheel(damping), 3), 2 / std::pow(1 + 0.001 * damping, 3), 1e-12) << damping;
  }
}

/// A servo whose velocity gain is as stiff, and a tendon between two wheels: dampers of every kind.
TEST(SmoothTest, StiffServosAndTendonsAreImplicit) {
  ModelSpec servo = damped_wheel(0);
  ActuatorSpec actuator;
  actuator.name = "servo";
  actuator.target = 0;
  actuator.bias = {0, 0, -5000};
  servo.actuators.push_back(actuator);
  EXPECT_NEAR(speed_after(std::move(servo), 3), 2 / std::pow(6.0, 3), 1e-12);
  ModelSpec pair = damped_wheel(0);
  pair.bodies.push_back(pair.bodies.back());
  pair.joints.push_back(pair.joints[0]);
  pair.joints.back().body = static_cast<int>(pair.bodies.size()) - 1;
  pair.bodies.back().name = pair.joints.back().name = "second";
  TendonSpec cord;
  cord.name = "cord";
  cord.joints = {0, 1};
  cord.coefficients = {1, -1};
  cord.damping = 2500;
  pair.tendons.push_back(cord);
  EXPECT_NEAR(speed_after(std::move(pair), 3), 1 + 1 / std::pow(6.0, 3), 1e-6);  // half of it turns both wheels
}

/// What one tree's dampers ask for does not touch the order of another.
TEST(SmoothTest, StiffDamperNextToADoublePendulum) {
  const auto ends = [](bool wheel, int steps) {
    ModelSpec spec = double_pendulum();
    if (wheel) {
      const ModelSpec other = damped_wheel(1e5);
      spec.bodies.push_back(other.bodies.back());
      spec.joints.push_back(other.joints[0]);
      spec.joints.back().body = static_cast<int>(spec.bodies.size()) - 1;
      spec.bodies.back().name = spec.joints.back().name = "wheel";
    }
    World world(Model(std::move(spec)), rk4(0.5 / steps));
    State state = world.state();
    state.q[0] = 1.5, state.q[1] = 0.5;
    world.set_state(state);
    test::run(world, steps);
    return std::vector<double>(world.state().q.begin(), world.state().q.begin() + 2);
  };
  EXPECT_LT(distance(ends(true, 200), ends(false, 200)), 1e-12);
}

/// By itself too stiff for any Runge-Kutta step of this length: refused by name, with the longest step that works.
TEST(SmoothTest, SpringsBeyondTheLimitAreRefused) {
  ModelSpec spec = damped_wheel(0);
  spec.joints[0].name = "coil";
  spec.joints[0].stiffness = 1e8;  // 1e4 rad/s: stable up to 0.2828 ms
  const Model model(std::move(spec));
  try {
    World world(Model(model), rk4());
    FAIL() << "taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("joint 'coil'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("0.000283 s"), std::string::npos) << error.what();
  }
  World world(Model(model), rk4(0.00028));
  State state = world.state();
  state.v[0] = 1;
  world.set_state(state);
  for (int i = 0; i < 1000; ++i) world.step();
  EXPECT_LT(std::abs(world.state().v[0]), 1);
}

TEST(SmoothTest, RefusesWhatItCannotDo) {
  const Model rigid(test::free_body());
  const auto refused = [](const Model& model, const SimSettings& settings) {
    EXPECT_THROW(World(Model(model), settings), InputError);
  };
  SimSettings settings = rk4();
  settings.theta = 0.5;
  refused(rigid, settings);
  settings = rk4();
  settings.sleep.enabled = true;
  refused(rigid, settings);
  refused(rigid, rk4(0.001, "soft-convex"));
  ModelSpec rope;
  const std::vector<Vec3> points = {{0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}};
  add_rod(rope, points, {.name = "rope"});
  refused(Model(std::move(rope)), rk4());
}

}  // namespace
}  // namespace uzawa
