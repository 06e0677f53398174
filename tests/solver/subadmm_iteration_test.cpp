/// SubADMM's iteration: names that must not matter, circles, acceleration, adaptation of its penalty.
#include "uzawa/solver/admm/subadmm_iteration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/attachments.hpp"
#include "support/problem_families.hpp"
#include "support/quadrupeds.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

/// With all of its over-relaxation the iteration runs in a circle on these, where acceleration does not throw it off.
TEST(AdmmTest, LeavesCircles) {
  for (const unsigned seed : {58U, 67U, 85U}) {
    Settings settings;
    settings.subadmm.acceleration = 0;
    settings.max_iterations = 20000;
    Workspace workspace;
    Result result;
    find_solver("subadmm").solve(test::quadrupeds(2, seed), settings, workspace, result);
    EXPECT_EQ(result.status, SolveStatus::Converged) << seed << ": " << result.verdict.residual;
    EXPECT_LT(result.stats.iterations, 2000) << seed;
  }
}

std::vector<double> impulses_after(const Problem& problem, int steps) {
  PreparedProblem prepared(problem);
  SubAdmmIteration iteration;
  const std::vector<double> nothing(static_cast<std::size_t>(problem.rows), 0.0);
  iteration.prepare(prepared, {}, nothing, Splitting::Bodies);
  for (int i = 0; i < steps; ++i) iteration.step(problem);
  const std::span<const double> lambda = iteration.impulses(problem);
  return {lambda.begin(), lambda.end()};
}

/// A frame turned about and the other sign are the same J, and so is the other order of the sides.
TEST(AdmmTest, SignsAndOrderOfSidesAreNamesOnly) {
  const Problem problem = test::dish_stack(4, true, 0);
  Problem renamed = problem;
  int turned = 0, swapped = 0;
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const auto begin = renamed.attachments.begin() + problem.attachment_start[c],
               end = renamed.attachments.begin() + problem.attachment_start[c + 1];
    if (c % 3 == 0) {
      for (auto a = begin; a != end; ++a) {
        for (Vec3& axis : a->frame.col) axis = axis * -1.0;
        a->sign = -a->sign;
      }
      ++turned;
    }
    if (c % 2 == 0 && end - begin == 2) {
      std::swap(*begin, *(begin + 1));
      ++swapped;
    }
  }
  ASSERT_GT(turned, 3);
  ASSERT_GT(swapped, 3);
  const std::vector<double> expected = impulses_after(problem, 40), found = impulses_after(renamed, 40);
  const double largest = std::abs(*std::ranges::max_element(expected, {}, [](double x) { return std::abs(x); }));
  ASSERT_GT(largest, 0);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(expected[i], found[i], 1e-9 * largest) << i;
}

/// A contact that pushes two bodies the same way, as a wedge does: no pair of sides with known signs.
TEST(AdmmTest, SidesOfOneSign) {
  Problem problem;
  SpatialInertia ball;
  ball.mass = 1;
  ball.rotational.diagonal = {0.01, 0.01, 0.01};
  for (int i = 0; i < 2; ++i) problem.add_body(ball, {0.1, 0, i == 0 ? -3.0 : 1.0, 0, 0, 0});
  problem.add_contact({0.5, 0.5}, {},
                      {test::point_on(0, {}, Mat3::identity(), 1), test::point_on(1, {}, Mat3::identity(), 1)});
  const std::vector<double> lambda = impulses_after(problem, 400);
  EXPECT_NEAR(lambda[2], 1, 1e-9);  // both get it: -3 + 1 + 2 x 1 = 0
  EXPECT_NEAR(lambda[0], -0.1, 1e-9);
}

// -- acceleration and adaptation

double mean_log_residual(const test::Family& family, const SubAdmmSettings& subadmm, int iterations) {
  constexpr int kCases = 20;
  double sum = 0;
  Workspace workspace;
  Result result;
  for (int i = 0; i < kCases; ++i) {
    Settings settings;
    settings.tolerance = 1e-12;
    settings.max_iterations = iterations;
    settings.subadmm = subadmm;
    find_solver("subadmm").solve(family(i), settings, workspace, result);
    sum += std::log10(std::max(1e-12, result.verdict.residual));
  }
  return sum / kCases;
}

