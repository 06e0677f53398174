#include <algorithm>
#include <cmath>

#include "uzawa/base/error.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/ropes.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"links", 60, 4, 1000, "of the cable", true},
    {"span", 1, 0.01, 100, "m, between its ends"},
    {"length", 1.4, 0.01, 200, "m, of the cable; up to 1.5 spans"},
    {"strands", 1000, 1, 1e6, "that it is made of: few make it stiff"},
    {"error", 0.01, 0, 1, "of the sag, allowed off the catenary"},
};

constexpr double kViscosity = 0.02;  // Pa s, of what it hangs in: thin oil, so that it comes to rest soon

/// The x where f(x), which rises from 1 at 0, is `ratio`, by halving: half the angle of an arc, half the span over a.
template <typename Function>
double inverse(const Function& f, double ratio, double most) {
  double least = 0;
  for (int pass = 0; pass < 100; ++pass) {
    const double x = 0.5 * (least + most);
    (f(x) < ratio ? least : most) = x;
  }
  return most;
}

/// A cable that begins as an arc of a circle falls into the shape y = a cosh(x / a).
class HangingCable : public Scene {
 public:
  explicit HangingCable(Parameters parameters) : p_(std::move(parameters)), slack_(p_["length"] / p_["span"]) {
    if (slack_ <= 1 || slack_ > 1.5) {
      throw InputError("", "parameter 'length'", "the cable is not between one and one and a half spans long");
    }
  }

  ModelSpec model() const override {
    ModelSpec spec = ground(0.5);
    spec.options.fluid_viscosity = kViscosity;
    const double half = inverse([](double x) { return x / std::sin(x); }, slack_, M_PI / 2);
    const double radius = p_["length"] / (2 * half);
    const int links = p_.count("links");
    std::vector<Vec3> points;
    for (int i = 0; i <= links; ++i) {
      const double angle = half * (2.0 * i / links - 1);
      points.push_back({radius * std::sin(angle), 0, height() - radius * (std::cos(angle) - std::cos(half))});
    }
    RodOptions options;
    options.name = "cable";
    options.radius = 0.003;
    options.young = 2e7;
    options.damping = 0.01;
    options.natural_shape = RodShape::Straight;
    const int rod = add_rope(spec, points, options, p_["strands"]);
    tie_rod_end(spec, rod, RodEnd::First, 0, EqualityType::Connect);
    tie_rod_end(spec, rod, RodEnd::Last, 0, EqualityType::Connect);
    for (const double side : {-1.0, 1.0}) {
      const double thick = 0.02 * p_["span"];
      add_wall(spec, {.name = side < 0 ? "left" : "right",
                      .half = {thick, thick, height() / 2 + thick},
                      .position = {side * (p_["span"] / 2 + thick), 0, height() / 2 + thick}});
      spec.geoms.back().contact_type = spec.geoms.back().contact_affinity = 0;
    }
    return spec;
  }
  void watch(const World& world) override { steps_.watch(world); }
  Outcome check(const World& world) const override {
    const double x = inverse([](double ratio) { return std::sinh(ratio) / ratio; }, slack_, 10);
    const double a = p_["span"] / (2 * x), sag = a * (std::cosh(x) - 1);
    double off = 0, lowest = height();
    for (const Vec3& point : axis_of_rod(world.model(), 0, world.state())) {
      const double wanted = height() - sag + a * (std::cosh(point.x() / a) - 1);
      off = std::max({off, std::abs(point.z() - wanted), std::abs(point.y())});
      lowest = std::min(lowest, point.z());
    }
    return Findings()
        .note("sag " + with_unit(1e3 * (height() - lowest), "mm"), "sag " + with_unit(1e3 * sag, "mm"))
        .below("off the catenary by", off / sag, p_["error"], {"% of the sag", 100})
        .all_solved(steps_)
        .outcome();
  }

 private:
  double height() const { return 0.8 * p_["span"]; }  // m, of the ends

  Parameters p_;
  double slack_;
  StepWatch steps_;
};

}  // namespace

Description hanging_cable() {
  return {.name = "hanging-cable",
          .summary = "a cable between two posts hangs as a catenary",
          .dt = 0.002,
          .duration = 5,
          .check_time = 5,
          .parameters = kParameters,
          .make = make_scene<HangingCable>};
}

}  // namespace uzawa::scenarios
