/// Shapes that slide over tiles: where the tiles are flush, as over one plane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "sim/tiles.hpp"

namespace uzawa {
namespace {

using namespace test;

constexpr double kMicron = 1e-6;

/// Where semi-implicit Euler stops a body that slides with friction, m.
double stopping_distance(double speed, double mu, double h) {
  double x = 0, v = speed - mu * kGravity * h;
  while (v > 0) {
    x += h * v;
    v -= mu * kGravity * h;
  }
  return x;
}

Slide slide_over(const ModelSpec& floor, const Slider& slider, double yaw, double speed, double h, double time) {
  ModelSpec spec = floor;
  add_slider(spec, slider, yaw);
  World world(Model(std::move(spec)), {.dt = h});
  push_off(world, slider, speed);
  return slide(world, time);
}

class SliderTest : public testing::TestWithParam<Slider> {};
INSTANTIATE_TEST_SUITE_P(Shapes, SliderTest, testing::ValuesIn(sliders()), [](const auto& slider) {
  std::string name = slider.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

/// Lying shapes that are not straight turn by friction, and how the load of a line is shared out among two tiles is not
/// determined: they slide without. Those that roll go straight.
TEST_P(SliderTest, FlushTilesAreOnePlane) {
  const Slider& slider = GetParam();
  const bool lies = std::string(slider.name).ends_with("along");
  for (const Tile kind : {Tile::Box, Tile::Mesh}) {
    for (const double h : {5e-4, 2e-3, 1e-2}) {
      for (const double yaw : {0.0, 0.3, std::numbers::pi / 4, 1.2}) {
        if (slider.spin != 0 && yaw != 0) continue;
        const Floor floor{.kind = kind, .mu = lies && yaw != 0 ? 0 : kFriction};
        const Slide tiles = slide_over(tiled_floor(floor), slider, yaw, 2, h, 0.6);
        const Slide one = slide_over(tiled_floor(in_one_piece(floor)), slider, yaw, 2, h, 0.6);
        EXPECT_LT(norm(tiles.end - one.end), kMicron) << "dt " << h << ", yaw " << yaw;
        EXPECT_LT(tiles.highest - one.highest, 20 * kMicron) << "dt " << h << ", yaw " << yaw;
      }
    }
  }
}

/// The same with loads shared out, turning as it may: no hop, and no stop.
TEST_P(SliderTest, NoneHopsWhereTheyTurn) {
  if (GetParam().spin != 0) return;
  for (const double h : {2e-3, 1e-2}) {
    for (const double yaw : {0.3, 0.8, 1.2}) {
      const Slide tiles = slide_over(tiled_floor(), GetParam(), yaw, 2, h, 0.6);
      const Slide one = slide_over(tiled_floor(in_one_piece({})), GetParam(), yaw, 2, h, 0.6);
      EXPECT_LT(tiles.highest, 20 * kMicron) << "dt " << h << ", yaw " << yaw;
      EXPECT_NEAR(tiles.end.x(), one.end.x(), 0.02) << "dt " << h << ", yaw " << yaw;
    }
  }
}

TEST(SeamsTest, TenSeamsAreSlidOver) {
  for (const double h : {5e-4, 2e-3, 5e-3}) {
    const Slide end = slide_over(tiled_floor(), sliders()[0], 0, 3.6, h, 1.5);
    EXPECT_GT(end.end.x(), 10 * kTile + 0.05);
    EXPECT_NEAR(end.end.x(), stopping_distance(3.6, kFriction, h), kMicron) << h;
  }
}

/// Two tiles; the second one lower or higher.
ModelSpec step_of(double height, Tile kind = Tile::Box) {
  ModelSpec spec = tiled_floor({.kind = kind, .count = 2, .length = 1});
  spec.geoms.back().position.set(2, spec.geoms.back().position.z() + height);
  return spec;
}

TEST(SeamsTest, LowerTileIsSlidOnto) {
  for (const double depth : {1e-6, 1e-5, 1e-4}) {
    const Slide end = slide_over(step_of(-depth), sliders()[0], 0, 2.6, 2e-3, 1.2);
    EXPECT_NEAR(end.end.x(), stopping_distance(2.6, kFriction, 2e-3), 1e-3) << depth;
    EXPECT_NEAR(end.end.z(), sliders()[0].height - depth, 2 * kMicron) << depth;
  }
}

TEST(SeamsTest, StepsOfMicronsArePassedAndRealOnesStop) {
  const Slider& box = sliders()[0];
  const double free = stopping_distance(2.6, kFriction, 2e-3);
  for (const double height : {1e-6, 1e-5, 4e-5}) {
    const Slide end = slide_over(step_of(height), box, 0, 2.6, 2e-3, 1.2);
    EXPECT_NEAR(end.end.x(), free, 5e-3) << height;
    EXPECT_NEAR(end.end.z(), box.height + height, 2 * kMicron) << height;
  }
  for (const Tile kind : {Tile::Box, Tile::Sdf}) {
    for (const double height : {1e-3, 5e-3, 2e-2}) {
      ModelSpec spec = step_of(height, kind);
      add_slider(spec, box);
      World world(Model(std::move(spec)), {.dt = 2e-3});
      push_off(world, box, 2.6);
      double furthest = 0;  // of the front, while the box is lower than the step
      for (int i = 0; i < 600; ++i) {
        world.step();
        if (world.state().q[2] < box.height + height / 2) furthest = std::max(furthest, world.state().q[0] + 0.05);
      }
      EXPECT_NEAR(furthest, 0.9, 0.01) << height;
    }
  }
}

/// Before the next tile by up to 0.1 mm: what rests stays, what is pulled starts as on one plane.
TEST_P(SliderTest, StartsBesideASeam) {
  const Slider& slider = GetParam();
  for (const double gap : {0.0, 1e-6, 1e-5, 1e-4}) {
    for (const double pull : {0.0, 4.0}) {
      const auto run = [&](const Floor& floor) {
        ModelSpec spec = tiled_floor(floor);
        add_slider(spec, slider);
        const double reach = slider.spin != 0 ? 0 : (slider.shape == ShapeType::Capsule ? 0.07 : 0.05);
        spec.bodies.back().position.set(0, kTile / 2 - reach - gap);
        World world(Model(std::move(spec)), {.dt = 2e-3});
        const double start = world.state().q[2];
        double highest = 0;
        for (int i = 0; i < 60; ++i) {
          world.step({}, std::vector<double>{pull, 0, 0, 0, 0, 0});
          highest = std::max(highest, world.state().q[2] - start);
        }
        EXPECT_LT(highest, 2 * kMicron) << "gap " << gap << ", pull " << pull;
        return world.state().q[0];
      };
      EXPECT_NEAR(run({}), run(in_one_piece({})), kMicron) << "gap " << gap << ", pull " << pull;
    }
  }
}

/// Tiles in both directions, slid over in any direction at any speed, over their corners, too.
TEST(SeamsTest, GridOfTilesIsOnePlane) {
  std::mt19937 random(5);
  const auto uniform = [&](double a, double b) { return a + (b - a) * static_cast<double>(random() % 1000) / 1000; };
  for (int run = 0; run < 60; ++run) {
    const Slider& slider = sliders()[random() % sliders().size()];
    const double h = std::exp(uniform(std::log(5e-4), std::log(1e-2))), size = uniform(0.05, 0.3);
    const double speed = std::exp(uniform(std::log(0.05), std::log(5)));
    const double heading = uniform(0, 2 * std::numbers::pi), yaw = slider.spin != 0 ? 0 : uniform(0, 3);
    const auto end = [&](int rings, double half) {
      ModelSpec spec;
      spec.options.gravity = {0, 0, -kGravity};
      for (int i = -rings; i <= rings; ++i) {
        for (int j = -rings; j <= rings; ++j) {
          scenarios::add_wall(spec, {.name = "tile" + std::to_string(i) + "," + std::to_string(j),
                                     .half = {half, half, 0.05},
                                     .position = {2 * half * i, 2 * half * j, -0.05}});
        }
      }
      add_slider(spec, slider, yaw);
      World world(Model(std::move(spec)), {.dt = h});
      State state = world.state();
      state.v[0] = speed * std::cos(heading);
      state.v[1] = speed * std::sin(heading);
      state.v[5] = slider.shape == ShapeType::Box ? 2 : 0;
      world.set_state(state);
      return slide(world, std::min(0.5, 1 / speed));
    };
    const Slide tiles = end(static_cast<int>(1.2 / size), size / 2), one = end(0, 2);
    EXPECT_LT(norm(tiles.end - one.end), kMicron) << slider.name << ", run " << run;
    EXPECT_LT(tiles.highest - one.highest, 20 * kMicron) << slider.name << ", run " << run;
  }
}

/// A tile that is a signed distance, whose surface is sampled: its vertices ahead of the slider are no obstacles.
TEST(SeamsTest, SampledTileIsOnePlane) {
  ModelSpec spec = tiled_floor({.count = 1, .length = 1});
  SdfSpec sdf;
  sdf.parts.push_back({RoundedBoxSpec{spec.geoms[0].size, 1e-3}, {}, {}});
  spec.geoms[0].sdf = sdf;
  const Slide end = slide_over(spec, sliders()[0], 0, 2, 2e-3, 0.8);
  EXPECT_NEAR(end.end.x(), stopping_distance(2, kFriction, 2e-3), 1e-5);
  EXPECT_LT(end.highest, kMicron);
}

/// Tiles that are signed distances, each sampled at every centimetre: what is ahead of the slider is the next tile's
/// edge. Lines that roll by half a radian a step rest on what the cap on contacts leaves, and are not asked for that.
TEST_P(SliderTest, FlushSampledTilesAreOnePlane) {
  const Slider& slider = GetParam();
  const bool line_rolls = slider.spin != 0 && slider.shape != ShapeType::Sphere;
  const Floor floor{.kind = Tile::Sdf, .count = 4};
  for (const double h : {5e-4, 2e-3, 1e-2}) {
    if (line_rolls && h > 2e-3) continue;
    const Slide tiles = slide_over(tiled_floor(floor), slider, 0, 1.5, h, 0.4);
    const Slide one = slide_over(tiled_floor(in_one_piece(floor)), slider, 0, 1.5, h, 0.4);
    EXPECT_GT(one.end.x(), 0.3) << "dt " << h;
    EXPECT_NEAR(tiles.end.x(), one.end.x(), 1e-3) << "dt " << h;
    EXPECT_LT(tiles.highest - one.highest, 50 * kMicron) << "dt " << h;
  }
}

}  // namespace
}  // namespace uzawa
