/// Nets of point masses whose edges keep their lengths: hundreds of equalities, many of which almost follow from the
/// others while the net is almost flat (a triangulated flat net of n x n points has n^2 - 4 n + 4 edges too many).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/scenes.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {
namespace {

constexpr double kCell = 0.05;  // m

struct Net {
  int side;
  bool triangles;       ///< a diagonal in every cell
  bool curtain;         ///< hangs from its first row; else from two corners
  bool spread = false;  ///< and from the other two
  bool corner = false;  ///< hangs from one corner alone
};

/// A horizontal net. Points on three slides each; those that it hangs from have none.
ModelSpec net(const Net& options) {
  const int n = options.side;
  ModelSpec spec;
  const auto hangs = [&](int i, int j) {
    if (options.corner) return i == 0 && j == 0;
    return (i == 0 || (options.spread && i == n - 1)) && (options.curtain || j == 0 || j == n - 1);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      BodySpec point{.name = "point " + std::to_string(i) + " " + std::to_string(j)};
      point.position = {kCell * i, kCell * j, 1};
      point.mass = 0.01;
      point.principal_inertia = {1e-8, 1e-8, 1e-8};
      spec.bodies.push_back(point);
      const int body = static_cast<int>(spec.bodies.size()) - 1;
      for (int k = 0; k < 3 && !hangs(i, j); ++k) {
        spec.joints.push_back({.name = point.name + "xyz"[k], .type = JointType::Slide, .body = body});
        spec.joints.back().axis = Vec3::unit(k);
      }
      spec.sites.push_back({point.name, body, {}, {}});
    }
  }
  const auto hold = [&](int i, int j, int down, int right) {
    if (i + down >= n || j + right >= n || (hangs(i, j) && hangs(i + down, j + right))) return;
    TendonSpec edge;
    edge.name = "edge " + std::to_string(spec.tendons.size());
    edge.path = {{i * n + j, 1}, {(i + down) * n + j + right, 1}};
    EqualitySpec length{
        .name = edge.name, .type = EqualityType::Tendon, .first = static_cast<int>(spec.tendons.size())};
    spec.tendons.push_back(edge);
    spec.equalities.push_back(length);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      hold(i, j, 1, 0);
      hold(i, j, 0, 1);
      if (options.triangles) hold(i, j, 1, 1);
    }
  }
  return spec;
}

/// Largest error of an edge's length, m. Slides are translations from the first position.
double stretch(const World& world) {
  const ModelSpec& spec = world.model().spec();
  std::vector<Vec3> place(spec.bodies.size());
  for (std::size_t b = 0; b < place.size(); ++b) place[b] = spec.bodies[b].position;
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    const JointSpec& joint = spec.joints[j];
    place[at(joint.body)] = place[at(joint.body)] + joint.axis * world.state().q[j];
  }
  double most = 0;
  for (const TendonSpec& edge : spec.tendons) {
    const std::size_t a = at(spec.sites[at(edge.path[0].site)].body), b = at(spec.sites[at(edge.path[1].site)].body);
    const double length = norm(spec.bodies[a].position - spec.bodies[b].position);
    most = std::max(most, std::abs(norm(place[a] - place[b]) - length));
  }
  return most;
}

struct Cost {
  double mean = 0;  ///< Newton steps a step
  int most = 0;
};

Cost run_net(const Net& options, int steps) {
  World world(Model(net(options)), {.dt = 2e-3});
  Cost cost;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = world.step();
    EXPECT_EQ(report.status, StepStatus::Solved) << i;
    EXPECT_LT(stretch(world), 1e-5) << i;
    cost.mean += 1.0 * report.inner_iterations / steps;
    cost.most = std::max(cost.most, report.inner_iterations);
  }
  return cost;
}

/// From two corners: while it is almost flat only large forces along the edges carry it.
TEST(NetsTest, FlatTriangulatedNetsAreSolvedInAFewNewtonSteps) {
  const Cost small = run_net({.side = 10, .triangles = true, .curtain = false}, 100);
  EXPECT_LT(small.mean, 8);
  EXPECT_LT(small.most, 20);
  const Cost large = run_net({.side = 20, .triangles = true, .curtain = false}, 30);
  EXPECT_LT(large.mean, 10);
  EXPECT_LT(large.most, 25);
}

