#pragma once

#include <span>

#include "uzawa/base/at.hpp"
#include "uzawa/model/model.hpp"

/// Bodies that fly alone with their joint's frame off their centre of mass: q and v are those of the frame, what moves
/// by Newton's law is the centre of mass.
namespace uzawa {

inline void add_to(double* x, const Vec3& change) { (Vec3::from(x) + change).store(x); }

/// Calls change(position, velocity, arm, turn) for each of them; arm: from the frame to the centre of mass, turn: its
/// velocity relative to the frame, both in world axes.
template <typename Change>
void for_each_offset(const Model& model, std::span<double> q, std::span<double> v, Change&& change) {
  for (const JointFrame& joint : model.joint_frames()) {
    if (joint.type != JointType::Free) continue;
    const int link = model.topology()->dof_link(joint.v);
    const Vec3& com = model.links()[at(link)].com;
    if (!model.flies_alone(link) || dot(com, com) == 0) continue;
    const Mat3 rotation = to_matrix(normalized(Quat::from(&q[at(joint.q) + 3])));
    change(&q[at(joint.q)], &v[at(joint.v)], rotation * com, rotation * cross(Vec3::from(&v[at(joint.v) + 3]), com));
  }
}

}  // namespace uzawa
