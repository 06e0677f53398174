#pragma once

#include "uzawa/scenarios/measure.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::scenarios {

/// Free bodies that must stay where they are.
class StandingScene : public Scene {
 public:
  /// `reach`: from the middle of a body to its farthest point, m.
  StandingScene(Parameters parameters, double reach) : p_(std::move(parameters)), reach_(reach) {}

  void start(const Model& /*model*/, State& state) override { drift_.start(state); }
  void watch(const World& world) override {
    steps_.watch(world);
    drift_.watch(world, reach_);
  }

 protected:
  const Parameters& parameters() const { return p_; }
  const StepWatch& steps() const { return steps_; }
  double drift() const { return drift_.drift(); }  ///< m, of any point of a body

 private:
  Parameters p_;
  double reach_;
  StepWatch steps_;
  DriftWatch drift_;
};

}  // namespace uzawa::scenarios
