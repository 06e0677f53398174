#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "uzawa/math/pose.hpp"
#include "uzawa/math/tree.hpp"
#include "uzawa/model/elastic_system.hpp"
#include "uzawa/model/soft_skin.hpp"
#include "uzawa/model/spec.hpp"
#include "uzawa/model/state.hpp"
#include "uzawa/model/subsystem.hpp"

namespace uzawa {

/// Number of q and v coordinates of a joint.
int q_size(JointType type);
int v_size(JointType type);

/// A rigid piece: a body with joints, and all bodies fixed to it. The algorithms run on links, not on bodies, so that
/// fixed joints cost nothing. A mocap body is a link, too: one without dofs, whose pose and velocity are given.
struct Link {
  int body = 0;     ///< the body whose joints move the link; the link frame is its frame
  int parent = -1;  ///< link whose pose it starts from, -1: the ground
  int mocap = -1;   ///< of Model::mocap_bodies, which moves it; -1: joints do
  int joint_begin = 0, joint_end = 0;
  double mass = 0;         ///< kg, of all its bodies
  Vec3 com;                ///< m, in the link frame
  Mat3 principal_axes;     ///< columns, in the link frame
  Vec3 principal_inertia;  ///< kg m^2, about com
};

/// One joint, prepared for the forward pass: pose after it = pose before it * offset * motion(q).
/// The rotation of a hinge is affine in (cos, sin): offset * rotation(angle) = fixed + cosine * cos + sine * sin.
struct JointFrame {
  JointType type = JointType::Hinge;
  int q = 0, v = 0;          ///< addresses in q and v
  double reference = 0;      ///< q at which the offset holds; slide and hinge
  Mat3 fixed, cosine, sine;  ///< hinge; for slide and ball, fixed is the offset's rotation
  Vec3 anchor;               ///< m, joint anchor in the frame before the joint
  Vec3 axis;                 ///< joint axis in the frame before the joint; slide and hinge
  Vec3 position;             ///< m, joint anchor in the frame after the joint
};

/// Immutable after construction. Copies are deep; share it by reference.
class Model {
 public:
  /// Checks the spec (throws InputError naming the element) and derives links, topology and joint frames.
  explicit Model(ModelSpec spec);

  const ModelSpec& spec() const { return spec_; }
  const OptionsSpec& options() const { return spec_.options; }

  int nq() const { return nq_; }
  int nv() const { return nv_; }
  /// Number of controls (one per actuator) and of activations (one per actuator with dynamics).
  int nu() const { return static_cast<int>(spec_.actuators.size()); }
  int na() const { return na_; }
  int joint_q(int joint) const { return frames_[static_cast<std::size_t>(joint)].q; }
  int joint_v(int joint) const { return frames_[static_cast<std::size_t>(joint)].v; }
  /// Address of an actuator's activation, -1: it has none.
  int actuator_activation(int actuator) const { return activation_[static_cast<std::size_t>(actuator)]; }

  const std::vector<Link>& links() const { return links_; }
  const std::vector<JointFrame>& joint_frames() const { return frames_; }
  const std::shared_ptr<const TreeTopology>& topology() const { return topology_; }
  /// The link that carries a body (-1: the ground), and the body's pose in the link frame (world frame for -1).
  int body_link(int body) const { return body_link_[static_cast<std::size_t>(body)]; }
  const Pose& body_pose(int body) const { return body_pose_[static_cast<std::size_t>(body)]; }
  /// Pose of a geom or site in the frame of the link that carries its body.
  const Pose& geom_pose(int geom) const { return geom_pose_[static_cast<std::size_t>(geom)]; }
  const Pose& site_pose(int site) const { return site_pose_[static_cast<std::size_t>(site)]; }
  int geom_link(int geom) const { return geom_link_[static_cast<std::size_t>(geom)]; }
  int site_link(int site) const { return body_link(spec_.sites[static_cast<std::size_t>(site)].body); }

  /// What moves: every link and every dof belongs to one subsystem.
  const std::vector<Subsystem>& subsystems() const { return subsystems_; }
  int link_subsystem(int link) const { return link_subsystem_[static_cast<std::size_t>(link)]; }
  int dof_subsystem(int dof) const { return dof_subsystem_[static_cast<std::size_t>(dof)]; }
  /// A single link on a free joint, whatever forces act along the joint.
  bool flies_alone(int link) const { return flies_alone_[static_cast<std::size_t>(link)] != 0; }
  /// Position of a link or dof within its subsystem.
  int local_link(int link) const { return local_link_[static_cast<std::size_t>(link)]; }
  int local_dof(int dof) const { return local_dof_[static_cast<std::size_t>(dof)]; }
  /// The side of a constraint that acts on a link (-1: the ground). A mocap body is of no subsystem.
  Side link_side(int link) const { return link < 0 ? Side{} : Side{link_subsystem(link), link}; }

