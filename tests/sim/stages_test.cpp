/// Worlds that share a model, and steps taken stage by stage.
#include <gtest/gtest.h>

#include <thread>

#include "sim/scenes.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

ModelSpec stack() {
  ModelSpec spec = test::ground(0.5);
  for (int i = 0; i < 3; ++i) {
    test::add_box(spec, {.name = "box" + std::to_string(i), .position = {0.01 * i, 0, 0.051 + 0.11 * i}});
  }
  return spec;
}

TEST(SharedModelTest, IsNotCopied) {
  const auto model = share(Model(stack()));
  const World first(model), second(model);
  EXPECT_EQ(&first.model(), &model->model());
  EXPECT_EQ(&second.model(), &model->model());
  EXPECT_EQ(first.shared_model(), second.shared_model());
}

TEST(SharedModelTest, OutlivesItsMaker) {
  auto model = share(Model(stack()));
  World world(model);
  model.reset();
  test::run(world, 10);
  EXPECT_TRUE(is_solved(world.report().status));
}

/// A world writes to nothing that it shares: side by side with others, in threads, it moves as one alone.
TEST(SharedModelTest, WorldsDoNotDisturbEachOther) {
  constexpr int kWorlds = 8, kSteps = 150;
  World alone((Model(stack())));
  test::run(alone, kSteps);
  const auto model = share(Model(stack()));
  std::vector<std::unique_ptr<World>> worlds;
  for (int i = 0; i < kWorlds; ++i) worlds.push_back(std::make_unique<World>(model));
  std::vector<std::thread> threads;
  for (auto& world : worlds) threads.emplace_back([&world] { test::run(*world, kSteps); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& world : worlds) EXPECT_EQ(world->state(), alone.state());
}

TEST(StagesTest, TogetherAreAStep) {
  World whole((Model(stack()))), staged((Model(stack())));
  for (int i = 0; i < 100; ++i) {
    whole.step();
    staged.start();
    staged.find_contacts();
    staged.assemble();
    staged.solve();
    staged.integrate();
    ASSERT_EQ(whole.state(), staged.state()) << i;
  }
  EXPECT_EQ(whole.report().iterations, staged.report().iterations);
}

TEST(StagesTest, ResultsAreThereStageByStage) {
  World world((Model(stack())));
  test::run(world, 200);
  const State before = world.state();
  world.start();
  EXPECT_NEAR(world.data().link_pose[0].position.z(), before.q[2], 1e-15);
  world.find_contacts();
  EXPECT_GE(world.contacts().size(), 12U);
  world.assemble();
  EXPECT_EQ(world.problem().contacts.size(), static_cast<int>(world.contacts().size()));
  world.solve();
  EXPECT_EQ(static_cast<int>(world.result().lambda.size()), world.problem().rows);
  EXPECT_EQ(world.state(), before);
  world.integrate();
  EXPECT_DOUBLE_EQ(world.state().time, before.time + world.dt());
}

/// A step that was begun and not ended leaves nothing behind.
TEST(StagesTest, MayBeStartedAgain) {
  World straight((Model(stack()))), hesitant((Model(stack())));
  test::run(straight, 50);
  test::run(hesitant, 50);
  hesitant.start();
  hesitant.find_contacts();
  hesitant.assemble();
  straight.step();
  hesitant.step();
  EXPECT_EQ(straight.state(), hesitant.state());
}

TEST(StagesTest, HaveAnOrder) {
  World world((Model(stack())));
  EXPECT_THROW(world.find_contacts(), InputError);
  EXPECT_THROW(world.solve(), InputError);
  world.start();
  EXPECT_THROW(world.assemble(), InputError);
  world.find_contacts();
  EXPECT_THROW(world.integrate(), InputError);
  world.assemble();
  world.solve();
  world.integrate();
  EXPECT_THROW(world.integrate(), InputError);
}

}  // namespace
}  // namespace uzawa
