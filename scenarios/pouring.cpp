#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "uzawa/control/arm.hpp"
#include "uzawa/control/drives.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/dishes.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/manipulation.hpp"
#include "uzawa/scenarios/models.hpp"

namespace uzawa::scenarios {

namespace {

// [AL] gives radius and density of the particles, and 9 to 45 of them; bottles and motion are our choice.
constexpr Parameter kParameters[] = {
    {"particles", 27, 1, 1000, "spheres; the first 45 are poured, the others lie in the other vessel from the start",
     true},
    {"density", 10000, 1, 20000, "kg/m^3, of a particle"},
    {"mu", 0.2, 0, 10, "friction of particles and bottles; that of the fingertips is 1"},
    {"grip", 1, 0.1, 100, "how much stronger the fingers' servos are than the robot's own"},
    {"share", 1, 0, 1, "of the poured particles that must be in the other vessel"},
    {"depth", 5e-4, 0, 1, "m, allowed penetration: a tenth of a particle's radius"},
};

constexpr double kRadius = 0.005;  // m, of a particle
constexpr int kMostPoured = 45;
constexpr double kTable = 0.9;   // m, its height
constexpr double kWall = 0.003;  // m, thickness of the vessels' walls
constexpr double kBottleRadius = 0.022, kBottleHeight = 0.12, kNeck = 0.017, kNeckHeight = 0.015;  // m
constexpr double kBottleMass = 0.05;                                                               // kg
constexpr double kJarHeight = 0.1;                                                                 // m
constexpr double kGrasp = 0.06;      // m above the bottle's foot
constexpr double kLift = 0.155;      // m
constexpr double kTurn = 2.6;        // rad, by which the bottle is tilted
constexpr double kSpacing = 0.0105;  // m from particle to particle at first
const Vec3 kBottle{0.45, -0.25, kTable};
/// From the tilted bottle's grasp to the middle of where the particles come down to the rim of the other vessel: its
/// mouth, and what their speed carries them on by.
const Vec3 kStream{0, 0.07, 0};

/// Torso and right arm, from the ground outwards, with the stiffness and damping of their servos.
struct ArmDrive {
  const char* name;
  double stiffness, damping;
};
constexpr std::array kArm = {ArmDrive{"torso_yaw", 4000, 300},           ArmDrive{"torso_pitch", 6000, 500},
                             ArmDrive{"right_shoulder_pitch", 1500, 60}, ArmDrive{"right_shoulder_roll", 1500, 60},
                             ArmDrive{"right_upper_arm_yaw", 800, 25},   ArmDrive{"right_elbow", 800, 25},
                             ArmDrive{"right_forearm_yaw", 300, 6},      ArmDrive{"right_wrist_pitch", 300, 6},
                             ArmDrive{"right_wrist_roll", 300, 6}};
/// Fingers of the right hand: index and ring, two joints each, and the thumb.
using Fingers = std::array<double, 5>;
constexpr Fingers kOpen = {-0.3, 0, -0.3, 0, -0.3}, kClosed = {0.1, 0.75, 0.1, 0.75, 0.3};
constexpr std::array<const char*, 5> kFingerJoints = {"right_index_proximal", "right_index_distal",
                                                      "right_ring_proximal", "right_ring_distal", "right_thumb"};

void strengthen(ActuatorSpec& servo, double factor) {
  for (double& gain : servo.gain) gain *= factor;
  for (double& bias : servo.bias) bias *= factor;
  if (servo.force_range)
    servo.force_range = Range{factor * servo.force_range->lower, factor * servo.force_range->upper};
}

/// The hand reaches forward, its fingers close from both sides: x_hand to the right, y_hand up.
Mat3 reaching() { return {{Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{-1, 0, 0}}}; }

/// [AL] section VII-C: a dual-arm robot of 28 dofs takes a bottle between three fingers and pours the particles in it
/// into another vessel.
class Pouring : public Scene {
 public:
  explicit Pouring(Parameters parameters)
      : p_(std::move(parameters)), robot_(load_model(models_folder() / "dual_arm.xml").model) {
    // The others fill the vessel to less than half.
    const double volume = std::max(0, p_.count("particles") - kMostPoured) * std::pow(2.4 * kRadius, 3);
    jar_radius_ = std::max(0.06, std::sqrt(volume / (M_PI * 0.5 * kJarHeight)) + kWall);
    plan();
  }

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    add_wall(spec, {.name = "table", .half = {0.2, 0.4, 0.02}, .position = {0.45, 0, kTable - 0.02}, .mu = 0.8});
    const Vec3 up{0, 0, kWall / 2};
    add_dish(spec, {.name = "bottle",
                    .shell = bottle(kBottleRadius, kBottleHeight, kNeck, kNeckHeight, kWall),
                    .mass = kBottleMass,
                    .position = kBottle + up,
                    .mu = p_["mu"]});
    add_dish(spec, {.name = "jar",
                    .shell = pot(jar_radius_, kJarHeight, kWall),
                    .mass = 100 * jar_radius_ * jar_radius_,
                    .position = jar() + up,
                    .mu = p_["mu"]});
    for (int i = 0; i < p_.count("particles"); ++i) {
      add_ball(spec, "particle" + std::to_string(i), kRadius, particle_mass(), place_of(i), p_["mu"]);
    }
    add_model(spec, robot_.spec(), "", {});
    for (const ArmDrive& drive : kArm) set_impedance(spec, drive.name, drive.stiffness, drive.damping);
    for (ActuatorSpec& actuator : spec.actuators) {
      if (std::find(kFingerJoints.begin(), kFingerJoints.end(), actuator.name) != kFingerJoints.end()) {
        strengthen(actuator, p_["grip"]);
      }
    }
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    return {.duration = phases_.duration() + 1.1, .check_time = phases_.duration() + 0.6};  // the last ones fall
  }
  void start(const Model& model, State& state) override {
    const State home = robot_.keyframe_state(robot_.keyframe("home"));
    const std::size_t robot = state.q.size() - home.q.size();
    std::copy(home.q.begin(), home.q.end(), state.q.begin() + static_cast<std::ptrdiff_t>(robot));
    for (std::size_t i = 0; i < kOpen.size(); ++i) {
      state.q[static_cast<std::size_t>(model.joint_q(model.joint(kFingerJoints[i])))] = kOpen[i];
    }
    // The hand begins in front of the bottle.
    const LinkFrame frame = site_frame(model, "right_grasp");
    InverseKinematics kinematics(model, frame);
    kinematics.set_rest_from(state.q);
    const Vec3 before = kBottle + Vec3{-0.12, 0, kGrasp};
    reached_ = kinematics.solve({reaching(), before}, state.q).reached;
    std::vector<std::string> actuators;
    for (const ArmDrive& drive : kArm) actuators.emplace_back(drive.name);
    arm_.emplace(model, actuators, frame);
    arm_->start(state);
    path_ = Trajectory({{0, {before.x(), before.y(), before.z(), 0}}});
    fingers_ = Trajectory({{0, {kOpen.begin(), kOpen.end()}}});
  }
  void drive(const World& world, Drive& drive) override {
    phases_.update(world);
    const std::span<const double> home = robot_.keyframe_control(robot_.keyframe("home"));
    std::copy(home.begin(), home.end(), drive.control.begin());
    const double dt = world.dt(), next = world.state().time + dt;
    std::array<double, 4> place{};
    path_.at(next, place);
    const Pose hand{to_matrix(exp_rotation({-place[3], 0, 0})) * reaching(), Vec3::from(place.data())};
    reached_ = arm_->follow(world.state(), hand, dt, load_, drive.control) && reached_;
    Fingers wanted;
    fingers_.at(next, wanted);
    // The arm's actuators come in another order than the fingers', which are the last five.
    std::copy(wanted.begin(), wanted.end(), drive.control.end() - wanted.size());
  }
  void watch(const World& world) override { steps_.watch(world); }

