#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/herd.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"robots", 8, 1, 64, "quadrupeds", true},
    {"drop", 0.1, 0, 2, "m from the floor to between the feet; below 0.02, tilted ones begin in the floor"},
    {"tilt", 3, 0, 90, "degrees, of the trunks at the most, at random"},
    {"limp", 0, 0, 1, "1: the motors are off", true},
    {"mu", 0.8, 0, 10, "friction of the floor"},
    {"limit", 1e-6, 0, 1, "rad, how far a joint may be beyond its limit"},
    {"depth", 1e-3, 0, 1, "m, allowed penetration"},
};

constexpr double kSpacing = 1.2;     // m from robot to robot
constexpr double kUpright = 0.3;     // m, height of the trunk of a robot that stands (0.41 at home)
constexpr double kRestSpeed = 0.02;  // m/s or rad/s, at the end

/// Quadrupeds dropped at random headings and tilts; their servos hold the pose "home".
class QuadrupedDrop : public Scene {
 public:
  QuadrupedDrop(Parameters parameters, std::uint64_t seed) : p_(std::move(parameters)), seed_(seed) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    spec.geoms.front().priority = 1;  // the floor's friction, whatever touches it
    spec.options.actuation = p_["limp"] == 0;
    Random random(seed_);
    const int count = p_.count("robots"), columns = static_cast<int>(std::ceil(std::sqrt(count)));
    for (int i = 0; i < count; ++i) {
      const int row = i / columns;
      herd_.add(spec, {kSpacing * (i % columns), kSpacing * row, p_["drop"]}, kDegree * p_["tilt"], random);
    }
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    const double fall = fall_time(p_["drop"]);
    return {.duration = rounded_up(fall + 2.8), .check_time = rounded_up(fall + 1.8)};
  }
  void start(const Model& /*model*/, State& state) override { herd_.start(state); }
  void drive(const World& /*world*/, Drive& drive) override { herd_.hold(drive.control); }
  void watch(const World& world) override {
    steps_.watch(world);
    violation_ = std::max(violation_, limit_violation(world.model(), world.state()));
  }
  Outcome check(const World& world) const override {
    Findings findings;
    if (p_["limp"] == 0) findings.all("stand", herd_.standing(world.state(), kUpright), p_.count("robots"));
    return findings.below("fastest", fastest(world.state()), kRestSpeed, kSpeed)
        .below("beyond limits", violation_, p_["limit"], kRadians)
        .below("penetration", steps_.penetration(), p_["depth"], kMillimetres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  Parameters p_;
  std::uint64_t seed_;
  Herd herd_;
  StepWatch steps_;
  double violation_ = 0;
};

}  // namespace

Description quadruped_drop() {
  return {.name = "quadruped-drop",
          .summary = "eight quadrupeds are dropped and land on their feet",
          .dt = 0.002,
          .duration = 3,
          .check_time = 2,
          .parameters = kParameters,
          .make = make_scene<QuadrupedDrop>};
}

}  // namespace uzawa::scenarios
