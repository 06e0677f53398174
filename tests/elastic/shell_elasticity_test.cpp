#include "uzawa/elastic/shell_elasticity.hpp"

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>

#include "elastic/elastic_support.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

struct TriangleMesh {
  std::vector<Vec3> nodes;
  std::vector<std::array<int, 3>> triangles;
};

/// A sheet in the plane of x and y; all diagonals in one direction.
TriangleMesh sheet(int nx, int ny, double cell_x, double cell_y) {
  TriangleMesh out;
  for (int i = 0; i <= nx; ++i) {
    for (int j = 0; j <= ny; ++j) out.nodes.emplace_back(i * cell_x, j * cell_y, 0);
  }
  const auto index = [&](int i, int j) { return i * (ny + 1) + j; };
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      out.triangles.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      out.triangles.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  }
  return out;
}

SoftMaterial material_of(bool stretching, bool bending, double poisson = 0.3, double thickness = 0.02) {
  SoftMaterial out;
  out.young = 1e6;
  out.poisson = poisson;
  out.thickness = thickness;
  out.stretching = stretching;
  out.bending = bending;
  return out;
}

class ShellElasticityTest : public ::testing::TestWithParam<std::pair<bool, bool>> {
 protected:
  ShellElasticityTest() {
    for (Vec3& v : sheet_.nodes) v.set(2, 0.3 * v.x() * v.x() - 0.2 * v.x() * v.y());  // curved at rest
    shell_ = ShellElasticity(sheet_.nodes, sheet_.triangles, material_of(GetParam().first, GetParam().second));
  }
  TriangleMesh sheet_ = sheet(3, 2, 0.1, 0.12);
  ShellElasticity shell_;
  std::mt19937 random_{11};
};

TEST_P(ShellElasticityTest, ForcesAreTheGradientOfTheEnergy) {
  for (const double by : {0.003, 0.03}) {
    const std::vector<Vec3> x = shaken(sheet_.nodes, by, random_);
    const Eigen::VectorXd force = stacked(forces_of(shell_, x, x.size()));
    EXPECT_LT((force - differences_of_energy(shell_, x, 1e-7)).norm(), 1e-7 * force.norm()) << by;
  }
}

TEST_P(ShellElasticityTest, StiffnessAtRestIsTheSecondDerivative) {
  const std::vector<Vec3> x = moved(sheet_.nodes, exp_rotation({0.5, -1, 2}), {1, 2, 3});
  const Eigen::MatrixXd k = stiffness_of(shell_, x);
  EXPECT_LT((k - differences_of_force(shell_, x, 1e-6)).norm(), 1e-6 * k.norm());
}

TEST_P(ShellElasticityTest, StiffnessIsPositiveSemidefiniteForEveryShape) {
  for (int i = 0; i < 10; ++i) {
    for (const double by : {0.01, 0.1, 1.0}) {
      EXPECT_GT(relative_smallest_eigenvalue(stiffness_of(shell_, shaken(sheet_.nodes, by, random_))), -1e-13);
    }
  }
  std::vector<Vec3> line = sheet_.nodes;
  for (Vec3& v : line) v = {v.x(), 0, 0};
  const std::vector<Vec3> point(sheet_.nodes.size());
  for (const auto& x : {line, point}) {
    const Eigen::MatrixXd k = stiffness_of(shell_, x);
    ASSERT_TRUE(k.allFinite());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues()[0], -1e-13 * (k.norm() + 1));
    EXPECT_TRUE(stacked(forces_of(shell_, x, x.size())).allFinite());
  }
}

TEST_P(ShellElasticityTest, RigidMotionsCostNothingAndForcesKeepMomentum) {
  const auto rigid = moved(sheet_.nodes, exp_rotation({1, -2, 0.5}), {1, 2, 3});
  EXPECT_LT(stacked(forces_of(shell_, rigid, rigid.size())).norm(), 1e-12 * 1e6 * 0.1 * 0.02);
  const std::vector<Vec3> x = shaken(sheet_.nodes, 0.03, random_);
  const auto force = forces_of(shell_, x, x.size());
  Vec3 sum, moment;
  for (std::size_t i = 0; i < x.size(); ++i) sum += force[i], moment += cross(x[i], force[i]);
  EXPECT_LT(norm(sum), 1e-13 * stacked(force).norm());
  EXPECT_LT(norm(moment), 1e-13 * stacked(force).norm());
}

INSTANTIATE_TEST_SUITE_P(Parts, ShellElasticityTest,
                         ::testing::Values(std::pair{true, false}, std::pair{false, true}, std::pair{true, true}));

/// A taut sheet resists moving out of its plane as a drum does; nothing is left out of the stiffness there.
TEST(ShellLawTest, TautSheet) {
  TriangleMesh flat = sheet(3, 3, 0.1, 0.1);
  ShellElasticity shell(flat.nodes, flat.triangles, material_of(true, false));
  for (Vec3& v : flat.nodes) v *= 1.01;
  const Eigen::MatrixXd k = stiffness_of(shell, flat.nodes), full = differences_of_force(shell, flat.nodes, 1e-7);
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) EXPECT_NEAR(k(3 * i + 2, 3 * j + 2), full(3 * i + 2, 3 * j + 2), 1e-5 * k.norm());
  }
  EXPECT_GT(k(3 * 5 + 2, 3 * 5 + 2), 0.01 * k(3 * 5, 3 * 5));
}

