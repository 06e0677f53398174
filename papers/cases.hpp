#pragma once

#include <vector>

#include "uzawa/papers/bench.hpp"
#include "uzawa/scenarios/scene.hpp"

/// Contact problems from the scenes' own simulation: what a solver is asked in a step.
namespace uzawa::papers {

struct Case {
  Problem problem;
  std::vector<double> start;           ///< impulses of the step before, where the same constraint was there
  std::vector<double> start_velocity;  ///< velocities that the step before ended with; empty: it was the first
};

/// The problem of the step that the scene has just done; `before` is its world's snapshot from before that step.
Case case_of(const World& world, const World::Snapshot& before);
/// The problem of the next step, which is done.
Case next_case(World& world, const scenarios::Drive& drive);

/// Every `every`-th step of the next `steps`, for as long as there are constraints; the scene goes on with its own
/// solver.
std::vector<Case> sampled_cases(scenarios::SceneRun& scene, int steps, int every, const Options& options);

/// A random wrench on every free body.
struct Wrenches {
  double force = 0;   ///< N, each component at the most
  double moment = 0;  ///< N m, each component at the most
};
/// From the state of the scene as it is, `count` problems that differ in the wrenches; the state stays.
std::vector<Case> wrench_cases(scenarios::SceneRun& scene, int count, const Wrenches& wrenches,
                               scenarios::Random& random);

/// Simulated time that a scene goes on for.
void run_for(scenarios::SceneRun& scene, double seconds);

}  // namespace uzawa::papers
