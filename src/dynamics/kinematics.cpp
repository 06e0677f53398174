#include "uzawa/dynamics/kinematics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Moves `pose` across one joint and notes the joint's anchor and axis in the world.
void cross_joint(const JointFrame& joint, const double* q, Pose& pose, Vec3& anchor, Vec3& axis) {
  switch (joint.type) {
    case JointType::Hinge: {
      const double angle = q[joint.q] - joint.reference;
      double sine, cosine;
      sincos(angle, &sine, &cosine);
      anchor = pose * joint.anchor;
      axis = pose.rotation * joint.axis;
      Mat3 local;
      for (int c = 0; c < 3; ++c) {
        local.col[c] = joint.fixed.col[c] + joint.cosine.col[c] * cosine + joint.sine.col[c] * sine;
      }
      pose.rotation = pose.rotation * local;
      pose.position = anchor - pose.rotation * joint.position;
      break;
    }
    case JointType::Slide: {
      anchor = pose * joint.anchor;
      axis = pose.rotation * joint.axis;
      pose.rotation = pose.rotation * joint.fixed;
      pose.position = anchor - pose.rotation * joint.position + axis * (q[joint.q] - joint.reference);
      break;
    }
    case JointType::Ball: {
      anchor = pose * joint.anchor;
      pose.rotation = pose.rotation * joint.fixed * to_matrix(normalized(Quat::from(q + joint.q)));
      pose.position = anchor - pose.rotation * joint.position;
      break;
    }
    case JointType::Free: {
      pose = {to_matrix(normalized(Quat::from(q + joint.q + 3))), Vec3::from(q + joint.q)};
      anchor = pose.position;
      break;
    }
  }
}

/// Motion subspace of a rotation about an axis through `anchor`, seen from the reference point.
Motion rotation_about(const Vec3& axis, const Vec3& anchor_to_reference) {
  return {axis, cross(axis, anchor_to_reference)};
}

void fill_subspace(const JointFrame& joint, const Mat3& rotation, const Vec3& anchor, const Vec3& axis,
                   const Vec3& reference, Motion* s) {
  switch (joint.type) {
    case JointType::Hinge: s[0] = rotation_about(axis, reference - anchor); break;
    case JointType::Slide: s[0] = {{}, axis}; break;
    case JointType::Free:
      for (int k = 0; k < 3; ++k) s[k] = {{}, Vec3::unit(k)};
      s += 3;
      [[fallthrough]];
    case JointType::Ball:
      for (int k = 0; k < 3; ++k) s[k] = rotation_about(rotation.col[k], reference - anchor);
      break;
  }
}

/// Pose that the joints of a link start from.
Pose start_pose(const Link& link, std::span<const Pose> poses, std::span<const Pose> mocap) {
  if (link.mocap >= 0) return mocap[at(link.mocap)];
  return link.parent < 0 ? Pose{} : poses[at(link.parent)];
}

/// Inertia of a link about `reference`, from its principal moments.
SpatialInertia world_inertia(const Link& link, const Mat3& rotation, const Vec3& com_from_reference) {
  const Mat3 axes = rotation * link.principal_axes;
  SpatialInertia inertia;
  for (int k = 0; k < 3; ++k) inertia.rotational += outer(axes.col[k]) * link.principal_inertia[k];
  inertia.add_point_mass(link.mass, com_from_reference);
  return inertia;
}

}  // namespace

void forward_kinematics(const Model& model, std::span<const double> q, DynamicsData& data) {
  assert(static_cast<int>(q.size()) == model.nq());
  const TreeTopology& topology = *model.topology();
  const JointFrame* frames = model.joint_frames().data();
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    Pose pose = start_pose(link, data.link_pose, data.mocap_pose);
    for (int j = link.joint_begin; j < link.joint_end; ++j) {
      cross_joint(frames[j], q.data(), pose, data.joint_anchor[at(j)], data.joint_axis[at(j)]);
    }
    data.link_pose[i] = pose;
    const Vec3 com = pose * link.com;
    data.link_com[i] = com;

    Vec3& reference = data.reference[at(topology.link_tree(static_cast<int>(i)))];
    if (topology.link_parent(static_cast<int>(i)) < 0) reference = com;
    for (int j = link.joint_begin; j < link.joint_end; ++j) {
      fill_subspace(frames[j], pose.rotation, data.joint_anchor[at(j)], data.joint_axis[at(j)], reference,
                    &data.tree.subspace[at(frames[j].v)]);
    }
    data.tree.inertia[i] = world_inertia(link, pose.rotation, com - reference);
  }
}

void forward_kinematics(const Model& model, const State& state, DynamicsData& data) {
  place_mocap(model, state, data);
  forward_kinematics(model, state.q, data);
}

Pose mocap_pose(const Model& model, const State& state, int mocap) {
  if (state.mocap.empty()) return model.mocap_home(mocap);
  const double* x = &state.mocap[7 * at(mocap)];
  return Pose::from(Vec3::from(x), normalized(Quat::from(x + 3)));
}

std::vector<Pose> mocap_poses(const Model& model, const State& state) {
  std::vector<Pose> poses;
  for (std::size_t m = 0; m < model.mocap_bodies().size(); ++m) {
    poses.push_back(mocap_pose(model, state, static_cast<int>(m)));
  }
  return poses;
}

