/// The position-based cable against closed forms: without them a comparison with it would say nothing.
#include "uzawa/papers/pbd_cable.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace uzawa::papers {
namespace {

constexpr double kGravity = 9.81, kStep = 0.01;

/// a of y = a cosh(x/a) for a cable of a length over a span.
double catenary_parameter(double span, double length) {
  double least = 1e-3, most = 1e3;
  for (int pass = 0; pass < 100; ++pass) {
    const double a = std::sqrt(least * most);
    (2 * a * std::sinh(span / (2 * a)) > length ? least : most) = a;
  }
  return most;
}

constexpr double kSpan = 1, kLength = 1.2;
constexpr int kLinks = 40;

/// A cable between two points that has come to rest.
PbdCable hanging(int substeps) {
  std::vector<Vec3> points;  // a V, as long as the cable
  const double drop = std::sqrt(kLength * kLength - kSpan * kSpan) / 2;
  for (int i = 0; i <= kLinks; ++i) {
    const double x = kSpan * i / kLinks;
    points.push_back({x, 0, -2 * drop * std::min(x, kSpan - x) / kSpan});
  }
  PbdCable cable(points, {.young = 1e9, .bending = 1e-4, .drag = 4});
  cable.hold(0);
  cable.hold(kLinks);
  for (int k = 0; k < 300; ++k) cable.step(kStep, substeps);
  return cable;
}

TEST(PbdCableTest, HangsAsACatenary) {
  const PbdCable cable = hanging(160);
  const double a = catenary_parameter(kSpan, kLength), sag = a * (std::cosh(kSpan / (2 * a)) - 1);
  EXPECT_NEAR(-cable.points()[kLinks / 2].z(), sag, 0.003 * sag);
  // Half of what is not held itself hangs on each end; the horizontal pull is the weight of a length a.
  const double weight = cable.mass() * kGravity, metre = weight / kLength * kLinks / (kLinks - 1);
  EXPECT_NEAR(-cable.force_on(0).z(), weight / 2, 0.003 * weight);
  EXPECT_NEAR(cable.force_on(0).x(), metre * a, 0.01 * metre * a);
  // Few substeps stretch it: by 16 times as much where they are four times as long.
  const double coarse = -hanging(40).points()[kLinks / 2].z();
  EXPECT_GT(coarse - sag, 8 * std::abs(-cable.points()[kLinks / 2].z() - sag));
}

/// A clamped rod that sags by its own weight: w L^4/(8 E I) where that is little.
TEST(PbdCableTest, CantileverSagsAsABeam) {
  constexpr double kBeam = 0.2, kRadius = 0.01;
  constexpr int kPieces = 20;
  std::vector<Vec3> points;
  for (int i = 0; i <= kPieces; ++i) points.push_back({kBeam * i / kPieces, 0, 0});
  PbdCable::Options options{.radius = kRadius, .young = 1e7, .poisson = 0.3, .drag = 20};
  PbdCable cable(points, options);
  cable.hold(0);
  cable.hold_segment(0);
  for (int k = 0; k < 60; ++k) cable.step(kStep, 1000);
  const double weight = options.density * M_PI * kRadius * kRadius * kGravity;
  // The first segment is clamped as a whole: the beam begins in its middle, where the first joint's half begins.
  const double free = kBeam * (1 - 0.5 / kPieces);
  const double sag = weight * std::pow(free, 4) / (8 * options.young * M_PI / 4 * std::pow(kRadius, 4));
  EXPECT_NEAR(-cable.points()[kPieces].z(), sag, 0.05 * sag);
}

/// How far the highest point of a weightless rope over a cylinder is pulled in a second, after one to settle.
double capstan_slip(double mu, double ratio) {
  constexpr double kRadius = 0.1, kRope = 5e-3;
  constexpr int kOnDrum = 36, kHanging = 4;
  const double around = kRadius + kRope, link = M_PI * around / kOnDrum;
  std::vector<Vec3> points;
  for (int i = 0; i < kHanging; ++i) points.push_back({-around, 0, -link * (kHanging - i)});
  for (int i = 0; i <= kOnDrum; ++i) {
    const double angle = M_PI * (1 - 1.0 * i / kOnDrum);
    points.push_back({around * std::cos(angle), 0, around * std::sin(angle)});
  }
  for (int i = 1; i <= kHanging; ++i) points.push_back({around, 0, -link * i});
  PbdCable cable(points, {.radius = kRope,
                          .young = 6e8,
                          .bending = 1e-5,
                          .mu = mu,
                          .drag = 4,
                          .gravity = {},
                          .cylinder = PbdCable::Cylinder{{}, {0, 1, 0}, kRadius}});
  cable.pull(0, {0, 0, -1});
  cable.pull(static_cast<int>(points.size()) - 1, {0, 0, -ratio});
  for (int k = 0; k < 100; ++k) cable.step(kStep, 50);
  const Vec3 before = cable.points()[kHanging + kOnDrum / 2];
  for (int k = 0; k < 100; ++k) cable.step(kStep, 50);
  EXPECT_LT(cable.penetration(), 1e-4);
  return norm(cable.points()[kHanging + kOnDrum / 2] - before);
}

/// Euler and Eytelwein: it slips where the loads' ratio is above exp(mu pi).
TEST(PbdCableTest, CapstanHoldsAndSlips) {
  constexpr double kMu = 0.3;
  const double threshold = std::exp(kMu * M_PI);
  EXPECT_LT(capstan_slip(kMu, 0.85 * threshold), 1e-3);
  EXPECT_GT(capstan_slip(kMu, 1.15 * threshold), 0.02);
}

/// Without forces nothing moves, and what flies keeps its momentum.
TEST(PbdCableTest, KeepsMomentum) {
  std::vector<Vec3> points;
  for (int i = 0; i <= 10; ++i) points.push_back({0.02 * i, 0, 0.01 * std::sin(i)});
  PbdCable cable(points, {.gravity = {0, 0, -1}});
  for (int k = 0; k < 100; ++k) cable.step(kStep, 20);
  Vec3 sum;
  for (const Vec3& v : cable.velocities()) sum += v;
  // A cable that is bent at the start straightens in the fall: only its centre of mass falls freely. End points have
  // half the mass.
  sum -= (cable.velocities().front() + cable.velocities().back()) * 0.5;
  EXPECT_NEAR(sum.x() / 10, 0, 1e-3);
  EXPECT_NEAR(sum.z() / 10, -1, 1e-3);
}

}  // namespace
}  // namespace uzawa::papers
