#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/models.hpp"

namespace uzawa::scenarios {

namespace {

// [JOINT] gives no numbers.
constexpr Parameter kParameters[] = {
    {"friction", 2, 0, 20, "N m, dry friction of joints 1 to 4; half of it in 5 to 7"},
    {"range", 0.08, 0.01, 1, "rad, the joints stop at this from where they start"},
    {"action", 0.12, 0, 1, "rad, random targets of the servos are within this from where they start"},
    {"period", 0.5, 0.01, 10, "s from one target to the next"},
    {"mass", 0.5, 0.01, 3, "kg, of the box"},
    {"mu", 0.6, 0, 10, "friction between box and tray"},
    {"limit", 1e-6, 0, 1, "rad, how far a joint may be beyond its stop"},
    {"depth", 1e-4, 0, 1, "m, allowed penetration"},
};

constexpr std::size_t kJoints = 7;
/// The flange looks up: joint2 - joint4 - joint6 = -pi.
constexpr std::array<double, kJoints> kPose = {0, -0.6, 0, -0.8, 0, M_PI + 0.2, 0.785};
const Vec3 kTrayHalf{0.1, 0.1, 0.005};  // m
constexpr double kTrayHeight = 0.112;   // m above link7's frame: on the flange
const Vec3 kBoxHalf{0.04, 0.04, 0.04};  // m

/// A Panda with dry friction and stops in its joints carries a box on a tray while its servos get random targets
/// ([JOINT] Fig. 1 right).
class FrankaBox : public Scene {
 public:
  FrankaBox(Parameters parameters, std::uint64_t seed)
      : p_(std::move(parameters)), random_(seed), arm_(load_model(models_folder() / "panda_arm.xml").model) {
    from_ = to_ = kPose;
  }

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    add_model(spec, arm_.spec(), "", {});
    for (std::size_t j = 0; j < kJoints; ++j) {
      JointSpec& joint = spec.joints[j];
      joint.friction_loss = j < 4 ? p_["friction"] : p_["friction"] / 2;
      joint.range = Range{kPose[j] - p_["range"], kPose[j] + p_["range"]};
    }
    GeomSpec tray;
    tray.name = "tray";
    tray.body = static_cast<int>(spec.bodies.size()) - 1;
    tray.shape = ShapeType::Box;
    tray.size = kTrayHalf;
    tray.position = {0, 0, kTrayHeight};
    tray.friction = {p_["mu"], 0, 0};
    spec.geoms.push_back(tray);
    ModelSpec box;
    add_box(box, {.half = kBoxHalf, .mass = p_["mass"], .mu = p_["mu"]});
    add_model(spec, box, "", {});
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    return {.duration = 10 * p_["period"], .check_time = 2 * p_["period"]};
  }
  void start(const Model& model, State& state) override {
    std::copy(kPose.begin(), kPose.end(), state.q.begin());
    const Vec3 place = tray_pose(model, state) * Vec3{0, 0, kTrayHalf.z() + kBoxHalf.z()};
    place.store(&state.q[kJoints]);
  }
  void drive(const World& world, Drive& drive) override {
    const double share = world.state().time / p_["period"];
    const int leg = static_cast<int>(share);
    for (; leg_ <= leg; ++leg_) {
      from_ = to_;
      for (std::size_t j = 0; j < kJoints; ++j) to_[j] = kPose[j] + random_.uniform(-p_["action"], p_["action"]);
    }
    const double blend = 0.5 - 0.5 * std::cos(M_PI * (share - leg));
    for (std::size_t j = 0; j < kJoints; ++j) drive.control[j] = from_[j] + blend * (to_[j] - from_[j]);
  }
  void watch(const World& world) override {
    steps_.watch(world);
    passed_ = std::max(passed_, limit_violation(world.model(), world.state()));
    stopped_ = stopped_ || at_limit(world);
  }
  Outcome check(const World& world) const override {
    const Pose tray = tray_pose(world.model(), world.state());
    const Vec3 box = transpose_times(tray.rotation, Vec3::from(&world.state().q[kJoints]) - tray.position);
    const double off = std::max(std::abs(box.x()), std::abs(box.y()));
    const bool on = off < kTrayHalf.x() && box.z() > 0;
    return Findings()
        .require(on, "the box is on the tray", "the box has fallen")
        .note(with_unit(1e3 * off, "mm from its middle"))
        .require(stopped_, "joints run into their stops", "no joint runs into its stop")
        .below("beyond stops", passed_, p_["limit"], kRadians)
        .below("penetration", steps_.penetration(), p_["depth"], kMillimetres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  static Pose tray_pose(const Model& model, const State& state) {
    DynamicsData data(model);
    forward_kinematics(model, state.q, data);
    return data.link_pose[kJoints - 1] * Pose::from({0, 0, kTrayHeight}, {});
  }

  Parameters p_;
  Random random_;
  Model arm_;
  std::array<double, kJoints> from_{}, to_{};
  int leg_ = 0;
  StepWatch steps_;
  double passed_ = 0;
  bool stopped_ = false;
};

}  // namespace

Description franka_box() {
  return {.name = "franka-box",
          .summary = "a Panda with friction and stops in its joints carries a box while it is moved at random",
          .dt = 1.0 / 240,
          .duration = 5,
          .check_time = 1,
          .parameters = kParameters,
          .make = make_scene<FrankaBox>};
}

}  // namespace uzawa::scenarios
