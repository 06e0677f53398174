/// Bodies in situations that break contact solvers. CANAL must solve them or say that they have no solution; no method
/// may return anything but finite numbers, whatever its status.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "small_problems.hpp"
#include "support/attachments.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

using test::point_on;

constexpr double kStep = 1.0 / 240, kGravity = 9.81;
const Mat3 kUp = Mat3::identity();                                  // columns t1, t2, n
const Mat3 kDown{{Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, -1}}};  // right-handed, n down

struct Box {
  double mass = 1;
  Vec3 half{0.1, 0.1, 0.05};
  Vec3 velocity{0, 0, 0};

  SpatialInertia inertia() const {
    SpatialInertia out;
    const Vec3 square = scaled(half, half);
    out.mass = mass;
    out.rotational.diagonal =
        Vec3{square.y() + square.z(), square.x() + square.z(), square.x() + square.y()} * (mass / 3);
    return out;
  }
  /// b = m v + h m g, no rotation.
  std::array<double, 6> impulse() const {
    std::array<double, 6> b{};
    ((velocity + Vec3{0, 0, -kGravity * kStep}) * mass).store(b.data());
    return b;
  }
};

/// side x side contacts under body `upper`, on the floor or on top of body `lower`.
void add_patch(Problem& problem, const Box& box, int upper, int lower, int side, const FrictionCone& cone,
               double lower_top = 0) {
  for (int i = 0; i < side; ++i) {
    for (int k = 0; k < side; ++k) {
      const Vec3 place{box.half.x() * (2.0 * i / (side - 1) - 1), box.half.y() * (2.0 * k / (side - 1) - 1), 0};
      std::vector<Attachment> at = {point_on(upper, place - Vec3{0, 0, box.half.z()}, kUp, 1)};
      if (lower >= 0) at.push_back(point_on(lower, place + Vec3{0, 0, lower_top}, kUp, -1));
      problem.add_contact(cone, {}, at);
    }
  }
}

Problem box_on_floor(const Box& box, int side, const FrictionCone& cone) {
  Problem problem;
  problem.dt = kStep;
  problem.add_body(box.inertia(), box.impulse());
  add_patch(problem, box, 0, -1, side, cone);
  return problem;
}

Problem heavy_on_light(double ratio) {
  Problem problem;
  problem.dt = kStep;
  Box light, heavy;
  heavy.mass = ratio;
  problem.add_body(light.inertia(), light.impulse());
  problem.add_body(heavy.inertia(), heavy.impulse());
  add_patch(problem, light, 0, -1, 2, {0.5, 0.5});
  add_patch(problem, heavy, 1, 0, 2, {0.5, 0.5}, light.half.z());
  return problem;
}

/// A box between floor and ceiling, both of which overlap it: each wants it 0.1 m/s away from itself.
Problem squeezed() {
  Problem problem;
  problem.dt = kStep;
  const Box box;
  problem.add_body(box.inertia(), box.impulse());
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) {
      problem.add_contact({0.5, 0.5}, {0, 0, -0.1}, {point_on(0, {x, y, -0.05}, kUp, 1)});
      problem.add_contact({0.5, 0.5}, {0, 0, -0.1}, {point_on(0, {x, y, 0.05}, kDown, 1)});
    }
  }
  return problem;
}

struct Case {
  const char* name;
  Problem problem;
  bool feasible = true;
};
std::vector<Case> cases() {
  const Box resting, sliding{1, {0.1, 0.1, 0.05}, {0.7, 0.2, 0}};
  std::vector<Case> out;
  out.push_back({"100 contacts under one box", box_on_floor(resting, 10, {0.5, 0.5})});
  out.push_back({"100 contacts, sliding", box_on_floor(sliding, 10, {0.5, 0.5})});
  out.push_back({"frictionless", box_on_floor(sliding, 2, {0, 0})});
  out.push_back({"mu 5", box_on_floor(sliding, 2, {5, 5})});
  out.push_back({"elliptic friction", box_on_floor(sliding, 2, {0.2, 0.8})});
  out.push_back({"very flat ellipse", box_on_floor(sliding, 2, {0.001, 1})});
  out.push_back({"1000 kg on 1 kg", heavy_on_light(1000)});
  out.push_back({"1 g on 1 kg", heavy_on_light(0.001)});
  out.push_back({"squeezed", squeezed(), false});
  Problem doubled = box_on_floor(resting, 2, {0.5, 0.5});
  for (int i = 0; i < 3; ++i) doubled.add_equality(0, {point_on(0, {}, kUp, 1)});  // three times the same row
  out.push_back({"repeated equality", doubled});
  Problem torn = box_on_floor(resting, 2, {0.5, 0.5});
  torn.add_equality(-1, {point_on(0, {}, kUp, 1)});
  torn.add_equality(1, {point_on(0, {}, kUp, 1)});
  out.push_back({"contradicting equalities", torn, false});
  return out;
}

TEST(ExtremeProblemsTest, CanalSolvesThemOrSaysThatThereIsNoSolution) {
  for (const Case& extreme : cases()) {
    Workspace workspace;
    Result result;
    find_solver("canal").solve(extreme.problem, {}, workspace, result);
    EXPECT_EQ(result.status, extreme.feasible ? SolveStatus::Converged : SolveStatus::LeastViolation) << extreme.name;
  }
}

TEST(ExtremeProblemsTest, EveryMethodReturnsFiniteNumbers) {
  for (const Solver& solver : solvers()) {
    for (const Case& extreme : cases()) {
      Settings settings;
      settings.max_iterations = std::min(500, test::enough_iterations(solver.name));
      Workspace workspace;
      Result result;
      solve_islands(solver, extreme.problem, settings, workspace, result);
      for (const double v : result.v) ASSERT_TRUE(std::isfinite(v)) << solver.name << ", " << extreme.name;
      for (const double l : result.lambda) ASSERT_TRUE(std::isfinite(l)) << solver.name << ", " << extreme.name;
      EXPECT_TRUE(std::isfinite(result.verdict.residual)) << solver.name << ", " << extreme.name;
      const bool ok = result.verdict.residual <= settings.tolerance && result.verdict.siconos <= settings.tolerance;
      EXPECT_TRUE(ok || result.status != SolveStatus::Converged) << solver.name << ", " << extreme.name;
    }
  }
}

TEST(ExtremeProblemsTest, AnswersArePhysical) {
  Workspace workspace;
  Result result;
  const auto canal = [&](const Problem& problem) {
    find_solver("canal").solve(problem, {.tolerance = 1e-10}, workspace, result);
  };
  constexpr double kNear = 1e-7;
  canal(box_on_floor({}, 10, {0.5, 0.5}));
  double load = 0;
  for (std::size_t row = 2; row < result.lambda.size(); row += 3) load += result.lambda[row];
  EXPECT_NEAR(load, kGravity * kStep, kNear);  // 100 contacts carry one weight
  for (const double v : result.v) EXPECT_NEAR(v, 0, kNear);

  canal(heavy_on_light(1000));
  for (const double v : result.v) EXPECT_NEAR(v, 0, kNear);

  const Box sliding{1, {0.1, 0.1, 0.05}, {0.7, 0.2, 0}};
  canal(box_on_floor(sliding, 2, {0, 0}));
  EXPECT_NEAR(result.v[0], 0.7, kNear);
  EXPECT_NEAR(result.v[1], 0.2, kNear);

  canal(squeezed());
  EXPECT_NEAR(result.v[2], 0, 1e-6);  // half way between floor and ceiling
}

}  // namespace
}  // namespace uzawa
