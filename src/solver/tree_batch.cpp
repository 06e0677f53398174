#include "uzawa/solver/tree_batch.hpp"

#include <algorithm>

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int kFloatingDofs = 6;

/// Lanes of one number of each tree.
template <typename Read>
Lanes lanes_of(Read&& read) {
  return Lanes{read(0), read(1), read(2), read(3)};
}
template <typename Read>
Vec3x4 gather_of(Read&& read) {
  return gather(read(0), read(1), read(2), read(3));
}

Lanes dot(const Motionx4& m, const Forcex4& f) { return dot(m.angular, f.moment) + dot(m.linear, f.force); }

/// A symmetric matrix (diagonal; yz, zx, xy) times a vector.
Vec3x4 times_symmetric(const Vec3x4& d, const Vec3x4& o, const Vec3x4& v) {
  return {d.x * v.x + o.z * v.y + o.y * v.z, o.z * v.x + d.y * v.y + o.x * v.z, o.y * v.x + o.x * v.y + d.z * v.z};
}

}  // namespace

void TreeBatch::take_topology(std::shared_ptr<const TreeTopology> topology) {
  topology_ = std::move(topology);
  const std::size_t links = at(topology_->links());
  inertia_.resize(links);
  articulated_.resize(links);
  motion_.resize(links);
  nobody_.resize(links);
  joints_.resize(at(topology_->dofs()));
  joint_data_.resize(joints_.size());
  std::vector<int> depth(links, 0), order(links, 0), place(links, 0);
  for (int i = 0; i < topology_->links(); ++i) {
    const int parent = topology_->link_parent(i);
    if (parent >= 0) depth[at(i)] = depth[at(parent)] + 1;
    order[at(i)] = i;
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth[at(a)] < depth[at(b)]; });
  links_.clear();
  dof_.clear();
  for (const int i : order) {
    place[at(i)] = static_cast<int>(links_.size());
    const int parent = topology_->link_parent(i), first_dof = static_cast<int>(dof_.size());
    for (int d = topology_->dof_begin(i); d < topology_->dof_begin(i + 1); ++d) dof_.push_back(d);
    links_.push_back({parent < 0 ? -1 : place[at(parent)], first_dof, static_cast<int>(dof_.size()), i});
  }
  for (std::size_t k = links; k-- > 0;) {
    Link& link = links_[k];
    if (link.parent < 0) continue;
    link.first = links_[at(link.parent)].leaf;
    links_[at(link.parent)].leaf = false;
  }
}

void TreeBatch::prepare(int count, const PerTree<const TreeInertia*>& trees, const PerTree<const double*>& b) {
  count_ = count;
  if (topology_ != trees[0]->topology) take_topology(trees[0]->topology);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const std::size_t number = at(links_[i].number);
    const auto of = [&](std::size_t t) -> const SpatialInertia& { return trees[t]->inertia[number]; };
    inertia_[i] = {lanes_of([&](std::size_t t) { return of(t).mass; }),
                   gather_of([&](std::size_t t) { return of(t).first; }),
                   gather_of([&](std::size_t t) { return of(t).rotational.diagonal; }),
                   gather_of([&](std::size_t t) { return of(t).rotational.off; })};
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    Joint& joint = joints_[k];
    const std::size_t d = at(dof_[k]);
    joint.axis.set(gather_of([&](std::size_t t) { return trees[t]->subspace[d].angular; }),
                   gather_of([&](std::size_t t) { return trees[t]->subspace[d].linear; }));
    joint.b = lanes_of([&](std::size_t t) { return b[t][d]; });
    joint_data_[k] = {lanes_of([&](std::size_t t) { return trees[t]->diagonal[d]; })};
  }
}

void TreeBatch::place_pushes(const PerTree<const int*>& sources, int zero) {
  for (Link& link : links_) {
    for (int t = 0; t < kLanes; ++t) link.push[at(t)] = t < count_ ? sources[at(t)][link.number] : zero;
    link.pushed = std::any_of(link.push.begin(), link.push.end(), [&](int source) { return source != zero; });
  }
}

void TreeBatch::expand(const Inertia& inertia, Articulated& out) {
  const Lanes zero{0, 0, 0, 0};
  const Vec3x4& f = inertia.first;
  out.aa_diagonal.set(inertia.diagonal);
  out.aa_off.set(inertia.off);
  out.ll_diagonal.set({inertia.mass, inertia.mass, inertia.mass});
  out.ll_off.set({});
  out.al.col[0].set({zero, f.z, -f.y});
  out.al.col[1].set({-f.z, zero, f.x});
  out.al.col[2].set({f.y, -f.x, zero});
}

