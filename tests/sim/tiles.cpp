#include "sim/tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/free_geoms.hpp"

namespace uzawa::test {

const std::vector<Slider>& sliders() {
  const double right = std::numbers::pi / 2;
  const Quat across = exp_rotation({right, 0, 0}), along = exp_rotation({0, right, 0});
  static const std::vector<Slider> all = {
      {"box", ShapeType::Box, {0.05, 0.04, 0.03}, {}, 0.03, 0},
      {"hull", ShapeType::Mesh, {0.05, 0.04, 0.03}, {}, 0.03, 0},
      {"standing cylinder", ShapeType::Cylinder, {0.05, 0.03, 0}, {}, 0.03, 0},
      {"cylinder along", ShapeType::Cylinder, {0.03, 0.05, 0}, along, 0.03, 0},
      {"rolling cylinder", ShapeType::Cylinder, {0.03, 0.05, 0}, across, 0.03, 1 / 0.03},
      {"capsule along", ShapeType::Capsule, {0.03, 0.04, 0}, along, 0.03, 0},
      {"rolling capsule", ShapeType::Capsule, {0.03, 0.04, 0}, across, 0.03, 1 / 0.03},
      {"sphere", ShapeType::Sphere, {0.04, 0, 0}, {}, 0.04, 1 / 0.04},
      {"sliding sphere", ShapeType::Sphere, {0.04, 0, 0}, {}, 0.04, 0},
  };
  return all;
}

int add_box_mesh(ModelSpec& spec, const Vec3& half) {
  spec.meshes.push_back(box_mesh(half));
  spec.meshes.back().name += std::to_string(spec.meshes.size());
  return static_cast<int>(spec.meshes.size()) - 1;
}

ModelSpec tiled_floor(const Floor& floor) {
  ModelSpec spec;
  spec.options.gravity = {0, 0, -kGravity};
  const Vec3 half{floor.length / 2, 0.5, 0.0625};
  const int mesh = floor.kind == Tile::Mesh ? add_box_mesh(spec, half) : -1;
  for (int i = 0; i < floor.count; ++i) {
    scenarios::add_wall(spec, {.name = "tile" + std::to_string(i),
                               .half = half,
                               .position = {floor.length * (i + 0.5) - kTile / 2, 0, -half.z()},
                               .mu = floor.mu});
    if (floor.kind == Tile::Sdf) spec.geoms.back().sdf = SdfSpec{.parts = {{RoundedBoxSpec{half, 0}, {}, {}}}};
    if (floor.kind != Tile::Mesh) continue;
    spec.geoms.back().shape = ShapeType::Mesh;
    spec.geoms.back().asset = mesh;
  }
  return spec;
}

void add_slider(ModelSpec& spec, const Slider& slider, double yaw, double height) {
  add_box(spec, {.name = "slider",
                 .half = {0.05, 0.04, 0.03},
                 .position = {0, 0, slider.height + height},
                 .orientation = exp_rotation({0, 0, yaw}) * slider.lies});
  GeomSpec& geom = spec.geoms.back();
  geom.shape = slider.shape;
  geom.size = slider.size;
  if (slider.shape == ShapeType::Mesh) geom.asset = add_box_mesh(spec, slider.size);
}

void push_off(World& world, const Slider& slider, double speed) {
  State state = world.state();
  const std::size_t v = state.v.size() - 6, q = state.q.size() - 7;
  state.v[v] = speed;
  const Quat turned = Quat::from(&state.q[q + 3]);
  const Vec3 spin = transpose_times(to_matrix(turned), Vec3{0, slider.spin * speed, 0});
  for (int k = 0; k < 3; ++k) state.v[v + 3 + static_cast<std::size_t>(k)] = spin[k];
  world.set_state(state);
}

Slide slide(World& world, double time) {
  const std::size_t q = world.state().q.size() - 7;
  const double start = world.state().q[q + 2];
  Slide result;
  for (int i = 0; i < static_cast<int>(std::lround(time / world.dt())); ++i) {
    EXPECT_NE(world.step().status, StepStatus::Failed);
    const double rise = world.state().q[q + 2] - start;
    result.highest = std::max(result.highest, rise);
    result.lowest = std::min(result.lowest, rise);
  }
  result.end = {world.state().q[q], world.state().q[q + 1], world.state().q[q + 2]};
  return result;
}

}  // namespace uzawa::test
