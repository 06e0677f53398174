#pragma once

#include <string>
#include <vector>

#include "uzawa/model/spec.hpp"

/// Strings of rigid links on ball joints, as [LCP] section V-C models ropes and wires.
namespace uzawa::scenarios {

struct ChainOptions {
  std::string name = "chain";
  double radius = 0.005;               ///< m, of the capsules
  double mass = 0.001;                 ///< kg, of a link
  double damping = 1e-5;               ///< N m s/rad, of a joint
  double mu = 0.5;                     ///< friction
  JointType first = JointType::Free;   ///< joint of the first link with the ground
  int contact_type = 1, affinity = 1;  ///< as in GeomSpec
  std::array<float, 4> rgba{0.75F, 0.6F, 0.35F, 1};
};

/// One link from each point to the next; frames are parallel to the world's and sit at the links' first points. Returns
/// the first body.
int add_chain(ModelSpec& spec, const std::vector<Vec3>& points, const ChainOptions& options);

/// A further link of the last tree of the spec: a body on a ball joint at `joint` (world, at the reference) of a parent
/// whose frame is at `parent_place`, parallel to the world's.
struct LinkOptions {
  std::string name;
  int parent = 0;
  Vec3 parent_place, joint;
  JointType type = JointType::Ball;
  double mass = 0.001, damping = 0;
};
/// Its frame is at the joint; the caller adds shape and inertia.
int add_link(ModelSpec& spec, const LinkOptions& options);

/// A capsule from a to b in the frame of a body.
GeomSpec capsule_between(int body, const Vec3& a, const Vec3& b, double radius);
/// Of a slender cylinder from a to b about its middle.
void set_slender_inertia(BodySpec& body, const Vec3& a, const Vec3& b, double radius);

}  // namespace uzawa::scenarios
