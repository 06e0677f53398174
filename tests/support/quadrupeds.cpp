#include "support/quadrupeds.hpp"

#include <cmath>
#include <random>

#include "support/attachments.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/problem/block_matrix.hpp"

namespace uzawa::test {

namespace {

constexpr double kStep = 1.0 / 240, kGravity = 9.81;
constexpr double kThigh = 0.25, kShank = 0.25;  // m
constexpr int kLinks = 13, kDofs = 18;

struct Draw {
  explicit Draw(unsigned seed) : random(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  int index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); }
  Vec3 box(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }
  std::mt19937_64 random;
};

SpatialInertia solid(double mass, const Vec3& moments, const Vec3& centre) {
  SpatialInertia inertia;
  inertia.rotational.diagonal = moments;
  inertia.add_point_mass(mass, centre);
  return inertia;
}

Motion revolute(const Vec3& axis, const Vec3& through) { return {axis, cross(through, axis)}; }

struct Robot {
  TreeInertia tree;
  Vec3 tip[kLinks];  ///< a point where a link may touch something, from the trunk's centre
};

/// Link 0: trunk. Links 1 + 3 leg .. 3 + 3 leg: hip, thigh, shank.
Robot make_robot(const std::shared_ptr<const TreeTopology>& topology, Draw& draw) {
  Robot robot{TreeInertia(topology), {}};
  TreeInertia& tree = robot.tree;
  tree.inertia[0] = solid(13.7, {0.07, 0.25, 0.24}, {});
  for (int i = 0; i < 6; ++i) {
    const Vec3 axis = Vec3::unit(i % 3);
    tree.subspace[at(i)] = i < 3 ? Motion{{}, axis} : Motion{axis, {}};
  }
  robot.tip[0] = {0.1, 0, -0.08};
  for (int leg = 0; leg < 4; ++leg) {
    const double front = leg < 2 ? 1 : -1, left = leg % 2 == 0 ? 1 : -1;
    const double raise = draw.uniform(0.4, 0.9), bend = draw.uniform(-1.6, -1.0);
    const Vec3 hip{0.21 * front, 0.08 * left, 0}, knee_axis{0, 1, 0};
    const Vec3 shoulder = hip + Vec3{0, 0.04 * left, 0};
    const Vec3 down{-std::sin(raise), 0, -std::cos(raise)};
    const Vec3 on{-std::sin(raise + bend), 0, -std::cos(raise + bend)};
    const Vec3 knee = shoulder + down * kThigh, foot = knee + on * kShank;
    const int link = 1 + 3 * leg, dof = 6 + 3 * leg;
    tree.subspace[at(dof)] = revolute({1, 0, 0}, hip);
    tree.subspace[at(dof + 1)] = revolute(knee_axis, shoulder);
    tree.subspace[at(dof + 2)] = revolute(knee_axis, knee);
    tree.inertia[at(link)] = solid(1.1, {1e-3, 1e-3, 1e-3}, hip);
    tree.inertia[at(link + 1)] = solid(1.3, {9e-3, 9e-3, 2e-3}, (shoulder + knee) * 0.5);
    tree.inertia[at(link + 2)] = solid(0.24, {3e-3, 3e-3, 1e-4}, (knee + foot) * 0.5);
    robot.tip[link] = shoulder;
    robot.tip[link + 1] = knee;
    robot.tip[link + 2] = foot;
    for (int k = 0; k < 3; ++k) tree.diagonal[at(dof + k)] = 0.01;  // rotors
  }
  return robot;
}

/// b = A v_k + h (weights): the robots fall at 1 m/s.
void set_impulses(Problem& problem, Draw& draw) {
  std::vector<double> v(problem.b.size());
  for (double& speed : v) speed = draw.uniform(-0.3, 0.3);
  for (const Block& block : problem.blocks) v[at(block.offset) + 2] -= 1;
  multiply(problem, v, problem.b);
  for (const Block& block : problem.blocks) {
    const TreeInertia& tree = problem.trees[at(block.index)];
    for (int d = 0; d < block.size; ++d) {
      for (int link = 0; link < kLinks; ++link) {
        const int last = tree.topology->last_dof(link);
        for (const int above : tree.topology->path(last)) {
          if (above != d) continue;
          const SpatialInertia& inertia = tree.inertia[at(link)];
          const Force weight{cross(inertia.first, {0, 0, -kGravity}), Vec3{0, 0, -kGravity} * inertia.mass};
          problem.b[at(block.offset + d)] += kStep * dot(tree.subspace[at(d)], weight);
        }
      }
    }
  }
}

}  // namespace

Problem quadrupeds(int robots, unsigned seed) {
  Draw draw(seed);
  Problem problem;
  problem.name = std::to_string(robots) + " quadrupeds";
  problem.dt = kStep;
  const auto topology = std::make_shared<const TreeTopology>(std::vector<int>{-1, 0, 1, 2, 0, 4, 5, 0, 7, 8, 0, 10, 11},
                                                             std::vector<int>{6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  std::vector<Robot> made;
  for (int r = 0; r < robots; ++r) {
    made.push_back(make_robot(topology, draw));
    problem.add_tree(made.back().tree, std::vector<double>(kDofs, 0.0));
  }
  set_impulses(problem, draw);

  const auto floor = [&](int robot, int link) {
    const Vec3 point = made[at(robot)].tip[link] + draw.box(0.01);
    const double gap = draw.uniform(-1e-4, 1e-3) / kStep;
    problem.add_contact({0.6, 0.6}, {0, 0, gap}, {point_on_link(robot, link, point, frame_of({0, 0, 1}), 1)});
  };
  for (int r = 0; r < robots; ++r) {
    for (int leg = 0; leg < 4; ++leg) {
      floor(r, 3 + 3 * leg);              // foot
      floor(r, (2 + leg % 2) + 3 * leg);  // knee, or the foot again
    }
    floor(r, 0);
  }
  for (int k = 0; k < robots * 7 / 2 && robots > 1; ++k) {
    const int first = k % robots, second = (first + 1 + draw.index(std::min(2, robots - 1))) % robots;
    const double angle = draw.uniform(0, 2 * M_PI);
    const Mat3 frame = frame_of({std::cos(angle), std::sin(angle), 0});
    const int link1 = draw.index(kLinks), link2 = draw.index(kLinks);
    problem.add_contact({0.4, 0.4}, {0, 0, draw.uniform(-1e-4, 1e-3) / kStep},
                        {point_on_link(first, link1, made[at(first)].tip[link1] + draw.box(0.02), frame, 1),
                         point_on_link(second, link2, made[at(second)].tip[link2] + draw.box(0.02), frame, -1)});
  }
  return problem;
}

}  // namespace uzawa::test
