#pragma once

#include <memory>
#include <vector>

#include "uzawa/math/pose.hpp"
#include "uzawa/math/spatial.hpp"
#include "uzawa/math/tree_inertia.hpp"
#include "uzawa/math/tree_matrix.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {

struct ElasticState;

/// Results and scratch of the algorithms of this room for one model at one state. Sized at construction; no
/// function of this room allocates after that. World axes throughout; spatial quantities of a tree are about its
/// reference point. "By" names the function that writes a field; it stays valid until that function runs again.
struct DynamicsData {
  explicit DynamicsData(const Model& model);

  // -- by forward_kinematics(q)
  std::vector<Pose> link_pose;     ///< per link: link frame in the world
  std::vector<Vec3> link_com;      ///< per link: centre of mass, m
  std::vector<Vec3> reference;     ///< per tree: reference point o (centre of mass of its root link), m
  std::vector<Vec3> joint_anchor;  ///< per joint: anchor in the world, m
  std::vector<Vec3> joint_axis;    ///< per joint: axis in the world; hinge and slide
  TreeInertia tree;                ///< S per dof, inertia per link, armature per dof

  // -- by mass_matrix
  TreeMatrix mass;  ///< M
  // -- by factorize_mass
  TreeMatrix mass_factor;  ///< L^T D L of M

  // -- by link_velocities(v)
  std::vector<Motion> velocity;  ///< per link

  // -- by tendon_lengths(q)
  std::vector<double> tendon_length;                 ///< per tendon, m
  std::vector<std::vector<double>> tendon_jacobian;  ///< per tendon: d length / d v over Model::tendon_dofs

  std::vector<double> actuator_length;                 ///< per actuator on a site or slider-crank, m; others: unused
  std::vector<std::vector<double>> actuator_jacobian;  ///< likewise: d length / d v over Model::actuator_dofs

  // -- by actuator_force
  std::vector<double> actuator_force;  ///< per actuator: N or N m, before the gear
  std::vector<double> tendon_force;    ///< per tendon: sum of its actuators' forces before the tendon's clamp, N
  std::vector<char> joint_saturated;   ///< per joint: 1 where the clamp of its total actuator force decides

  // -- by evaluate_elastic(v); shared by copies
  std::vector<std::shared_ptr<ElasticState>> elastic;  ///< per elastic system of the Model

  // -- by place_mocap, or the caller; at first as in the model, at rest
  std::vector<Pose> mocap_pose;        ///< per mocap body of the Model, world
  std::vector<Motion> mocap_velocity;  ///< likewise, about the origin of its frame
  // -- by the World: at the end of the step
  std::vector<Motion> mocap_end_velocity;

  // -- scratch
  std::vector<SpatialInertia> composite;  ///< per link
  std::vector<Motion> acceleration;       ///< per link
  std::vector<Force> force;               ///< per link
  std::vector<double> dof_scratch;        ///< per dof
  TreeInertia augmented;                  ///< by augmented_matrix
  ArticulatedFactor articulated;          ///< by forward_dynamics
};

}  // namespace uzawa
