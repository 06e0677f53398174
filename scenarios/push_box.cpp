#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"force", 10, 0, 1000, "N, at the centre of the box"},
    {"angle", 45, -360, 360, "degrees, direction of the force from the x axis"},
    {"mass", 1, 1e-3, 1e3, "kg"},
    {"mu", 0.5, 0, 10, "friction"},
    {"error", 1e-6, 0, 1, "allowed error of the speed (relative), of the direction (rad) and of the height (m)"},
};

constexpr double kHeight = 0.05;  // m, half of the box's

/// A flat box pushed across its edges: v = (F/m - mu g) t along the push, whatever the friction model's shape is if it
/// is a circle. Pyramids turn it, soft contact makes it hop.
class PushBox : public Scene {
 public:
  explicit PushBox(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    add_box(spec, {.half = {0.1, 0.1, kHeight}, .mass = p_["mass"], .position = {0, 0, kHeight}});
    return spec;
  }
  void drive(const World& /*world*/, Drive& drive) override {
    drive.external[0] = p_["force"] * std::cos(kDegree * p_["angle"]);
    drive.external[1] = p_["force"] * std::sin(kDegree * p_["angle"]);
  }
  void watch(const World& world) override {
    steps_.watch(world);
    hop_ = std::max(hop_, std::abs(world.state().q[2] - kHeight));
  }
  Outcome check(const World& world) const override {
    const std::vector<double>& v = world.state().v;
    const double speed = std::max(0.0, p_["force"] / p_["mass"] - p_["mu"] * kGravity) * world.state().time;
    const double size_error = std::abs(length(v[0], v[1]) - speed) / std::max(speed, 1e-3);
    const double angle = kDegree * p_["angle"];
    const double turn = speed > 0 ? std::abs(std::remainder(std::atan2(v[1], v[0]) - angle, 2 * M_PI)) : 0;
    const double error = p_["error"];
    return Findings()
        .note("speed " + with_unit(length(v[0], v[1]), "m/s"), "speed " + with_unit(speed, "m/s"))
        .below("its error (relative)", size_error, error, {""})
        .below("error of its direction", turn, error, kRadians)
        .below("hop", hop_, error, kMicrometres)
        .all_solved(steps_)
        .outcome();
  }

 private:
  Parameters p_;
  StepWatch steps_;
  double hop_ = 0;
};

}  // namespace

Description push_box() {
  return {.name = "push-box",
          .summary = "a box pushed at 45 degrees slides along the push and does not hop",
          .dt = 1.0 / 240,
          .duration = 1,
          .check_time = 0.1,
          .parameters = kParameters,
          .make = make_scene<PushBox>};
}

}  // namespace uzawa::scenarios
