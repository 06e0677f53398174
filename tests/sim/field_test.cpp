/// Bodies on a height field: its surface holds them, the walls of its prisms are not there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "build_folders.hpp"
#include "sim/scenes.hpp"
#include "uzawa/io/load.hpp"

namespace uzawa {
namespace {

/// A ground of 3 m by 3 m with random bumps of up to 6 cm, a cell about as large as what stands on it. Its top is z =
/// 0.
void add_bumps(ModelSpec& spec, int cells, unsigned seed) {
  HeightFieldSpec field;
  field.name = "bumps";
  field.size = {1.5, 1.5, 0.06, 0.2};
  field.rows = field.columns = cells + 1;
  std::mt19937 random(seed);
  for (int i = 0; i < field.rows * field.columns; ++i) {
    field.elevation.push_back(static_cast<float>(random() % 1000) / 1000);
  }
  spec.height_fields.push_back(std::move(field));
  GeomSpec geom;
  geom.name = "ground";
  geom.shape = ShapeType::HeightField;
  geom.asset = static_cast<int>(spec.height_fields.size()) - 1;
  geom.position = {0, 0, -0.06};
  spec.geoms.push_back(geom);
}

/// Steepest normal of a contact with the ground, and deepest contact.
struct Extremes {
  double flattest = 1, deepest = 0;
};
Extremes extremes(World& world, int ground, int steps, std::span<const double> control = {}) {
  Extremes result;
  for (int i = 0; i < steps; ++i) {
    EXPECT_NE(world.step(control).status, StepStatus::Failed);
    result.deepest = std::max(result.deepest, world.report().penetration);
    for (const Contact& c : world.contacts()) {
      if (c.geom1 != ground && c.geom2 != ground) continue;
      result.flattest = std::min(result.flattest, std::abs(c.normal.z()));
    }
  }
  return result;
}

/// Standing, and limp and thrown forward: then thighs, calves and trunk roll over the bumps, too.
TEST(FieldTest, QuadrupedOnBumps) {
  for (const bool limp : {false, true}) {
    for (const int cells : {40, 75}) {
      ModelSpec spec = load_model(UZAWA_MODELS "/quadruped.xml").model.spec();
      add_bumps(spec, cells, 3);
      const int ground = static_cast<int>(spec.geoms.size()) - 1;
      if (limp) spec.actuators.clear(), spec.keyframes[0].control.clear();
      const Model model(std::move(spec));
      World world(model);
      const int home = model.keyframe("home");
      State state = model.keyframe_state(home);
      if (limp) state.v[0] = 1;
      world.set_state(state);
      const Extremes found = extremes(world, ground, 600, model.keyframe_control(home));
      EXPECT_GT(found.flattest, 0.3) << limp << ", cells " << cells;
      EXPECT_LT(found.deepest, 5e-4) << limp << ", cells " << cells;
      EXPECT_GT(world.state().q[2], limp ? 0 : 0.2) << limp << ", cells " << cells;
    }
  }
}

TEST(FieldTest, EveryShapeRestsOnBumps) {
  const std::vector<std::pair<ShapeType, Vec3>> shapes = {
      {ShapeType::Box, {0.1, 0.08, 0.06}},       {ShapeType::Cylinder, {0.08, 0.06, 0}},
      {ShapeType::Capsule, {0.05, 0.08, 0}},     {ShapeType::Sphere, {0.06, 0, 0}},
      {ShapeType::Ellipsoid, {0.1, 0.08, 0.05}}, {ShapeType::Box, {0.2, 0.15, 0.05}},
      {ShapeType::Cylinder, {0.15, 0.03, 0}}};
  for (const int cells : {20, 40, 80}) {
    for (const auto& [shape, size] : shapes) {
      ModelSpec spec;
      spec.options.gravity = {0, 0, -test::kGravity};
      add_bumps(spec, cells, 7);
      test::add_box(spec, {.half = {0.1, 0.08, 0.06},
                           .mass = 2,
                           .position = {0.11, 0.07, 0.25},
                           .orientation = exp_rotation({0.3, 0.2, 0.4}),
                           .mu = 0.8});
      spec.geoms.back().shape = shape;
      spec.geoms.back().size = size;
      World world(Model(std::move(spec)), {.dt = 2e-3});
      const Extremes found = extremes(world, 0, 500);
      EXPECT_GT(found.flattest, 0.3) << static_cast<int>(shape) << ", cells " << cells;
      EXPECT_LT(found.deepest, 1e-3) << static_cast<int>(shape) << ", cells " << cells;
      EXPECT_GT(world.state().q[2], -0.06) << static_cast<int>(shape) << ", cells " << cells;
    }
  }
}

}  // namespace
}  // namespace uzawa
