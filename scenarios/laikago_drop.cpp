#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/herd.hpp"

namespace uzawa::scenarios {

namespace {

// [AL] says 8 and 27 robots, 80 to 100 contacts with 8; heights and motors are our choice.
constexpr Parameter kParameters[] = {
    {"side", 2, 1, 5, "robots along each edge of the cube that they form: 2 makes 8, 3 makes 27, 5 makes 125", true},
    {"drop", 0.3, 0, 2, "m from the floor to between the lowest feet; below 0.1, tilted ones begin in the floor"},
    {"tilt", 20, 0, 90, "degrees, of the trunks at the most, at random"},
    {"limp", 1, 0, 1, "1: the motors are off; 0: they hold the standing pose", true},
    {"mu", 0.8, 0, 10, "friction of the floor"},
    {"limit", 1e-4, 0, 1, "rad, how far a joint may be beyond its limit"},
    {"depth", 0.01, 0, 1, "m, allowed penetration while they fall"},
    {"end_depth", 2e-4, 0, 1, "m, allowed penetration at the end"},
};

// Why these bounds. Limits: CANAL holds them to 1e-8 rad; SubADMM, whose steps are capped at residuals up to 1e-5, to
// 4e-5 rad with 27 robots. Depth: a contact is a plane for the length of a step, in which a leg of L = 0.5 m that turns
// at w bends off by (h w)^2 L / 2: 6 mm at the 38 rad/s of the fall, and both bodies may turn, of which the second
// look of a step leaves 4 mm with 125 robots; 0.2 mm at the 7 rad/s at which limp legs still swing at the end.

constexpr double kAcross = 0.95, kUp = 0.85;  // m from robot to robot: nobody touches anybody at first

constexpr double kHeap = 0.25;  // m that a layer adds to a heap, at the most

/// Quadrupeds in a cube, one layer above the other, fall onto the floor and each other ([AL] Fig. 12).
class LaikagoDrop : public Scene {
 public:
  LaikagoDrop(Parameters parameters, std::uint64_t seed) : p_(std::move(parameters)), seed_(seed) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    spec.geoms.front().priority = 1;  // the floor's friction, whatever touches it
    spec.options.actuation = p_["limp"] == 0;
    Random random(seed_);
    const int side = p_.count("side");
    for (int i = 0; i < side * side * side; ++i) {
      const int column = i % side, row = i / side % side, layer = i / (side * side);
      herd_.add(spec, {kAcross * column, kAcross * row, p_["drop"] + kUp * layer}, kDegree * p_["tilt"], random);
    }
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    const double fall = fall_time(p_["drop"] + kUp * (p_.count("side") - 1));
    return {.duration = rounded_up(fall + 1.5), .check_time = rounded_up(fall + 1)};
  }
  void start(const Model& /*model*/, State& state) override { herd_.start(state); }
  void drive(const World& /*world*/, Drive& drive) override { herd_.hold(drive.control); }
  void watch(const World& world) override {
    steps_.watch(world);
    passed_ = std::max(passed_, limit_violation(world.model(), world.state()));
    most_ = std::max(most_, world.report().contacts);
  }
  Outcome check(const World& world) const override {
    const Range heights = herd_.heights(world.state());
    return Findings()
        .require(heights.lower > 0, "nobody below the floor", "somebody below the floor")
        .note("lowest trunk " + with_unit(heights.lower, "m"))
        .below("highest trunk", heights.upper, kHeap * (p_.count("side") + 1), {"m"})
        .below("beyond limits", passed_, p_["limit"], kRadians)
        .below("penetration", steps_.penetration(), p_["depth"], kMillimetres)
        .below("penetration at the end", world.report().penetration, p_["end_depth"], kMillimetres)
        .note(std::to_string(most_) + " contacts at the most")
        .well_solved(steps_)
        .outcome();
  }

 private:
  Parameters p_;
  std::uint64_t seed_;
  Herd herd_;
  StepWatch steps_;
  double passed_ = 0;
  int most_ = 0;
};

}  // namespace

Description laikago_drop() {
  return {.name = "laikago-drop",
          .summary = "a cube of eight quadrupeds falls onto the floor and each other",
          .dt = 1.0 / 240,
          .duration = 2,
          .check_time = 1.5,
          .parameters = kParameters,
          .make = make_scene<LaikagoDrop>};
}

}  // namespace uzawa::scenarios
