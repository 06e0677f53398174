#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"force", 2, 0, 1000, "N along y at the centre of the box; [COND] does not give it"},
    {"edge", 0.2, 1e-2, 10, "m, of the cube"},
    {"mass", 0.5, 1e-3, 1e3, "kg"},
    {"mu", 0.2, 0, 0.99, "friction; the cube would tip over at 1"},
    {"error", 1e-6, 0, 1, "m, allowed error of the position at any time"},
};

/// [COND] section V-B: a constant force pushes a cube that stands on the four vertices of its bottom face. It slides by
/// y = (F/m - mu g) t^2 / 2, or stays. Steps of length h by the theta rule have (t^2 + (1 - 2 theta) h t) / 2 in place
/// of t^2 / 2, exactly: all that is left is the error of the contact formulation.
class BoxSliding : public Scene {
 public:
  explicit BoxSliding(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    const double half = p_["edge"] / 2;
    add_box(spec, {.half = {half, half, half}, .mass = p_["mass"], .position = {0, 0, half}});
    return spec;
  }
  void drive(const World& /*world*/, Drive& drive) override { drive.external[1] = p_["force"]; }
  void watch(const World& world) override {
    steps_.watch(world);
    const Vec3 error = Vec3::from(world.state().q.data()) - Vec3{0, slid(world), p_["edge"] / 2};
    for (int k = 0; k < 3; ++k) worst_[k] = std::max(worst_[k], std::abs(error[k]));
  }
  Outcome check(const World& world) const override {
    const double error = p_["error"];
    return Findings()
        .note("slid by " + with_unit(world.state().q[1], "m"), "slides by " + with_unit(slid(world), "m"))
        .below("error in x", worst_[0], error, kMicrometres)
        .below("error in y", worst_[1], error, kMicrometres)
        .below("error in z", worst_[2], error, kMicrometres)
        .all_solved(steps_)
        .outcome();
  }

 private:
  double slid(const World& world) const {
    const double acceleration = std::max(0.0, p_["force"] / p_["mass"] - p_["mu"] * kGravity);
    const double t = world.state().time;
    return 0.5 * acceleration * t * (t + (1 - 2 * world.settings().theta) * world.dt());
  }

  Parameters p_;
  StepWatch steps_;
  double worst_[3] = {};  // m, of all steps
};

}  // namespace

Description box_sliding() {
  return {.name = "box-sliding",
          .summary = "a cube pushed by a constant force slides as the closed form says",
          .dt = 0.01,
          .duration = 2,
          .check_time = 0.1,
          .parameters = kParameters,
          .make = make_scene<BoxSliding>};
}

}  // namespace uzawa::scenarios
