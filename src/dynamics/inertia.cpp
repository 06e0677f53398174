#include "uzawa/dynamics/inertia.hpp"

#include <cassert>

namespace uzawa {

void mass_matrix(DynamicsData& data) { assemble(data.tree, data.composite, data.mass); }

bool factorize_mass(DynamicsData& data) { return data.mass_factor.factorize(data.mass); }

void momentum(std::span<const double> v, DynamicsData& data, std::span<double> p) {
  const TreeTopology& topology = *data.tree.topology;
  assert(v.size() == p.size() && static_cast<int>(v.size()) == topology.dofs());
  for (std::size_t i = 0; i < data.force.size(); ++i) data.force[i] = data.tree.inertia[i] * data.velocity[i];
  for (int link = topology.links() - 1; link >= 0; --link) {
    const Force& below = data.force[static_cast<std::size_t>(link)];
    for (int d = topology.dof_begin(link); d < topology.dof_begin(link + 1); ++d) {
      const auto i = static_cast<std::size_t>(d);
      p[i] = dot(data.tree.subspace[i], below) + data.tree.diagonal[i] * v[i];
    }
    const int parent = topology.link_parent(link);
    if (parent >= 0) data.force[static_cast<std::size_t>(parent)] += below;
  }
}

void augmented_matrix(const Model& model, double scale, std::span<const PointMass> points,
                      std::span<const double> diagonal, DynamicsData& data, TreeMatrix& a) {
  assert(diagonal.empty() || diagonal.size() == data.tree.diagonal.size());
  TreeInertia& augmented = data.augmented;
  augmented.subspace = data.tree.subspace;
  for (std::size_t i = 0; i < augmented.inertia.size(); ++i) {
    const SpatialInertia& m = data.tree.inertia[i];
    augmented.inertia[i] = {m.mass * scale, m.first * scale, m.rotational * scale};
  }
  for (std::size_t i = 0; i < augmented.diagonal.size(); ++i) {
    augmented.diagonal[i] = data.tree.diagonal[i] * scale + (diagonal.empty() ? 0.0 : diagonal[i]);
  }
  for (const PointMass& p : points) {
    if (p.link < 0) continue;  // the ground does not move
    const Vec3& reference = data.reference[static_cast<std::size_t>(model.topology()->link_tree(p.link))];
    augmented.inertia[static_cast<std::size_t>(p.link)].add_point_mass(p.mass, p.point - reference);
  }
  assemble(augmented, data.composite, a);
}

}  // namespace uzawa
