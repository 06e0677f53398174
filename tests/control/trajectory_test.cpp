/// Trajectories: through their waypoints, twice continuously differentiable, with the least jerk.
#include "uzawa/control/trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

/// Two coordinates, stops and passed points at uneven times.
std::vector<Waypoint> sample_points() {
  return {{0.5, {1, -2}},  {1.1, {2, 0}, false}, {1.9, {1.5, 3}, false},  {2.2, {0, 1}, false}, {3.0, {0.5, 0}},
          {3.5, {0.5, 0}}, {5.0, {-1, 2}},       {5.4, {-2, 2.5}, false}, {6, {0, 0}}};
}

struct Sample {
  std::vector<double> x = std::vector<double>(2), v = x, a = x;
};
Sample sample(const Trajectory& path, double time) {
  Sample s;
  path.at(time, s.x, s.v, s.a);
  return s;
}

TEST(TrajectoryTest, PassesItsWaypointsAndRestsAtStops) {
  const std::vector<Waypoint> points = sample_points();
  const Trajectory path(points);
  for (const Waypoint& point : points) {
    const Sample s = sample(path, point.time);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(s.x[k], point.value[k], 1e-12) << point.time;
      if (!point.stop) continue;
      EXPECT_NEAR(s.v[k], 0, 1e-12) << point.time;
      EXPECT_NEAR(s.a[k], 0, 1e-11) << point.time;
    }
    if (!point.stop) {
      EXPECT_GT(std::abs(s.v[0]) + std::abs(s.v[1]), 0.1) << "does not stop at " << point.time;
    }
  }
}

TEST(TrajectoryTest, VelocityAndAccelerationAreContinuousDerivatives) {
  const Trajectory path(sample_points());
  const double h = 1e-5;
  for (int i = 0; i < 606; ++i) {
    const double t = 0.3 + 0.00973 * i;
    const Sample before = sample(path, t - h), now = sample(path, t), after = sample(path, t + h);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR((after.x[k] - before.x[k]) / (2 * h), now.v[k], 1e-6) << t;
      EXPECT_NEAR((after.v[k] - before.v[k]) / (2 * h), now.a[k], 2e-3) << t;  // a jump of jerk at a stop: h/2 of it
    }
  }
  for (const Waypoint& point : sample_points()) {
    const Sample before = sample(path, point.time - 1e-9), after = sample(path, point.time + 1e-9);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(before.x[k], after.x[k], 1e-7);
      EXPECT_NEAR(before.v[k], after.v[k], 1e-6);
      EXPECT_NEAR(before.a[k], after.a[k], 1e-5);
    }
  }
}

TEST(TrajectoryTest, FromStopToStopItIsTheKnownPolynomial) {
  const Trajectory path({{1, {2, 0}}, {3, {5, -1}}});
  for (int i = 0; i <= 10; ++i) {
    const double s = 0.1 * i;
    const double share = s * s * s * (10 - 15 * s + 6 * s * s);
    const Sample at = sample(path, 1 + 2 * s);
    EXPECT_NEAR(at.x[0], 2 + 3 * share, 1e-12);
    EXPECT_NEAR(at.x[1], -share, 1e-12);
  }
}

/// Integral of the squared jerk, by differences of the accelerations.
double jerk_cost(const std::vector<Waypoint>& points) {
  const Trajectory path(points);
  double sum = 0;
  const int pieces = 4000;
  const double h = (path.end() - path.start()) / pieces;
  std::vector<double> x(1), v(1), last(1), now(1);
  path.at(path.start(), x, v, last);
  for (int i = 1; i <= pieces; ++i) {
    path.at(path.start() + i * h, x, v, now);
    sum += (now[0] - last[0]) * (now[0] - last[0]) / h;
    last = now;
  }
  return sum;
}

TEST(TrajectoryTest, PassedPointsCostTheLeastJerk) {
  // If the path through the middle has the least jerk, then asking for it at other points of that path changes
  // nothing, and asking for points beside it costs more.
  const std::vector<Waypoint> points = {{0, {0}}, {0.7, {1}, false}, {2, {0.3}}};
  const Trajectory path(points);
  const double least = jerk_cost(points);
  std::vector<double> there(1);
  path.at(1.3, there);
  const auto with_point = [&](double offset) {
    std::vector<Waypoint> more = points;
    more.insert(more.begin() + 2, {1.3, {there[0] + offset}, false});
    return jerk_cost(more);
  };
  EXPECT_NEAR(with_point(0), least, 1e-6 * least);
  EXPECT_GT(with_point(1e-2), least * (1 + 1e-5));
  EXPECT_GT(with_point(-1e-2), least * (1 + 1e-5));
}

