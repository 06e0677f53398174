/// Contacts that the motion does not reach have no rows, and none that it reaches is missed.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sim/scenes.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {
namespace {

constexpr double kRadius = 0.02;

void add_ball(ModelSpec& spec, const Vec3& place) {
  test::add_ball(spec, "ball" + std::to_string(spec.bodies.size()), kRadius, 0.1, place, 1);
}

/// The least gap between any two balls, m.
double least_gap(const World& world) {
  const std::vector<double>& q = world.state().q;
  double least = 1;
  for (std::size_t a = 0; a < q.size(); a += 7) {
    for (std::size_t b = a + 7; b < q.size(); b += 7) {
      least = std::min(least, norm(Vec3::from(&q[a]) - Vec3::from(&q[b])) - 2 * kRadius);
    }
  }
  return least;
}

/// The second ball is at rest when the step begins, and would not get to the third; the blow sends it there. With as
/// many balls as rounds of refinement and more.
TEST(UnreachedContactsTest, BlowIsPassedOnThroughGapsWithinAStep) {
  for (const int balls : {3, 4, 7}) {
    ModelSpec spec;
    spec.options.gravity = {};
    for (int i = 0; i < balls; ++i) add_ball(spec, {i * (2 * kRadius + 6e-4), 0, 0});
    World world(Model(std::move(spec)), {.dt = 2e-3});
    State state = world.state();
    state.v[0] = 20;
    world.set_state(state);
    const StepReport& report = world.step();
    EXPECT_EQ(report.status, StepStatus::Solved);
    EXPECT_GT(report.resolves, 0);
    EXPECT_GT(least_gap(world), -1e-6) << balls;
    EXPECT_GT(world.state().v[at(6 * (balls - 1))], 0) << "the last one has not been pushed";
  }
}

TEST(UnreachedContactsTest, BallsNearEachOtherThatDoNotMeetHaveNoRows) {
  ModelSpec spec;
  spec.options.gravity = {};
  for (int i = 0; i < 3; ++i) add_ball(spec, {i * (2 * kRadius + 6e-4), 0, 0});
  World world(Model(std::move(spec)), {.dt = 2e-3});
  State state = world.state();
  for (int i = 0; i < 3; ++i) state.v[at(6 * i + 1)] = 5;  // abreast
  world.set_state(state);
  EXPECT_EQ(world.step().resolves, 0);
  EXPECT_EQ(world.problem().contacts.size(), 0);
  EXPECT_EQ(world.contacts().size(), 2U) << "they are known all the same";
}

/// A heap that falls together: no ball gets into another one in any step, whatever was deferred.
TEST(UnreachedContactsTest, HeapFallsWithoutAMissedContact) {
  ModelSpec spec;
  spec.options.gravity = {0, 0, -test::kGravity};
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> jitter(-0.2 * kRadius, 0.2 * kRadius);
  for (int i = 0; i < 27; ++i) {
    add_ball(spec, {2.3 * kRadius * (i % 3) + jitter(random), 2.3 * kRadius * (i / 3 % 3) + jitter(random),
                    1.5 * kRadius + 2.3 * kRadius * (i / 9)});
  }
  GeomSpec floor;
  floor.name = "floor";
  floor.shape = ShapeType::Plane;
  spec.geoms.push_back(floor);
  World world(Model(std::move(spec)), {.dt = 2e-3});
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(world.step().status, StepStatus::Solved) << i;
    ASSERT_GT(least_gap(world), -5e-6) << i;
  }
}

}  // namespace
}  // namespace uzawa
