#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/dishes.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

// [AL] gives no numbers: bowls as in dish-piling, three times as heavy.
constexpr Parameter kParameters[] = {
    {"mass", 0.3, 1e-3, 100, "kg, of a dish"},
    {"force", 3, 0, 100, "N, sideways on the lower dish, once the dishes are at rest"},
    {"mu", 0.3, 0, 10, "friction"},
    {"rise", 1e-5, 0, 1, "m, how far the lower dish may leave the floor while it slides"},
    {"depth", 1e-5, 0, 1, "m, allowed penetration while it slides"},
};

constexpr double kThickness = 0.004, kNested = 0.0155;  // m: the wall; from the lower dish to the upper one
constexpr double kSettled = 0.5, kSliding = 0.2;        // s; then the push begins; for so long at the least
constexpr double kSlid = 0.01, kApart = 0.01;           // m: at least; sideways, at the most
constexpr double kDrop = 1e-4;                          // m, gap under each dish at first

/// Two bowls in each other are pushed along the floor by a constant force ([AL] Fig. 13). Relaxed contact makes them
/// glide: they leave the floor by a height that grows with their speed.
class DishSliding : public Scene {
 public:
  explicit DishSliding(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    const RevolvedSpec shell = bowl(0.075, 0.05, kThickness);
    const double first = kThickness / 2 + kDrop;
    add_dish(spec, {.name = "lower", .shell = shell, .mass = p_["mass"], .position = {0, 0, first}, .mu = p_["mu"]});
    add_dish(spec, {.name = "upper",
                    .shell = shell,
                    .mass = p_["mass"],
                    .position = {0, 0, first + kNested + kDrop},
                    .mu = p_["mu"]});
    return spec;
  }
  /// Twice the way that is asked for: where friction leaves little of the force, that takes longer.
  Times times(const Times& usual) const override {
    const double acceleration = p_["force"] / (2 * p_["mass"]) - p_["mu"] * kGravity;
    if (acceleration <= 0) return usual;
    const double late = std::max(0.0, rounded_up(std::sqrt(4 * kSlid / acceleration)) - kSliding);
    return {.duration = usual.duration + late, .check_time = usual.check_time + late};
  }
  void drive(const World& world, Drive& drive) override {
    drive.external[0] = world.state().time >= kSettled ? p_["force"] : 0;
  }
  void watch(const World& world) override {
    steps_.watch(world);
    if (world.state().time < kSettled) return;
    const double height = world.state().q[2] - kThickness / 2;
    rise_ = std::max(rise_, std::abs(height));
    depth_ = std::max(depth_, world.report().penetration);
  }
  Outcome check(const World& world) const override {
    const std::vector<double>& q = world.state().q;
    const double apart = length(q[7] - q[0], q[8] - q[1]);
    return Findings()
        .at_least("slid", q[0], kSlid, {"m"})
        .note("at " + with_unit(world.state().v[0], "m/s at the end"))
        .require(q[9] > q[2], "one in the other", "not one in the other")
        .below("apart", apart, kApart, kMillimetres)
        .below("off the floor", rise_, p_["rise"], kMicrometres)
        .below("penetration", depth_, p_["depth"], kMicrometres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  Parameters p_;
  StepWatch steps_;
  double rise_ = 0, depth_ = 0;
};

}  // namespace

Description dish_sliding() {
  return {.name = "dish-sliding",
          .summary = "two stacked dishes are pushed along the floor",
          .dt = 1.0 / 240,
          .duration = 1.5,
          .check_time = kSettled + kSliding,
          .parameters = kParameters,
          .make = make_scene<DishSliding>};
}

}  // namespace uzawa::scenarios
