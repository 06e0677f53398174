#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "uzawa/model/state.hpp"

/// The scenes that steps are timed on.
namespace uzawa::bench {

struct Scene {
  std::string name;
  std::string xml;             ///< MJCF text; empty: `path`
  std::filesystem::path path;  ///< of a file
  std::vector<double> q;       ///< positions to start from; empty: keyframe 0 with its control, else the reference
  std::vector<double> v;       ///< with `q`; empty: at rest
  std::vector<double> control;
  int steps = 500;
  int first = 0;  ///< steps before this one are not timed: until things touch
  /// What is wrong with positions that a step has led to, or nothing: a run that is timed must do what it should.
  std::function<std::string(const std::vector<double>& q)> complaint;
};

/// Those of the table against MuJoCo; a scene whose file is not there is left out with a message.
std::vector<Scene> step_scenes();

// For other tables.
/// 8 robots of models/quadruped.xml that drop onto a floor, 1 m apart. `limp`: without motors.
Scene quadrupeds(bool limp);
/// side^3 spheres of 1 cm and 4 g that drop into a box; `heavy`: the mass of every tenth, relative to the others.
Scene spheres(int side, double heavy = 1);
/// A stack of 10 cm boxes, the lowest first.
Scene stack(const std::vector<double>& masses);
/// side x side towers of `height` boxes with 0.5 mm between the towers, so that they lean on each other.
Scene towers(int side, int height, double heavy = 1);

}  // namespace uzawa::bench
