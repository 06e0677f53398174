#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"balls", 5, 2, 20, "in a row", true},
    {"angle", 35, 5, 80, "degrees, of the first ball at the start; much less, and it is too slow to bounce"},
    {"restitution", 1, 0, 1, "of the balls"},
    {"share", 0.97, 0, 1, "least height of the next swing over the one before"},
    {"rest", 1.5, 0, 90, "degrees, how far the inner balls may swing"},
};

constexpr double kRadius = 0.025, kRod = 0.3, kMass = 0.13;  // m, m, kg
constexpr double kGap = 0.001;  // m; more than the first ball moves in a step: each impact has a step of its own

/// The first ball swings in, the last swings out as high, and back; those between stay.
class NewtonCradle : public Scene {
 public:
  explicit NewtonCradle(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec;
    spec.options.gravity = {0, 0, -kGravity};
    for (int i = 0; i < p_.count("balls"); ++i) {
      add_hanging_ball(spec, "ball" + std::to_string(i), kRadius, kMass, {i * (2 * kRadius + kGap), 0, 0}, kRod);
    }
    return spec;
  }
  void adjust(SimSettings& settings) const override { settings.assembly.restitution = p_["restitution"]; }
  void start(const Model& /*model*/, State& state) override { state.q[0] = p_["angle"] * kDegree; }

  /// The first ball falls in, the last swings out and back, the first swings out: a whole period, and twice the gaps.
  Times times(const Times& /*usual*/) const override {
    const double angle = p_["angle"] * kDegree, speed = 2 * std::sin(angle / 2) * std::sqrt(kGravity * kRod);
    const double period = 4 * std::sqrt(kRod / kGravity) * std::comp_ellint_1(std::sin(angle / 2));
    const double time = rounded_up(1.1 * (period + 2 * (p_.count("balls") - 1) * kGap / speed));
    return {.duration = time, .check_time = time};
  }
  /// A swing ends when an outer ball turns back.
  void watch(const World& world) override {
    steps_.watch(world);
    const std::vector<double>& q = world.state().q;
    for (std::size_t i = 1; i + 1 < q.size(); ++i) inner_ = std::max(inner_, std::abs(q[i]));
    const std::size_t out = swings_.size() % 2 == 0 ? 1 : 0;  // the last ball's turn, then the first's
    const double speed = out == 1 ? -world.state().v.back() : world.state().v.front();
    const double angle = out == 1 ? -q.back() : q.front();
    if (angle > 0.2 * kDegree * p_["angle"] && speed > 0) rising_ = true;
    if (rising_ && speed < 0) {
      swings_.push_back(angle);
      rising_ = false;
    }
  }
  Outcome check(const World& /*world*/) const override {
    double last = p_["angle"] * kDegree, least = swings_.empty() ? 0 : 1;
    for (const double swing : swings_) {
      least = std::min(least, (1 - std::cos(swing)) / (1 - std::cos(last)));
      last = swing;
    }
    return Findings()
        .at_least("swings out of the last and the first ball in turn", static_cast<double>(swings_.size()), 2, {""})
        .at_least("height over that of the swing before", least, p_["share"], kPercent)
        .below("swing of the others", inner_, p_["rest"] * kDegree, {"degrees", 1 / kDegree})
        .all_solved(steps_)
        .outcome();
  }

 private:
  Parameters p_;
  StepWatch steps_;
  double inner_ = 0;
  std::vector<double> swings_;  ///< rad, largest angle of each swing
  bool rising_ = false;
};

}  // namespace

Description newton_cradle() {
  return {.name = "newton-cradle",
          .summary = "five balls on rods: one swings in, one swings out",
          .dt = 0.0005,
          .duration = 1.3,
          .check_time = 1.3,
          .parameters = kParameters,
          .make = make_scene<NewtonCradle>};
}

}  // namespace uzawa::scenarios