void place_mocap(const Model& model, const State& state, DynamicsData& data) {
  for (std::size_t m = 0; m < data.mocap_pose.size(); ++m) {
    data.mocap_pose[m] = mocap_pose(model, state, static_cast<int>(m));
    const double* v = state.mocap_v.empty() ? nullptr : &state.mocap_v[6 * m];
    data.mocap_velocity[m] = v == nullptr ? Motion{} : Motion{Vec3::from(v + 3), Vec3::from(v)};
  }
}

void move_mocap(std::span<const Motion> velocity, double h, std::span<Pose> poses) {
  for (std::size_t m = 0; m < poses.size(); ++m) {
    poses[m].position += velocity[m].linear * h;
    poses[m].rotation = to_matrix(exp_rotation(velocity[m].angular * h)) * poses[m].rotation;
  }
}

Motion mocap_velocity(const Pose& from, const Pose& to, double h) {
  return {log_rotation(to_quaternion(to.rotation * transpose(from.rotation))) * (1 / h),
          (to.position - from.position) * (1 / h)};
}

void link_poses(const Model& model, std::span<const double> q, std::span<const Pose> mocap, std::span<Pose> poses) {
  assert(static_cast<int>(q.size()) == model.nq() && poses.size() == model.links().size());
  Vec3 anchor, axis;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Link& link = model.links()[i];
    Pose pose = start_pose(link, poses, mocap);
    for (int j = link.joint_begin; j < link.joint_end; ++j) {
      cross_joint(model.joint_frames()[at(j)], q.data(), pose, anchor, axis);
    }
    poses[i] = pose;
  }
}

namespace {

void fill_velocities(const Model& model, std::span<const double> v, const DynamicsData& data,
                     std::span<const Motion> mocap, std::span<Motion> velocity) {
  assert(static_cast<int>(v.size()) == model.nv() && velocity.size() == model.links().size());
  const TreeTopology& topology = *model.topology();
  for (int i = 0; i < topology.links(); ++i) {
    const int parent = topology.link_parent(i);
    const int given = model.links()[at(i)].mocap;
    Motion motion = parent < 0 ? (given < 0 ? Motion{} : mocap[at(given)]) : velocity[at(parent)];
    for (int d = topology.dof_begin(i); d < topology.dof_begin(i + 1); ++d) {
      motion += data.tree.subspace[at(d)] * v[at(d)];
    }
    velocity[at(i)] = motion;
  }
}

}  // namespace

void link_velocities(const Model& model, std::span<const double> v, DynamicsData& data) {
  fill_velocities(model, v, data, data.mocap_velocity, data.velocity);
}

void link_velocities(const Model& model, std::span<const double> v, const DynamicsData& data,
                     std::span<Motion> velocity) {
  fill_velocities(model, v, data, data.mocap_end_velocity, velocity);
}

namespace {

/// World pose of something with a fixed pose in a link (-1: ground).
Pose on_link(const DynamicsData& data, int link, const Pose& local) {
  return link < 0 ? local : data.link_pose[at(link)] * local;
}

}  // namespace

const Vec3& link_reference(const Model& model, const DynamicsData& data, int link) {
  return data.reference[at(model.topology()->link_tree(link))];
}

Pose body_pose(const Model& model, const DynamicsData& data, int body) {
  return on_link(data, model.body_link(body), model.body_pose(body));
}

Pose geom_pose(const Model& model, const DynamicsData& data, int geom) {
  return on_link(data, model.geom_link(geom), model.geom_pose(geom));
}

Pose site_pose(const Model& model, const DynamicsData& data, int site) {
  return on_link(data, model.site_link(site), model.site_pose(site));
}

Vec3 point_velocity(const Model& model, const DynamicsData& data, int link, const Vec3& point) {
  if (link < 0) return {};
  return velocity_at(data.velocity[at(link)], point - link_reference(model, data, link));
}

void point_jacobian(const Model& model, const DynamicsData& data, int link, const Vec3& point,
                    std::span<double> jacobian) {
  const std::size_t nv = at(model.nv());
  assert(jacobian.size() == 3 * nv);
  std::fill(jacobian.begin(), jacobian.end(), 0.0);
  const int last = link < 0 ? -1 : model.topology()->last_dof(link);
  if (last < 0) return;
  const Vec3 r = point - link_reference(model, data, link);
  for (const int dof : model.topology()->path(last)) {
    const Vec3 column = velocity_at(data.tree.subspace[at(dof)], r);
    for (int k = 0; k < 3; ++k) jacobian[at(k) * nv + at(dof)] = column[k];
  }
}

void add_link_wrench(const Model& model, const DynamicsData& data, int link, const Vec3& point, const Vec3& force,
                     const Vec3& moment, std::span<double> tau) {
  const int last = link < 0 ? -1 : model.topology()->last_dof(link);
  if (last < 0) return;
  Force wrench = force_at(force, point - link_reference(model, data, link));
  wrench.moment += moment;
  for (const int dof : model.topology()->path(last)) tau[at(dof)] += dot(data.tree.subspace[at(dof)], wrench);
}

}  // namespace uzawa
