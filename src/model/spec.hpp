#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "uzawa/math/quaternion.hpp"
#include "uzawa/model/appearance_spec.hpp"
#include "uzawa/model/sdf_spec.hpp"
#include "uzawa/model/sensor_spec.hpp"
#include "uzawa/model/soft_spec.hpp"

/// Content of a model file, as plain data. A loader or a program fills a ModelSpec; `Model` checks it, derives the data
/// of the algorithms and is immutable. Units are SI; conventions (order of bodies, layout of q and v, frames) follow
/// MuJoCo, so that models and states can be exchanged with it and compared field by field.
namespace uzawa {

enum class JointType { Free, Ball, Slide, Hinge };  // a body without a joint is fixed to its parent

/// Body 0 is the ground. A parent comes before its children.
struct BodySpec {
  std::string name;
  int parent = 0;                   ///< body
  Vec3 position;                    ///< m, in the parent's frame, at the reference configuration
  Quat orientation;                 ///< in the parent's frame, at the reference configuration
  double mass = 0;                  ///< kg
  Vec3 com;                         ///< m, centre of mass in the body frame
  Quat inertia_orientation;         ///< principal axes in the body frame
  Vec3 principal_inertia;           ///< kg m^2, about the centre of mass
  double gravity_compensation = 0;  ///< upward force at the centre of mass, in units of the body's weight
  bool mocap = false;               ///< moved by the user: on the ground, without joints
};

/// Joints are ordered by body, and within a body from the parent outwards.
/// q: free 7 (x y z, w x y z), ball 4 (w x y z), slide and hinge 1 (m, rad).
/// v: free 6 (linear in the world frame, angular in the body frame), ball 3 (body frame), slide and hinge 1.
struct JointSpec {
  std::string name;
  JointType type = JointType::Hinge;
  int body = 0;
  Vec3 position;                              ///< m, anchor in the body frame; unused by free
  Vec3 axis{0, 0, 1};                         ///< unit vector in the body frame; slide and hinge
  double armature = 0;                        ///< kg m^2 or kg, added to the diagonal of M for each dof of the joint
  double damping = 0;                         ///< N m s/rad or N s/m, per dof
  double stiffness = 0;                       ///< N m/rad or N/m, towards the spring reference
  Vec3 ball_stiffness;                        ///< N m/rad, >= 0, ball: in addition, about each axis of the body frame
  double friction_loss = 0;                   ///< N m or N, bound of dry friction per dof
  std::optional<Range> range;                 ///< of q (hinge, slide) or of the rotation angle (ball: lower is 0)
  double limit_margin = 0;                    ///< m or rad
  std::optional<Range> actuator_force_range;  ///< clamps the sum of actuator forces; hinge and slide
  bool gravity_compensation_by_actuators = false;  ///< gravity compensation counts as actuator force
};

struct GeomSpec {
  std::string name;
  int body = 0;
  ShapeType shape = ShapeType::Sphere;
  Vec3 size;             ///< m; sphere, skin r; capsule, cylinder r and half length; box, ellipsoid half sizes
  int asset = -1;        ///< mesh, height field, or soft body of a skin
  Vec3 position;         ///< m, in the body frame
  Quat orientation;      ///< in the body frame
  int contact_type = 1;  ///< a pair collides if (type_1 & affinity_2) or (type_2 & affinity_1)
  int contact_affinity = 1;
  int contact_dimension = 3;  ///< 1: frictionless, 3: Coulomb friction, 4: and torsional, 6: and rolling friction
  int priority = 0;           ///< the material of the higher priority wins
  std::array<double, 3> friction{1, 0.005, 0.0001};  ///< sliding, torsional (m), rolling (m)
  double margin = 0;                                 ///< m, contacts are reported below this gap
  double gap = 0;                                    ///< m
  std::optional<SdfSpec> sdf;                        ///< collides as this instead of as its shape
  int group = 0;                                     ///< for display
  int material = -1;                                 ///< of AppearanceSpec; -1: none
  std::array<float, 4> rgba{0.5F, 0.5F, 0.5F, 1};
};

struct SiteSpec {
  std::string name;
  int body = 0;
  Vec3 position;     ///< m, in the body frame
  Quat orientation;  ///< in the body frame
};

/// Vertices are in the frame of the geoms that use the mesh.
struct MeshSpec {
  std::string name;
  std::vector<std::array<float, 3>> vertices;  ///< m
  std::vector<std::array<int, 3>> faces;       ///< counter-clockwise from outside
  /// Where in a flat texture the corners of the faces are, three a face; empty: the file does not say.
  std::vector<std::array<float, 2>> texture_places;
};

/// Elevations in row-major order, row 0 at -y.
struct HeightFieldSpec {
  std::string name;
  std::array<double, 4> size{};  ///< m: half x, half y, height of elevation 1, depth of the base below 0
  int rows = 0, columns = 0;
  std::vector<float> elevation;  ///< 0..1
};

/// A stretch of a spatial tendon's path: a site it runs through, a sphere or cylinder that it wraps around where the
/// straight line between the sites before and after would cross it, or a pulley that starts a new branch.
struct TendonPoint {
  int site = -1;       ///< -1: a geom or a pulley
  double divisor = 1;  ///< pulley: lengths of the branch that follows count divided by this
  int geom = -1;       ///< sphere, or cylinder (which counts as endless); between two sites
  int side_site =
      -1;  ///< of a geom: on the side of it on which the tendon runs, or inside it: then the tendon stays inside

