#pragma once

#include "uzawa/scenarios/scene.hpp"

namespace uzawa::scenarios {

/// Several quadrupeds (models/quadruped.xml) in a scene that holds nothing else that moves; their servos hold the pose
/// "home", unless the model's actuation is off.
class Herd {
 public:
  Herd();
  /// One more, turned at random: any heading, and tilted by `tilt` rad at the most. `place`: between its feet, m.
  void add(ModelSpec& spec, const Vec3& place, double tilt, Random& random) const;
  /// All legs as at home.
  void start(State& state) const;
  void hold(std::vector<double>& control) const;
  /// Those whose trunk is above `height` (m) and upright.
  int standing(const State& state, double height) const;
  /// The lowest and the highest trunk's height, m.
  Range heights(const State& state) const;

 private:
  Model robot_;
};

}  // namespace uzawa::scenarios
