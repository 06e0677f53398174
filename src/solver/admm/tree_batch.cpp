#include "uzawa/solver/admm/tree_batch.hpp"

#include <algorithm>
#include <span>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr int kFloatingDofs = 6;

WideLanes dot(const MotionWide& m, const ForceWide& f) { return dot(m.angular, f.moment) + dot(m.linear, f.force); }
/// a + m f and a - m f: the sweeps wait for these sums, so they are not one term longer than need be.
WideLanes plus_dot(const WideLanes& a, const MotionWide& m, const ForceWide& f) {
  return (a + m.angular.x * f.moment.x + m.angular.y * f.moment.y + m.angular.z * f.moment.z) + dot(m.linear, f.force);
}
WideLanes minus_dot(const WideLanes& a, const MotionWide& m, const ForceWide& f) {
  return (a - m.angular.x * f.moment.x - m.angular.y * f.moment.y - m.angular.z * f.moment.z) - dot(m.linear, f.force);
}

/// A symmetric matrix (diagonal; yz, zx, xy) times a vector.
Vec3Wide times_symmetric(const Vec3Wide& d, const Vec3Wide& o, const Vec3Wide& v) {
  return {d.x * v.x + o.z * v.y + o.y * v.z, o.z * v.x + d.y * v.y + o.x * v.z, o.y * v.x + o.x * v.y + d.z * v.z};
}

}  // namespace

void TreeBatch::take_topology(const std::shared_ptr<const TreeTopology>& topology) {
  if (topology == topology_) return;
  topology_ = topology;
  const std::size_t links = at(topology_->links());
  inertia_.resize(links);
  joints_.resize(at(topology_->dofs()));
  joint_data_.resize(joints_.size());
  joint_of_.resize(joints_.size());
  std::vector<int> depth(links, 0), order(links, 0), place(links, 0);
  for (int i = 0; i < topology_->links(); ++i) {
    const int parent = topology_->link_parent(i);
    if (parent >= 0) depth[at(i)] = depth[at(parent)] + 1;
    order[at(i)] = i;
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth[at(a)] < depth[at(b)]; });
  links_.clear();
  int joint = 0;
  for (const int i : order) {
    place[at(i)] = static_cast<int>(links_.size());
    const int parent = topology_->link_parent(i), begin = topology_->dof_begin(i), end = topology_->dof_begin(i + 1);
    links_.push_back({parent < 0 ? -1 : place[at(parent)], joint, end - begin, i});
    for (int d = begin; d < end; ++d) joint_of_[at(d)] = joint++;
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
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const std::size_t number = at(links_[i].number);
    const auto of = [&](int t) -> const SpatialInertia& { return trees[at(t)]->inertia[number]; };
    Inertia& inertia = inertia_[i];
    inertia.mass = wide_of([&](int t) { return of(t).mass; });
    inertia.first.set(gather_wide([&](int t) { return of(t).first; }));
    inertia.diagonal.set(gather_wide([&](int t) { return of(t).rotational.diagonal; }));
    inertia.off.set(gather_wide([&](int t) { return of(t).rotational.off; }));
  }
  for (std::size_t d = 0; d < joints_.size(); ++d) {
    const std::size_t k = at(joint_of_[d]);
    Joint& joint = joints_[k];
    joint.axis.set(gather_wide([&](int t) { return trees[at(t)]->subspace[d].angular; }),
                   gather_wide([&](int t) { return trees[at(t)]->subspace[d].linear; }));
    joint.b = wide_of([&](int t) { return b[at(t)][d]; });
    joint_data_[k] = {wide_of([&](int t) { return trees[at(t)]->diagonal[d]; })};
  }
}

void TreeBatch::place_pushes(const int* sources, int zero) {
  for (Link& link : links_) {
    link.pushed = false;
    for (int t = 0; t < kLanes; ++t) {
      const int source = sources[kLanes * link.number + t];
      link.push[at(t)] = Offset<Six>(source);
      link.pushed = link.pushed || source != zero;
    }
  }
}

/// An inertia and, where there are any, beta times the point masses of its links, as an articulated one.
void TreeBatch::expand(const Inertia& inertia, const SpatialInertia* points, double beta, Articulated& out) {
  Vec3Wide first = inertia.first;
  WideLanes mass = inertia.mass;
  if (points == nullptr) {
    out.aa_diagonal.set(inertia.diagonal);
    out.aa_off.set(inertia.off);
  } else {
    mass += wide_of([&](int t) { return points[t].mass; }) * beta;
    first += gather_wide([&](int t) { return points[t].first; }) * beta;
    out.aa_diagonal.set(inertia.diagonal + gather_wide([&](int t) { return points[t].rotational.diagonal; }) * beta);
    out.aa_off.set(inertia.off + gather_wide([&](int t) { return points[t].rotational.off; }) * beta);
  }
  const WideLanes zero{};
  out.ll_diagonal.set({mass, mass, mass});
  out.ll_off.set({});
  out.al.col[0].set({zero, first.z, -first.y});
  out.al.col[1].set({-first.z, zero, first.x});
  out.al.col[2].set({first.y, -first.x, zero});
}