/// Plane stress: a sheet that is stretched along x and free across narrows by Poisson's ratio, sigma = E eps.
TEST(ShellLawTest, UniaxialTension) {
  TriangleMesh flat = sheet(3, 2, 0.1, 0.1);
  ShellElasticity shell(flat.nodes, flat.triangles, material_of(true, true));
  std::vector<Vec3> x = flat.nodes;
  for (Vec3& v : x) v = {v.x() * (1 + 1e-7), v.y() * (1 - 0.3e-7), 0};
  const auto force = forces_of(shell, x, x.size());
  double end = 0, across = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (flat.nodes[i].x() > 0.25) end += force[i].x();
    across = std::max(across, std::abs(force[i].y()));
  }
  const double expected = 1e6 * 1e-7 * 0.2 * 0.02;
  EXPECT_NEAR(end, -expected, 1e-6 * expected);
  EXPECT_LT(across, 1e-6 * expected);
}

/// z = (a x^2 + 2 b x y + c y^2)/2: the energy of a plate of that curvature, for small deflections.
TEST(ShellLawTest, EnergyOfConstantCurvature) {
  const TriangleMesh flat = sheet(40, 40, 0.025, 0.02);
  ShellElasticity shell(flat.nodes, flat.triangles, material_of(false, true));
  const double plate = 1e6 * std::pow(0.02, 3) / (12 * (1 - 0.09)), area = 0.8;
  for (const auto& [a, b, c] : {std::array{1e-4, 0.0, 0.0}, {0.0, 1e-4, 0.0}, {1e-4, 0.0, -1e-4}, {2e-4, 1e-4, 3e-4}}) {
    std::vector<Vec3> x = flat.nodes;
    for (Vec3& v : x) v.set(2, 0.5 * (a * v.x() * v.x() + 2 * b * v.x() * v.y() + c * v.y() * v.y()));
    const double expected = 0.5 * area * plate * (0.7 * (a * a + 2 * b * b + c * c) + 0.3 * (a + c) * (a + c));
    // Triangles at the rim see free normals: a share of 2/40 of the area on each side may cost less.
    EXPECT_NEAR(shell.energy(x) / expected, 0.95, 0.05) << a << " " << b << " " << c;
    EXPECT_LT(shell.energy(x), expected * (1 + 1e-6));
  }
}

/// Tip deflection of a strip clamped at x = 0 by two rows of nodes, loaded at its end, length 1.
double strip_deflection(int nx, int ny, double width, double poisson) {
  const TriangleMesh flat = sheet(nx + 1, ny, 1.0 / nx, width / ny);
  ShellElasticity shell(flat.nodes, flat.triangles, material_of(true, true, poisson));
  const int held = 2 * (ny + 1), free = static_cast<int>(flat.nodes.size()) - held;
  std::vector<int> node_of(flat.nodes.size());
  std::iota(node_of.begin(), node_of.end(), -held);
  std::vector<std::pair<int, int>> couples;
  for (const auto& [i, j] : shell.couples()) {
    if (j >= held) couples.emplace_back(i - held, j - held);
  }
  NodalMatrix k(std::make_shared<const NodalPattern>(make_nodal_pattern(free, couples)));
  shell.place(node_of, *k.pattern);
  std::vector<Vec3> force(flat.nodes.size());
  shell.evaluate(flat.nodes, force, k);
  Eigen::VectorXd load = Eigen::VectorXd::Zero(3 * free);
  for (int j = 0; j <= ny; ++j) load[3 * (free - 1 - j) + 2] = (j == 0 || j == ny ? 0.5 : 1.0) / ny;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(to_sparse(k));
  return factor.solve(load).dot(load);
}

/// A narrow strip is a beam of E I = E w t^3/12. The hinges at the second row of nodes stand for half a cell on each
/// side, so that the beam begins in the middle of the cells that are held.
TEST(ShellLawTest, CantileverStrip) {
  for (const double poisson : {0.0, 0.3}) {
    for (const int cells : {20, 40}) {
      const double length = 1 + 0.5 / cells, inertia = 0.05 * std::pow(0.02, 3) / 12;
      const double expected = length * length * length / (3 * 1e6 * inertia);
      EXPECT_NEAR(strip_deflection(cells, cells / 20, 0.05, poisson) / expected, 1, 0.01) << poisson << " " << cells;
    }
  }
}

/// A wide one is a plate, where it can't curl: with a free edge beside each clamped one, between the two.
TEST(ShellLawTest, WideStripIsStiffer) {
  const double narrow = strip_deflection(20, 1, 0.05, 0.45) * 0.05, wide = strip_deflection(20, 40, 4, 0.45) * 4;
  EXPECT_LT(wide, 0.9 * narrow);
  EXPECT_GT(wide, (1 - 0.45 * 0.45) * narrow);
}

TEST(ShellLawTest, BadInput) {
  const TriangleMesh flat = sheet(1, 1, 1, 1);
  EXPECT_NO_THROW(ShellElasticity(flat.nodes, flat.triangles, material_of(true, true)));
  EXPECT_THROW(ShellElasticity(flat.nodes, flat.triangles, material_of(true, true, 0.3, 0)), InputError);
  const std::vector<std::array<int, 3>> beyond{{0, 1, 4}}, no_area{{0, 1, 1}}, three{{0, 1, 2}, {1, 0, 3}, {0, 1, 3}};
  for (const auto& bad : {beyond, no_area, three}) {
    EXPECT_THROW(ShellElasticity(flat.nodes, bad, material_of(true, true)), InputError);
  }
}

}  // namespace
}  // namespace uzawa
