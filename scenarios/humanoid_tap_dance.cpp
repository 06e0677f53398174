#include <cmath>

#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/humanoid_motion.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"lift", 0.25, 0.1, 0.5, "rad, of the toes"},
    {"beat", 0.25, 0.1, 2, "s, from tap to tap; left and right in turn"},
    {"taps", 4, 1, 100, "in a run", true},
    {"mu", 0.8, 0, 10, "friction of the floor"},
    {"slip", 2e-3, 0, 1, "m, that the heels may wander"},
};

constexpr double kRest = 0.2;  // s, before the first tap and after the last

/// Toes are raised and fall on the floor, left and right in turn, while the heels stay: an impact a beat.
class HumanoidTapDance : public HumanoidMotion {
 public:
  explicit HumanoidTapDance(Parameters parameters) : HumanoidMotion(parameters["mu"]), p_(std::move(parameters)) {}

  Times times(const Times& /*usual*/) const override {
    return {.duration = end() + kRest, .check_time = end() + kRest};
  }
  void watch(const World& world) override {
    HumanoidMotion::watch(world);
    for (int side = 0; side < 2; ++side) {
      bool& up = up_[static_cast<std::size_t>(side)];
      if (sole_pitch(side) > 0.5 * p_["lift"]) up = true;
      if (!up || sole_pitch(side) > 0.1 * p_["lift"]) continue;
      up = false;
      ++taps_;
    }
  }
  Outcome check(const World& world) const override {
    return common(world, p_["slip"]).all("taps", taps_, p_.count("taps")).outcome();
  }

 protected:
  /// A sole that turns about its heel takes the ankle up and back, and the leg follows.
  std::array<Leg, 2> legs(double time) const override {
    std::array<Leg, 2> out;
    const double beats = (time - kRest) / p_["beat"];
    if (beats < 0 || beats >= p_["taps"]) return out;
    Leg& leg = out[static_cast<std::size_t>(static_cast<int>(beats) % 2)];
    const double share = beats - std::floor(beats);
    if (share < 0.75) leg.toe_up = p_["lift"] * (1 - std::cos(2 * M_PI * share / 0.75)) / 2;
    const double s = std::sin(leg.toe_up), c = std::cos(leg.toe_up);
    const double up = kHeel * s - kAnkle * (1 - c), back = kHeel * (1 - c) + kAnkle * s;
    const double height = 2 * kThigh * std::cos(kBent) - up;
    leg.bend = std::acos(std::min(1.0, std::hypot(height, back) / (2 * kThigh)));
    leg.back = std::atan2(back, height);
    return out;
  }
  std::array<double, 2> weighing() const override { return {0, end() + kRest}; }

 private:
  double end() const { return kRest + p_["beat"] * p_["taps"]; }

  Parameters p_;
  std::array<bool, 2> up_{};
  int taps_ = 0;
};

}  // namespace

Description humanoid_tap_dance() {
  return {.name = "humanoid-tap-dance",
          .summary = "a small humanoid of 20 joints taps its toes, left and right in turn",
          .dt = 0.001,
          .duration = 1.4,
          .check_time = 1.4,
          .parameters = kParameters,
          .make = make_scene<HumanoidTapDance>};
}

}  // namespace uzawa::scenarios
