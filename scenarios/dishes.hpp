#pragma once

#include "uzawa/scenarios/builders.hpp"

namespace uzawa::scenarios {

/// Centre of mass and inertia of a shell whose wall is equally thick everywhere.
struct ShellInertia {
  double height = 0;  ///< m, of the centre of mass above the shape's origin
  Vec3 inertia;       ///< kg m^2 about the centre of mass, for 1 kg
};
ShellInertia shell_inertia(const RevolvedSpec& shell);

struct DishOptions {
  std::string name;
  RevolvedSpec shell;
  double mass = 0.1;  ///< kg
  Vec3 position;      ///< m, of the shape's origin: half a thickness above what it stands on
  double mu = 0.3;
  std::array<float, 4> rgba{0.93F, 0.93F, 0.9F, 1};
};
/// A dish with a free joint; returns its body.
int add_dish(ModelSpec& spec, const DishOptions& options);

}  // namespace uzawa::scenarios
