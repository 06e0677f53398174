/// Energy is booked step by step: every case has a closed form, and what no force explains is found.
#include "uzawa/sim/energy_book.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"
#include "support/simple_models.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

constexpr double kRounding = 1e-11;  // J, of thousands of steps with energies of some 10 J

/// Sums over the steps of a run; the last step is booked by one more, which is not part of the sums.
struct Book {
  double actuators = 0, external = 0, damped = 0, projected = 0, unexplained = 0;
  double gain = 0;            ///< largest
  double largest = 0;         ///< of a single step's unexplained part, absolute
  double start = 0, end = 0;  ///< energy

  void add(const EnergyReport& report) {
    actuators += report.actuators;
    external += report.external;
    damped += report.damped;
    projected += report.projected;
    unexplained += report.unexplained;
    largest = std::max(largest, std::abs(report.unexplained));
    gain = std::max(gain, report.gain);
    end = report.total();
  }
};

Book book_run(World& world, int steps, std::span<const double> control = {}, std::span<const double> external = {}) {
  Book book;
  for (int i = 0; i <= steps; ++i) {
    test::run(world, 1, control, external);
    if (i == 0) book.start = world.report().energy.total();
    book.add(world.report().energy);
  }
  return book;
}

void set_motion(World& world, std::vector<double> q, std::vector<double> v) {
  State state = world.state();
  if (!q.empty()) state.q = std::move(q);
  if (!v.empty()) state.v = std::move(v);
  world.set_state(state);
}

class EnergyBookTest : public testing::TestWithParam<double> {
 protected:
  static World world(ModelSpec spec, double dt = 0.002) {
    return World(Model(std::move(spec)), {.dt = dt, .theta = GetParam()});
  }
};
INSTANTIATE_TEST_SUITE_P(Theta, EnergyBookTest, testing::Values(0.0, 0.25, 0.5));

TEST_P(EnergyBookTest, FallAndTumbleKeepEnergy) {
  World falling = world(test::free_body());
  set_motion(falling, {}, {1, 2, 3, 4, 10, 1});
  const Book book = book_run(falling, 1000);
  EXPECT_NEAR(book.end, book.start, kRounding);
  EXPECT_LT(book.largest, kRounding);
  EXPECT_LT(book.gain, kRounding);
}

/// The sway of a pendulum is of second order, and no gain builds up.
TEST_P(EnergyBookTest, PendulumSwaysToSecondOrder) {
  double gain[2] = {};
  for (const int halved : {0, 1}) {
    World swinging = world(test::pendulum(), halved == 1 ? 0.002 : 0.004);
    set_motion(swinging, {2}, {});
    gain[halved] = book_run(swinging, halved == 1 ? 10000 : 5000).gain;
  }
  EXPECT_LT(gain[1], 1e-3);
  EXPECT_NEAR(gain[0] / gain[1], 4, 0.3);
}

TEST_P(EnergyBookTest, SpringsStoreEnergy) {
  ModelSpec spec = test::slider(2);
  spec.joints[0].stiffness = 50;
  World swinging = world(spec);
  set_motion(swinging, {0.3}, {1});
  const Book book = book_run(swinging, 2000);
  EXPECT_NEAR(book.start, 0.5 * 50 * 0.09 + 1, 0.05);
  EXPECT_LT(book.largest, kRounding);
  EXPECT_NEAR(book.end + book.damped, book.start, kRounding);  // evaluated at the end of a step, a spring damps
}

