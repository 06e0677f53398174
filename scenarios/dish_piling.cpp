#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/dishes.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"light", 0.1, 1e-3, 100, "kg, of a bowl and of the plate"},
    {"heavy", 5, 1e-3, 1000, "kg, of the pot"},
    {"drop", 0.002, 0, 0.1, "m between the dishes at first; more where they are askew by more than 1 mm"},
    {"askew", 0.001, 0, 0.01, "m, of the dishes to the side at first, at random"},
    {"mu", 0.3, 0, 10, "friction"},
    {"drift", 1e-5, 0, 1, "m, allowed within the last half second"},
    {"depth", 1e-5, 0, 1, "m, allowed penetration at the end"},
};

constexpr double kThickness = 0.004;  // m
constexpr double kSettled = 1.5;      // s
constexpr double kTilt = 0.05;        // rad, of a dish that is upright
constexpr double kSteep = 8;          // m up for a metre askew: the walls of a bowl, with both bowls askew
constexpr int kDishes = 4;

/// [AL] Fig. 8: bowl, bowl, plate, pot, from below.
struct Kind {
  const char* name;
  RevolvedSpec shell;
  double above;  ///< m, of its origin above the one below (above the floor: the first) where it rests
};

/// [AL] section VII-B: light dishes under a heavy pot. Bowls lie in each other on a ring of their walls, the plate on
/// the rim of the upper bowl, the pot in the plate.
class DishPiling : public Scene {
 public:
  DishPiling(Parameters parameters, std::uint64_t seed) : p_(std::move(parameters)), seed_(seed) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    Random random(seed_);
    double height = 0;
    for (const Kind& kind : kinds()) {
      const double askew = p_["askew"];
      height += kind.above + p_["drop"] + kSteep * std::max(0.0, askew - 1e-3);
      add_dish(spec, {.name = kind.name,
                      .shell = kind.shell,
                      .mass = std::string(kind.name) == "pot" ? p_["heavy"] : p_["light"],
                      .position = {random.uniform(-askew, askew), random.uniform(-askew, askew), height},
                      .mu = p_["mu"]});
    }
    return spec;
  }
  void watch(const World& world) override {
    steps_.watch(world);
    if (world.state().time <= kSettled) settled_ = world.state();
  }
  Outcome check(const World& world) const override {
    double drift = 0, tilt = 0;
    bool in_order = true;
    double below = 0;
    for (int body = 1; body <= kDishes; ++body) {
      const std::size_t q = q_of(world.model(), body);
      drift = std::max(drift, displacement(world.model(), body, settled_, world.state(), 0.1));
      tilt = std::max(tilt, tilt_of(&world.state().q[q]));
      in_order = in_order && world.state().q[q + 2] > below;
      below = world.state().q[q + 2];
    }
    return Findings()
        .require(in_order, "in order", "out of order")
        .below("tilt", tilt, kTilt, kRadians)
        .below("drift", drift, p_["drift"], kMicrometres)
        .below("penetration at the end", world.report().penetration, p_["depth"], kMicrometres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  static std::array<Kind, kDishes> kinds() {
    const RevolvedSpec small = bowl(0.075, 0.05, kThickness);
    return {{{"lower bowl", small, kThickness / 2},
             {"upper bowl", small, 0.0155},
             {"plate", plate(0.14, 0.02, kThickness), 0.054},
             {"pot", pot(0.08, 0.1, kThickness), kThickness}}};
  }

  Parameters p_;
  std::uint64_t seed_;
  StepWatch steps_;
  State settled_;
};

}  // namespace

Description dish_piling() {
  return {.name = "dish-piling",
          .summary = "bowl, bowl and plate of 0.1 kg stand still under a pot of 5 kg",
          .dt = 1.0 / 240,
          .duration = 2,
          .check_time = kSettled + 0.1,
          .parameters = kParameters,
          .make = make_scene<DishPiling>};
}

}  // namespace uzawa::scenarios
