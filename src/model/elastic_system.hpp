#pragma once

#include <memory>
#include <vector>

#include "uzawa/math/nodal/nodal_pattern.hpp"
#include "uzawa/math/vec3.hpp"

namespace uzawa {

class ElasticLaws;

/// Three dofs of the block of A that an elastic subsystem has, world axes.
struct ElasticNode {
  enum class Kind {
    Point,    ///< velocity of a free node of a soft body
    Linear,   ///< velocity of the centre of mass of a rod's link
    Angular,  ///< angular velocity of a rod's link, the node after its Linear one
    Carried   ///< velocity of a node that moves with a link of another subsystem: no dof of the State, tied to the link
  };
  Kind kind = Kind::Point;
  int link = 0;     ///< of the Model
  Vec3 point;       ///< m, Carried: in the link's frame
  double drag = 0;  ///< kg/s, damping in proportion to mass
  double mass = 0;  ///< kg, Carried: of the link's mass that is at the node (share_masses)
};

/// A node of a soft body: where it is, and what moves it.
struct SoftNode {
  int link = -1;  ///< that it moves with; -1: the ground
  Vec3 point;     ///< m, in the link's frame
  int node = -1;  ///< of the elastic system; -1: none, the node stands still
};

/// Soft bodies and rods that are coupled by shared nodes or links: one subsystem of the Model, one block of A.
struct ElasticSystem {
  std::vector<ElasticNode> nodes;  ///< of the subsystem's links in their order, then the carried ones
  std::vector<int> soft_bodies, rods;
  std::shared_ptr<const NodalPattern> pattern;
  std::shared_ptr<const ElasticLaws> laws;  ///< by which energy, forces and stiffness follow from positions
};

}  // namespace uzawa
