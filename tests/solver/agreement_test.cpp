/// All methods that solve the same problem must give the same velocities where these are unique; the relaxation must
/// not. And a problem that goes through a file must give the same bits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "io/temp_folder.hpp"
#include "problem/random_problem.hpp"
#include "small_problems.hpp"
#include "support/problem_families.hpp"
#include "uzawa/problem_io/problem_file.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

/// Without friction the problem is a strictly convex one in v; little friction leaves the solution unique. (With mu of
/// 0.5 two spheres that touch on a floor have several, and the methods do find different ones.)
std::vector<Problem> unique_problems() {
  constexpr double kLittle = 0.1;  // times the friction that the problems come with
  std::vector<Problem> out;
  for (unsigned seed = 1; seed <= 4; ++seed) out.push_back(test::scattered_bodies(12, seed));
  for (unsigned seed = 1; seed <= 8; ++seed) {
    test::Random random(seed);
    out.push_back(test::random_problem(random));
  }
  for (Problem& problem : out) {
    for (FrictionCone& cone : problem.contacts.cone) cone = {kLittle * cone.mu1, kLittle * cone.mu2};
  }
  return out;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

TEST(AgreementMatrixTest, ExactMethodsGiveTheSameVelocities) {
  const std::vector<Problem> problems = unique_problems();
  std::map<std::string, int> converged;
  for (std::size_t p = 0; p < problems.size(); ++p) {
    Workspace canal_workspace;
    Result canal;
    const Settings exact{.tolerance = 1e-10};
    find_solver("canal").solve(problems[p], exact, canal_workspace, canal);
    if (canal.status != SolveStatus::Converged) continue;  // a random problem may have no solution
    for (const char* name : test::exact_methods()) {
      Workspace workspace;
      Result result;
      Settings settings{.tolerance = 1e-9};
      settings.max_iterations = test::enough_iterations(name);
      find_solver(name).solve(problems[p], settings, workspace, result);
      if (result.status != SolveStatus::Converged) continue;
      ++converged[name];
      // Conditioning of these problems is below 1e4, the judge's tolerance 1e-9.
      EXPECT_LE(difference(result.v, canal.v), 1e-5) << name << ", problem " << p;
    }
    Workspace workspace;
    Result relaxed;
    find_solver("soft-convex").solve(problems[p], {}, workspace, relaxed);
    EXPECT_EQ(relaxed.status, SolveStatus::Relaxed) << "problem " << p;
    EXPECT_GE(difference(relaxed.v, canal.v), 1e-3) << "problem " << p;
  }
  // A method that never converges would agree with everything. Nonsmooth Newton without safeguards stalls on more of
  // these problems than others do.
  for (const char* name : test::exact_methods()) {
    EXPECT_GE(converged[name], std::string_view(name) == "nnewton" ? 5 : 6) << name;
  }
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

TEST(DumpTest, ProblemFromFileGivesTheSameBits) {
  const test::TempFolder folder;
  std::vector<Problem> problems = {test::nut(1, true, 0.5), test::dish_stack(2, true, 0)};
  for (unsigned seed = 11; seed <= 14; ++seed) {  // all kinds of blocks, constraints and attachments
    test::Random random(seed);
    problems.push_back(test::random_problem(random));
  }
  for (const Problem& problem : problems) {
    write_problem(problem, folder.path() / "problem.json");
    const Problem again = read_problem(folder.path() / "problem.json");
    for (const Solver& solver : solvers()) {
      Settings settings;
      settings.max_iterations = 50;
      Workspace workspace, other_workspace;
      Result result, other;
      solve_islands(solver, problem, settings, workspace, result);
      solve_islands(solver, again, settings, other_workspace, other);
      EXPECT_TRUE(same_bits(result.v, other.v)) << solver.name << ", " << problem.name;
      EXPECT_TRUE(same_bits(result.lambda, other.lambda)) << solver.name << ", " << problem.name;
    }
  }
}

}  // namespace
}  // namespace uzawa
