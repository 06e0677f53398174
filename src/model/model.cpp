#include "uzawa/model/model.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/math/spatial.hpp"

namespace uzawa {

namespace {

template <typename Elements>
int find_by_name(const Elements& elements, std::string_view name, const std::string& source, const char* kind) {
  const auto it = std::find_if(elements.begin(), elements.end(), [&](const auto& e) { return e.name == name; });
  if (it == elements.end()) throw InputError(source, kind, "no such name: '" + std::string(name) + "'");
  return static_cast<int>(it - elements.begin());
}

/// sum_k d_k a_k a_k^T.
Sym3 inertia_in(const Mat3& axes, const Vec3& principal) {
  Sym3 inertia;
  for (int k = 0; k < 3; ++k) inertia += outer(axes.col[k]) * principal[k];
  return inertia;
}

/// Principal axes (a rotation) and moments of a symmetric matrix.
void diagonalize(const Sym3& inertia, Mat3& axes, Vec3& principal) {
  const Mat3 m = to_matrix(inertia);
  Eigen::Matrix3d dense;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) dense(r, c) = m(r, c);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(dense);
  for (int k = 0; k < 3; ++k) {
    principal.set(k, std::max(0.0, solver.eigenvalues()(k)));
    for (int r = 0; r < 3; ++r) axes.col[k].set(r, solver.eigenvectors()(r, k));
  }
}

void sort_unique(std::vector<int>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

int q_size(JointType type) { return type == JointType::Free ? 7 : type == JointType::Ball ? 4 : 1; }
int v_size(JointType type) { return type == JointType::Free ? 6 : type == JointType::Ball ? 3 : 1; }

Model::Model(ModelSpec spec) : spec_(std::move(spec)) {
  if (spec_.reference_q.empty()) spec_.reference_q = default_reference(spec_);
  if (spec_.spring_q.empty()) spec_.spring_q = spec_.reference_q;
  validate(spec_);
  assign_addresses();
  build_links();
  merge_inertia();
  build_frames();
  place_geoms_and_sites();
  list_passive_forces();
  build_tendons();
  build_actuators();
  address_sensors();
  for (const SoftBodySpec& soft : spec_.soft_bodies) skins_.push_back(make_skin(soft));
  build_subsystems();
}

std::vector<double> default_reference(const ModelSpec& spec) {
  std::vector<double> q;
  for (const JointSpec& joint : spec.joints) {
    const std::size_t start = q.size();
    q.resize(start + at(q_size(joint.type)), 0.0);
    if (joint.type == JointType::Ball) q[start] = 1;
    if (joint.type == JointType::Free && joint.body >= 0 && at(joint.body) < spec.bodies.size()) {
      const BodySpec& body = spec.bodies[at(joint.body)];
      body.position.store(&q[start]);
      body.orientation.store(&q[start + 3]);
    }
  }
  return q;
}

void Model::assign_addresses() {
  for (const JointSpec& joint : spec_.joints) {
    JointFrame frame;
    frame.type = joint.type;
    frame.q = nq_;
    frame.v = nv_;
    frames_.push_back(frame);
    nq_ += q_size(joint.type);
    nv_ += v_size(joint.type);
    armature_.resize(at(nv_), joint.armature);
    damping_.resize(at(nv_), joint.damping);
  }
  for (const ActuatorSpec& actuator : spec_.actuators) {
    activation_.push_back(actuator.dynamics == ActuatorDynamics::None ? -1 : na_++);
  }
}

void Model::build_links() {
  std::vector<int> parents, dofs;
  std::size_t next_joint = 0;
  for (int b = 0; b < static_cast<int>(spec_.bodies.size()); ++b) {
    const BodySpec& body = spec_.bodies[at(b)];
    const std::size_t first = next_joint;
    int link_dofs = 0;
    for (; next_joint < spec_.joints.size() && spec_.joints[next_joint].body == b; ++next_joint) {
      link_dofs += v_size(spec_.joints[next_joint].type);
    }
    const Pose local = Pose::from(body.position, normalized(body.orientation));
    if (next_joint > first || body.mocap) {  // it moves: a link of its own
      const int parent = body_link(body.parent), mocap = static_cast<int>(mocap_bodies_.size());
      links_.push_back({.body = b,
                        .parent = parent,
                        .mocap = body.mocap ? mocap : -1,
                        .joint_begin = static_cast<int>(first),
                        .joint_end = static_cast<int>(next_joint)});
      if (body.mocap) mocap_bodies_.push_back(b);
      // What hangs on a mocap body follows its pose and feels nothing of its velocity, as in MuJoCo.
      parents.push_back(parent < 0 || is_mocap(parent) ? -1 : parent);
      dofs.push_back(link_dofs);
      body_link_.push_back(static_cast<int>(links_.size()) - 1);
      body_pose_.emplace_back();
    } else {  // fixed: part of its parent's link
      body_link_.push_back(b == 0 ? -1 : body_link(body.parent));
      body_pose_.push_back(b == 0 ? Pose{} : body_pose(body.parent) * local);
    }
  }
  topology_ = std::make_shared<const TreeTopology>(parents, dofs);
}

void Model::merge_inertia() {
  // Everything about the link frame's origin first, then about the common centre of mass.
  std::vector<SpatialInertia> about_origin(links_.size());
  for (int b = 0; b < static_cast<int>(spec_.bodies.size()); ++b) {
    const BodySpec& body = spec_.bodies[at(b)];
    if (body_link(b) < 0 || is_mocap(body_link(b))) continue;
    const Pose inertial = body_pose(b) * Pose::from(body.com, normalized(body.inertia_orientation));
    SpatialInertia& sum = about_origin[at(body_link(b))];
    sum.add_point_mass(body.mass, inertial.position);
    sum.rotational += inertia_in(inertial.rotation, body.principal_inertia);
    total_mass_ += body.mass;
  }
  std::vector<int> bodies_of(links_.size(), 0);
  for (const int link : body_link_) {
    if (link >= 0) ++bodies_of[at(link)];
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    if (link.mocap >= 0) continue;
    const BodySpec& body = spec_.bodies[at(link.body)];
    link.mass = about_origin[i].mass;
    if (!(link.mass > 0)) {
      throw InputError(spec_.source, "body '" + body.name + "'", "moves but has no mass");
    }
    link.com = about_origin[i].first * (1 / link.mass);
    // Merged bodies need new principal axes; a single body keeps its own to the last bit.
    if (bodies_of[i] == 1) {
      link.principal_axes = to_matrix(normalized(body.inertia_orientation));
      link.principal_inertia = body.principal_inertia;
      link.com = body.com;
    } else {
      Sym3 inertia = about_origin[i].rotational;
      inertia += SpatialInertia::point_moment(-link.mass, link.com);
      diagonalize(inertia, link.principal_axes, link.principal_inertia);
    }
  }
}

void Model::build_frames() {
  for (const Link& link : links_) {
    const BodySpec& body = spec_.bodies[at(link.body)];
    // The first joint of a link carries the link's offset from its parent link; the others start where it ended.
    Pose offset = body_pose(body.parent) * Pose::from(body.position, normalized(body.orientation));
    for (int j = link.joint_begin; j < link.joint_end; ++j, offset = Pose{}) {
      const JointSpec& joint = spec_.joints[at(j)];
      JointFrame& frame = frames_[at(j)];
      frame.position = joint.type == JointType::Free ? Vec3{} : joint.position;
      frame.anchor = offset * frame.position;
      frame.fixed = offset.rotation;
      if (joint.type == JointType::Slide || joint.type == JointType::Hinge) {
        const Vec3 axis = joint.axis * (1 / norm(joint.axis));
        frame.axis = offset.rotation * axis;
        frame.reference = spec_.reference_q[at(frame.q)];
        if (joint.type == JointType::Hinge) {
          // Rodrigues: a a^T + cos (1 - a a^T) + sin [a]x.
          const Mat3 along = to_matrix(outer(axis));
          frame.fixed = offset.rotation * along;
          frame.cosine = offset.rotation * (Mat3::identity() + along * -1);
          frame.sine = offset.rotation * cross_matrix(axis);
        }
      }
    }
  }
}

void Model::add_link_dofs(int link, std::vector<int>& dofs) const {
  if (link < 0 || topology_->last_dof(link) < 0) return;
  const std::span<const int> path = topology_->path(topology_->last_dof(link));
  dofs.insert(dofs.end(), path.begin(), path.end());
}

void Model::build_tendons() {
  for (const TendonSpec& tendon : spec_.tendons) {
    std::vector<int>& dofs = tendon_dofs_.emplace_back();
    for (const int joint : tendon.joints) dofs.push_back(joint_v(joint));
    for (const TendonPoint& point : tendon.path) {
      if (point.site >= 0) add_link_dofs(site_link(point.site), dofs);
      if (point.geom >= 0) add_link_dofs(geom_link(point.geom), dofs);
    }
    if (!tendon.path.empty()) sort_unique(dofs);
  }
}

void Model::build_actuators() {
  for (const ActuatorSpec& actuator : spec_.actuators) {
    std::vector<int>& dofs = actuator_dofs_.emplace_back();
    if (actuator.transmission != Transmission::Site && actuator.transmission != Transmission::SliderCrank) continue;
    add_link_dofs(site_link(actuator.target), dofs);
    if (actuator.reference >= 0) add_link_dofs(site_link(actuator.reference), dofs);
    sort_unique(dofs);
  }
}

void Model::address_sensors() {
  for (const SensorSpec& sensor : spec_.sensors) {
    sensor_address_.push_back(sensor_values_);
    sensor_values_ += sensor_size(sensor.type);
  }
}

void Model::place_geoms_and_sites() {
  for (const GeomSpec& geom : spec_.geoms) {
    geom_link_.push_back(body_link(geom.body));
    geom_pose_.push_back(body_pose(geom.body) * Pose::from(geom.position, normalized(geom.orientation)));
  }
  for (const SiteSpec& site : spec_.sites) {
    site_pose_.push_back(body_pose(site.body) * Pose::from(site.position, normalized(site.orientation)));
  }
}

void Model::list_passive_forces() {
  for (std::size_t j = 0; j < spec_.joints.size(); ++j) {
    const JointSpec& joint = spec_.joints[j];
    if (joint.stiffness != 0 || dot(joint.ball_stiffness, joint.ball_stiffness) > 0) {
      sprung_joints_.push_back(static_cast<int>(j));
    }
  }
  for (std::size_t b = 0; b < spec_.bodies.size(); ++b) {
    if (spec_.bodies[b].gravity_compensation != 0) compensating_bodies_.push_back(static_cast<int>(b));
  }
}

int Model::body(std::string_view name) const { return find_by_name(spec_.bodies, name, spec_.source, "body"); }
int Model::joint(std::string_view name) const { return find_by_name(spec_.joints, name, spec_.source, "joint"); }
int Model::actuator(std::string_view name) const {
  return find_by_name(spec_.actuators, name, spec_.source, "actuator");
}
Pose Model::mocap_home(int mocap) const {
  const BodySpec& body = spec_.bodies[at(mocap_bodies_[at(mocap)])];
  return Pose::from(body.position, normalized(body.orientation));
}
int Model::mocap(std::string_view name) const {
  const Link* link = body_link(body(name)) < 0 ? nullptr : &links_[at(body_link(body(name)))];
  if (link == nullptr || link->mocap < 0 || spec_.bodies[at(link->body)].name != name) {
    throw InputError(spec_.source, "body '" + std::string(name) + "'", "is no mocap body");
  }
  return link->mocap;
}
int Model::site(std::string_view name) const { return find_by_name(spec_.sites, name, spec_.source, "site"); }
int Model::tendon(std::string_view name) const { return find_by_name(spec_.tendons, name, spec_.source, "tendon"); }
int Model::sensor(std::string_view name) const { return find_by_name(spec_.sensors, name, spec_.source, "sensor"); }
int Model::keyframe(std::string_view name) const {
  return find_by_name(spec_.keyframes, name, spec_.source, "keyframe");
}

State Model::reference_state() const {
  State state{.q = spec_.reference_q,
              .v = std::vector<double>(at(nv_), 0.0),
              .activation = std::vector<double>(at(na_), 0.0),
              .time = 0,
              .mocap = std::vector<double>(7 * mocap_bodies_.size()),
              .mocap_v = std::vector<double>(6 * mocap_bodies_.size(), 0.0)};
  for (std::size_t m = 0; m < mocap_bodies_.size(); ++m) {
    const BodySpec& body = spec_.bodies[at(mocap_bodies_[m])];
    body.position.store(&state.mocap[7 * m]);
    normalized(body.orientation).store(&state.mocap[7 * m + 3]);
  }
  return state;
}

State Model::keyframe_state(int keyframe) const {
  const KeyframeSpec& key = spec_.keyframes.at(at(keyframe));
  State state = reference_state();
  state.q = key.q;
  state.v = key.v;
  state.activation = key.activation;
  state.time = key.time;
  if (!key.mocap.empty()) state.mocap = key.mocap;
  return state;
}

std::span<const double> Model::keyframe_control(int keyframe) const { return spec_.keyframes.at(at(keyframe)).control; }

}  // namespace uzawa
