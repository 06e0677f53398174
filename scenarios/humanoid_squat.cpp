#include <cmath>

#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/humanoid_motion.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"depth", 0.4, 0, 0.7, "rad, by which hips and ankles bend, and knees twice that"},
    {"period", 1, 0.4, 20, "s, of a squat"},
    {"mu", 0.8, 0, 10, "friction of the floor"},
    {"slip", 1e-4, 0, 1, "m, allowed of the heels"},
};

constexpr double kLag = 0.08;  // rad, that servos may lag behind under load

/// Squats on a flat floor: many redundant contacts under two soles.
class HumanoidSquat : public HumanoidMotion {
 public:
  explicit HumanoidSquat(Parameters parameters) : HumanoidMotion(parameters["mu"]), p_(std::move(parameters)) {}

  Times times(const Times& /*usual*/) const override { return {.duration = p_["period"], .check_time = p_["period"]}; }
  Outcome check(const World& world) const override {
    const auto height = [](double bend) { return 2 * kThigh * std::cos(bend); };
    const double deep = kBent + p_["depth"];
    return common(world, p_["slip"])
        .near("way down of the trunk", first_trunk() - lowest_trunk(), height(kBent) - height(deep),
              height(deep - kLag) - height(deep), kMillimetres)
        .outcome();
  }

 protected:
  std::array<Leg, 2> legs(double time) const override {
    const double bend = kBent + p_["depth"] * (1 - std::cos(2 * M_PI * time / p_["period"])) / 2;
    return {Leg{.bend = bend}, Leg{.bend = bend}};
  }
  std::array<double, 2> weighing() const override { return {0, p_["period"]}; }

 private:
  Parameters p_;
};

}  // namespace

Description humanoid_squat() {
  return {.name = "humanoid-squat",
          .summary = "a small humanoid of 20 joints squats",
          .dt = 0.001,
          .duration = 1,
          .check_time = 1,
          .parameters = kParameters,
          .make = make_scene<HumanoidSquat>};
}

}  // namespace uzawa::scenarios