/// A flag by one corner: nearly flat at first, with a hundred rows that almost follow from others, in directions of any
/// small mobility.
TEST(NetsTest, FlatFlagsAreSolvedInAFewNewtonSteps) {
  const Cost flag = run_net({.side = 14, .triangles = true, .curtain = false, .corner = true}, 60);
  EXPECT_LT(flag.mean, 10);
  EXPECT_LT(flag.most, 25);
}

/// A net of squares that swings down like a curtain: a pendulum of many links, which has no more energy than at first.
TEST(NetsTest, CurtainSwingsDownWithoutGain) {
  World world(Model(net({.side = 10, .triangles = false, .curtain = true})), {.dt = 2e-3});
  double iterations = 0, lowest = 0;
  constexpr int kSteps = 300;
  for (int i = 0; i < kSteps; ++i) {
    const StepReport& report = world.step();
    ASSERT_EQ(report.status, StepStatus::Solved) << i;
    ASSERT_LT(report.energy.gain, 1e-4) << i;
    ASSERT_LT(stretch(world), 1e-5) << i;
    iterations += report.inner_iterations;
    for (const double q : world.state().q) lowest = std::min(lowest, q);
  }
  EXPECT_LT(iterations / kSteps, 12);
  EXPECT_LT(lowest, -0.8 * 9 * kCell);
}

/// Rows that almost follow from others ask for rates that no motion has, however little each of them is damped: before
/// these were made consistent such nets gained some hundred joules within a second, every step solved.
TEST(NetsTest, HangingNetsGainNothing) {
  for (const Net& options :
       {Net{.side = 5, .triangles = false, .curtain = false}, Net{.side = 5, .triangles = true, .curtain = false},
        Net{.side = 5, .triangles = false, .curtain = false, .spread = true},
        Net{.side = 6, .triangles = true, .curtain = false}}) {
    World world(Model(net(options)), {.dt = 2e-3});
    const double fall = std::sqrt(2 * 9.81 * 2 * kCell * options.side);  // m/s, over twice its length
    for (int i = 0; i < 500; ++i) {
      const StepReport& report = world.step();
      ASSERT_EQ(report.status, StepStatus::Solved) << i;
      ASSERT_LT(report.energy.gain, 1e-5) << i;
      ASSERT_LT(stretch(world), 1e-4) << i;
      for (const double v : world.state().v) ASSERT_LT(std::abs(v), 2 * fall) << i;
    }
  }
}

/// A box that lands askew in a net. Edges are just being reflected when it arrives (held_rate), and what its impulses
/// do along them would throw it back with more than it brings, every step solved (HeldWork): up to 23 J where the box
/// has 1 J.
class BoxIntoNet : public testing::TestWithParam<double> {};
TEST_P(BoxIntoNet, GainsNothing) {
  ModelSpec spec = net({.side = 6, .triangles = false, .curtain = false, .spread = true});
  const int points = static_cast<int>(spec.bodies.size());
  for (int body = 1; body < points; ++body) {
    GeomSpec ball{.name = "ball " + std::to_string(body), .body = body, .shape = ShapeType::Sphere};
    ball.size = {0.012, 0, 0};
    ball.contact_type = 1;
    ball.contact_affinity = 2;
    spec.geoms.push_back(ball);
  }
  BodySpec box{.name = "box", .position = {GetParam(), 0.12, 1.15}, .mass = 1};
  box.orientation = exp_rotation({0.4, 0.2, 0.6});
  box.principal_inertia = {2.4e-3, 2.4e-3, 2.4e-3};
  spec.bodies.push_back(box);
  spec.joints.push_back({.name = "box", .type = JointType::Free, .body = points});
  GeomSpec cube{.name = "box", .body = points, .shape = ShapeType::Box};
  cube.size = {0.06, 0.06, 0.06};
  cube.contact_type = 2;
  cube.contact_affinity = 1;
  spec.geoms.push_back(cube);
  World world(Model(spec), {.dt = 2e-3});
  double brought = 0;  // J
  for (int i = 0; i < 400; ++i) {
    const StepReport& report = world.step();
    ASSERT_EQ(report.status, StepStatus::Solved) << i;
    brought = std::max(brought, report.energy.kinetic);
    EXPECT_LT(report.energy.gain, 0.02) << i;
  }
  EXPECT_GT(brought, 0.8);
}
INSTANTIATE_TEST_SUITE_P(Places, BoxIntoNet, testing::Values(0.13, 0.139, 0.148, 0.157));  // m

}  // namespace
}  // namespace uzawa
