#pragma once

#include <string>

#include "uzawa/sim/world.hpp"

/// Scenes small enough for closed forms, as specs that a test may change before it makes a World of them.
namespace uzawa::test {

inline constexpr double kGravity = 9.81;

/// An empty world with a ground plane whose friction is `mu`; tilted about y by `angle` (rad): x points downhill.
ModelSpec ground(double mu, double angle = 0);

struct BoxOptions {
  std::string name = "box";
  Vec3 half{0.05, 0.05, 0.05};  ///< m
  double mass = 1;              ///< kg
  Vec3 position;                ///< m, of the centre
  Quat orientation;
  double mu = 0;  ///< combines with the other geom's by the larger
};
/// A box with a free joint; returns its body.
int add_box(ModelSpec& spec, const BoxOptions& options);
/// A ball with a free joint; returns its body.
int add_ball(ModelSpec& spec, const std::string& name, double radius, double mass, const Vec3& position, double mu = 0);
/// A box on a slide along `axis` with a motor of gear 1; returns its body.
int add_finger(ModelSpec& spec, const std::string& name, const Vec3& half, const Vec3& position, const Vec3& axis,
               double mu);

/// A house of cards of 9 x 6 cm that lean at 20 degrees, on the ground, with friction 0.6; three storeys are 15 cards,
/// the last of them at the top.
ModelSpec card_house(int storeys);

/// Kinetic energy and that of gravity, J.
double energy(const World& world);

/// Steps `count` times, with the same control and force; every step must be solved.
void run(World& world, int count, std::span<const double> control = {}, std::span<const double> external = {});

}  // namespace uzawa::test
