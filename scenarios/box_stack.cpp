#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/standing.hpp"

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
class BoxStack : public StandingScene {
 public:
  explicit BoxStack(const Parameters& parameters) : StandingScene(parameters, std::sqrt(3.0) * parameters["half"]) {}

  ModelSpec model() const override {
    const Parameters& p = parameters();
    const double half = p["half"];
    ModelSpec spec = ground(p["mu"]);
    for (int i = 0; i < p.count("count"); ++i) {
      add_box(spec, {.name = "box" + std::to_string(i),
                     .half = {half, half, half},
                     .mass = p["mass"],
                     .position = {0, 0, half * (2 * i + 1)},
                     .mu = p["mu"]});
    }
    return spec;
  }
  Outcome check(const World& /*world*/) const override {
    return Findings().below("drift", drift(), parameters()["drift"], kMicrometres).all_solved(steps()).outcome();
  }
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