  Outcome check(const World& world) const override {
    const int poured = std::min(kMostPoured, p_.count("particles"));
    int there = 0, held = 0;
    const Vec3 centre = Vec3::from(&world.state().q[q_of(world.model(), kJarBody)]);
    for (int i = 0; i < p_.count("particles"); ++i) {
      const Vec3 away = Vec3::from(&world.state().q[q_of(world.model(), kFirstParticle + i)]) - centre;
      const bool inside = length(away.x(), away.y()) < jar_radius_ && away.z() > 0 && away.z() < kJarHeight;
      (i < poured ? there : held) += inside ? 1 : 0;
    }
    const int others = p_.count("particles") - poured;
    Findings findings;
    findings.at_least("particles poured into the other vessel", there, std::ceil(p_["share"] * poured), {""});
    if (others > 0) findings.all("others still in it", held, others);
    return findings.below("penetration", steps_.penetration(), p_["depth"], kMillimetres)
        .require(reached_, "all in reach", "out of reach")
        .well_solved(steps_)
        .outcome();
  }

 private:
  static constexpr int kJarBody = 2, kFirstParticle = 3;

  double particle_mass() const { return p_["density"] * 4 / 3 * M_PI * std::pow(kRadius, 3); }
  /// Under the stream from the tilted bottle, which is lifted and moved to the left for that.
  Vec3 jar() const { return kBottle + Vec3{0, 0.09 + jar_radius_, 0}; }
  /// Where the grasp is while it pours.
  Vec3 pouring_place() const { return jar() - kStream + Vec3{0, 0, kGrasp + kLift}; }

