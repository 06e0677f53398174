/// The baselines on the Delassus operator and by splitting: exact where they claim to be, and no straw men.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "problem/random_problem.hpp"
#include "small_problems.hpp"
#include "support/problem_families.hpp"
#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

using test::contact_particle;

Result solve(const char* name, const Problem& problem, const Settings& settings) {
  Workspace workspace;
  Result result;
  find_solver(name).solve(problem, settings, workspace, result);
  return result;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

constexpr int kSide = 12, kLayers = 3;

int mat_node(int i, int j, int layer) { return (layer * kSide + j) * kSide + i; }

/// Springs between neighbours in a grid, those of a node's cell that come after it.
std::vector<std::pair<int, int>> mat_springs() {
  std::vector<std::pair<int, int>> out;
  for (int layer = 0; layer < kLayers; ++layer) {
    for (int j = 0; j < kSide; ++j) {
      for (int i = 0; i < kSide; ++i) {
        for (int step = 14; step < 27; ++step) {
          const int x = i + step % 3 - 1, y = j + step / 3 % 3 - 1, z = layer + step / 9 - 1;
          if (x < 0 || y < 0 || x >= kSide || y >= kSide || z >= kLayers) continue;
          out.emplace_back(mat_node(i, j, layer), mat_node(x, y, z));
        }
      }
    }
  }
  return out;
}

/// A soft mat with waves in it that slides and falls onto a floor: a contact a node of its lower side. A = M + h^2 K
/// with nodes of 1 g; `stiffness` of a spring, h^2 k in kg.
Problem mat(double stiffness, double mu) {
  const auto springs = mat_springs();
  constexpr int kNodes = kSide * kSide * kLayers;
  const auto pattern = std::make_shared<const NodalPattern>(make_nodal_pattern(kNodes, springs));
  const auto place = [](int node) {
    return Vec3{static_cast<double>(node % kSide), static_cast<double>(node / kSide % kSide),
                static_cast<double>(node / (kSide * kSide))};
  };
  NodalMatrix a(pattern);
  for (int i = 0; i < kNodes; ++i) a.add_to_diagonal(i, 1e-3);
  for (const auto& [p, q] : springs) {
    const Vec3 along = place(q) - place(p), axis = along * (1 / norm(along));
    double k[9];
    for (int r = 0; r < 9; ++r) k[r] = stiffness * (axis[r / 3] * axis[r % 3] + (r % 4 == 0 ? 0.05 : 0));
    a.add_to_diagonal(p, std::span<const double, 9>(k));
    a.add_to_diagonal(q, std::span<const double, 9>(k));
    double* coupling = a.block(pattern->place(q, p));
    for (int r = 0; r < 9; ++r) coupling[r] -= k[r];
  }
  std::vector<double> v(3 * kNodes), b(3 * kNodes);
  for (std::size_t i = 0; i < kNodes; ++i) {
    const Vec3 x = place(static_cast<int>(i));
    Vec3{0.2 * std::sin(0.3 * x.x()), 0.05 * std::cos(x.y()), -0.1 + 0.2 * std::sin(0.2 * x.x() + 0.3 * x.y())}.store(
        &v[3 * i]);
  }
  a.multiply(v, b);
  Problem problem;
  problem.dt = 0.01;
  problem.add_nodal(a, b);
  for (int i = 0; i < kSide * kSide; ++i) {
    Attachment at;
    at.kind = AttachmentKind::Nodes;
    at.frame = Mat3::identity();
    at.node[0] = i;
    at.weight[0] = 1;
    problem.add_contact({mu, mu}, {0, 0, 0.01 * (i % 5)}, {at});
  }
  return problem;
}

TEST(ApgdTest, ExplicitAndMatrixFreeAreOneMethod) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    test::Random random(seed);
    const Problem problems[] = {test::dish_stack(seed, true, 0), test::random_problem(random)};
    for (const Problem& problem : problems) {
      // Few enough iterations for rounding errors not to grow.
      Settings settings{.tolerance = 1e-300, .max_iterations = 10};
      const Result matrix_free = solve("apgd", problem, settings);
      settings.apgd.form = DelassusForm::Explicit;
      EXPECT_LE(difference(solve("apgd", problem, settings).v, matrix_free.v), 1e-8) << problem.name;
    }
  }
}

/// The relaxation of a slipping contact in closed form: the impulse is the projection of -b onto the cone, and the body
/// takes off at mu times its sliding speed.
TEST(ApgdTest, ConvexRelaxationLiftsOff) {
  Settings settings{.tolerance = 1e-13};
  settings.apgd.friction = ConeFriction::Convex;
  const double mu = 0.2, mass = 2, normal = (mu * 0.5 + 1) / (1 + mu * mu);
  const Result result = solve("apgd", contact_particle(mass, {0.3, 0.4, -1}, mu), settings);
  EXPECT_EQ(result.status, SolveStatus::Relaxed);
  EXPECT_NEAR(result.lambda[2], normal, 1e-12);
  EXPECT_NEAR(result.v[2], mu * std::hypot(result.v[0], result.v[1]), 1e-12);
  EXPECT_GT(result.v[2], 0.02);
  // Where nothing slides, the relaxation is exact.
  EXPECT_EQ(solve("apgd", contact_particle(mass, {0.3, 0.4, -1}, 0.6), settings).status, SolveStatus::Converged);
}

