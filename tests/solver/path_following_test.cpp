/// What CANAL's path following rests on: Newton on the strict law, which is lost on robots and piles from afar, finds
/// the solution along those of the law with rounded corners. CANAL has no switch for it; this is the idea by itself.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "problem/random_problem.hpp"
#include "solver/canal_parts.hpp"
#include "support/dense_jacobian.hpp"
#include "support/problem_families.hpp"
#include "support/quadrupeds.hpp"

namespace uzawa {
namespace {

using Eigen::VectorXd;

constexpr double kTolerance = 1e-9;
constexpr int kManySteps = 200;  // of Newton without a path: ten times what it needs where it is not lost

VectorXd vector(std::span<const double> v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

/// Signorini-Coulomb at penalty beta, from its definition: no pull, and friction within the disc that the push allows.
VectorXd strict_impulses(const Problem& problem, const VectorXd& u, double beta) {
  VectorXd out(problem.rows);
  for (std::size_t i = 0; i < problem.contacts.row.size(); ++i) {
    const int row = problem.contacts.row[i];
    const Eigen::Vector3d s = -beta * (u.segment<3>(row) + test::eigen(problem.contacts.e[i]));
    const double push = std::max(0.0, s.z()), slip = std::hypot(s.x(), s.y());
    const double share = std::min(1.0, problem.contacts.cone[i].mu1 * push / std::max(slip, 1e-300));
    out.segment<3>(row) << s.x() * share, s.y() * share, push;
  }
  return out;
}

/// |A v - b - J^T lambda(v)| over its terms, in the units of energies.
double strict_error(const Problem& problem, const VectorXd& v, double beta) {
  const Eigen::MatrixXd j = test::dense_jacobian(problem), a = test::dense_a(problem);
  const VectorXd scale = a.diagonal().cwiseSqrt(), pushed = j.transpose() * strict_impulses(problem, j * v, beta);
  const auto size = [&](const VectorXd& x) { return x.cwiseQuotient(scale).norm(); };
  return size(a * v - vector(problem.b) - pushed) / (size(vector(problem.b)) + size(pushed));
}

/// Solves the strict surrogate from the velocities without impulses: at once, or along a path of ever less rounding.
struct Outcome {
  bool solved;
  VectorXd v;
};
Outcome solve(test::CanalParts& parts, double beta, bool along_a_path) {
  constexpr int kSteps = 15, kHalvings = 24;  // for one rounding; from the largest impulse to 1e-7 of it
  const std::vector<double> none(static_cast<std::size_t>(parts.problem.rows), 0.0);
  VectorXd v = vector(parts.velocity(none));
  const std::span<double> at(v.data(), static_cast<std::size_t>(v.size()));
  LawParameters law{.beta = beta, .multiplier = none, .shift = {}, .strict = true};
  if (along_a_path) {
    law.smoothing = vector(parts.problem.b).cwiseAbs().maxCoeff();
    for (int i = 0; i < kHalvings; ++i, law.smoothing /= 2) {
      // One that is not quite solved is no reason to stop.
      (void)parts.surrogate.solve_strict(parts.problem, law, 1e-6, kSteps, at);
    }
    law.smoothing = 0;
  }
  const bool solved = parts.surrogate.solve_strict(parts.problem, law, kTolerance, kManySteps, at).solved;
  return {solved, v};
}

void expect_path_leads_where_newton_is_lost(const std::function<Problem(unsigned)>& make) {
  // Nearly all of them, in both; which of them a path loses is a matter of rounding.
  constexpr int kCases = 12, kMost = 9;
  int lost = 0, found = 0;
  for (unsigned seed = 1; seed <= kCases; ++seed) {
    test::CanalParts parts(make(seed));
    const double beta = parts.first_penalty();
    const Outcome direct = solve(parts, beta, false), followed = solve(parts, beta, true);
    lost += direct.solved ? 0 : 1;
    found += followed.solved ? 1 : 0;
    for (const Outcome& outcome : {direct, followed}) {  // what is said to be solved is
      EXPECT_TRUE(!outcome.solved || strict_error(parts.problem, outcome.v, beta) <= 10 * kTolerance) << seed;
    }
  }
  EXPECT_GE(lost, kMost) << "too easy: the path proves nothing";
  EXPECT_GE(found, kMost);
}

TEST(PathFollowingTest, RobotsInAHeap) {
  expect_path_leads_where_newton_is_lost([](unsigned seed) { return test::quadrupeds(3, seed); });
}

TEST(PathFollowingTest, PilesOfSpheres) {
  expect_path_leads_where_newton_is_lost([](unsigned seed) { return test::sphere_pile(seed, true, 0); });
}

}  // namespace
}  // namespace uzawa
