#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/standing.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"ratio", 1000, 1, 1e6, "mass of the upper box over that of the lower"},
    {"light", 0.1, 1e-3, 1e3, "kg, lower box"},
    {"half", 0.05, 1e-3, 1, "m, half edge of a box"},
    {"mu", 0.5, 0, 10, "friction"},
    {"depth", 1e-5, 0, 1, "m, allowed penetration and displacement"},
};

/// A heavy box on a light one: mass ratios are where iterative solvers let things sink.
class HeavyOnLight : public StandingScene {
 public:
  explicit HeavyOnLight(const Parameters& parameters)
      : StandingScene(parameters, std::sqrt(3.0) * parameters["half"]) {}

  ModelSpec model() const override {
    const Parameters& p = parameters();
    const double half = p["half"], light = p["light"];
    const Vec3 size{half, half, half};
    ModelSpec spec = ground(p["mu"]);
    add_box(spec, {.name = "light", .half = size, .mass = light, .position = {0, 0, half}, .mu = p["mu"]});
    add_box(spec,
            {.name = "heavy", .half = size, .mass = light * p["ratio"], .position = {0, 0, 3 * half}, .mu = p["mu"]});
    return spec;
  }
  Outcome check(const World& /*world*/) const override {
    const double bound = parameters()["depth"];
    return Findings()
        .below("penetration", steps().penetration(), bound, kMicrometres)
        .below("drift", drift(), bound, kMicrometres)
        .all_solved(steps())
        .outcome();
  }
};

}  // namespace

Description heavy_on_light() {
  return {.name = "heavy-on-light",
          .summary = "100 kg on a box of 0.1 kg do not sink in",
          .dt = 0.002,
          .duration = 5,
          .check_time = 0.1,
          .parameters = kParameters,
          .make = make_scene<HeavyOnLight>};
}

}  // namespace uzawa::scenarios
