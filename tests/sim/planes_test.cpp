/// Which plane keeps two shapes apart within a step: near misses are misses, hits are hits.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/tiles.hpp"

namespace uzawa {
namespace {

using namespace test;

/// Without weight, past a corner of a block in one step or a few.
TEST(PlanesTest, NearMissIsAMiss) {
  for (const Slider& slider : sliders()) {
    for (const double speed : {5.0, 50.0, 500.0}) {
      for (const double clearance : {1e-5, 1e-3}) {
        ModelSpec spec = tiled_floor({.count = 1});
        spec.options.gravity = {};
        add_slider(spec, slider, 0, clearance);
        spec.bodies.back().position.set(0, -0.1 - 0.1 - 0.4 * speed * 2e-3);
        World world(Model(std::move(spec)), {.dt = 2e-3});
        push_off(world, slider, speed);
        const std::vector<double> before = world.state().v;
        while (world.state().q[0] < 0.3) world.step();
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_NEAR(world.state().v[k], before[k], 1e-9) << slider.name << ' ' << speed << ' ' << clearance;
        }
      }
    }
  }
}

/// A wall of tiles, 1 cm thick, hit at a seam, beside it, and obliquely. Capsules hit it straight: oblique ones turn by
/// radians in a step, about their tips, which no plane sees.
TEST(PlanesTest, BulletsDoNotTunnel) {
  for (const Slider& slider : sliders()) {
    for (const double speed : {5.0, 50.0, 500.0}) {
      for (const double offset : {0.0, 1e-5, 0.05, 0.0799, 0.1}) {
        for (const double slope : {0.0, 1.0, 3.0}) {
          ModelSpec spec;
          spec.options.gravity = {};
          for (int i = -20; i < 20; ++i) {
            scenarios::add_wall(
                spec, {.name = "tile" + std::to_string(i), .half = {0.005, 0.1, 1}, .position = {1, 0.2 * i, 0}});
          }
          add_slider(spec, slider, slider.shape == ShapeType::Capsule ? 0 : 0.4);
          spec.bodies.back().position.set(1, offset - 0.9 * slope);
          World world(Model(std::move(spec)), {.dt = 2e-3});
          State state = world.state();
          state.v[0] = speed;
          state.v[1] = speed * slope;
          world.set_state(state);
          for (int i = 0; i < 3 + static_cast<int>(0.9 / (speed * 2e-3)); ++i) world.step();
          EXPECT_LT(world.state().q[0], 0.995) << slider.name << ' ' << speed << ' ' << offset << ' ' << slope;
        }
      }
    }
  }
}

/// 0.1 mm beside the side of a tile, from above its top.
TEST(PlanesTest, BoxFallsBesideATile) {
  for (const Slider& slider : sliders()) {
    if (slider.spin != 0) continue;
    ModelSpec spec = tiled_floor({.count = 1});
    add_slider(spec, slider, 0, 1e-3);
    const double reach = slider.shape == ShapeType::Capsule ? 0.07 : (slider.shape == ShapeType::Sphere ? 0.04 : 0.05);
    spec.bodies.back().position.set(0, 0.1 + reach + 1e-4);
    World world(Model(std::move(spec)), {.dt = 2e-3});
    const State start = world.state();
    const int steps = 50;
    for (int i = 0; i < steps; ++i) world.step();
    const double fallen = kGravity * 4e-6 * steps * (steps + 1) / 2;
    EXPECT_NEAR(world.state().q[2], start.q[2] - fallen, 1e-9) << slider.name;
    EXPECT_NEAR(world.state().q[0], start.q[0], 1e-9) << slider.name;
  }
}

/// Over the edge of the last tile and down to the ground, without a jump and without gaining energy.
TEST(PlanesTest, CylinderRollsOffTiles) {
  for (const double h : {5e-4, 2e-3, 5e-3}) {
    for (const std::size_t which : {4U, 6U, 7U}) {
      const Slider& slider = sliders()[which];
      ModelSpec spec = tiled_floor({.count = 3});
      spec.geoms.push_back(ground(kFriction).geoms[0]);
      spec.geoms.back().position = {0, 0, -0.125};
      add_slider(spec, slider);
      World world(Model(std::move(spec)), {.dt = h});
      push_off(world, slider, 0.5);
      const double start = energy(world);
      double highest = 0, most = start;
      for (int i = 0; i < static_cast<int>(2 / h); ++i) {
        world.step();
        highest = std::max(highest, world.state().q[2] - slider.height);
        most = std::max(most, energy(world));
      }
      EXPECT_LT(highest, 2e-5) << slider.name << ' ' << h;
      EXPECT_LT(most, start + 0.01 * kGravity * 0.125) << slider.name << ' ' << h;
      EXPECT_NEAR(world.state().q[2], slider.height - 0.125, 1e-5) << slider.name << ' ' << h;
      EXPECT_GT(world.state().q[0], 0.5) << slider.name << ' ' << h;
    }
  }
}

/// Tiles that move under a slider: only what moves relative to what counts.
TEST(PlanesTest, TilesMoveUnderASlider) {
  for (const Slider& slider : sliders()) {
    ModelSpec spec = tiled_floor({.mu = 0});
    BodySpec belt;
    belt.name = "belt";
    belt.mass = 50;
    belt.principal_inertia = {1, 1, 1};
    spec.bodies.push_back(belt);
    JointSpec joint;
    joint.name = "belt";
    joint.type = JointType::Slide;
    joint.body = static_cast<int>(spec.bodies.size()) - 1;
    joint.axis = {1, 0, 0};
    spec.joints.push_back(joint);
    for (GeomSpec& geom : spec.geoms) geom.body = joint.body;
    add_slider(spec, slider);
    World world(Model(std::move(spec)), {.dt = 2e-3});
    State state = world.state();
    state.v[0] = -2;
    world.set_state(state);
    const Slide end = slide(world, 0.6);
    EXPECT_NEAR(end.end.x(), 0, 1e-6) << slider.name;
    EXPECT_LT(end.highest, 2e-6) << slider.name;
  }
}

/// Pairs that are deferred are no memory: a restored world goes on with the same bits, in the middle of a seam, too.
TEST(PlanesTest, SaveAndRestoreAtASeam) {
  ModelSpec spec = tiled_floor();
  add_slider(spec, sliders()[0], 0.3);
  const Model model(std::move(spec));
  World world(model), other(model);
  push_off(world, sliders()[0], 1);
  for (int i = 0; i < 60; ++i) {
    const World::Snapshot saved = world.save();
    world.step();
    other.restore(saved);
    other.step();
    ASSERT_EQ(other.state(), world.state()) << i;
  }
}

}  // namespace
}  // namespace uzawa