  bool is_pulley() const { return site < 0 && geom < 0; }
};

/// Fixed tendon: length = sum coefficient * q over hinge and slide joints. Spatial tendon: length = sum over the
/// branches of its path of the distances from site to site. A tendon has joints or a path, not both.
struct TendonSpec {
  std::string name;
  std::vector<int> joints;
  std::vector<double> coefficients;
  std::vector<TendonPoint> path;
  double stiffness = 0;                       ///< N/m
  double damping = 0;                         ///< N s/m
  double friction_loss = 0;                   ///< N
  Range spring_length;                        ///< m; no spring force inside the range
  std::optional<Range> range;                 ///< m
  double limit_margin = 0;                    ///< m
  std::optional<Range> actuator_force_range;  ///< N, clamps the sum of actuator forces on the tendon
};

/// Site: a force and a moment at a site, along `gear` in the frame of the site, or in that of the reference site, which
/// then also bears the reaction. Body: adhesion, which draws the body's contacts together, each with its share.
/// SliderCrank: a rod of fixed length from the site `target` (the crank's pin) to a slider on the z axis of
/// `reference`.
enum class Transmission { Joint, JointInParent, Tendon, Site, Body, SliderCrank };
enum class ActuatorDynamics { None, Integrator, Filter, FilterExact, Muscle };

/// The force-length-velocity curves of a muscle, as MuJoCo has them. Lengths are normalised: `range` holds the
/// normalised lengths at the two ends of ActuatorSpec::length_range.
struct MuscleSpec {
  Range range{0.75, 1.05};
  double peak_force = -1;                ///< N; negative: scale / ActuatorSpec::unit_acceleration
  double scale = 200;                    ///< N m/s^2 or so
  double shortest = 0.5, longest = 1.6;  ///< normalised lengths between which there is active force
  double fastest = 1.5;                  ///< normalised lengths a second, of shortening, at which it vanishes
  double passive = 1.3;                  ///< passive force at `longest`, over the peak force
  double lengthening = 1.2;              ///< active force at fast lengthening, over the peak force
};

/// force = gain * u + bias, u the control or the activation, with affine laws in (1, length, velocity): a motor has
/// gain (g, 0, 0); a position servo gain (kp, 0, 0), bias (0, -kp, -kd); a velocity servo bias (0, 0, -kd). Or with
/// those of a muscle.
struct ActuatorSpec {
  std::string name;
  Transmission transmission = Transmission::Joint;
  int target = 0;                                ///< joint, tendon, site or body
  std::array<double, 6> gear{1, 0, 0, 0, 0, 0};  ///< length = gear * q; ball uses 3, free and site use 6
  int reference = -1;                            ///< site: reference site, or -1; slider-crank: site of the slider
  double rod_length = 0;                         ///< m, slider-crank
  ActuatorDynamics dynamics = ActuatorDynamics::None;
  double time_constant = 1;         ///< s, filters and activation of muscles
  double deactivation_time = 0.04;  ///< s, muscles
  double smoothing = 0;             ///< muscles: width of the transition between the two time constants, in control
  std::array<double, 3> gain{1, 0, 0};
  std::array<double, 3> bias{0, 0, 0};
  std::optional<MuscleSpec> muscle_gain, muscle_bias;  ///< in place of the affine laws
  Range length_range;                                  ///< m, of muscles: lengths that the joints allow
  double unit_acceleration = 1;  ///< of muscles: norm of M^-1 moment at the reference configuration
  std::optional<Range> control_range, force_range, activation_range;
};

enum class EqualityType { Connect, Weld, Joint, Tendon };

struct EqualitySpec {
  std::string name;
  EqualityType type = EqualityType::Connect;
  bool active = true;
  int first = 0;    ///< body (connect, weld), joint or tendon
  int second = -1;  ///< body (0: the ground), joint or tendon; -1: none (joint and tendon: the first is held constant)
  Vec3 first_anchor, second_anchor;    ///< m, the points that coincide, in the two body frames; connect and weld
  Quat relative_orientation;           ///< weld: orientation of the second body in the frame of the first
  double torque_scale = 1;             ///< weld: m, weight of rotation against translation
  std::array<double, 5> polynomial{};  ///< joint, tendon: x1 - x1_0 = sum c_k (x2 - x2_0)^k
};

/// Explicit contact pair with its own material.
struct ContactPairSpec {
  std::string name;
  int geom1 = 0, geom2 = 0;
  int dimension = 3;  ///< as GeomSpec::contact_dimension
  /// Sliding along the two tangents of contact_frame(model, contact), torsional (m), rolling about these tangents (m).
  std::array<double, 5> friction{1, 1, 0, 0, 0};
  double margin = 0, gap = 0;         ///< m
  std::optional<double> restitution;  ///< 0 to 1; none: OptionsSpec's
};

struct ContactExcludeSpec {
  int body1 = 0, body2 = 0;
};

struct KeyframeSpec {
  std::string name;
  double time = 0;  ///< s
  std::vector<double> q, v, activation, control;
  std::vector<double> mocap;  ///< 7 for each mocap body: x y z, w x y z; empty: as in the model
};

struct OptionsSpec {
  Vec3 gravity{0, 0, -9.81};  ///< m/s^2
  double timestep = 0.002;    ///< s
  /// Medium around the bodies, acting on each body's inertia box (MuJoCo's inertia-based fluid model).
  double fluid_density = 0;    ///< kg/m^3
  double fluid_viscosity = 0;  ///< Pa s
  Vec3 wind;                   ///< m/s, velocity of the medium
  Vec3 magnetic{0, -0.5, 0};   ///< T, flux that magnetometers measure
  double restitution = 0;      ///< 0 to 1, of every contact whose pair has none of its own
  bool contacts = true, limits = true, friction_loss = true, equalities = true, actuation = true;
  bool filter_parent = true;  ///< no contact between a body and its parent
};

struct ModelSpec {
  std::string name;
  std::string source;  ///< file it came from, for messages; may be empty
  OptionsSpec options;
  std::vector<BodySpec> bodies{BodySpec{.name = "world"}};
  std::vector<JointSpec> joints;
  std::vector<GeomSpec> geoms;
  std::vector<SiteSpec> sites;
  std::vector<MeshSpec> meshes;
  std::vector<HeightFieldSpec> height_fields;
  std::vector<TendonSpec> tendons;
  std::vector<ActuatorSpec> actuators;
  std::vector<EqualitySpec> equalities;
  std::vector<ContactPairSpec> contact_pairs;
  std::vector<ContactExcludeSpec> contact_excludes;
  std::vector<KeyframeSpec> keyframes;
  std::vector<SoftBodySpec> soft_bodies;
  std::vector<RodSpec> rods;
  std::vector<SensorSpec> sensors;
  AppearanceSpec appearance;
  /// Configuration in which the bodies have their spec poses, and rest configuration of the joint springs. Empty: all
  /// scalars zero, all quaternions one, free joints at their body's spec pose.
  std::vector<double> reference_q, spring_q;
};

}  // namespace uzawa
