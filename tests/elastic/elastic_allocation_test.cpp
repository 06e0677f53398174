#include <gtest/gtest.h>

#include "elastic/rod_support.hpp"
#include "support/allocations.hpp"
#include "uzawa/elastic/edge_elasticity.hpp"
#include "uzawa/elastic/shell_elasticity.hpp"
#include "uzawa/elastic/tet_elasticity.hpp"

namespace uzawa {
namespace {

template <typename Law, typename Position>
void expect_no_allocation(Law& law, const std::vector<Position>& x, int nodes) {
  NodalMatrix k = matrix_for(law, nodes);
  std::vector<Vec3> force(at(nodes));
  const long before = test::allocations();
  law.evaluate(x, force, k);
  law.add_force(x, force);
  const double energy = law.energy(x);
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(energy, 0);
}

TEST(ElasticAllocationTest, NothingIsAllocatedAfterPlacing) {
  std::mt19937 random(4);
  const TetMesh box = box_of_tets(2, 2, 1, 0.1);
  const std::vector<Vec3> x = shaken(box.nodes, 0.05, random);
  const int nodes = static_cast<int>(x.size());
  SoftMaterial material;
  material.thickness = 0.01;
  material.edge_stiffness = 10;
  for (const SolidLaw law : {SolidLaw::Corotational, SolidLaw::NeoHookean}) {
    for (const bool averaged : {false, true}) {
      material.law = law;
      material.averaged_dilatation = averaged;
      TetElasticity solid(box.nodes, box.tets, material);
      expect_no_allocation(solid, x, nodes);
    }
  }
  std::vector<std::array<int, 3>> triangles{{0, 1, 3}, {1, 2, 3}};
  std::vector<std::array<int, 2>> edges{{0, 1}, {4, 2}};
  ShellElasticity shell(box.nodes, triangles, material);
  expect_no_allocation(shell, x, nodes);
  EdgeElasticity springs(box.nodes, edges, material);
  expect_no_allocation(springs, x, nodes);
  RodInBalance rod = cantilever(5, {});
  nudge(rod.links, 9, 0.5);
  nudge(rod.links, 6, 0.01);
  expect_no_allocation(rod.rod, rod.links, 12);
}

}  // namespace
}  // namespace uzawa
