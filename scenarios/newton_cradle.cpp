#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/measure.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"balls", 5, 2, 20, "in a row", true},
    {"angle", 35, 1, 80, "degrees, of the first ball at the start"},
    {"restitution", 1, 0, 1, "of the balls"},
    {"share", 0.97, 0, 1, "least height of the next swing over the one before"},
    {"rest", 1.5, 0, 90, "degrees, how far the inner balls may swing"},
};

constexpr double kRadius = 0.025, kRod = 0.3, kMass = 0.13;  // m, m, kg
// Impacts follow one another, as in steel, only where a ball that was hit reaches the next one in a later step: the gap
// is more than the first ball moves in a step (0.55 mm). Balls that touch share one impact by Newton's law instead.
constexpr double kGap = 0.001;  // m

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

  /// A swing ends when an outer ball turns back.
  void watch(const World& world) override {
    steps_.watch(world);
    const std::vector<double>& q = world.state().q;
    for (std::size_t i = 1; i + 1 < q.size(); ++i) inner_ = std::max(inner_, std::abs(q[i]));
    const std::size_t out = swings_.size() % 2 == 0 ? 1 : 0;  // the last ball's turn, then the first's
    const double speed = out == 1 ? -world.state().v.back() : world.state().v.front();
    const double angle = out == 1 ? -q.back() : q.front();
    if (angle > 0.1 && speed > 0) rising_ = true;
    if (rising_ && speed < 0) {
      swings_.push_back(angle);
      rising_ = false;
    }
  }
  Outcome check(const World& /*world*/) const override {
    double last = p_["angle"] * kDegree, least = swings_.size() < 2 ? 0 : 1;
    for (const double swing : swings_) {
      least = std::min(least, (1 - std::cos(swing)) / (1 - std::cos(last)));
      last = swing;
    }
    const double inner = inner_ / kDegree;
    return {steps_.all_solved() && least >= p_["share"] && inner < p_["rest"],
            "last and first ball swing out in turn, each to " +
                with_unit(100 * p_["share"], "% of the height or more, the others below ") +
                with_unit(p_["rest"], "degrees"),
            std::to_string(swings_.size()) + " swings, least " + with_unit(100 * least, "%, others ") +
                with_unit(inner, "degrees, ") + steps_.text()};
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