inline void TreeBatch::multiply(const Articulated& a, const MotionWide& m, ForceWide& out) {
  out.set(times_symmetric(a.aa_diagonal, a.aa_off, m.angular) + a.al * m.linear,
          transpose_times(a.al, m.angular) + times_symmetric(a.ll_diagonal, a.ll_off, m.linear));
}

/// a -= u u^T / pivot, with gain = u / pivot.
inline void TreeBatch::eliminate(const ForceWide& u, const ForceWide& gain, Articulated& a) {
  const auto cyclic = [](const Vec3Wide& p, const Vec3Wide& q) { return Vec3Wide{p.y * q.z, p.z * q.x, p.x * q.y}; };
  a.aa_diagonal -= scaled(u.moment, gain.moment);
  a.aa_off -= cyclic(u.moment, gain.moment);
  a.ll_diagonal -= scaled(u.force, gain.force);
  a.ll_off -= cyclic(u.force, gain.force);
  a.al.col[0] -= gain.moment * u.force.x;
  a.al.col[1] -= gain.moment * u.force.y;
  a.al.col[2] -= gain.moment * u.force.z;
}

/// The link's own joints give way, one after the other. `good`: zero where a pivot is not positive.
void TreeBatch::eliminate_link(const Link& link, const WideLanes* diagonals, Articulated& a, WideLanes& good) {
  for (int k = link.joints - 1; k >= 0; --k) {
    const std::size_t d = at(link.first_joint + k);
    Joint& joint = joints_[d];
    ForceWide u;
    multiply(a, joint.axis, u);
    const WideLanes zero{}, pivot = plus_dot(diagonals[d], joint.axis, u);
    good = pivot > zero ? good : zero;
    const WideLanes inverse = 1 / pivot;
    joint.inverse_pivot = inverse;
    joint.gain.set(u.moment * inverse, u.force * inverse);
    eliminate(u, joint.gain, a);
  }
}

bool TreeBatch::factorize(const SpatialInertia* point_masses, const double* diagonals, double beta, bool root_speeds,
                          Scratch& scratch) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const SpatialInertia* mine = links_[i].pushed ? point_masses + kLanes * links_[i].number : nullptr;
    expand(inertia_[i], mine, beta, scratch.articulated_[i]);
  }
  for (std::size_t d = 0; d < joints_.size(); ++d) {
    scratch.rest_[d] = joint_data_[d].diagonal + load_wide(diagonals + kLanes * d) * beta;
  }
  roots_.clear();
  WideLanes good = broadcast_wide(1);
  for (int i = static_cast<int>(links_.size()) - 1; i >= 0; --i) {
    Link& link = links_[at(i)];
    link.root = -1;
    Articulated& a = scratch.articulated_[at(i)];
    eliminate_link(link, scratch.rest_.data(), a, good);
    if (link.parent < 0) {
      if (!root_speeds && link.joints == kFloatingDofs) join_root(link, &scratch.rest_[at(link.first_joint)]);
      continue;
    }
    Articulated& above = scratch.articulated_[at(link.parent)];
    above.aa_diagonal += a.aa_diagonal;
    above.aa_off += a.aa_off;
    above.ll_diagonal += a.ll_diagonal;
    above.ll_off += a.ll_off;
    for (int c = 0; c < 3; ++c) above.al.col[c] += a.al.col[c];
  }
  bool positive = true;
  for (int t = 0; t < count_; ++t) positive = positive && good[t] != 0;
  return positive;
}

/// The response is the sum of w w^T / pivot over the joints, w: how the root moves where a joint moves at speed one and
/// those after it give way.
void TreeBatch::join_root(Link& link, WideLanes* rest) {
  link.root = static_cast<int>(roots_.size());
  FloatingRoot& root = roots_.emplace_back();
  const std::span<const Joint> joints(&joints_[at(link.first_joint)], at(link.joints));
  ForceWide force;
  for (std::size_t d = joints.size(); d-- > 0;) rest[d] = push_joint(joints[d], joints[d].b, force);
  for (std::size_t d = 0; d < joints.size(); ++d) move_joint(joints[d], rest[d], root.rest);
  for (std::size_t d = 0; d < joints.size(); ++d) {
    const Joint& joint = joints[d];
    MotionWide w;
    w.set(joint.axis.angular, joint.axis.linear);
    for (const Joint& after : joints.subspan(d + 1)) w.add_scaled(after.axis, -dot(w, after.gain));
    const Vec3Wide by_force = w.linear * joint.inverse_pivot, by_moment = w.angular * joint.inverse_pivot;
    root.response[0].add_scaled(w, by_force.x);
    root.response[1].add_scaled(w, by_force.y);
    root.response[2].add_scaled(w, by_force.z);
    root.response[3].add_scaled(w, by_moment.x);
    root.response[4].add_scaled(w, by_moment.y);
    root.response[5].add_scaled(w, by_moment.z);
  }
}