TEST(AccelerationTest, GainsAndDoesNoHarm) {
  double gain = 0;
  for (const test::Family& family : test::families()) {
    const double plain = mean_log_residual(family, {.acceleration = 0}, 100);
    const double accelerated = mean_log_residual(family, {}, 100);
    EXPECT_LE(accelerated, plain + 0.2) << family.name;
    gain += plain - accelerated;
  }
  EXPECT_GE(gain / static_cast<double>(test::families().size()), 0.3);  // decades, on average
}

TEST(AdaptationTest, GainsOverTheFixedPenalty) {
  double gain = 0;
  for (const test::Family& family : test::families()) {
    const double fixed = mean_log_residual(family, {.adapt_penalty = false}, 300);
    const double adapted = mean_log_residual(family, {}, 300);
    EXPECT_LE(adapted, fixed + 0.3) << family.name;
    gain += fixed - adapted;
  }
  EXPECT_GE(gain / static_cast<double>(test::families().size()), 0.2);
}

/// The same problem with lengths in units that are `scale` times smaller: slides get faster, hinges do not.
Problem in_smaller_units(Problem problem, double scale) {
  for (std::size_t t = 0; t < problem.trees.size(); ++t) {
    TreeInertia& tree = problem.trees[t];
    for (SpatialInertia& link : tree.inertia) {
      link.first *= scale;
      link.rotational = link.rotational * (scale * scale);
    }
    double* b = &problem.b[static_cast<std::size_t>(problem.blocks[t].offset)];
    for (std::size_t d = 0; d < tree.subspace.size(); ++d) {
      const bool slide = norm(tree.subspace[d].angular) == 0;
      if (!slide) tree.subspace[d].linear *= scale;
      if (!slide) tree.diagonal[d] *= scale * scale;
      b[d] *= slide ? scale : scale * scale;
    }
  }
  for (Attachment& attachment : problem.attachments) attachment.point *= scale;
  for (Vec3& e : problem.contacts.e) e *= scale;
  return problem;
}

/// Long enough for the penalty to be balanced: what residuals of contacts and of hinges add up to is no matter of
/// units. Without acceleration, whose least squares do depend on them, a little.
TEST(AdaptationTest, PenaltyDoesNotDependOnTheUnitOfLength) {
  constexpr double kScale = 1024;  // exact in binary
  int balanced = 0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Problem metres = test::quadrupeds(3, seed);
    for (int robot = 0; robot < 3; ++robot) {
      for (const int knee : {8, 11, 14, 17}) {
        Attachment joint;
        joint.kind = AttachmentKind::Coordinate;
        joint.block = robot;
        joint.dof = knee;
        metres.add_limit(-0.05, 0.05, {joint});
      }
    }
    Problem millimetres = in_smaller_units(metres, kScale);
    double beta[2] = {}, first = 0;
    for (const Problem* problem : {&metres, &millimetres}) {
      PreparedProblem prepared(*problem);
      SubAdmmIteration iteration;
      const std::vector<double> nothing(static_cast<std::size_t>(problem->rows), 0.0);
      iteration.prepare(prepared, {.acceleration = 0}, nothing);
      first = iteration.beta();
      for (int k = 0; k < 170; ++k) iteration.step(*problem);
      beta[problem == &metres ? 0 : 1] = iteration.beta();
    }
    EXPECT_NEAR(beta[1], beta[0], 1e-6 * beta[0]) << seed;
    balanced += beta[0] != first ? 1 : 0;
  }
  EXPECT_GT(balanced, 0);
}

TEST(AdaptationTest, PenaltyFollowsMassesNotUnits) {
  // A thousand times heavier, with a thousand times the impulses: the same velocities, iteration by iteration.
  Problem light = test::sphere_pile(3, true, 0), heavy = light;
  constexpr double kFactor = 1024;  // exact in binary
  for (SpatialInertia& body : heavy.bodies) {
    body.mass *= kFactor;
    body.first *= kFactor;
    body.rotational = body.rotational * kFactor;
  }
  for (double& b : heavy.b) b *= kFactor;
  const std::vector<double> expected = impulses_after(light, 30), found = impulses_after(heavy, 30);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i] / kFactor, expected[i], 1e-9) << i;
  }
}

}  // namespace
}  // namespace uzawa
