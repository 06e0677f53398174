/// Masses of dishes and nuts against what their shapes hold.
#include <gtest/gtest.h>

#include <cmath>

#include "uzawa/collision/distance/revolved.hpp"
#include "uzawa/collision/distance/screw_thread.hpp"
#include "uzawa/model/model.hpp"
#include "uzawa/scenarios/dishes.hpp"
#include "uzawa/scenarios/fasteners.hpp"

namespace uzawa::scenarios {
namespace {

/// Centre of mass and inertia of 1 kg of a shape, by counting the cells of a grid that are inside.
struct Counted {
  double height = 0;
  Vec3 inertia;
};
Counted count(const SignedDistance& shape, double cell) {
  const Aabb box = shape.bounds();
  double mass = 0, z1 = 0, x2 = 0, y2 = 0, z2 = 0;
  const auto cells = [&](int axis) { return static_cast<int>(std::ceil((box.high[axis] - box.low[axis]) / cell)); };
  for (int i = 0; i < cells(0); ++i) {
    for (int j = 0; j < cells(1); ++j) {
      for (int k = 0; k < cells(2); ++k) {
        const Vec3 p = box.low + Vec3{i + 0.5, j + 0.5, k + 0.5} * cell;
        if (shape.evaluate(p).distance > 0) continue;
        mass += 1;
        z1 += p.z();
        x2 += p.x() * p.x();
        y2 += p.y() * p.y();
        z2 += p.z() * p.z();
      }
    }
  }
  const double height = z1 / mass, zz = z2 / mass - height * height;
  return {height, {y2 / mass + zz, x2 / mass + zz, (x2 + y2) / mass}};
}

TEST(ShapesTest, DishesHaveTheInertiaOfTheirWalls) {
  for (const RevolvedSpec& shell :
       {bowl(0.08, 0.05, 0.003), plate(0.12, 0.02, 0.003), pot(0.08, 0.1, 0.003), dish(0.1, 0.03, 0.05, 0.003)}) {
    const ShellInertia ours = shell_inertia(shell);
    const Counted counted = count(RevolvedSdf(shell), 1e-3);
    EXPECT_NEAR(ours.height, counted.height, 1.5e-3);  // wall and cells are thick
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(ours.inertia[k] / counted.inertia[k], 1, 0.05) << k;
  }
}

TEST(ShapesTest, ADiscAndATubeInClosedForm) {
  const ShellInertia disc = shell_inertia({{{0, 0.01}, {0.1, 0.01}}, 0.001, 0});
  EXPECT_NEAR(disc.height, 0.01, 1e-12);
  EXPECT_NEAR(disc.inertia.z(), 0.01 / 2, 1e-5);
  EXPECT_NEAR(disc.inertia.x(), 0.01 / 4, 1e-5);
  const ShellInertia tube = shell_inertia({{{0.1, 0}, {0.1, 0.3}}, 0.001, 0});
  EXPECT_NEAR(tube.height, 0.15, 1e-12);
  EXPECT_NEAR(tube.inertia.z(), 0.01, 1e-12);
  EXPECT_NEAR(tube.inertia.x(), 0.01 / 2 + 0.09 / 12, 1e-5);
  const ShellInertia half_ball = shell_inertia({{{0, 0, std::tan(M_PI / 8)}, {0.1, 0.1}}, 0.001, 0});
  EXPECT_NEAR(half_ball.height, 0.05, 1e-5);
  EXPECT_NEAR(half_ball.inertia.z(), 2.0 / 3 * 0.01, 1e-5);
}

TEST(ShapesTest, ANutHasTheInertiaOfItsSteel) {
  ModelSpec spec;
  const Fastener fastener;
  const int nut = add_nut(spec, fastener, {}, 0);
  const Model model(std::move(spec));
  const GeomSpec& geom = model.spec().geoms.front();
  const auto& thread = std::get<ThreadSpec>(geom.sdf->parts.front().shape);
  const Counted counted = count(ThreadSdf(thread), 1e-3);
  const Vec3 ours = model.spec().bodies[static_cast<std::size_t>(nut)].principal_inertia * (1 / fastener.nut_mass);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(ours[k] / counted.inertia[k], 1, 0.03) << k;
}

}  // namespace
}  // namespace uzawa::scenarios