/// A joint gives way to an impulse along it and to the force on its link. What is left of the force goes on; returns
/// the speed that this alone would give it.
inline WideLanes TreeBatch::push_joint(const Joint& joint, WideLanes impulse, ForceWide& force) {
  impulse = plus_dot(impulse, joint.axis, force);
  force.add_scaled(joint.gain, -impulse);
  return impulse * joint.inverse_pivot;
}

/// From the motion before the joint to that after it. Returns the joint's speed.
inline WideLanes TreeBatch::move_joint(const Joint& joint, const WideLanes& rest, MotionWide& motion) {
  const WideLanes speed = minus_dot(rest, motion, joint.gain);
  motion.add_scaled(joint.axis, speed);
  return speed;
}

/// The forces on a link are kept where its motion will be: moment in the place of angular, force in that of linear.
void TreeBatch::sweep_to_roots(const Six* pushes, const JointLanes& lanes, Scratch& scratch) const {
  MotionWide* const motions = scratch.motion_.data();
  const Joint* const joints = joints_.data();
  WideLanes* const rests = scratch.rest_.data();
  const auto push = [&](std::size_t d, ForceWide& force) {
    WideLanes impulse = joints[d].b;
    const double* from = lanes.pushes + kLanes * d;
    for (int layer = 0; layer < lanes.layers; ++layer, from += lanes.stride) impulse += load_wide(from);
    rests[d] = push_joint(joints[d], impulse, force);
  };
  const Link* const links = links_.data();
  for (const Link* link = links + links_.size(); link-- != links;) {
    MotionWide& place = motions[link - links];
    ForceWide force;
    if (link->pushed) {
      gather_six([&](int t) -> const Six& { return link->push[at(t)].in(pushes); }, force.moment, force.force);
    }
    if (!link->leaf) force.set(force.moment + place.angular, force.force + place.linear);
    if (link->root >= 0) {
      place.set(force.moment, force.force);
      continue;
    }
    const std::size_t first = at(link->first_joint);
    if (link->joints == 1) {  // nearly all of them: a loop would cost as much as what it is about
      push(first, force);
    } else {
      for (std::size_t d = first + at(link->joints); d-- > first;) push(d, force);
    }
    if (link->parent < 0) continue;
    MotionWide& above = motions[link->parent];
    if (link->first) {
      above.set(force.moment, force.force);
    } else {
      above.set(above.angular + force.moment, above.linear + force.force);
    }
  }
}

/// rest + response * force, for the force that is kept in the place of the root's motion.
inline MotionWide TreeBatch::move_root(const FloatingRoot& root, const MotionWide& place) {
  const Vec3Wide &moment = place.angular, &force = place.linear;
  MotionWide by_moment = root.rest, by_force;
  by_force.add_scaled(root.response[0], force.x);
  by_moment.add_scaled(root.response[3], moment.x);
  by_force.add_scaled(root.response[1], force.y);
  by_moment.add_scaled(root.response[4], moment.y);
  by_force.add_scaled(root.response[2], force.z);
  by_moment.add_scaled(root.response[5], moment.z);
  return {by_force.angular + by_moment.angular, by_force.linear + by_moment.linear};
}

void TreeBatch::sweep_back(Six* twists, double* speeds, Scratch& scratch) const {
  MotionWide* const motions = scratch.motion_.data();
  const Joint* const joints = joints_.data();
  const WideLanes* const rests = scratch.rest_.data();
  const auto move = [&](std::size_t d, MotionWide& motion) {
    const WideLanes speed = move_joint(joints[d], rests[d], motion);
    if (speeds != nullptr) store_wide(speed, speeds + kLanes * d);
  };
  const Link *const links = links_.data(), *const end = links + links_.size();
  for (const Link* link = links; link != end; ++link) {
    MotionWide& place = motions[link - links];
    MotionWide motion;
    if (link->root >= 0) {
      motion = move_root(roots_[at(link->root)], place);
    } else {
      if (link->parent >= 0) motion.set(motions[link->parent].angular, motions[link->parent].linear);
      const std::size_t first = at(link->first_joint);
      if (link->joints == 1) {
        move(first, motion);
      } else {
        for (std::size_t d = first; d < first + at(link->joints); ++d) move(d, motion);
      }
    }
    if (!link->leaf) place.set(motion.angular, motion.linear);
    if (!link->pushed) continue;  // nobody looks at it
    Six* const mine = twists + kLanes * link->number;
    scatter_six(motion.angular, motion.linear, [&](int t) -> Six& { return mine[t]; });
  }
}

void TreeBatch::solve(const Six* pushes, const JointLanes& joints, Six* twists, Scratch& scratch) {
  sweep_to_roots(pushes, joints, scratch);
  sweep_back(twists, joints.speeds, scratch);
}

}  // namespace uzawa
