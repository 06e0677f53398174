/// Rolling friction beside Siconos (RFC3D), whose law is ours without spin: each judges the other's solution. They need
/// not be the same one: Coulomb's law has several on these heaps.
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <gtest/gtest.h>
#include <rolling_fc3d_compute_error.h>

#include <array>
#include <cmath>
#include <random>

#include "support/attachments.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

constexpr double kMu = 0.4, kRoll = 0.02, kRadius = 0.1;

/// Balls on the floor and on each other.
Problem heap(int balls, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  Problem problem;
  const auto touch = [&](const Vec3& normal, std::vector<std::pair<int, double>> sides) {
    const Mat3 frame = test::frame_of(normal);
    std::vector<Attachment> points, turns;
    for (const auto& [body, sign] : sides) {
      points.push_back(test::point_on(body, normal * (-sign * kRadius), frame, sign));
      turns.push_back(points.back());
      turns.back().kind = AttachmentKind::LinkTurn;
    }
    problem.add_contact({kMu, kMu}, {}, points);
    problem.add_moment({kRoll, kRoll, 0}, turns);
  };
  for (int i = 0; i < balls; ++i) {
    const double inertia = 0.4 * kRadius * kRadius;
    const auto impulse = [&](double scale) { return scale * any(random); };
    problem.add_body({1, {}, {{inertia, inertia, inertia}, {}}},
                     {impulse(0.3), impulse(0.3), -1, impulse(0.03), impulse(0.03), impulse(0.03)});
    touch({0, 0, 1}, {{i, 1}});
    if (i == 0) continue;
    Vec3 normal{any(random), any(random), 0.3};
    touch(normal * (1 / norm(normal)), {{i - 1, -1}, {i, 1}});
  }
  return problem;
}

/// Row of ours for Siconos's n, t1, t2, m1, m2 of contact i.
int row_of(const Problem& problem, int i, int k) {
  constexpr std::array<int, 5> kPlace{2, 0, 1, 3, 4};
  return problem.contacts.row[at(i)] + kPlace[at(k)];
}

TEST(SiconosRollingTest, EachAcceptsTheOthersSolution) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Problem problem = heap(4, seed);
    const int contacts = problem.contacts.size(), size = 5 * contacts;
    PreparedProblem prepared;
    prepared.prepare(problem);
    std::vector<double> lambda(at(problem.rows)), v(at(problem.n())), u(at(problem.rows)), free(at(problem.rows));
    const auto velocities = [&](std::vector<double>& out) {
      prepared.velocity(lambda, v);
      prepared.constraint_velocity(v, out);
    };
    velocities(free);
    std::vector<double> w(at(size * size)), q(at(size)), mu(at(contacts), kMu), roll(at(contacts), kRoll);
    for (int c = 0; c < size; ++c) {
      lambda[at(row_of(problem, c / 5, c % 5))] = 1;
      velocities(u);
      lambda[at(row_of(problem, c / 5, c % 5))] = 0;
      q[at(c)] = free[at(row_of(problem, c / 5, c % 5))];
      for (int r = 0; r < size; ++r) {
        const std::size_t row = at(row_of(problem, r / 5, r % 5));
        w[at(c * size + r)] = u[row] - free[row];
      }
    }
    NumericsMatrix* matrix = NM_create_from_data(NM_DENSE, size, size, w.data());
    RollingFrictionContactProblem theirs{5, contacts, matrix, q.data(), mu.data(), roll.data()};
    SolverOptions* options = solver_options_create(SICONOS_ROLLING_FRICTION_3D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    std::vector<double> reaction(at(size)), velocity(at(size));
    ASSERT_EQ(rolling_fc3d_driver(&theirs, reaction.data(), velocity.data(), options), 0);
    for (int r = 0; r < size; ++r) lambda[at(row_of(problem, r / 5, r % 5))] = reaction[at(r)];
    Judge judge;
    EXPECT_LT(judge.evaluate(prepared, lambda).residual, 1e-11);

    Settings settings;
    settings.tolerance = 1e-13;
    Workspace workspace;
    Result result;
    find_solver("canal").solve(problem, settings, workspace, result);
    ASSERT_EQ(result.status, SolveStatus::Converged);
    for (int r = 0; r < size; ++r) reaction[at(r)] = result.lambda[at(row_of(problem, r / 5, r % 5))];
    double error = 1;
    rolling_fc3d_compute_error(&theirs, reaction.data(), velocity.data(), 1e-12, options, 1, &error);
    EXPECT_LT(error, 1e-11);
    solver_options_delete(options);
  }
}

}  // namespace
}  // namespace uzawa
