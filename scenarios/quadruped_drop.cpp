#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/herd.hpp"
#include "uzawa/scenarios/measure.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"robots", 8, 1, 64, "quadrupeds", true},
    {"drop", 0.1, 0, 2, "m from the feet to the floor"},
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
    spec.options.actuation = p_["limp"] == 0;
    Random random(seed_);
    const int count = p_.count("robots"), columns = static_cast<int>(std::ceil(std::sqrt(count)));
    for (int i = 0; i < count; ++i) {
      const int row = i / columns;
      herd_.add(spec, {kSpacing * (i % columns), kSpacing * row, p_["drop"]}, kDegree * p_["tilt"], random);
    }
    return spec;
  }
  void start(const Model& /*model*/, State& state) override { herd_.start(state); }
  void drive(const World& /*world*/, Drive& drive) override { herd_.hold(drive.control); }
  void watch(const World& world) override {
    steps_.watch(world);
    violation_ = std::max(violation_, limit_violation(world.model(), world.state()));
  }
  Outcome check(const World& world) const override {
    const int standing = herd_.standing(world.state(), kUpright);
    const double speed = fastest(world.state());
    const bool limp = p_["limp"] != 0;
    const bool holds = steps_.none_failed() && violation_ < p_["limit"] && steps_.penetration() < p_["depth"] &&
                       (limp || standing == p_.count("robots")) && speed < kRestSpeed;
    return {holds,
            std::string(limp ? "at rest" : "all stand, at rest") + "; limits held to " +
                with_unit(p_["limit"], "rad, penetration below ") + with_unit(1e3 * p_["depth"], "mm"),
            std::to_string(standing) + " of " + std::to_string(p_.count("robots")) + " stand, fastest " +
                with_unit(speed, "m/s or rad/s, limits ") + with_unit(violation_, "rad, ") +
                with_unit(1e3 * steps_.penetration(), "mm, ") + steps_.text()};
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
