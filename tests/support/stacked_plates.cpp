#include "support/stacked_plates.hpp"

#include <cmath>
#include <random>

#include "support/attachments.hpp"

namespace uzawa::test {

namespace {

constexpr double kStep = 1e-3, kGravity = 9.81, kHeight = 0.05;

struct Draw {
  explicit Draw(unsigned seed) : random(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  Vec3 vec(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }
  std::mt19937_64 random;
};

}  // namespace

Problem stacked_plates(unsigned seed) {
  Draw draw(seed);
  Problem problem;
  problem.name = "stacked plates " + std::to_string(seed);
  problem.dt = kStep;
  const int plates = draw.whole(1, 8), motion = draw.whole(0, 2);
  for (int k = 0; k < plates; ++k) {
    const double mass = std::pow(10, draw.uniform(-1.5, 1.5)), side = draw.uniform(0.1, 0.4);
    SpatialInertia inertia;
    inertia.mass = mass;
    inertia.rotational.diagonal =
        Vec3{side * side + kHeight * kHeight, side * side + kHeight * kHeight, 2 * side * side} * (mass / 12);
    Vec3 linear, angular;
    if (motion == 1) linear = {draw.uniform(-1, 1), draw.uniform(-1, 1), 0};
    if (motion == 2) {
      linear = draw.vec(1);
      angular = draw.vec(3);
    }
    const Vec3 momentum = (linear + Vec3{0, 0, -kGravity * kStep}) * mass;
    const Force spin = inertia * Motion{angular, {}};
    problem.add_body(inertia,
                     {momentum.x(), momentum.y(), momentum.z(), spin.moment.x(), spin.moment.y(), spin.moment.z()});
  }
  const double mu = draw.uniform(0.1, 1), tilt = draw.whole(0, 2) == 0 ? draw.uniform(0, 0.5) : 0;
  const Mat3 frame = frame_of({std::sin(tilt), 0, std::cos(tilt)});
  int left = 60;
  for (int k = 0; k < plates; ++k) {
    const int columns = draw.whole(2, 4), rows = draw.whole(2, 3);
    const double width = draw.uniform(0.05, 0.2);
    if (left < columns * rows) break;
    left -= columns * rows;
    for (int i = 0; i < columns * rows; ++i) {
      const Vec3 place{width * (i % columns / (columns - 1.0) - 0.5), width * (i / columns / (rows - 1.0) - 0.5), 0};
      std::vector<Attachment> at = {point_on(k, place + Vec3{0, 0, -kHeight / 2}, frame, 1)};
      if (k > 0) at.push_back(point_on(k - 1, place + Vec3{0, 0, kHeight / 2}, frame, -1));
      problem.add_contact({mu, mu}, {}, at);
    }
  }
  return problem;
}

}  // namespace uzawa::test
