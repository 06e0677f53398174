#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/measure.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"count", 10, 1, 200, "boxes", true},
    {"half", 0.05, 1e-3, 1, "m, half edge of a box"},
    {"mass", 1, 1e-3, 1e3, "kg, of a box"},
    {"mu", 0.5, 0, 10, "friction"},
    {"drift", 1e-5, 0, 1, "m, allowed displacement of any point of a box"},
};

/// Boxes, each exactly on the one below. They must stay where they are.
class BoxStack : public Scene {
 public:
  explicit BoxStack(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    const double half = p_["half"];
    ModelSpec spec = ground(p_["mu"]);
    for (int i = 0; i < p_.count("count"); ++i) {
      add_box(spec, {.name = "box" + std::to_string(i),
                     .half = {half, half, half},
                     .mass = p_["mass"],
                     .position = {0, 0, half * (2 * i + 1)},
                     .mu = p_["mu"]});
    }
    return spec;
  }
  void start(const Model& /*model*/, State& state) override { drift_.start(state); }
  void watch(const World& world) override {
    steps_.watch(world);
    drift_.watch(world, std::sqrt(3.0) * p_["half"]);
  }
  Outcome check(const World& /*world*/) const override {
    return {steps_.all_solved() && drift_.drift() < p_["drift"],
            "stands still: drift below " + with_unit(1e6 * p_["drift"], "um"),
            with_unit(1e6 * drift_.drift(), "um, ") + steps_.text()};
  }

 private:
  Parameters p_;
  StepWatch steps_;
  DriftWatch drift_;
};

}  // namespace

Description box_stack() {
  return {.name = "box-stack",
          .summary = "ten boxes on top of each other stand still for a minute",
          .dt = 0.002,
          .duration = 60,
          .check_time = 0.1,
          .parameters = kParameters,
          .make = make_scene<BoxStack>};
}

}  // namespace uzawa::scenarios