Forcex4 TreeBatch::times(const Articulated& a, const Motionx4& m) {
  return {times_symmetric(a.aa_diagonal, a.aa_off, m.angular) + a.al * m.linear,
          transpose_times(a.al, m.angular) + times_symmetric(a.ll_diagonal, a.ll_off, m.linear)};
}

/// a -= u u^T / pivot, with gain = u / pivot.
void TreeBatch::eliminate(const Forcex4& u, const Forcex4& gain, Articulated& a) {
  const auto cyclic = [](const Vec3x4& p, const Vec3x4& q) { return Vec3x4{p.y * q.z, p.z * q.x, p.x * q.y}; };
  a.aa_diagonal -= scaled(u.moment, gain.moment);
  a.aa_off -= cyclic(u.moment, gain.moment);
  a.ll_diagonal -= scaled(u.force, gain.force);
  a.ll_off -= cyclic(u.force, gain.force);
  a.al.col[0] -= gain.moment * u.force.x;
  a.al.col[1] -= gain.moment * u.force.y;
  a.al.col[2] -= gain.moment * u.force.z;
}

/// The link's own joints give way, one after the other. False where a pivot is not positive.
bool TreeBatch::eliminate_link(const Link& link, Articulated& a) {
  bool positive = true;
  for (int d = link.end_dof - 1; d >= link.first_dof; --d) {
    Joint& joint = joints_[at(d)];
    const Forcex4 u = times(a, joint.axis);
    const Lanes pivot = dot(joint.axis, u) + joint.rest;  // the diagonal with its penalty
    for (int t = 0; t < count_; ++t) positive = positive && pivot[t] > 0;
    joint.inverse_pivot = 1 / pivot;
    joint.gain.set(u.moment * joint.inverse_pivot, u.force * joint.inverse_pivot);
    eliminate(u, joint.gain, a);
  }
  return positive;
}

bool TreeBatch::factorize(const PerTree<const SpatialInertia*>& point_masses, const double* diagonals, double beta,
                          bool root_speeds) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Inertia h = inertia_[i];
    if (links_[i].pushed) {
      const std::size_t number = at(links_[i].number);
      h.mass += lanes_of([&](std::size_t t) { return point_masses[t][number].mass; }) * beta;
      h.first += gather_of([&](std::size_t t) { return point_masses[t][number].first; }) * beta;
      h.diagonal += gather_of([&](std::size_t t) { return point_masses[t][number].rotational.diagonal; }) * beta;
      h.off += gather_of([&](std::size_t t) { return point_masses[t][number].rotational.off; }) * beta;
    }
    expand(h, articulated_[i]);
  }
  for (std::size_t d = 0; d < joints_.size(); ++d) {
    joints_[d].rest = joint_data_[d].diagonal + load_lanes(diagonals + at(kLanes * dof_[d])) * beta;
  }
  roots_.clear();
  bool positive = true;
  for (int i = static_cast<int>(links_.size()) - 1; i >= 0; --i) {
    Link& link = links_[at(i)];
    link.root = -1;
    const Articulated& a = articulated_[at(i)];
    positive = eliminate_link(link, articulated_[at(i)]) && positive;
    if (link.parent < 0) {
      if (!root_speeds && link.end_dof - link.first_dof == kFloatingDofs) join_root(link);
      continue;
    }
    Articulated& above = articulated_[at(link.parent)];
    above.aa_diagonal += a.aa_diagonal;
    above.aa_off += a.aa_off;
    above.ll_diagonal += a.ll_diagonal;
    above.ll_off += a.ll_off;
    for (int c = 0; c < 3; ++c) above.al.col[c] += a.al.col[c];
  }
  return positive;
}

/// The response is the sum of w w^T / pivot over the joints, w: how the root moves where a joint moves at speed one and
/// those after it give way.
void TreeBatch::join_root(Link& link) {
  link.root = static_cast<int>(roots_.size());
  FloatingRoot& root = roots_.emplace_back();
  push_joints(link, {}, {});
  const Motionx4 rest = move_joints(link, {}, nullptr);
  root.rest.set(rest.angular, rest.linear);
  for (int d = link.first_dof; d < link.end_dof; ++d) {
    const Joint& joint = joints_[at(d)];
    Motionx4 w;
    w.set(joint.axis.angular, joint.axis.linear);
    for (int e = d + 1; e < link.end_dof; ++e) w.add_scaled(joints_[at(e)].axis, -dot(w, joints_[at(e)].gain));
    const Vec3x4 by_force = w.linear * joint.inverse_pivot, by_moment = w.angular * joint.inverse_pivot;
    root.response[0].add_scaled(w, by_force.x);
    root.response[1].add_scaled(w, by_force.y);
    root.response[2].add_scaled(w, by_force.z);
    root.response[3].add_scaled(w, by_moment.x);
    root.response[4].add_scaled(w, by_moment.y);
    root.response[5].add_scaled(w, by_moment.z);
  }
}

