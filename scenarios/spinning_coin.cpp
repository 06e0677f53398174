#include <algorithm>
#include <cmath>

#include "uzawa/base/error.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"tilt", 40, 5, 80, "degrees between the coin and the floor"},
    {"radius", 0.012, 1e-3, 1, "m"},
    {"thickness", 0.002, 1e-4, 0.1, "m"},
    {"mass", 0.0075, 1e-4, 10, "kg"},
    {"mu", 0.5, 0, 10, "friction"},
    {"rate_error", 0.01, 0, 1, "allowed error of the rate, relative"},
    {"tilt_error", 1, 0, 90, "degrees, allowed change of the tilt"},
};

/// A coin that rolls on its rim in a circle about its own centre, which stays in place ("Euler's disc"). With the
/// disc's axis e3 at the angle a from the vertical, e1 from its centre to the rim where it touches, r the radius, d
/// half of the thickness: the point of contact is at r e1 - d e3, and it is at rest where w3 = W d sin(a)/r, W being
/// the rate at which the axis goes round. The weight's moment turns the angular momentum -I1 W sin(a) e1 + I3 w3 e3 at
/// that rate:
///   W^2 (I1 sin(a) cos(a) - I3 sin(a)^2 d/r) = m g (r cos(a) - d sin(a)).
/// The theta rule is of first order: at 1e-4 s the coin loses 6 % of its rate in a second, at 2e-5 s 1.4 %.
class SpinningCoin : public Scene {
 public:
  explicit SpinningCoin(Parameters parameters) : p_(std::move(parameters)) {
    const double r = p_["radius"], d = p_["thickness"] / 2, s = std::sin(tilt()), c = std::cos(tilt());
    const double i1 = r * r / 4 + d * d / 3, i3 = r * r / 2;  // over the mass
    const double square = kGravity * (r * c - d * s) / (i1 * s * c - i3 * s * s * d / r);
    if (!(square > 0)) throw InputError("", "parameter 'thickness'", "a coin as thick does not roll at this tilt");
    rate_ = std::sqrt(square);
  }

  ModelSpec model() const override {
    const double r = p_["radius"], d = p_["thickness"] / 2;
    ModelSpec spec = ground(p_["mu"]);
    add_disc(spec, {.name = "coin",
                    .radius = r,
                    .half_height = d,
                    .mass = p_["mass"],
                    .position = {0, 0, r * std::sin(tilt()) + d * std::cos(tilt())},
                    .orientation = exp_rotation({0, tilt(), 0})});
    return spec;
  }
  void start(const Model& /*model*/, State& state) override {
    const double d = p_["thickness"] / 2;
    state.v[3] = -rate_ * std::sin(tilt());
    state.v[5] = rate_ * std::sin(tilt()) * d / p_["radius"];
  }
  void watch(const World& world) override {
    steps_.watch(world);
    const Vec3 axis = rotate(Quat::from(&world.state().q[3]), {0, 0, 1});
    const double heading = std::atan2(axis.y(), axis.x());
    turned_ += std::remainder(heading - heading_, 2 * M_PI);
    heading_ = heading;
    change_ = std::max(change_, std::abs(tilt_of(world.state().q.data()) - tilt()) / kDegree);
  }
  Outcome check(const World& world) const override {
    const double measured = turned_ / world.state().time, error = std::abs(measured / rate_ - 1);
    return Findings()
        .note("goes round at " + with_unit(measured, "rad/s"),
              "goes round at " + with_unit(rate_, "rad/s (closed form)"))
        .below("error of the rate", error, p_["rate_error"], kPercent)
        .below("change of the tilt", change_, p_["tilt_error"], {"degrees"})
        .all_solved(steps_)
        .outcome();
  }

 private:
  double tilt() const { return p_["tilt"] * kDegree; }

  Parameters p_;
  double rate_ = 0;  ///< rad/s
  StepWatch steps_;
  double heading_ = 0, turned_ = 0;  ///< rad
  double change_ = 0;                ///< degrees
};

}  // namespace

Description spinning_coin() {
  return {.name = "spinning-coin",
          .summary = "a coin rolls on its rim about its own centre at the rate of the closed form",
          .dt = 2e-5,
          .duration = 0.5,
          .check_time = 0.1,
          .parameters = kParameters,
          .make = make_scene<SpinningCoin>};
}

}  // namespace uzawa::scenarios