/// Iteration by iteration no worse than PGS, within a third of a decade, on problems of all families: what a reader of
/// [COND]'s tables expects of it.
TEST(ApgdTest, KeepsUpWithGaussSeidel) {
  constexpr int kCases = 4;
  for (const test::Family& family : test::families()) {
    double behind = 0;
    for (int i = 0; i < kCases; ++i) {
      const Problem problem = family(i);
      const Settings settings{.max_iterations = 100};
      const auto decades = [&](const char* name) {
        return std::log10(std::max(settings.tolerance, solve(name, problem, settings).verdict.residual));
      };
      behind += (decades("apgd") - decades("pgs")) / kCases;
    }
    EXPECT_LE(behind, 0.34) << family.name;
  }
}

/// Nodes that are coupled by springs of very different stiffness: both baselines find CANAL's velocities, soon.
TEST(FirstOrderTest, SoftMatsAreSolvedInAHundredIterations) {
  for (const double stiffness : {0.01, 0.1, 1.0}) {
    const Problem problem = mat(stiffness, 0.3);
    const Result exact = solve("canal", problem, {.tolerance = 1e-11});
    ASSERT_EQ(exact.status, SolveStatus::Converged);
    for (const char* name : {"apgd", "ccs"}) {
      const Result result = solve(name, problem, {.tolerance = 1e-300, .max_iterations = 100});
      EXPECT_LE(result.verdict.residual, 1e-6) << name << ", " << stiffness;
      EXPECT_LE(difference(result.v, exact.v), 1e-3) << name << ", " << stiffness;
    }
  }
}

/// To the tolerance, and to the same velocities as CANAL.
TEST(FirstOrderTest, SoftMatAgreesWithCanal) {
  const Problem problem = mat(0.1, 0.3);
  const Result exact = solve("canal", problem, {.tolerance = 1e-11});
  for (const char* name : {"apgd", "ccs"}) {
    const Result result = solve(name, problem, {.tolerance = 1e-10, .max_iterations = 2000});
    EXPECT_EQ(result.status, SolveStatus::Converged) << name;
    EXPECT_LE(difference(result.v, exact.v), 1e-6) << name;
  }
}

TEST(FirstOrderTest, SameBitsForAnyNumberOfThreads) {
  const Problem problem = test::scattered_bodies(35, 3);
  for (const char* name : {"apgd", "ccs", "penalty"}) {
    Workspace one_workspace, two_workspace;
    Result one, two;
    solve_islands(find_solver(name), problem, {.max_iterations = 60, .threads = 1}, one_workspace, one);
    solve_islands(find_solver(name), problem, {.max_iterations = 60, .threads = 2}, two_workspace, two);
    EXPECT_EQ(one.lambda, two.lambda) << name;
    EXPECT_EQ(one.v, two.v) << name;
  }
}

/// The simple operator moves exactly the dofs that Q^-1 J^T says: Q times the response is J^T again.
TEST(SimpleDelassusTest, ResponseTimesWeightIsTheRow) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    test::Random random(seed);
    const Problem problem = test::random_problem(random);
    PreparedProblem prepared(problem);
    const CompactRows& rows = prepared.compact_rows();
    const auto n = static_cast<std::size_t>(problem.n());
    std::vector<double> weight(n);
    for (const Block& block : problem.blocks) {
      const bool whole = block.kind == BlockKind::FreeBody || block.kind == BlockKind::Tree;
      const double common = test::uniform(random, 0.1, 3);
      for (int i = block.offset; i < block.offset + block.size; ++i) {
        weight[static_cast<std::size_t>(i)] = whole ? common : test::uniform(random, 0.1, 3);
      }
    }
    DelassusOperator simple;
    simple.build_simple(problem, prepared.factor(), rows, weight);
    for (int c = 0; c < rows.constraints(); ++c) {
      DelassusOperator::Velocities velocities{std::vector<double>(n), std::vector<double>()};
      const double delta[3] = {0.7, -0.4, 1.3};
      simple.apply(rows, c, delta, velocities);
      std::vector<double> impulse(n), moved(n);
      multiply(problem, velocities.v, moved);
      for (const Block& block : problem.blocks) {
        const bool whole = block.kind == BlockKind::FreeBody || block.kind == BlockKind::Tree;
        for (int i = block.offset; i < block.offset + block.size; ++i) {
          const auto k = static_cast<std::size_t>(i);
          moved[k] = weight[k] * (whole ? moved[k] : velocities.v[k]);
        }
      }
      double work = 0;  // delta^T W delta by the diagonal blocks
      for (int d = 0; d < rows.dims(c); ++d) {
        for (int k = 0; k < rows.width(c); ++k) {
          impulse[static_cast<std::size_t>(rows.columns(c)[k])] += rows.row(c, d)[k] * delta[d];
        }
        for (int e = 0; e < rows.dims(c); ++e) work += delta[d] * simple.diagonal(c)[rows.dims(c) * d + e] * delta[e];
      }
      double expected_work = 0;
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(moved[i], impulse[i], 1e-9) << "seed " << seed << ", constraint " << c;
        expected_work += impulse[i] * velocities.v[i];
      }
      EXPECT_NEAR(work, expected_work, 1e-9 * (1 + expected_work));
    }
  }
}

}  // namespace
}  // namespace uzawa
