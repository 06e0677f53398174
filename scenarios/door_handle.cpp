#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

// [JOINT] gives no numbers: these are a lever handle's.
constexpr Parameter kParameters[] = {
    {"friction", 0.6, 0, 100, "N m, bound of the joint's dry friction"},
    {"limit", 0.8, 1e-3, 1000, "rad, the joint stops at plus and minus this"},
    {"torque", 1.5, 0, 100, "N m, at the end of the ramp, or amplitude"},
    {"period", 1, 0.01, 100, "s, of the periodic torque; unused by the ramp"},
    {"periodic", 0, 0, 1, "0: the torque grows steadily; 1: it is a sine", true},
    {"error", 1e-5, 0, 1, "N m and rad, allowed in what friction and limits do"},
};

constexpr double kDuration = 2;                       // s; the ramp is as long
const Vec3 kHalf{0.012, 0.06, 0.008};                 // m, of the lever
constexpr double kMass = 0.25;                        // kg
constexpr double kArmature = 0.004, kDamping = 0.05;  // kg m^2 and N m s/rad: latch and closer
constexpr double kMoving = 1e-6;                      // rad/s; what is faster slides

/// A lever on a hinge with dry friction and two stops, turned by a torque ([JOINT] Fig. 1 left). Its weight is
/// balanced, so that the torque is all that friction has to hold.
class DoorHandle : public Scene {
 public:
  explicit DoorHandle(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec;
    add_box(spec, {.name = "handle", .half = kHalf, .mass = kMass, .position = {0, kHalf.y(), 1}});
    spec.bodies.back().gravity_compensation = 1;
    JointSpec& hinge = spec.joints.back();
    hinge.type = JointType::Hinge;
    hinge.axis = {1, 0, 0};
    hinge.position = {0, -kHalf.y(), 0};
    hinge.armature = kArmature;
    hinge.damping = kDamping;
    hinge.friction_loss = p_["friction"];
    hinge.range = Range{-p_["limit"], p_["limit"]};
    return spec;
  }
  Times times(const Times& usual) const override {
    return p_["periodic"] != 0 ? Times{.duration = 2 * p_["period"], .check_time = p_["period"]} : usual;
  }
  void drive(const World& world, Drive& drive) override {
    const double time = world.state().time;
    torque_ = p_["periodic"] != 0 ? p_["torque"] * std::sin(2 * M_PI * time / p_["period"])
                                  : p_["torque"] * std::min(1.0, time / kDuration);
    drive.external[0] = torque_;
  }
  void watch(const World& world) override {
    steps_.watch(world);
    passed_ = std::max(passed_, limit_violation(world.model(), world.state()));
    const double friction = joint_friction(world, 0), bound = p_["friction"], v = world.state().v[0];
    wrong_ = std::max(wrong_, std::abs(friction) - bound);
    if (std::abs(v) > kMoving) wrong_ = std::max(wrong_, std::abs(friction + std::copysign(bound, v)));
    slid_ = slid_ || std::abs(v) > kMoving;
    stopped_ = stopped_ || at_limit(world);
    overcome_ = overcome_ || std::abs(torque_) > bound;
    if (!overcome_) crept_ = std::max(crept_, std::abs(world.state().q[0]));
  }
  Outcome check(const World& /*world*/) const override {
    const double error = p_["error"];
    return Findings()
        .below("creep before it slides", crept_, error, kRadians)
        .require(slid_, "slides", "does not slide")
        .below("friction off its bound", std::max(0.0, wrong_), error, {"N m"})
        .require(stopped_, "reaches a stop", "reaches no stop")
        .below("beyond stops", passed_, error, kRadians)
        .well_solved(steps_)
        .outcome();
  }

 private:
  Parameters p_;
  StepWatch steps_;
  double torque_ = 0, wrong_ = 0, passed_ = 0, crept_ = 0;
  bool overcome_ = false, slid_ = false, stopped_ = false;
};

}  // namespace

Description door_handle() {
  return {.name = "door-handle",
          .summary = "a door handle with joint friction and stops, turned by a torque",
          .dt = 1.0 / 240,
          .duration = kDuration,
          .check_time = kDuration,
          .parameters = kParameters,
          .make = make_scene<DoorHandle>};
}

}  // namespace uzawa::scenarios