  /// In the bottle: layers of seven. In the vessel: layers of a square lattice.
  Vec3 place_of(int i) const {
    if (i < kMostPoured) {
      const int layer = i / 7, k = i % 7;
      const double r = k == 0 ? 0 : 1.1 * kSpacing, angle = k * M_PI / 3 + 0.3 * layer;
      return kBottle + Vec3{r * std::cos(angle), r * std::sin(angle), kWall + kRadius + 1e-4 + kSpacing * layer};
    }
    const double most = jar_radius_ - kWall - kRadius;
    const int half = static_cast<int>(most / kSpacing);
    int left = i - kMostPoured;
    for (int layer = 0;; ++layer) {
      for (int x = -half; x <= half; ++x) {
        for (int y = -half; y <= half; ++y) {
          if (kSpacing * length(x, y) > most || left-- > 0) continue;
          return jar() + Vec3{kSpacing * x, kSpacing * y, kWall + kRadius + 1e-4 + kSpacing * layer};
        }
      }
    }
  }

  void plan() {
    const auto move = [this](double duration, const Vec3& to, double turn) {
      phases_.add(duration, [this, duration, to, turn](const World& world) {
        const double now = world.state().time;
        std::vector<double> from(4);
        path_.at(now, from);
        path_ = Trajectory({{now, from}, {now + duration, {to.x(), to.y(), to.z(), turn}}});
      });
    };
    const Vec3 grasp = kBottle + Vec3{0, 0, kGrasp}, high = grasp + Vec3{0, 0, kLift}, over = pouring_place();
    const double load = kBottleMass + particle_mass() * std::min(kMostPoured, p_.count("particles"));
    phases_.add(0.2, [](const World&) {});
    move(0.6, grasp, 0);
    phases_.add(0.6, [this](const World& world) {
      const double now = world.state().time;
      fingers_ = Trajectory({{now, {kOpen.begin(), kOpen.end()}}, {now + 0.5, {kClosed.begin(), kClosed.end()}}});
    });
    phases_.add(0, [this, load](const World&) { load_ = load; });
    move(0.8, high, 0);
    move(0.8, over, 0);
    phases_.add(0, [this](const World&) { load_ = kBottleMass; });
    move(2.4, over, kTurn);
  }

  Parameters p_;
  Model robot_;
  double jar_radius_ = 0.06, load_ = 0;
  Phases phases_;
  Trajectory path_;  ///< of the grasp: x, y, z, and the tilt of the bottle
  Trajectory fingers_;
  std::optional<ArmControl> arm_;
  StepWatch steps_;
  bool reached_ = true;
};

}  // namespace

Description pouring() {
  return {.name = "pouring",
          .summary = "a dual-arm robot grasps a bottle and pours the particles in it into another vessel",
          .dt = 1.0 / 240,
          .duration = 6.5,
          .check_time = 6,
          .parameters = kParameters,
          .make = make_scene<Pouring>};
}

}  // namespace uzawa::scenarios
