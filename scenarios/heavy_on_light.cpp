#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/measure.hpp"

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
class HeavyOnLight : public Scene {
 public:
  explicit HeavyOnLight(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    const double half = p_["half"], light = p_["light"];
    const Vec3 size{half, half, half};
    ModelSpec spec = ground(p_["mu"]);
    add_box(spec, {.name = "light", .half = size, .mass = light, .position = {0, 0, half}, .mu = p_["mu"]});
    add_box(spec,
            {.name = "heavy", .half = size, .mass = light * p_["ratio"], .position = {0, 0, 3 * half}, .mu = p_["mu"]});
    return spec;
  }
  void start(const Model& /*model*/, State& state) override { drift_.start(state); }
  void watch(const World& world) override {
    steps_.watch(world);
    drift_.watch(world, std::sqrt(3.0) * p_["half"]);
  }
  Outcome check(const World& /*world*/) const override {
    return {steps_.all_solved() && std::max(steps_.penetration(), drift_.drift()) < p_["depth"],
            "no sinking: penetration and drift below " + with_unit(1e6 * p_["depth"], "um"),
            with_unit(1e6 * steps_.penetration(), "um, ") + with_unit(1e6 * drift_.drift(), "um, ") + steps_.text()};
  }

 private:
  Parameters p_;
  StepWatch steps_;
  DriftWatch drift_;
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