/// What is left of a link's force for its parent, after the link's own joints have given way.
inline Forcex4 TreeBatch::push_joints(const Link& link, Forcex4 force, const JointLanes& joints) {
  for (int d = link.end_dof - 1; d >= link.first_dof; --d) {
    Joint& joint = joints_[at(d)];
    Lanes impulse = joint.b;
    for (int layer = 0; layer < joints.layers; ++layer) {
      impulse += load_lanes(joints.pushes + at(layer) * joints.stride + at(kLanes * dof_[at(d)]));
    }
    impulse += dot(joint.axis, force);
    joint.rest = impulse * joint.inverse_pivot;
    force.add_scaled(joint.gain, -impulse);
  }
  return force;
}

/// From the parent's motion to the link's.
inline Motionx4 TreeBatch::move_joints(const Link& link, Motionx4 motion, double* speeds) const {
  for (int d = link.first_dof; d < link.end_dof; ++d) {
    const Joint& joint = joints_[at(d)];
    const Lanes speed = joint.rest - dot(motion, joint.gain);
    motion.add_scaled(joint.axis, speed);
    if (speeds != nullptr) store_lanes(speed, speeds + at(kLanes * dof_[at(d)]));
  }
  return motion;
}

inline Forcex4 TreeBatch::pushes_on(const Link& link, const Force* pushes) {
  const Force &a = pushes[link.push[0]], &b = pushes[link.push[1]], &c = pushes[link.push[2]],
              &d = pushes[link.push[3]];
  return {gather(a.moment, b.moment, c.moment, d.moment), gather(a.force, b.force, c.force, d.force)};
}

/// The forces on a link are kept where its motion will be: moment in the place of angular, force in that of linear.
void TreeBatch::sweep_to_roots(const Force* pushes, const JointLanes& joints) {
  for (std::size_t i = links_.size(); i-- > 0;) {
    const Link& link = links_[i];
    Motionx4& place = motion_[i];
    Forcex4 force;
    if (link.pushed) force = pushes_on(link, pushes);
    if (!link.leaf) force.set(force.moment + place.angular, force.force + place.linear);
    if (link.root >= 0) {
      place.set(force.moment, force.force);
      continue;
    }
    const Forcex4 left = push_joints(link, force, joints);
    if (link.parent < 0) continue;
    Motionx4& above = motion_[at(link.parent)];
    if (link.first) {
      above.set(left.moment, left.force);
    } else {
      above.set(above.angular + left.moment, above.linear + left.force);
    }
  }
}

/// rest + response * force, for the force that is kept in the place of the root's motion.
inline Motionx4 TreeBatch::move_root(const FloatingRoot& root, const Motionx4& place) {
  const Vec3x4 &moment = place.angular, &force = place.linear;
  Motionx4 by_moment = root.rest, by_force;
  by_force.add_scaled(root.response[0], force.x);
  by_moment.add_scaled(root.response[3], moment.x);
  by_force.add_scaled(root.response[1], force.y);
  by_moment.add_scaled(root.response[4], moment.y);
  by_force.add_scaled(root.response[2], force.z);
  by_moment.add_scaled(root.response[5], moment.z);
  return {by_force.angular + by_moment.angular, by_force.linear + by_moment.linear};
}

void TreeBatch::sweep_back(const PerTree<Motion*>& twists, double* speeds) {
  PerTree<Motion*> out;
  for (int t = 0; t < kLanes; ++t) out[at(t)] = t < count_ ? twists[at(t)] : nobody_.data();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const Motionx4 motion = link.root >= 0
                                ? move_root(roots_[at(link.root)], motion_[i])
                                : move_joints(link, link.parent < 0 ? Motionx4{} : motion_[at(link.parent)], speeds);
    if (!link.leaf) motion_[i].set(motion.angular, motion.linear);
    if (!link.pushed) continue;  // nobody looks at it
    const int n = link.number;
    Motion &a = out[0][n], &b = out[1][n], &c = out[2][n], &d = out[3][n];
    scatter(motion.angular, a.angular, b.angular, c.angular, d.angular);
    scatter(motion.linear, a.linear, b.linear, c.linear, d.linear);
  }
}

void TreeBatch::solve(const Force* pushes, const JointLanes& joints, const PerTree<Motion*>& twists) {
  sweep_to_roots(pushes, joints);
  sweep_back(twists, joints.speeds);
}

}  // namespace uzawa
