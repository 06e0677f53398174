#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/ropes.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"links", 40, 4, 1000, "of the rod", true},
    {"length", 0.4, 0.01, 10, "m, beyond the wall"},
    {"radius", 0.005, 1e-4, 0.1, "m"},
    {"young", 3e7, 1e5, 1e12, "Pa"},
    {"error", 0.01, 0, 1, "of the droop, allowed"},
};

constexpr double kDensity = 1000;  // kg/m^3
constexpr double kPasses = 2;      // periods of the first mode of bending; the rod has come to rest by twice as many
constexpr double kRatio = 0.6;     // damping of the first mode, of the critical one

/// A rod, clamped in a wall at one end, droops under its weight: by more than a third of its length, where the formula
/// of small droop, w L^4 / (8 E I), is off by a factor of 1.1 or more.
class Cantilever : public Scene {
 public:
  explicit Cantilever(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(0.5);
    // The rod bends at its joints, each for the half links around it: the wall holds the first link by its middle.
    const int links = p_.count("links");
    const double step = p_["length"] / (links - 0.5), height = 1.1 * p_["length"];
    std::vector<Vec3> points;
    for (int i = 0; i <= links; ++i) points.push_back({(i - 0.5) * step, 0, height});
    RodOptions options;
    options.radius = p_["radius"];
    options.young = p_["young"];
    options.density = kDensity;
    options.damping = 2 * kRatio / first_frequency();
    const int rod = add_rod(spec, points, options);
    tie_rod_end(spec, rod, RodEnd::First, 0);
    const double half = 0.05 * p_["length"];
    add_wall(spec,
             {.name = "wall", .half = {half, 2 * half, height / 2 + half}, .position = {-half, 0, height / 2 + half}});
    spec.geoms.back().contact_type = spec.geoms.back().contact_affinity = 0;
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    const double rest = kPasses * 2 * M_PI / first_frequency();
    return {.duration = rounded_up(2 * rest), .check_time = rounded_up(2 * rest)};
  }
  void watch(const World& world) override { steps_.watch(world); }
  Outcome check(const World& world) const override {
    const std::vector<Vec3> axis = axis_of_rod(world.model(), 0, world.state());
    const double droop = 1.1 * p_["length"] - axis.back().z(), wanted = elastica_droop();
    return Findings()
        .note("droop " + with_unit(1e3 * droop, "mm"), "droop " + with_unit(1e3 * wanted, "mm"))
        .below("error of the droop", std::abs(droop / wanted - 1), p_["error"], kPercent)
        .below("speed", fastest(world.state()), 1e-3, kSpeed)
        .all_solved(steps_)
        .outcome();
  }

 private:
  double stiffness() const { return p_["young"] * M_PI / 4 * std::pow(p_["radius"], 4); }  // N m^2
  double line_mass() const { return kDensity * M_PI * std::pow(p_["radius"], 2); }         // kg/m
  /// rad/s, of small vibrations: 3.516 sqrt(E I / (rho A L^4)).
  double first_frequency() const { return 3.516 * std::sqrt(stiffness() / line_mass()) / std::pow(p_["length"], 2); }

  /// E I theta'' = -w (L - s) cos(theta), theta the angle below the horizontal, theta(0) = 0, theta'(L) = 0: the end's
  /// curvature rises with that at the wall, which is found by halving. Returns the droop, m.
  double elastica_droop() const {
    const double length = p_["length"], load = line_mass() * kGravity / stiffness();
    double least = 0, most = load * length * length / 2;
    double droop = 0;
    for (int pass = 0; pass < 60; ++pass) {
      double angle = 0, curvature = 0.5 * (least + most);
      (bends_up(length, load, angle, curvature, droop) ? most : least) = 0.5 * (least + most);
    }
    return droop;
  }
  /// Integrates by the midpoint rule from the wall to the end; true where the curvature at the end is positive.
  static bool bends_up(double length, double load, double angle, double curvature, double& droop) {
    constexpr int kSteps = 4000;
    const double h = length / kSteps;
    droop = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double s = h * i;
      const double middle = angle + 0.5 * h * curvature;
      const double middle_curvature = curvature - 0.5 * h * load * (length - s) * std::cos(angle);
      droop += h * std::sin(middle);
      curvature -= h * load * (length - s - 0.5 * h) * std::cos(middle);
      angle += h * middle_curvature;
    }
    return curvature > 0;
  }

  Parameters p_;
  StepWatch steps_;
};

}  // namespace

Description cantilever() {
  return {.name = "cantilever",
          .summary = "a rod clamped at one end droops as the elastica does",
          .dt = 0.002,
          .duration = 2.7,
          .check_time = 2.7,
          .parameters = kParameters,
          .make = make_scene<Cantilever>};
}

}  // namespace uzawa::scenarios
