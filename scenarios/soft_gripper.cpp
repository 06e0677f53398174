#include <algorithm>
#include <cmath>

#include "uzawa/meshing/stuffing.hpp"
#include "uzawa/model/soft_builder.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/floating_gripper.hpp"
#include "uzawa/scenarios/trials.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"cell", 3e-3, 1e-3, 2e-2, "m, edge of the lattice that the fingers' tetrahedra are cut from"},
    {"young", 8.3e4, 1e3, 1e8, "Pa; [COND] 83 kPa (Ecoflex 00-50), trials 50 to 100 kPa"},
    {"poisson", 0.42, 0, 0.49, "[COND] 0.42, trials 0.4 to 0.49"},
    {"mu", 2.1, 0, 10, "friction of fingers and object; [COND] 2.1, trials 0.5 to 2.1"},
    {"mass", 0.05, 1e-3, 10, "kg, of the object"},
    {"squeeze", 0.005, 0, 0.02, "m, by which each finger is pressed together"},
    {"lift", 0.12, 0.01, 10, "m"},
    {"slip", 3e-3, 0, 1, "m, allowed of the object in the gripper, what the fingers give way included"},
    {"tilt", 0.05, 0, 3, "rad, allowed of the object"},
    {"depth", 1e-4, 0, 1, "m, allowed penetration"},
    kRandomMaterial,
};
constexpr MaterialRanges kRanges{{5e4, 1e5}, {0.4, 0.49}, {0.5, 2.1}};

// [COND] gives no sizes.
constexpr double kDensity = 1070, kDamping = 5e-3;            // kg/m^3, s
constexpr double kPlate = 4e-3;                               // m, half of the rigid plate that carries a finger
constexpr double kBall = 0.018, kNeck = 0.015, kHole = 4e-3;  // m, radii of a fingertip, its neck, a hole across it
constexpr double kCentre = 0.01, kDeep = kCentre + kBall;     // m, from the plate to its centre; to its end
constexpr double kObject = 0.025, kHalfHeight = 0.04, kGap = 4e-3;  // m, half of the object, a box; from it to a finger
constexpr double kGripped = 0.9;                                    // s, when it is held and still stands on the floor

/// A fingertip in the frame of its plate, x out of it: a ball on a neck, with a hole across it, by which it gives way.
double finger_distance(const Vec3& p) {
  const double ball = norm(p - Vec3{kCentre, 0, 0}) - kBall;
  const double neck = std::max(length(p.y(), p.z()) - kNeck, p.x() - kCentre);
  const double hole = kHole - length(p.x() - kCentre, p.z());
  return std::max({std::min(ball, neck), -p.x(), hole});
}

/// [COND] section V-C.6: two soft fingers on the rigid plates of a gripper take an object that is free to move, lift it
/// and carry it aside. Together they have some 4,900 nodes and 18,000 tetrahedra, as in [COND].
class SoftGripper : public Scene {
 public:
  SoftGripper(const Parameters& parameters, std::uint64_t seed) : p_(drawn(parameters, kRanges, seed)) {
    const double closed = kGap + p_["squeeze"], lift = p_["lift"];
    control_.then(0.6, {.closed = closed});
    control_.then(kGripped - 0.6, {.closed = closed});
    control_.then(0.8, {.moved = {0, 0, lift}, .closed = closed});
    control_.then(0.8, {.moved = {0, 0.1, lift}, .yaw = 0.5, .closed = closed});
  }

  ModelSpec model() const override {
    ModelSpec spec = ground(0.5);
    FloatingGripperOptions options;
    options.position = {0, 0, kHalfHeight};
    options.pad = {kPlate, 1.2 * kNeck, 1.2 * kNeck};
    options.opening = 2 * (kObject + kGap + kDeep);
    options.reach = kBall + 0.05;
    options.stiffness = 2e4;  // a linear drive that holds its position
    const FloatingGripper gripper = add_floating_gripper(spec, options);
    for (GeomSpec& geom : spec.geoms) {  // plates are behind the fingers that they carry
      if (geom.body == gripper.left || geom.body == gripper.right) geom.contact_type = geom.contact_affinity = 0;
    }
    add_box(spec, {.name = "object",
                   .half = {kObject, kObject, kHalfHeight},
                   .mass = p_["mass"],
                   .position = {0, 0, kHalfHeight},
                   .mu = p_["mu"]});
    const TetMesh mesh = stuff(
        finger_distance, {{-1e-3, -1.2 * kBall, -1.2 * kBall}, {1.2 * kDeep, 1.2 * kBall, 1.2 * kBall}}, p_["cell"]);
    add_soft_finger(spec, mesh, gripper.left, options.position - Vec3{options.opening / 2, 0, 0}, 0);
    add_soft_finger(spec, mesh, gripper.right, options.position + Vec3{options.opening / 2, 0, 0}, M_PI);
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    return {.duration = control_.end() + 0.5, .check_time = control_.end() + 0.3};
  }
  void start(const Model& model, State& /*state*/) override { control_.start(model); }
  void drive(const World& world, Drive& drive) override { control_.drive(world, drive); }
  void watch(const World& world) override {
    steps_.watch(world);
    if (world.state().time < kGripped + world.dt() / 2) gripped_ = world.state();
  }
  Outcome check(const World& world) const override {
    const double* q = &world.state().q[q_of(world.model(), kBody)];
    const Vec3 now = place_in_gripper(world.model(), world.state());
    const double slip = norm(now - place_in_gripper(world.model(), gripped_));
    return Findings()
        .at_least("object lifted by", q[2] - kHalfHeight, p_["lift"] - p_["slip"], kMillimetres)
        .below("slip", slip, p_["slip"], kMillimetres)
        .below("tilt", tilt_of(q), p_["tilt"], kRadians)
        .below("speed of the object", fastest(world.model(), kBody, world.state()), 0.01, kSpeed)
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  static constexpr int kPalm = 1, kBody = 4;  // bodies: palm, fingers, object

  void add_soft_finger(ModelSpec& spec, const TetMesh& mesh, int plate, const Vec3& place, double yaw) const {
    SoftBodyOptions finger;
    finger.name = plate == kPalm + 1 ? "left_soft" : "right_soft";
    finger.position = place;
    finger.orientation = exp_rotation({0, 0, yaw});
    finger.density = kDensity;
    finger.material.young = p_["young"];
    finger.material.poisson = p_["poisson"];
    finger.material.damping = kDamping;
    finger.friction = {p_["mu"], 0, 0};
    finger.carried =
        carried_by(plate, select_nodes(mesh.nodes, [](const Vec3& node) { return node.x() < 0.05 * kDeep; }));
    add_soft_body(spec, mesh, finger);
  }
  static Vec3 place_in_gripper(const Model& model, const State& state) {
    const Pose palm = FloatingGripperControl::pose(model, state, {.palm = kPalm});
    return transpose_times(palm.rotation, Vec3::from(&state.q[q_of(model, kBody)]) - palm.position);
  }

  Parameters p_;
  FloatingGripperControl control_;
  StepWatch steps_;
  State gripped_;  // before it is lifted
};

}  // namespace

Description soft_gripper() {
  return {.name = "soft-gripper",
          .summary = "two soft fingers take a rigid object, lift it and carry it aside",
          .dt = 0.01,
          .duration = 3,
          .check_time = 2.8,
          .parameters = kParameters,
          .make = make_scene<SoftGripper>};
}

}  // namespace uzawa::scenarios
