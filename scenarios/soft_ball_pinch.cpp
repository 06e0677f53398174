#include <algorithm>

#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/soft_builder.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"force", 2, 0, 1000, "N, of each finger"},
    {"radius", 0.03, 1e-3, 1, "m, of the ball"},
    {"layers", 3, 3, 12, "of tetrahedra from the centre to the surface; with two it would touch in a line, and swing",
     true},
    {"mass", 0.1, 1e-3, 100, "kg, of the ball"},
    {"young", 1e5, 1e3, 1e9, "Pa"},
    {"mu", 0.7, 0, 10, "friction of fingers and ball"},
    {"creep", 1e-7, 0, 1, "m/s, allowed"},
    {"depth", 1e-4, 0, 1, "m, allowed penetration"},
};

constexpr double kSettled = 2;     // s; ball and fingers have come to rest by then
constexpr double kDamping = 5e-3;  // s
constexpr double kGap = 1e-3;      // m, from a finger to the ball at first

/// A soft ball between two fingers that press with a constant force. Friction could carry 2 mu F = 2.8 N; 1 N is asked
/// for.
class SoftBallPinch : public Scene {
 public:
  explicit SoftBallPinch(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec;
    spec.options.gravity = {0, 0, -kGravity};
    const double radius = p_["radius"];
    const Vec3 pad{0.008, 0.8 * radius, 0.8 * radius};
    const double place = radius + kGap + pad.x();
    add_finger(spec, "left", pad, {-place, 0, 0}, {1, 0, 0}, p_["mu"]);
    add_finger(spec, "right", pad, {place, 0, 0}, {-1, 0, 0}, p_["mu"]);
    SoftBodyOptions ball;
    ball.name = "ball";
    ball.mass = p_["mass"];
    ball.material.young = p_["young"];
    ball.material.damping = kDamping;
    ball.friction = {p_["mu"], 0, 0};
    add_soft_body(spec, ball_mesh(radius, p_.count("layers")), ball);
    return spec;
  }
  void drive(const World& /*world*/, Drive& drive) override {
    std::fill(drive.control.begin(), drive.control.end(), p_["force"]);
  }
  void watch(const World& world) override {
    steps_.watch(world);
    creep_.watch(world);
  }
  Outcome check(const World& world) const override {
    const double creep = creep_.creep(world, world.model().spec().soft_bodies[0].bodies);
    return Findings()
        .below("creep", creep, p_["creep"], kCreep)
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .all_solved(steps_)
        .outcome();
  }

 private:
  Parameters p_;
  StepWatch steps_;
  CreepWatch creep_{kSettled};
};

}  // namespace

Description soft_ball_pinch() {
  return {.name = "soft-ball-pinch",
          .summary = "a soft ball held between two fingers for a minute does not creep",
          .dt = 0.004,
          .duration = 60,
          .check_time = 1.1 * kSettled,
          .parameters = kParameters,
          .make = make_scene<SoftBallPinch>};
}

}  // namespace uzawa::scenarios
