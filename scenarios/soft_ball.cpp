#include <algorithm>

#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/soft_builder.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/floating_gripper.hpp"
#include "uzawa/scenarios/trials.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"layers", 7, 3, 20,
     "of tetrahedra from the centre to the surface: 1,415 nodes, 6,860 tetrahedra; [COND] 1,463, 6,928", true},
    {"radius", 0.04, 5e-3, 1, "m, of the ball"},
    {"density", 1000, 1, 1e4, "kg/m^3"},
    {"young", 1e6, 1e3, 1e8, "Pa; [COND] 0.5 to 2 MPa"},
    {"poisson", 0.35, 0, 0.49, "[COND] 0.3 to 0.4"},
    {"mu", 0.5, 0, 10, "friction; [COND] 0.4 to 0.6"},
    {"squeeze", 0.02, 0, 0.1, "m, how far the fingers' targets are inside the ball: 2 N/mm"},
    {"lift", 0.15, 0.01, 10, "m"},
    {"slip", 1e-3, 0, 1, "m, allowed of the ball in the gripper, the sag of its own weight included"},
    {"creep", 1e-5, 0, 1, "m/s, allowed at the end"},
    {"depth", 1e-4, 0, 1, "m, allowed penetration"},
    kRandomMaterial,
};
constexpr MaterialRanges kRanges{{5e5, 2e6}, {0.3, 0.4}, {0.4, 0.6}};

constexpr double kDamping = 2e-3;  // s
constexpr double kGap = 5e-3;      // m, from a finger to the ball at first
constexpr double kGripped = 0.9;   // s, when the ball is held and still stands on the floor
constexpr double kAway = 0.1;      // m, by which it is moved aside
constexpr double kTurn = 0.5;      // rad, by which it is turned

/// [COND] section V-C.4: a gripper of six dofs with two sliding fingers takes a soft ball from the floor, lifts it,
/// moves it aside, turns it and holds it. [COND] gives neither sizes nor forces.
class SoftBall : public Scene {
 public:
  SoftBall(const Parameters& parameters, std::uint64_t seed) : p_(drawn(parameters, kRanges, seed)) {
    const double closed = kGap + p_["squeeze"], lift = p_["lift"];
    control_.then(0.6, {.closed = closed});
    control_.then(kGripped - 0.6, {.closed = closed});
    control_.then(0.8, {.moved = {0, 0, lift}, .closed = closed});
    control_.then(0.8, {.moved = {0, kAway, lift}, .yaw = kTurn, .closed = closed});
  }

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    const double radius = p_["radius"];
    FloatingGripperOptions gripper;
    gripper.position = {0, 0, radius};
    gripper.pad = {0.008, 0.7 * radius, 0.7 * radius};
    gripper.opening = 2 * (radius + kGap);
    gripper.reach = radius + 0.04;
    gripper.mu = p_["mu"];
    add_floating_gripper(spec, gripper);
    SoftBodyOptions ball;
    ball.name = "ball";
    ball.position = gripper.position;
    ball.density = p_["density"];
    ball.material.young = p_["young"];
    ball.material.poisson = p_["poisson"];
    ball.material.damping = kDamping;
    ball.friction = {p_["mu"], 0, 0};
    add_soft_body(spec, ball_mesh(radius, p_.count("layers")), ball);
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    return {.duration = control_.end() + 0.5, .check_time = control_.end() + 0.3};
  }
  void start(const Model& model, State& /*state*/) override { control_.start(model); }
  void drive(const World& world, Drive& drive) override { control_.drive(world, drive); }
  void watch(const World& world) override {
    steps_.watch(world);
    const double time = world.state().time, half_step = world.dt() / 2;
    if (time < kGripped + half_step) gripped_ = world.state();
    if (time < control_.end() + 0.2 + half_step) held_ = world.state();
  }
  Outcome check(const World& world) const override {
    const Model& model = world.model();
    const State& state = world.state();
    const Vec3 now = place_in_gripper(model, state);
    const double slip = norm(now - place_in_gripper(model, gripped_));
    const double creep = norm(now - place_in_gripper(model, held_)) / std::max(state.time - held_.time, world.dt());
    double lowest = 1e9;
    for (const Vec3& node : node_places(model, 0, state)) lowest = std::min(lowest, node.z());
    return Findings()
        .at_least("lowest point of the ball", lowest, 0.95 * p_["lift"], kMillimetres)
        .below("slip", slip, p_["slip"], kMillimetres)
        .below("creep", creep, p_["creep"], kCreep)
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .all_solved(steps_)
        .outcome();
  }

 private:
  /// Centre of the ball's nodes in the axes of the palm.
  static Vec3 place_in_gripper(const Model& model, const State& state) {
    Vec3 sum;
    const std::vector<Vec3> nodes = node_places(model, 0, state);
    for (const Vec3& node : nodes) sum += node;
    const Pose palm = FloatingGripperControl::pose(model, state, {.palm = 1});
    return transpose_times(palm.rotation, sum * (1 / static_cast<double>(nodes.size())) - palm.position);
  }

  Parameters p_;
  FloatingGripperControl control_;
  StepWatch steps_;
  State gripped_, held_;  // before it is lifted; at rest in the air
};

}  // namespace

Description soft_ball() {
  return {.name = "soft-ball",
          .summary = "a gripper of two fingers lifts a soft ball, carries and turns it, and it does not slip",
          .dt = 0.01,
          .duration = 3,
          .check_time = 2.8,
          .parameters = kParameters,
          .make = make_scene<SoftBall>};
}

}  // namespace uzawa::scenarios
