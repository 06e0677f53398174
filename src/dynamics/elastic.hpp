#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/math/spatial.hpp"
#include "uzawa/model/elastic_laws.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {

struct DynamicsData;
struct MiddleWorkspace;
struct ThetaRule;

/// An elastic system at the poses of a DynamicsData, by evaluate_elastic. Numbers per node: three, world axes.
struct ElasticState {
  std::vector<double> force;  ///< per node: elastic forces and damping, N or N m
  /// Forces of the step are taken at its end, whatever theta. At theta = 1/2 nothing damps vibrations that are too fast
  /// for the step, and what stops a node at the end of a step leaves it half a step away from where its forces balance:
  /// (h w)^2/4 times the energy of a vibration w that is stopped. So bodies that touch something have it set.
  bool at_end = false;
  NodalMatrix stiffness;     ///< -d force / d position, positive semidefinite; N/m
  NodalMatrix damping;       ///< -d force / d velocity, N s/m; empty where it is a multiple of the stiffness
  ElasticLaws::Parts parts;  ///< both by pieces; empty where the system is whole
  ElasticLaws::Scratch scratch;
  std::vector<double> velocity, product, change;  ///< per node, scratch
  std::vector<Vec3> com;                          ///< per link, scratch
};

/// theta of the rule by which a system's forces are taken.
double elastic_theta(const ThetaRule& rule, const ElasticState& state);

/// Velocities of the nodes of a system at joint velocities v; needs forward_kinematics. Carried nodes move with their
/// links, whose velocities are `link_velocity`.
void node_velocities(const Model& model, const Subsystem& subsystem, std::span<const double> v,
                     std::span<const Motion> link_velocity, const DynamicsData& data, std::span<double> out);
/// The other way round; carried nodes are not looked at.
void joint_velocities(const Model& model, const Subsystem& subsystem, std::span<const double> nodes,
                      const DynamicsData& data, std::span<double> v);
/// tau += what forces on the nodes do along the joints. `carried`: those on carried nodes, too, along the joints of
/// their links.
void add_node_forces(const Model& model, const Subsystem& subsystem, std::span<const double> force, bool carried,
                     const DynamicsData& data, std::span<double> tau);

/// Velocity of the material point of a side that is at `point` (world, m), at velocities of the links.
Vec3 side_velocity(const Model& model, const DynamicsData& data, std::span<const Motion> link_velocity,
                   const Side& side, const Vec3& point);
/// Where the material point of a side that is at `point` at the poses `before`, per link, is at those of `after`, m.
Vec3 moved_point(const Model& model, std::span<const Pose> before, std::span<const Pose> after, const Side& side,
                 const Vec3& point);

/// data.elastic at the poses of `data`, with damping at the joint velocities v; needs forward_kinematics and, for
/// carried nodes, link_velocities.
void evaluate_elastic(const Model& model, std::span<const double> v, DynamicsData& data);

/// Rotation of a system in a step of h seconds at joint velocities v, rad, about: of links of rods, and of soft bodies
/// as a whole, the largest of any. `link_velocity`: of v.
double elastic_turn(const Model& model, const Subsystem& subsystem, std::span<const double> v, double h,
                    std::span<const Motion> link_velocity, const DynamicsData& data);

/// Forces to first order around the poses that a step with joint velocities `after` takes them at, in place of those in
/// its middle (assembly/elastic_block.cpp): with x_a these poses and v_a = (1-theta)^2 v_{k+1} - theta^2 v_k,
///
///     K = K(x_a),     f = f(x_a) + h K v_a
///
/// so that the same A and b hold. `link_pose`: per link, at x_a; `middle`: of the step, whose impulse and passive force
/// change by what the forces do; v: at its start.
void relinearise_elastic(const Model& model, const ThetaRule& rule, std::span<const Pose> link_pose,
                         std::span<const double> v, std::span<const double> after, DynamicsData& data,
                         MiddleWorkspace& middle);

/// tau += data.elastic's forces along the joints; of carried nodes only where asked for: in a step they are tied.
void add_elastic_force(const Model& model, bool carried, const DynamicsData& data, std::span<double> tau);

/// y = D x per node: damping of a system.
void multiply_damping(const ElasticSystem& system, const ElasticState& state, std::span<const double> x,
                      std::span<double> y);

/// Work of soft bodies and rods in a step from joint velocities v to `after`, along `mean`.
struct ElasticWork {
  double middle = 0;  ///< J, of their forces in the middle of the step, but for those on carried nodes
  double damped = 0;  ///< J, taken by their damping
};
/// `link_velocity`: per link, scratch.
ElasticWork elastic_work(const Model& model, const ThetaRule& rule, std::span<const double> v,
                         std::span<const double> mean, std::span<const double> after, const DynamicsData& data,
                         std::span<Motion> link_velocity);

/// rad, the largest rotation between two links of a rod that share a joint, where forces were taken last; 0 without
/// rods. A joint knows its rotation up to half a turn; beyond, it springs to the other side, and what it has stored is
/// lost: more links are needed.
double largest_rod_turn(const DynamicsData& data);

/// J, at the poses of `data`; after evaluate_elastic, at these poses or others.
double elastic_energy(const Model& model, const DynamicsData& data);

}  // namespace uzawa