TEST(TrajectoryTest, BadWaypointsAreNamed) {
  EXPECT_THROW(Trajectory(std::vector<Waypoint>{}), InputError);
  EXPECT_THROW(Trajectory({{0, {1}}, {0, {2}}}), InputError);
  EXPECT_THROW(Trajectory({{0, {1}}, {1, {2, 3}}}), InputError);
  EXPECT_THROW(Trajectory({{0, {1}}, {1, {NAN}}}), InputError);
  EXPECT_THROW(PoseTrajectory(std::vector<PoseWaypoint>{}), InputError);
}

double distance(const Pose& a, const Pose& b) {
  return norm(a.position - b.position) + norm(log_rotation(to_quaternion(a.rotation * transpose(b.rotation))));
}

TEST(PoseTrajectoryTest, PassesItsWaypoints) {
  const std::vector<PoseWaypoint> points = {{0, {0, 0, 0}, exp_rotation({0.3, 0, 1})},
                                            {1, {1, 0, 0}, exp_rotation({0, 2, 0}), false},
                                            {2, {1, 1, 0}, exp_rotation({0, 0, -2}), false},
                                            {3, {0, 1, 2}, exp_rotation({1, 1, 1})},
                                            {4, {0, 0, 0}, {}}};
  const PoseTrajectory path(points);
  for (const PoseWaypoint& point : points) {
    EXPECT_LT(distance(path.at(point.time), Pose::from(point.position, point.orientation)), 1e-12) << point.time;
  }
  EXPECT_LT(distance(path.at(-1), path.at(0)), 1e-12);
  EXPECT_LT(distance(path.at(9), path.at(4)), 1e-12);
}

TEST(PoseTrajectoryTest, TurnsAboutAFixedAxisBetweenStops) {
  const Vec3 axis{0.6, 0, 0.8};
  const PoseTrajectory path(
      {{0, {}, exp_rotation({0, 1, 0})}, {1, {}, exp_rotation({0, 1, 0}) * exp_rotation(axis * 2)}});
  for (int i = 0; i <= 10; ++i) {
    const double s = 0.1 * i;
    const double share = s * s * s * (10 - 15 * s + 6 * s * s);
    const Pose expected = Pose::from({}, exp_rotation({0, 1, 0}) * exp_rotation(axis * (2 * share)));
    EXPECT_LT(distance(path.at(s), expected), 1e-12);
  }
}

TEST(PoseTrajectoryTest, TurnsOfMoreThanARevolution) {
  std::vector<PoseWaypoint> points;
  for (int i = 0; i <= 12; ++i) points.push_back({1.0 * i, {0, 0, 0.1 * i}, exp_rotation({0, 0, 1.0 * i}), false});
  const PoseTrajectory path(points);
  double last = 0, turned = 0;
  for (int i = 0; i <= 1200; ++i) {
    const double t = 0.01 * i;
    const Pose pose = path.at(t);
    const double angle = std::atan2(pose.rotation(1, 0), pose.rotation(0, 0));
    const double step = std::remainder(angle - last, 2 * M_PI);
    EXPECT_LT(std::abs(step), 0.03) << t;
    turned += step;
    last = angle;
  }
  EXPECT_NEAR(turned, 12, 0.05);
}

TEST(PoseTrajectoryTest, IsTwiceContinuouslyDifferentiable) {
  const PoseTrajectory path({{0, {0, 0, 0}, exp_rotation({0.3, 0, 1})},
                             {1, {1, 0, 0}, exp_rotation({0, 2, 0}), false},
                             {2, {1, 1, 0}, exp_rotation({0, 0, -1})},
                             {3, {0, 1, 2}, exp_rotation({1, 1, 1})}});
  const double h = 1e-3;
  const auto rate = [&](double t) {
    return log_rotation(to_quaternion(path.at(t + h).rotation * transpose(path.at(t).rotation))) * (1 / h);
  };
  for (int i = 0; i < 864; ++i) {
    const double t = -0.1 + 0.0037 * i;
    const Vec3 jump = rate(t + h) - rate(t) - (rate(t) - rate(t - h));  // second difference of the rate: h^2 of snap
    EXPECT_LT(norm(jump), 5e-4) << t;
  }
}

}  // namespace
}  // namespace uzawa
