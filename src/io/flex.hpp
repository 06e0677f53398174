#pragma once

#include <vector>

#include "uzawa/io/mujoco_compat.hpp"
#include "uzawa/model/spec.hpp"

/// MuJoCo's deformable objects as soft bodies. Internal to this room. Legacy MuJoCo has none.
namespace uzawa::mujoco {

struct Unsupported;

/// What a file says of a flex and its compiled model no longer does: that keeps stiffnesses of elements only.
struct FlexSource {
  double young = 0;                          ///< Pa; 0: no elasticity
  double poisson = 0;                        ///< -
  double damping = 0;                        ///< s
  double thickness = 0;                      ///< m, shells
  bool stretching = false, bending = false;  ///< of shells
  bool passive_contacts = false;             ///< a penalty without friction in place of contacts
};

/// The elements of the flex have elasticity, and it is not switched off.
bool has_elasticity(const mjModel* m, int flex, const FlexSource& source);

/// Vertices that hang on a moving body by three slides of their own, bodies in ascending order. They become children of
/// the ground: the soft body moves with its pins, and a free vertex with nothing but the soft body.
std::vector<int> vertex_bodies_on_moving_parents(const mjModel* m);

/// Adds a soft body and a skin geom for every flex, and a length equality for every edge that an equality holds.
void add_flexes(const mjModel* m, const std::vector<FlexSource>& sources, ModelSpec& spec);

/// Names what of the flexes is not supported.
void survey_flexes(const mjModel* m, const std::vector<FlexSource>& sources, Unsupported& found);

}  // namespace uzawa::mujoco
