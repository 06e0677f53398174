#include "uzawa/math/tree_inertia.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "uzawa/base/at.hpp"

namespace uzawa {

TreeInertia::TreeInertia(std::shared_ptr<const TreeTopology> t)
    : topology(std::move(t)),
      subspace(at(topology->dofs())),
      inertia(at(topology->links())),
      diagonal(at(topology->dofs())) {}

void assemble(const TreeInertia& tree, std::span<SpatialInertia> composite, TreeMatrix& a) {
  const TreeTopology& topology = *tree.topology;
  assert(composite.size() == tree.inertia.size());
  std::copy(tree.inertia.begin(), tree.inertia.end(), composite.begin());
  for (int link = topology.links() - 1; link >= 0; --link) {
    const SpatialInertia& below = composite[at(link)];
    for (int i = topology.dof_begin(link); i < topology.dof_begin(link + 1); ++i) {
      // Momentum of everything below dof i for unit speed; dof j above it sees the part along S_j.
      const Force momentum = below * tree.subspace[at(i)];
      const std::span<const int> path = topology.path(i);
      double* row = a.row(i);
      for (std::size_t k = 0; k < path.size(); ++k) row[k] = dot(tree.subspace[at(path[k])], momentum);
      row[path.size() - 1] += tree.diagonal[at(i)];
    }
    const int parent = topology.link_parent(link);
    if (parent >= 0) composite[at(parent)] += below;
  }
}

ArticulatedFactor::ArticulatedFactor(std::shared_ptr<const TreeTopology> topology)
    : topology_(std::move(topology)),
      articulated_(at(topology_->links())),
      gain_(at(topology_->dofs())),
      inverse_pivot_(at(topology_->dofs())),
      bias_(at(topology_->links())),
      acceleration_(at(topology_->links())) {}

ArticulatedFactor::ArticulatedInertia ArticulatedFactor::expand(const SpatialInertia& inertia) {
  const double m = inertia.mass;
  return {to_matrix(inertia.rotational), cross_matrix(inertia.first), {{{m, 0, 0}, {0, m, 0}, {0, 0, m}}}};
}

Force ArticulatedFactor::times(const ArticulatedInertia& a, const Motion& m) {
  return {a.aa * m.angular + a.al * m.linear, transpose_times(a.al, m.angular) + a.ll * m.linear};
}

void ArticulatedFactor::eliminate(const Force& u, double inverse_pivot, ArticulatedInertia& a) {
  const Vec3 moment = u.moment * inverse_pivot, force = u.force * inverse_pivot;
  for (int c = 0; c < 3; ++c) {
    a.aa.col[c] -= moment * u.moment[c];
    a.al.col[c] -= moment * u.force[c];
    a.ll.col[c] -= force * u.force[c];
  }
}

bool ArticulatedFactor::factorize(const TreeInertia& tree) {
  const TreeTopology& topology = *topology_;
  assert(tree.topology == topology_);
  std::transform(tree.inertia.begin(), tree.inertia.end(), articulated_.begin(), expand);
  bool positive = true;
  for (int link = topology.links() - 1; link >= 0; --link) {
    ArticulatedInertia& a = articulated_[at(link)];
    for (int i = topology.dof_begin(link + 1) - 1; i >= topology.dof_begin(link); --i) {
      const Motion& s = tree.subspace[at(i)];
      gain_[at(i)] = times(a, s);
      const double pivot = dot(s, gain_[at(i)]) + tree.diagonal[at(i)];
      positive = positive && pivot > 0;
      inverse_pivot_[at(i)] = 1 / pivot;
      eliminate(gain_[at(i)], inverse_pivot_[at(i)], a);
    }
    const int parent = topology.link_parent(link);
    if (parent < 0) continue;
    ArticulatedInertia& above = articulated_[at(parent)];
    above.aa += a.aa;
    above.al += a.al;
    above.ll += a.ll;
  }
  return positive;
}

void ArticulatedFactor::solve(const TreeInertia& tree, std::span<double> x) {
  const TreeTopology& topology = *topology_;
  assert(static_cast<int>(x.size()) == topology.dofs());
  std::fill(bias_.begin(), bias_.end(), Force{});
  // Leaves to root: what is left of each joint force after the subtree below has taken its share.
  for (int link = topology.links() - 1; link >= 0; --link) {
    Force& bias = bias_[at(link)];
    for (int i = topology.dof_begin(link + 1) - 1; i >= topology.dof_begin(link); --i) {
      x[at(i)] -= dot(tree.subspace[at(i)], bias);
      bias += gain_[at(i)] * (x[at(i)] * inverse_pivot_[at(i)]);
    }
    const int parent = topology.link_parent(link);
    if (parent >= 0) bias_[at(parent)] += bias;
  }
  // Root to leaves: accelerations.
  for (int link = 0; link < topology.links(); ++link) {
    const int parent = topology.link_parent(link);
    Motion acceleration = parent < 0 ? Motion{} : acceleration_[at(parent)];
    for (int i = topology.dof_begin(link); i < topology.dof_begin(link + 1); ++i) {
      x[at(i)] = (x[at(i)] - dot(acceleration, gain_[at(i)])) * inverse_pivot_[at(i)];
      acceleration += tree.subspace[at(i)] * x[at(i)];
    }
    acceleration_[at(link)] = acceleration;
  }
}

}  // namespace uzawa