/// Springs and servos along several dofs, and along a free body's, are rows of the problem instead of entries of A.
TEST_P(EnergyBookTest, SpringsThatAreRowsAreBookedAlike) {
  ModelSpec spec = test::free_body();
  spec.options.gravity = {};
  spec.joints[0].stiffness = 40;
  spec.joints[0].damping = 0.5;
  test::add_finger(spec, "left", {0.05, 0.05, 0.05}, {1, 0, 1}, {0, 0, 1}, 0);
  test::add_finger(spec, "right", {0.05, 0.05, 0.05}, {1, 1, 1}, {0, 0, 1}, 0);
  TendonSpec tendon{.name = "cable", .joints = {1, 2}, .coefficients = {1, 0.5}};
  tendon.stiffness = 30;
  tendon.damping = 0.7;
  spec.tendons.push_back(tendon);
  spec.actuators.resize(1);
  spec.actuators[0] = {.name = "servo", .transmission = Transmission::Tendon, .gain = {80, 0, 0}, .bias = {0, -80, -2}};
  World pulled = world(spec);
  State state = pulled.state();
  state.q[0] = 0.2;
  state.q[7] = 0.1;
  state.v[0] = 1;
  state.v[4] = 2;
  pulled.set_state(state);
  const double control = 0.3;
  const Book book = book_run(pulled, 500, {&control, 1});
  EXPECT_GT(book.damped, 0.1);
  EXPECT_GT(book.actuators, 0.1);
  EXPECT_LT(book.largest, 1e-7);  // rows are solved to the tolerance
  EXPECT_NEAR(book.end, book.start + book.actuators - book.damped, 1e-6);
}

TEST_P(EnergyBookTest, DampersTakeAll) {
  ModelSpec spec = test::slider(2);
  spec.joints[0].damping = 5;
  World braked = world(spec);
  set_motion(braked, {}, {3});
  const Book book = book_run(braked, 10000);
  EXPECT_NEAR(book.damped, 9, 1e-9);
  EXPECT_LT(book.largest, kRounding);
}

/// A servo lifts a weight and holds it.
TEST_P(EnergyBookTest, ServoDoesTheWorkOfLifting) {
  constexpr double kStiffness = 400, kHeight = 0.5;
  ModelSpec spec;
  test::add_finger(spec, "lift", {0.05, 0.05, 0.05}, {0, 0, 1}, {0, 0, 1}, 0);
  spec.actuators[0].gain = {kStiffness, 0, 0};
  spec.actuators[0].bias = {0, -kStiffness, -60};
  World lifting = world(spec);
  const double mass = lifting.model().links()[0].mass;
  const double control = kHeight + mass * test::kGravity / kStiffness;
  const Book book = book_run(lifting, 5000, {&control, 1});
  EXPECT_NEAR(lifting.state().q[0], kHeight, 1e-9);
  EXPECT_NEAR(book.actuators, mass * test::kGravity * kHeight, 1e-8);
  EXPECT_LT(book.largest, kRounding);
}

TEST_P(EnergyBookTest, ExternalForceIsWork) {
  World pushed = world(test::free_body({0.1, 0.2, 0.25}, 2));
  const std::vector<double> push = {3, 0, 2 * test::kGravity, 0, 0, 0};
  const Book book = book_run(pushed, 1000, {}, push);
  // Energy at a position is between the velocities before and after it, and so is its mean speed.
  EXPECT_NEAR(book.external, book.end - book.start, kRounding);
  EXPECT_NEAR(book.external, 3 * pushed.state().q[0], 3 * 2 * 0.002 * pushed.state().v[0]);
  EXPECT_LT(book.largest, kRounding);
}

TEST_P(EnergyBookTest, GravityCompensationIsWork) {
  ModelSpec spec = test::free_body({0.1, 0.2, 0.25}, 2);
  spec.bodies[1].gravity_compensation = 1;
  World floating = world(spec);
  set_motion(floating, {}, {0, 0, 1, 0, 0, 0});
  const Book book = book_run(floating, 500);
  EXPECT_NEAR(book.external, 2 * test::kGravity * 1, 1e-9);
  EXPECT_LT(book.largest, kRounding);
}

TEST_P(EnergyBookTest, SlidingBoxLosesToFriction) {
  constexpr double kMu = 0.3, kSpeed = 2;
  ModelSpec spec = test::ground(kMu);
  test::add_box(spec, {.half = {0.1, 0.1, 0.01}, .mass = 2, .position = {0, 0, 0.01}});
  World sliding = world(spec);
  set_motion(sliding, {}, {kSpeed, 0, 0, 0, 0, 0});
  const Book book = book_run(sliding, 1000);
  EXPECT_NEAR(-book.unexplained, 0.5 * 2 * kSpeed * kSpeed, 1e-6);
  EXPECT_NEAR(-book.unexplained, kMu * 2 * test::kGravity * sliding.state().q[0], 0.02);
  EXPECT_LT(book.gain, 1e-6);
}

