/// A kinematic tree: the dofs of its block are the joints' own.
#include <utility>

#include "uzawa/assembly/link_block.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

class TreeBlock : public LinkBlock {
 public:
  TreeBlock(const Model& model, const BlockPlace& place, std::shared_ptr<const TreeTopology> topology)
      : LinkBlock(model, place), topology_(std::move(topology)) {}

  int size() const override { return static_cast<int>(subsystem().dofs.size()); }
  void add_to(Problem& problem) const override {
    problem.add_tree(TreeInertia(topology_), std::vector<double>(subsystem().dofs.size()));
  }

  void update(const BlockInput& in, Problem& problem) const override {
    TreeInertia& to = problem.trees[at(place().index)];
    double* block_b = problem.b.data() + place().offset;
    for (std::size_t i = 0; i < subsystem().links.size(); ++i)
      to.inertia[i] = own_inertia(in.data, subsystem().links[i]);
    for (std::size_t i = 0; i < subsystem().dofs.size(); ++i) {
      const std::size_t d = at(subsystem().dofs[i]);
      to.subspace[i] = in.data.tree.subspace[d];
      to.diagonal[i] = in.data.tree.diagonal[d] + in.diagonal[d];
      block_b[i] = in.b[d];
    }
  }

  void read_velocity(const DynamicsData&, std::span<const double> v, std::span<double> state_v) const override {
    const double* own = v.data() + place().offset;
    for (std::size_t i = 0; i < subsystem().dofs.size(); ++i) state_v[at(subsystem().dofs[i])] = own[i];
  }

  void write_velocity(const DynamicsData&, std::span<const double> state_v, std::span<double> v) const override {
    double* own = v.data() + place().offset;
    for (std::size_t i = 0; i < subsystem().dofs.size(); ++i) own[i] = state_v[at(subsystem().dofs[i])];
  }

  bool has_state_dofs() const override { return true; }

  void write_row(const DynamicsData&, std::span<const int> dofs, std::span<const double> coefficients,
                 SparseRows& out) const override {
    for (const int dof : dofs) {
      out.column.push_back(model().local_dof(dof));
      out.value.push_back(coefficients[at(dof)]);
    }
  }

 private:
  std::shared_ptr<const TreeTopology> topology_;
};

}  // namespace

std::unique_ptr<const SubsystemBlock> make_tree_block(const Model& model, const BlockPlace& place,
                                                      std::shared_ptr<const TreeTopology> topology) {
  return std::make_unique<const TreeBlock>(model, place, std::move(topology));
}

}  // namespace uzawa
