#include "uzawa/papers/cases.hpp"

#include <cmath>

namespace uzawa::papers {

namespace {

void draw(const Model& model, const Wrenches& wrenches, scenarios::Random& random, std::span<double> external) {
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    if (model.spec().joints[j].type != JointType::Free) continue;
    const auto dof = static_cast<std::size_t>(model.joint_v(static_cast<int>(j)));
    for (std::size_t k = 0; k < 3; ++k) external[dof + k] += random.uniform(-wrenches.force, wrenches.force);
    for (std::size_t k = 3; k < 6; ++k) external[dof + k] += random.uniform(-wrenches.moment, wrenches.moment);
  }
}

}  // namespace

Case case_of(const World& world, const World::Snapshot& before) {
  Case out{world.problem(), {}, {}};
  WarmStart warm = before.warm;
  std::vector<double> least;  // a single solve has no history to keep in mind
  warm.fill(world.problem(), world.keys(), world.contacts(), out.start, least);
  return out;
}

Case next_case(World& world, const scenarios::Drive& drive) {
  const World::Snapshot before = world.save();
  std::vector<double> last = world.result().v;
  world.step(drive.control, drive.external);
  Case out = case_of(world, before);
  if (last.size() == out.problem.b.size()) out.start_velocity = std::move(last);
  return out;
}

std::vector<Case> sampled_cases(scenarios::SceneRun& scene, int steps, int every, const Options& options) {
  std::vector<Case> out;
  for (int i = 0; i < steps; ++i) {
    options.beat();
    const bool wanted = i % every == 0;
    const World::Snapshot before = wanted ? scene.world().save() : World::Snapshot{};
    scene.step();
    if (wanted && scene.world().problem().rows > 0) out.push_back(case_of(scene.world(), before));
  }
  return out;
}

std::vector<Case> wrench_cases(scenarios::SceneRun& scene, int count, const Wrenches& wrenches,
                               scenarios::Random& random) {
  World& world = scene.world();
  const World::Snapshot before = world.save();
  std::vector<Case> out;
  for (int i = 0; i < count; ++i) {
    std::vector<double> external = scene.drive().external;
    draw(world.model(), wrenches, random, external);
    world.step(scene.drive().control, external);
    out.push_back(case_of(world, before));
    world.restore(before);
  }
  return out;
}

void run_for(scenarios::SceneRun& scene, double seconds) {
  const long steps = std::lround(seconds / scene.world().dt());
  for (long i = 0; i < steps; ++i) scene.step();
}

}  // namespace uzawa::papers