/// A box that starts in the ground is lifted; that is the projection's, and nobody's gain.
TEST_P(EnergyBookTest, ProjectionIsBookedByItself) {
  constexpr double kDepth = 1e-3;
  ModelSpec spec = test::ground(0.5);
  test::add_box(spec, {.mass = 1, .position = {0, 0, 0.05 - kDepth}});
  World lifted = world(spec);
  const Book book = book_run(lifted, 200);
  EXPECT_NEAR(book.projected, test::kGravity * kDepth, 0.01 * test::kGravity * kDepth);
  EXPECT_LT(book.gain, 1e-5 * test::kGravity * kDepth);
}

/// A kick that no force explains: into the state and the momentum, behind the world's back.
TEST_P(EnergyBookTest, UnexplainedGainIsFound) {
  World kicked(Model(test::free_body({0.1, 0.2, 0.25}, 2)), {.theta = GetParam(), .most_gain = 0.5});
  set_motion(kicked, {}, {1, 0, 0, 0, 0, 0});
  test::run(kicked, 10);
  EXPECT_LT(kicked.report().energy.gain, kRounding);
  World::Snapshot saved = kicked.save();
  saved.state.v[0] = 2;
  kicked.restore(saved);
  test::run(kicked, 1);
  const double gain = 0.5 * 2 * (2 * 2 - 1 * 1);
  EXPECT_NEAR(kicked.report().energy.gain, gain, kRounding);
  EXPECT_TRUE(kicked.report().gains);
  // A gain stays on the account; setting the state begins another.
  test::run(kicked, 10);
  EXPECT_NEAR(kicked.report().energy.gain, gain, kRounding);
  kicked.set_state(kicked.state());
  test::run(kicked, 2);
  EXPECT_LT(kicked.report().energy.gain, kRounding);
  EXPECT_FALSE(kicked.report().gains);
}

TEST(EnergyBookRecordTest, RestoredWorldBooksTheSameBits) {
  ModelSpec spec = test::ground(0.5);
  test::add_box(spec, {.position = {0, 0, 0.1}, .orientation = exp_rotation({1, 0.4, 0.3})});
  test::add_triple_pendulum(spec, {1, 0, 2});
  World world((Model(std::move(spec))));
  test::run(world, 100);
  const World::Snapshot saved = world.save();
  std::vector<double> gains[2];
  for (std::vector<double>& gain : gains) {
    world.restore(saved);
    for (int i = 0; i < 50; ++i) {
      test::run(world, 1);
      gain.push_back(world.report().energy.unexplained);
      gain.push_back(world.report().energy.gain);
    }
  }
  EXPECT_EQ(gains[0], gains[1]);
}

/// A step that was started may be started again, without being booked twice.
TEST(EnergyBookRecordTest, StartedTwiceIsBookedOnce) {
  World world((Model(test::pendulum())));
  set_motion(world, {1}, {3});
  test::run(world, 5);
  world.start();
  const EnergyReport first = world.report().energy;
  world.start();
  EXPECT_EQ(world.report().energy.unexplained, first.unexplained);
  EXPECT_EQ(world.report().energy.gain, first.gain);
}

TEST(EnergyBookRecordTest, BookingIsOptionalAndChangesNoMotion) {
  std::vector<double> ends[2];
  for (const bool booked : {false, true}) {
    ModelSpec spec;
    test::add_triple_pendulum(spec, {});
    World world(Model(std::move(spec)), {.book_energy = booked});
    set_motion(world, {}, {12, -10, 14});
    test::run(world, 100);
    ends[booked ? 1 : 0] = world.state().q;
    EXPECT_EQ(world.report().energy.kinetic > 0, booked);
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_THROW(World(Model(test::pendulum()), {.most_gain = -1}), InputError);
}

}  // namespace
}  // namespace uzawa
