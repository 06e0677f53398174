/// Large soft bodies, whose systems are solved by iterations: H against a dense matrix, and whole solves against those
/// with factors.
#include "uzawa/solver/linear/nodal_newton.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <vector>

#include "problem/random_problem.hpp"
#include "support/dense_jacobian.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nodal_rows.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa::test {

namespace {

int node_at(int side, int x, int y, int z) { return (z * side + y) * side + x; }

/// Springs between all neighbours of a cube, diagonals included, and a mass of 1 a node.
NodalMatrix spring_cube(int side) {
  std::vector<std::pair<int, int>> couples;
  for (int k = 0; k < side * side * side; ++k) {
    const int x = k % side, y = k / side % side, z = k / side / side;
    for (int d = 1; d < 8; ++d) {
      const int a = x + d % 2, b = y + d / 2 % 2, c = z + d / 4;
      if (a < side && b < side && c < side) couples.emplace_back(node_at(side, a, b, c), k);
    }
  }
  NodalMatrix a(std::make_shared<const NodalPattern>(make_nodal_pattern(side * side * side, couples)));
  for (const auto& [i, j] : couples) {
    const auto place = [side](int k) { return Vec3(k % side, k / side % side, k / side / side); };
    const Vec3 between = place(i) - place(j), along = between * (1 / norm(between));
    double spring[9];
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) spring[3 * r + c] = 2 * along[r] * along[c] + (r == c ? 0.5 : 0);
    }
    a.add_to_diagonal(i, spring);
    a.add_to_diagonal(j, spring);
    for (int k = 0; k < 9; ++k) a.block(a.pattern->place(i, j))[k] -= spring[k];
  }
  for (int i = 0; i < a.nodes(); ++i) a.add_to_diagonal(i, 1);
  return a;
}

Attachment hold(std::array<int, 4> nodes, std::array<double, 4> weights, const Mat3& frame) {
  Attachment out;
  out.kind = AttachmentKind::Nodes;
  out.node = nodes;
  out.weight = weights;
  out.frame = frame;
  return out;
}

/// Falls onto a plane and slides: the nodes of its lowest layer touch, some faces too, and one dof is held.
Problem resting_cube(Random& random, int side, double mu) {
  Problem problem;
  problem.name = "cube";
  NodalMatrix a = spring_cube(side);
  std::vector<double> b(3 * at(a.nodes()));
  for (std::size_t i = 0; i < b.size(); i += 3) {
    b[i] = 0.3 + uniform(random, -0.1, 0.1);
    b[i + 2] = -1 + uniform(random, -0.3, 0.3);
  }
  problem.add_nodal(std::move(a), b);
  const Mat3 frame = Mat3::identity();
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const double gap = uniform(random, 0, 0.2);
      if ((x + y) % 5 != 0 || x + 1 == side || y + 1 == side) {
        problem.add_contact({mu, mu}, {0, 0, gap}, {hold({node_at(side, x, y, 0), -1, -1, -1}, {1, 0, 0, 0}, frame)});
      } else {
        problem.add_contact(
            {mu, mu}, {0, 0, gap},
            {hold({node_at(side, x, y, 0), node_at(side, x + 1, y, 0), node_at(side, x + 1, y + 1, 0), -1},
                  {0.5, 0.2, 0.3, 0}, frame)});
      }
    }
  }
  Attachment dof;
  dof.kind = AttachmentKind::Coordinate;
  dof.dof = 3 * node_at(side, side - 1, 0, side - 1) + 1;
  problem.add_equality(0.1, {dof});
  return problem;
}

}  // namespace

