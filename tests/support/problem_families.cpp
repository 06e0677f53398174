#include "support/problem_families.hpp"

#include <cmath>
#include <random>

#include "support/attachments.hpp"

namespace uzawa::test {

namespace {

constexpr double kStep = 1.0 / 240;
constexpr double kGravity = 9.81;

struct Draw {
  explicit Draw(unsigned seed) : random(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  double number() { return normal(random); }
  Vec3 vec() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  std::mt19937_64 random;
  std::normal_distribution<double> normal;
};

SpatialInertia body_inertia(double mass, const Vec3& moments, double theta) {
  SpatialInertia inertia;
  inertia.mass = mass / (1 - theta);
  inertia.rotational.diagonal = moments * (1 / (1 - theta));
  return inertia;
}

/// b = A v_k + h (wrench + weight).
std::array<double, 6> impulse(const SpatialInertia& a, const Vec3& linear, const Vec3& angular, const Vec3& force,
                              const Vec3& torque, double mass) {
  const Force momentum = a * Motion{angular, linear};
  std::array<double, 6> b{};
  (momentum.force + (force + Vec3{0, 0, -kGravity * mass}) * kStep).store(b.data());
  (momentum.moment + torque * kStep).store(b.data() + 3);
  return b;
}

/// The contact law belongs to v_{k+1}, not to vhat = theta v_k + (1 - theta) v_{k+1} (at theta 1/2 the latter makes
/// impacts elastic): e -= theta J v_k.
void apply_law_to_end_of_step(Problem& problem, const std::vector<double>& v_k, double theta) {
  std::vector<double> u(static_cast<std::size_t>(problem.rows));
  constraint_rows(problem).multiply(v_k, u);
  for (std::size_t i = 0; i < problem.contacts.e.size(); ++i) {
    problem.contacts.e[i] -= Vec3::from(&u[static_cast<std::size_t>(problem.contacts.row[i])]) * theta;
  }
}

void append(std::vector<double>& v, const Vec3& linear, const Vec3& angular) {
  for (const Vec3* part : {&linear, &angular}) v.insert(v.end(), {part->x(), part->y(), part->z()});
}

}  // namespace

Problem nut(unsigned seed, bool gaps, double theta) {
  Draw draw(seed);
  Problem problem;
  problem.name = "nut " + std::to_string(seed);
  problem.dt = kStep;
  constexpr double kMass = 0.5, kRadius = 0.022, kHeight = 0.03;
  const SpatialInertia a = body_inertia(kMass, Vec3{2.5e-4, 2.5e-4, 4e-4}, theta);
  const Vec3 linear = draw.vec() * 0.01, angular = draw.vec() * 0.1;
  const Vec3 force = draw.vec() * 20, torque = draw.vec() * 0.5;
  const int body = problem.add_body(a, impulse(a, linear, angular, force, torque, kMass));
  std::vector<double> v_k;
  append(v_k, linear, angular);
  constexpr int kContacts = 120;
  constexpr double kFlank = M_PI / 6;
  for (int i = 0; i < kContacts; ++i) {
    const double angle = 2 * M_PI * (i + draw.uniform(-0.3, 0.3)) / kContacts * 3;  // three turns of the thread
    const double side = i % 2 == 0 ? 1 : -1;
    const Vec3 outward{std::cos(angle), std::sin(angle), 0};
    const Vec3 point =
        outward * (kRadius + draw.uniform(-1e-3, 1e-3)) + Vec3{0, 0, kHeight * (i / double(kContacts) - 0.5)};
    Vec3 normal = outward * std::sin(kFlank) + Vec3{0, 0, side * std::cos(kFlank)} + draw.vec() * 0.02;
    normal *= 1 / norm(normal);
    const double gap = gaps ? draw.uniform(0, 2e-4) / kStep * (1 - theta) : 0;
    problem.add_contact({0.3, 0.3}, {0, 0, gap}, {point_on(body, point, frame_of(normal), 1)});
  }
  apply_law_to_end_of_step(problem, v_k, theta);
  return problem;
}

Problem dish_stack(unsigned seed, bool gaps, double theta) {
  Draw draw(seed);
  Problem problem;
  problem.name = "dish stack " + std::to_string(seed);
  problem.dt = kStep;
  constexpr double kMasses[4] = {0.1, 0.1, 0.1, 5};
  constexpr double kRadius = 0.07, kPitch = 0.03;
  std::vector<double> v_k;
  for (const double mass : kMasses) {
    const SpatialInertia a = body_inertia(mass, Vec3{0.5, 0.5, 0.9} * (mass * kRadius * kRadius), theta);
    const Vec3 linear = draw.vec() * 0.02, angular = draw.vec() * 0.2;
    problem.add_body(a, impulse(a, linear, angular, draw.vec() * (5 * mass), draw.vec() * (0.3 * mass), mass));
    append(v_k, linear, angular);
  }
  constexpr int kPerInterface = 24;
  for (int level = 0; level < 4; ++level) {
    for (int i = 0; i < kPerInterface; ++i) {
      const double angle = 2 * M_PI * (i + draw.uniform(-0.2, 0.2)) / kPerInterface;
      const Vec3 outward{std::cos(angle), std::sin(angle), 0};
      const double slope = draw.uniform(0.1, 0.7);
      const Mat3 frame = frame_of(Vec3{0, 0, std::cos(slope)} - outward * std::sin(slope));
      const Vec3 rim = outward * (kRadius * draw.uniform(0.6, 1));
      const double gap = gaps ? draw.uniform(0, 2e-4) / kStep * (1 - theta) : 0;
      std::vector<Attachment> at = {point_on(level, rim + Vec3{0, 0, -kPitch / 2}, frame, 1)};
      if (level > 0) at.push_back(point_on(level - 1, rim + Vec3{0, 0, kPitch / 2}, frame, -1));
      problem.add_contact({0.5, 0.5}, {0, 0, gap}, at);
    }
  }
  apply_law_to_end_of_step(problem, v_k, theta);
  return problem;
}

Problem sphere_pile(unsigned seed, bool gaps, double theta) {
  Draw draw(seed);
  Problem problem;
  problem.name = "sphere pile " + std::to_string(seed);
  problem.dt = kStep;
  constexpr double kMass = 0.005, kRadius = 0.005, kSide = 3 * 2 * kRadius;
  const int count = 9 * (1 + static_cast<int>(seed % 5));
  const SpatialInertia a = body_inertia(kMass, Vec3{1, 1, 1} * (0.4 * kMass * kRadius * kRadius), theta);
  std::vector<Vec3> centre;
  std::vector<double> v_k;
  for (int i = 0; i < count; ++i) {
    const int layer = i / 9, row = i / 3 % 3, column = i % 3;
    const Vec3 cell{column + 0.5, row + 0.5, layer + 0.5};
    centre.push_back(cell * (2 * kRadius) + draw.vec() * (0.06 * kRadius));
    const Vec3 linear = draw.vec() * 0.05, angular = draw.vec() * 2;
    problem.add_body(a, impulse(a, linear, angular, draw.vec() * 0.02, {}, kMass));
    append(v_k, linear, angular);
  }
  const double reach = 0.25 * kRadius;
  const auto bias = [&](double gap) { return gaps && gap > 0 ? gap / kStep * (1 - theta) : 0.0; };
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i; ++j) {
      const Vec3 apart = centre[static_cast<std::size_t>(i)] - centre[static_cast<std::size_t>(j)];
      const double gap = norm(apart) - 2 * kRadius;
      if (gap > reach) continue;
      const Vec3 normal = apart * (1 / norm(apart));
      const Mat3 frame = frame_of(normal);
      problem.add_contact({0.5, 0.5}, {0, 0, bias(gap)},
                          {point_on(i, normal * -kRadius, frame, 1), point_on(j, normal * kRadius, frame, -1)});
    }
    const Vec3& c = centre[static_cast<std::size_t>(i)];
    const auto wall = [&](double gap, const Vec3& normal) {
      if (gap > reach) return;
      problem.add_contact({0.5, 0.5}, {0, 0, bias(gap)}, {point_on(i, normal * -kRadius, frame_of(normal), 1)});
    };
    wall(c.z() - kRadius, {0, 0, 1});
    wall(c.x() - kRadius, {1, 0, 0});
    wall(kSide - c.x() - kRadius, {-1, 0, 0});
    wall(c.y() - kRadius, {0, 1, 0});
    wall(kSide - c.y() - kRadius, {0, -1, 0});
  }
  apply_law_to_end_of_step(problem, v_k, theta);
  return problem;
}

