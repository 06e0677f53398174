#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/fasteners.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"turns", 1, 0, 6, "turns by which the nut is screwed down"},
    {"speed", 6, 0.5, 50, "rad/s, of the wrench; friction takes 0.3 of it"},
    {"mu", 0.15, 0, 10, "friction of the thread"},
    {"clearance", 1e-4, 0, 1e-3, "m, of the diameters of bolt and nut each"},
    {"error", 2e-5, 0, 1, "m, allowed of the way along the thread"},
    {"depth", 5e-5, 0, 1, "m, allowed penetration"},
};

constexpr double kSettled = 0.25;    // s; the nut hangs on the thread by then
constexpr double kStart = 0.06;      // m, height of the nut's middle
constexpr double kWrench = 0.1;      // N m s/rad, for lagging behind; explicit: below inertia / dt = 0.24
constexpr double kBraking = 8;       // rad/s^2; friction alone brakes the nut by 30
constexpr double kTurnError = 0.05;  // rad
constexpr double kRestSpeed = 1e-4;  // m/s or rad/s, at the end

/// [AL] section VII-A without the robot: an M48 nut on a bolt that stands still, turned by a wrench that gives nothing
/// but a torque about the axis. In between the nut is free: the thread alone makes it go down. When the wrench stops,
/// so does the nut: the thread locks itself, tan(lead angle) = 0.035 < mu.
class BoltNut : public Scene {
 public:
  explicit BoltNut(Parameters parameters) : p_(std::move(parameters)) {
    fastener_.mu = p_["mu"];
    fastener_.clearance = p_["clearance"];
  }

  ModelSpec model() const override {
    ModelSpec spec;
    spec.options.gravity = {0, 0, -kGravity};
    add_bolt(spec, fastener_, {});
    add_nut(spec, fastener_, {0, 0, kStart}, kStart / fastener_.lead());
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    const double done = kSettled + turning_time();
    return {.duration = rounded_up(done + 0.9), .check_time = rounded_up(done + 0.4)};
  }
  void drive(const World& world, Drive& drive) override {
    const std::size_t spin = v_of(world.model(), kNut) + 5;  // the nut's axis stays upright, body z is world z
    const double rate = world.state().v[spin], left = p_["turns"] * 2 * M_PI - turned_, wanted = wanted_rate(left);
    const bool pushing = world.state().time >= kSettled && left > 1e-3;
    drive.external[spin] = pushing ? std::min(0.0, -kWrench * (wanted + rate)) : 0;
  }
  void watch(const World& world) override {
    steps_.watch(world);
    const std::size_t q = q_of(world.model(), kNut);
    const double height = world.state().q[q + 2];
    const Vec3 x = rotate(Quat::from(&world.state().q[q + 3]), {1, 0, 0});
    const double angle = std::atan2(x.y(), x.x());
    if (world.state().time < kSettled) {
      height_ = height;
    } else {
      turned_ -= std::remainder(angle - angle_, 2 * M_PI);
      error_ = std::max(error_, std::abs(height_ - height - fastener_.lead() * turned_));
    }
    angle_ = angle;
  }
  Outcome check(const World& world) const override {
    const double wanted = p_["turns"] * 2 * M_PI;
    return Findings()
        .near("turned by", turned_, wanted, kTurnError, {"turns", 0.5 / M_PI})
        .note("which is " + with_unit(1e3 * fastener_.lead() * turned_, "mm along the thread"))
        .below("off the thread", error_, p_["error"], kMicrometres)
        .below("fastest", fastest(world.state()), kRestSpeed, kSpeed)
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  static constexpr int kNut = 1;  // body

  /// rad/s, of the wrench with `left` rad to go. Slows down towards the end, where it still overcomes friction.
  double wanted_rate(double left) const {
    return std::min(p_["speed"], 1 + std::sqrt(2 * kBraking * std::max(left, 0.0)));
  }
  /// s. The nut lags behind by what friction takes of the wrench's torque; where that is all of it, it never gets
  /// there.
  double turning_time() const {
    constexpr double kCrawl = 0.05;  // rad/s
    constexpr int kPieces = 1000;
    const double flank = std::cos(M_PI / 6), radius = fastener_.diameter / 2 - 0.325 * fastener_.pitch;
    const double weight = fastener_.nut_mass * kGravity;
    const double friction = weight * std::max(0.0, p_["mu"] / flank * radius - fastener_.lead());  // N m
    const double whole = p_["turns"] * 2 * M_PI, piece = whole / kPieces;
    double time = 0;
    for (int i = 0; i < kPieces; ++i) {
      time += piece / std::max(kCrawl, wanted_rate(whole - (i + 0.5) * piece) - friction / kWrench);
    }
    return time;
  }

  Parameters p_;
  Fastener fastener_;
  StepWatch steps_;
  double height_ = 0, angle_ = 0, turned_ = 0, error_ = 0;
};

}  // namespace

Description bolt_nut() {
  return {.name = "bolt-nut",
          .summary = "an M48 nut is screwed down a bolt by a torque alone, and stays where it is left",
          .dt = 1.0 / 240,
          .duration = 2.5,
          .check_time = 2,
          .parameters = kParameters,
          .make = make_scene<BoltNut>};
}

}  // namespace uzawa::scenarios