  /// A link that cannot turn: three slides on the ground, and nothing hangs on it. A node of a soft body, say.
  bool is_point(int link) const { return is_point_[static_cast<std::size_t>(link)] != 0; }
  /// Its momentum is M v whatever its pose: it flies alone, or is a point; or nothing that acts on it counts.
  bool moves_alone(int link) const { return flies_alone(link) || is_point(link) || is_mocap(link); }
  bool is_mocap(int link) const { return links_[static_cast<std::size_t>(link)].mocap >= 0; }

  const std::vector<ElasticSystem>& elastic_systems() const { return elastic_; }
  /// Subsystem of a soft body; -1: it has no free node.
  int soft_subsystem(int soft_body) const { return soft_subsystem_[static_cast<std::size_t>(soft_body)]; }
  std::span<const SoftNode> soft_nodes(int soft_body) const { return soft_nodes_[static_cast<std::size_t>(soft_body)]; }
  /// The side of a constraint that acts on nodes of a soft body; weights that are zero count for nothing.
  Side soft_side(int soft_body, std::span<const int> nodes, std::span<const double> weights) const;
  /// Surface of a soft body.
  const SoftSkin& skin(int soft_body) const { return skins_[static_cast<std::size_t>(soft_body)]; }

  /// Dofs that change a tendon's length: of its joints, in the order of its coefficients, or of the links of its sites.
  std::span<const int> tendon_dofs(int tendon) const { return tendon_dofs_[static_cast<std::size_t>(tendon)]; }

  /// Dofs that an actuator on a site or slider-crank acts on, ascending; empty for the others.
  std::span<const int> actuator_dofs(int actuator) const { return actuator_dofs_[static_cast<std::size_t>(actuator)]; }
  /// Address of a sensor's first value, and the number of values of all sensors.
  int sensor_address(int sensor) const { return sensor_address_[static_cast<std::size_t>(sensor)]; }
  int sensor_values() const { return sensor_values_; }
  /// Bodies that the user moves.
  std::span<const int> mocap_bodies() const { return mocap_bodies_; }
  /// Index among them of the one with that name. Throws InputError where there is none.
  int mocap(std::string_view name) const;
  /// World pose of the model's file.
  Pose mocap_home(int mocap) const;

  /// Armature per dof; joint damping per dof.
  std::span<const double> armature() const { return armature_; }
  std::span<const double> damping() const { return damping_; }
  /// Joints with a spring; bodies that compensate gravity. Most models have none.
  std::span<const int> sprung_joints() const { return sprung_joints_; }
  std::span<const int> compensating_bodies() const { return compensating_bodies_; }
  double total_mass() const { return total_mass_; }

  /// Index of the element with that name. Throws InputError that lists the kind and the name where there is none.
  int body(std::string_view name) const;
  int joint(std::string_view name) const;
  int actuator(std::string_view name) const;
  int site(std::string_view name) const;
  int tendon(std::string_view name) const;
  int sensor(std::string_view name) const;
  int keyframe(std::string_view name) const;

  /// State at the reference configuration, at rest; or at a keyframe.
  State reference_state() const;
  State keyframe_state(int keyframe) const;
  /// Controls of a keyframe.
  std::span<const double> keyframe_control(int keyframe) const;

 private:
  void assign_addresses();
  void build_links();
  void merge_inertia();
  void build_frames();
  void place_geoms_and_sites();
  void list_passive_forces();
  void build_tendons();
  void build_actuators();
  void address_sensors();
  void add_link_dofs(int link, std::vector<int>& dofs) const;
  void build_subsystems();
  void mark_lone_links();
  void place_soft_nodes();
  std::vector<int> couple_trees();
  void build_elastic(int subsystem);
  bool flies_freely(const Subsystem& subsystem) const;

  ModelSpec spec_;
  int nq_ = 0, nv_ = 0, na_ = 0;
  double total_mass_ = 0;
  std::vector<Link> links_;
  std::vector<JointFrame> frames_;
  std::vector<int> activation_, body_link_, geom_link_;
  std::vector<int> sprung_joints_, compensating_bodies_;
  std::vector<Pose> body_pose_, geom_pose_, site_pose_;
  std::vector<double> armature_, damping_;
  std::vector<SoftSkin> skins_;                    ///< per soft body
  std::vector<std::vector<SoftNode>> soft_nodes_;  ///< per soft body
  std::vector<int> soft_subsystem_;                ///< per soft body
  std::vector<ElasticSystem> elastic_;
  std::vector<char> is_point_;  ///< per link
  std::vector<std::vector<int>> tendon_dofs_, actuator_dofs_;
  std::vector<int> sensor_address_, mocap_bodies_;
  int sensor_values_ = 0;
  std::shared_ptr<const TreeTopology> topology_;
  std::vector<Subsystem> subsystems_;
  std::vector<int> link_subsystem_, local_link_;  ///< per link
  std::vector<char> flies_alone_;                 ///< per link
  std::vector<int> dof_subsystem_, local_dof_;    ///< per dof
};

/// Throws InputError for the first error in a spec (indices, NaN, signs, sizes). Called by Model's constructor.
void validate(const ModelSpec& spec);

/// Reference configuration of a spec that does not state one.
std::vector<double> default_reference(const ModelSpec& spec);

}  // namespace uzawa