std::vector<Family> families() {
  std::vector<Family> out;
  for (const double theta : {0.0, 0.5}) {
    const std::string at = theta == 0 ? "" : ", theta 1/2";
    out.push_back({"nut" + at, 100, nut, false, theta});
    out.push_back({"nut with gaps" + at, 100, nut, true, theta});
    out.push_back({"dish stack" + at, 100, dish_stack, false, theta});
    out.push_back({"dish stack with gaps" + at, 100, dish_stack, true, theta});
    out.push_back({"sphere pile" + at, 100, sphere_pile, false, theta});
    out.push_back({"sphere pile with gaps" + at, 100, sphere_pile, true, theta});
  }
  return out;
}

Problem scattered_bodies(int bodies, unsigned seed) {
  Draw draw(seed);
  Problem problem;
  problem.name = std::to_string(bodies) + " scattered bodies";
  problem.dt = kStep;
  constexpr double kMass = 0.1, kRadius = 0.02;
  const SpatialInertia a = body_inertia(kMass, Vec3{1, 1, 1} * (0.4 * kMass * kRadius * kRadius), 0);
  const Mat3 up = frame_of({0, 0, 1}), along = frame_of({1, 0, 0});
  for (int i = 0; i < bodies; ++i) {
    const Vec3 linear = draw.vec() * 0.1, angular = draw.vec();
    const int body = problem.add_body(a, impulse(a, linear, angular, draw.vec() * 0.5, {}, kMass));
    problem.add_contact({0.5, 0.5}, {}, {point_on(body, {0, 0, -kRadius}, up, 1)});
    if (i % 10 == 0) continue;  // rows of ten that touch
    problem.add_contact({0.5, 0.5}, {},
                        {point_on(body, {-kRadius, 0, 0}, along, 1), point_on(body - 1, {kRadius, 0, 0}, along, -1)});
  }
  return problem;
}

}  // namespace uzawa::test