TEST(NodalNewtonTest, SolvesWithTheDenseMatrix) {
  Random random(3);
  const Problem problem = resting_cube(random, 4, 0.7);
  PreparedProblem prepared(problem);
  const CompactRows& rows = prepared.compact_rows();
  ASSERT_TRUE(keeps_pattern(*problem.nodal[0].pattern, rows));
  SparseRows lower;
  lower.clear(problem.n());
  append_lower_rows(problem.nodal[0], 0, lower);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(problem.n(), problem.n());
  for (int r = 0; r < lower.rows(); ++r) {
    for (std::size_t k = lower.begin(r); k < lower.end(r); ++k)
      a(r, lower.column[k]) = a(lower.column[k], r) = lower.value[k];
  }
  const Eigen::MatrixXd j = dense_jacobian(problem);
  LawDerivatives d;
  d.resize(problem);
  Eigen::MatrixXd weight = Eigen::MatrixXd::Zero(problem.rows, problem.rows);
  for (const bool general : {false, true}) {
    for (const ConstraintRef& ref : problem.constraints) {
      if (ref.kind != ConstraintKind::Contact) {
        weight(ref.row, ref.row) = d.scalar[at(ref.row)] = 50;
        continue;
      }
      // Sticking, open, or sliding: the normal impulse pulls along.
      Mat3 own;
      const int state = ref.index % 3;
      for (int k = 0; k < 3; ++k) own.col[k] = Vec3::unit(k) * (state == 1 ? 0.0 : 1e4);
      if (state == 2 && general) own.col[2] = Vec3(6e3, -2e3, 1e4);
      d.contact[at(ref.index)] = own;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) weight(ref.row + r, ref.row + c) = own(r, c);
      }
    }
    NodalNewton newton;
    newton.prepare(problem.nodal[0], rows, 100);
    ASSERT_TRUE(newton.assemble(problem, 2, d, general));
    const Eigen::MatrixXd h = a + 2 * j.transpose() * weight * j;
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(problem.n(), -1, 2);
    Eigen::VectorXd x = b;
    newton.solve({x.data(), at(problem.n())}, 0);
    EXPECT_LT((h * x - b).norm(), 1e-8 * b.norm()) << general;
    const Eigen::VectorXd exact = h.partialPivLu().solve(b);
    EXPECT_LT((x - exact).norm(), 1e-8 * exact.norm()) << general;
  }
}

/// The oracle is the way by factors: condensed, or with the general Newton matrix.
class LargeBodyTest : public testing::TestWithParam<double> {};

TEST_P(LargeBodyTest, IterationsAndFactorsAgree) {
  Random random(4);
  const Problem problem = resting_cube(random, 11, GetParam());
  const Solver& iterating = find_solver("canal");
  Solver direct = iterating;
  direct.traits.iterates = false;
  const Settings settings{.tolerance = 1e-13, .require_siconos = false};
  Workspace first, second;
  Result by_iterations, by_factor;
  iterating.solve(problem, settings, first, by_iterations);
  direct.solve(problem, settings, second, by_factor);
  ASSERT_TRUE(first.prepared.factor().iterates());
  ASSERT_FALSE(second.prepared.factor().iterates());
  EXPECT_EQ(by_factor.status, SolveStatus::Converged);
  EXPECT_EQ(by_iterations.status, SolveStatus::Converged);
  double v = 0, lambda = 0;
  for (std::size_t i = 0; i < by_factor.v.size(); ++i) v = std::max(v, std::abs(by_factor.v[i] - by_iterations.v[i]));
  for (std::size_t i = 0; i < by_factor.lambda.size(); ++i) {
    lambda = std::max(lambda, std::abs(by_factor.lambda[i] - by_iterations.lambda[i]));
  }
  EXPECT_LT(v, 1e-10);
  EXPECT_LT(lambda, 1e-10);
}

TEST_P(LargeBodyTest, SubAdmmGetsThereToo) {
  Random random(4);
  const Problem problem = resting_cube(random, 11, GetParam());
  const Settings settings{.tolerance = 1e-7, .require_siconos = false};
  Workspace first, second;
  Result exact, found;
  find_solver("canal").solve(problem, {.tolerance = 1e-12, .require_siconos = false}, first, exact);
  find_solver("subadmm").solve(problem, settings, second, found);
  ASSERT_EQ(found.status, SolveStatus::Converged);
  double v = 0;
  for (std::size_t i = 0; i < exact.v.size(); ++i) v = std::max(v, std::abs(exact.v[i] - found.v[i]));
  EXPECT_LT(v, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Friction, LargeBodyTest, testing::Values(0.0, 0.2, 0.8));

}  // namespace uzawa::test
