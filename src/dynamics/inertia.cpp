#include "uzawa/dynamics/inertia.hpp"

#include <cassert>

#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

void mass_matrix(DynamicsData& data) { assemble(data.tree, data.composite, data.mass); }

bool factorize_mass(DynamicsData& data) { return data.mass_factor.factorize(data.mass); }

void momentum(std::span<const double> v, DynamicsData& data, std::span<double> p) {
  assert(v.size() == p.size() && static_cast<int>(v.size()) == data.tree.topology->dofs());
  for (std::size_t i = 0; i < data.force.size(); ++i) data.force[i] = data.tree.inertia[i] * data.velocity[i];
  project_link_forces(data, p);
  for (std::size_t d = 0; d < p.size(); ++d) p[d] += data.tree.diagonal[d] * v[d];
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
