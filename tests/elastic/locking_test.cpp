#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>

#include "elastic/elastic_support.hpp"
#include "uzawa/elastic/tet_elasticity.hpp"

namespace uzawa {
namespace {

struct Locking {
  double poisson;
  bool averaged;
  int cells;
  double expected;
};
void PrintTo(const Locking& c, std::ostream* out) {
  *out << "poisson " << c.poisson << (c.averaged ? ", averaged, " : ", ") << c.cells << " cells across";
}

/// Tip deflection of a cantilever, ten times as long as high and wide, over Timoshenko's.
double tip_deflection(const Locking& c) {
  const double side = 1, length = 10 * side;
  const TetMesh box = box_of_tets(10 * c.cells, c.cells, c.cells, side / c.cells);
  SoftMaterial material;
  material.young = 1;
  material.poisson = c.poisson;
  material.averaged_dilatation = c.averaged;
  TetElasticity solid(box.nodes, box.tets, material);
  const int pinned = (c.cells + 1) * (c.cells + 1), free = static_cast<int>(box.nodes.size()) - pinned;
  std::vector<int> node_of(box.nodes.size());
  std::iota(node_of.begin(), node_of.end(), -pinned);
  std::vector<std::pair<int, int>> couples;
  for (const auto& [i, j] : solid.couples()) {
    if (j >= pinned) couples.emplace_back(i - pinned, j - pinned);
  }
  NodalMatrix k(std::make_shared<const NodalPattern>(make_nodal_pattern(free, couples)));
  solid.place(node_of, *k.pattern);
  std::vector<Vec3> force(box.nodes.size());
  solid.evaluate(box.nodes, force, k);
  Eigen::VectorXd load = Eigen::VectorXd::Zero(3 * free);
  for (int i = free - pinned; i < free; ++i) load[3 * i + 2] = 1.0 / pinned;
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor(to_sparse(k));
  const double tip = factor.solve(load).dot(load);
  const double shear = 1 / (2 * (1 + c.poisson)), inertia = 1.0 / 12;
  return tip / (length * length * length / (3 * inertia) + length / (5.0 / 6 * shear));
}

class LockingTest : public ::testing::TestWithParam<Locking> {};

TEST_P(LockingTest, TipDeflectionOverTimoshenkos) {
  EXPECT_NEAR(tip_deflection(GetParam()), GetParam().expected, 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    Cantilever, LockingTest,
    ::testing::Values(Locking{0.3, false, 2, 0.50}, Locking{0.3, false, 4, 0.79}, Locking{0.3, false, 6, 0.89},
                      Locking{0.45, false, 2, 0.30}, Locking{0.45, false, 4, 0.60}, Locking{0.45, false, 6, 0.75},
                      Locking{0.49, false, 2, 0.10}, Locking{0.49, false, 4, 0.29}, Locking{0.49, false, 6, 0.45},
                      Locking{0.3, true, 2, 0.66}, Locking{0.3, true, 4, 0.88}, Locking{0.3, true, 6, 0.94},
                      Locking{0.45, true, 2, 0.62}, Locking{0.45, true, 4, 0.85}, Locking{0.45, true, 6, 0.92},
                      Locking{0.49, true, 2, 0.58}, Locking{0.49, true, 4, 0.83}, Locking{0.49, true, 6, 0.91}));

}  // namespace
}  // namespace uzawa
