#include <algorithm>
#include <cmath>
#include <optional>

#include "uzawa/control/arm.hpp"
#include "uzawa/control/drives.hpp"
#include "uzawa/control/gripper.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/fasteners.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/manipulation.hpp"
#include "uzawa/scenarios/models.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"sweeps", 2, 1, 6, "times that the hand turns the nut by 240 degrees", true},
    {"grip", 60, 0, 70, "N, of each finger"},
    {"mu", 0.15, 0, 10, "friction of the thread; the pads' is 1"},
    {"clearance", 1e-4, 0, 1e-3, "m, of the diameters of bolt and nut each"},
    {"yaw", 20, -180, 180, "degrees, how the nut lies on its stand"},
    {"error", 5e-5, 0, 1, "m, allowed off the thread, beyond its play"},
    {"depth", 1e-4, 0, 1, "m, allowed penetration"},
};

const Vec3 kBolt{0.5, 0, 0.1};                       // m, where its thread begins
const Vec3 kStand{0.45, 0.25, 0.1};                  // m, middle of the stand's top
constexpr double kSweep = 4 * M_PI / 3;              // rad; joint 7 can turn by 5.8, and flats come every pi/3
constexpr double kLeastYaw = -2.05, kMostYaw = 3.6;  // rad, of the hand: what joint 7 allows
constexpr double kFirstYaw = 3.1;                    // rad, of the hand where a sweep begins, about
constexpr double kLoadRate = 5;                      // kg/s, how fast the arm takes on the weight of the nut
constexpr double kClear = 0.05;                      // m, by which the open hand goes up to turn back
constexpr double kTurnError = 0.03;                  // of the turn: pads and arm give way
constexpr double kRestSpeed = 1e-3;                  // m/s or rad/s, of the nut that is left alone
constexpr double kAbove = 2e-4;                      // m above the first touch where the screwing begins

/// [AL] section VII-A: a Panda picks a nut from a stand, puts it onto a bolt and screws it down; the hand has to let
/// go, turn back and take hold again. The nut is held by the friction of two pads and nothing else.
class BoltNutAssembly : public Scene {
 public:
  explicit BoltNutAssembly(Parameters parameters)
      : p_(std::move(parameters)), panda_(load_model(models_folder() / "panda.xml").model) {
    fastener_.mu = p_["mu"];
    fastener_.clearance = p_["clearance"];
    plan();
  }

  ModelSpec model() const override {
    ModelSpec spec = ground(1);
    const Vec3 half{0.05, 0.05, kStand.z() / 2};
    add_wall(spec, {.name = "stand", .half = half, .position = {kStand.x(), kStand.y(), half.z()}, .mu = 0.3});
    add_wall(spec, {.name = "pedestal",
                    .half = {0.05, 0.05, (kBolt.z() - fastener_.head_height) / 2},
                    .position = {kBolt.x(), kBolt.y(), (kBolt.z() - fastener_.head_height) / 2}});
    add_bolt(spec, fastener_, kBolt);
    add_nut(spec, fastener_, kStand + Vec3{0, 0, fastener_.nut_height / 2}, p_["yaw"] * kDegree);
    ModelSpec panda = panda_.spec();
    soften_panda(panda);
    set_force_drive(panda, "gripper", 50);
    add_model(spec, panda, "", {});
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    return {.duration = phases_.duration() + 0.2, .check_time = phases_.duration() + 0.1};
  }
  void start(const Model& model, State& state) override {
    const State home = panda_.keyframe_state(0);  // which the copy in the scene leaves behind
    std::copy(home.q.begin(), home.q.end(), state.q.begin() + model.joint_q(model.joint("joint1")));
    arm_.emplace(model, panda_servos(), site_frame(model, "grasp"));
    arm_->start(state);
    gripper_.emplace(model, "gripper");
    const Pose hand = arm_->pose(state.q);
    path_.start({hand.position, 0}, hand.rotation);
  }
  void drive(const World& world, Drive& drive) override {
    phases_.update(world);
    const double dt = world.dt();
    load_ += std::clamp(wanted_load_ - load_, -kLoadRate * dt, kLoadRate * dt);
    reached_ = arm_->follow(world.state(), path_.at(world.state().time + dt), dt, load_, drive.control) && reached_;
    gripper_->write(dt, drive.control);
  }
  void watch(const World& world) override {
    steps_.watch(world);
    const NutPlace nut = see(world);
    if (screwing_) {
      turned_ -= std::remainder(nut.angle - last_angle_, 2 * M_PI);
      error_ = std::max(error_, std::abs(begun_.height - nut.height - fastener_.lead() * turned_));
    }
    last_angle_ = nut.angle;
  }
  Outcome check(const World& world) const override {
    const double wanted = p_.count("sweeps") * kSweep;
    return Findings()
        .near("turned by", turned_, wanted, kTurnError * wanted, {"turns", 0.5 / M_PI})
        .note("which is " + with_unit(1e3 * (begun_.height - see(world).height), "mm down"))
        .below("off the thread", error_, play() + p_["error"], kMicrometres)
        .below("speed of the nut", fastest(world.model(), kNut, world.state()), kRestSpeed, kSpeed)
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .require(reached_, "all in reach", "out of reach")
        .well_solved(steps_)
        .outcome();
  }

 private:
  static constexpr int kNut = 1;  // body

  struct NutPlace {
    Vec3 position;
    double height = 0;  ///< m, of its middle above the beginning of the thread
    double angle = 0;   ///< rad, of its x axis
  };
  static NutPlace see(const World& world) {
    const double* q = &world.state().q[q_of(world.model(), kNut)];
    const Vec3 x = rotate(Quat::from(q + 3), {1, 0, 0});
    return {Vec3::from(q), q[2] - kBolt.z(), std::atan2(x.y(), x.x())};
  }
  /// Yaw at which the fingers, which are along the hand's y axis, meet two flats; next to `about`.
  static double yaw_for(double nut_angle, double about) {
    const double flats = nut_angle + M_PI / 2;
    return flats + std::round((about - flats) / (M_PI / 3)) * (M_PI / 3);
  }
  /// m, by which the nut can be moved along the axis: flanks are inclined by 30 degrees.
  double play() const { return 2 * p_["clearance"] / std::sqrt(3.0); }
  /// Height of the nut at which its end, bevelled as the bolt's by the depth of the thread, would touch the bolt's.
  double touching_height() const {
    const double bevel = 0.625 * std::sqrt(0.75) * fastener_.pitch;
    return fastener_.bolt_length + fastener_.nut_height / 2 - bevel + kAbove;
  }
  /// Chooses how to take the nut so that joint 7 can bring it to the bolt at an angle that fits the thread at the
  /// height where they touch, or as little above as can be, and still has a sweep before it.
  void choose_grip(const NutPlace& nut) {
    for (double height = touching_height();; height += 0.02 * fastener_.pitch) {
      const double angle = height / fastener_.lead();
      for (const double about : {kFirstYaw, kFirstYaw - M_PI / 3}) {
        start_ = {height, yaw_for(angle, about)};
        for (const double turns : {0.0, -1.0, 1.0}) {
          pick_yaw_ = start_.yaw - std::remainder(angle - nut.angle, 2 * M_PI) + turns * 2 * M_PI;
          if (start_.yaw - kSweep > kLeastYaw && start_.yaw < kMostYaw && pick_yaw_ > kLeastYaw && pick_yaw_ < kMostYaw)
            return;
        }
      }
    }
  }

  void plan() {
    const auto move = [this](double duration, auto&& where) {
      phases_.add(duration, [this, duration, where](const World& world) {
        path_.go_to(where(see(world)), world.state().time, duration);
      });
    };
    const auto by = [this](const Vec3& way, double turn) {
      return HandPlace{path_.goal().position + way, path_.goal().yaw + turn};
    };
    const auto close = [this] { phases_.add(0.4, [this](const World&) { gripper_->close(2 * p_["grip"]); }); };
    const auto screw = [this, move, by] {
      phases_.add(0, [this](const World& world) {
        if (!screwing_) begun_ = see(world);
        screwing_ = true;
      });
      move(2, [this, by](const NutPlace&) { return by({0, 0, -fastener_.lead() * kSweep}, -kSweep); });
      phases_.add(0.3, [this](const World&) { gripper_->open(20), wanted_load_ = 0; });
      move(0.5, [by](const NutPlace&) { return by({0, 0, kClear}, 0); });
    };

    move(1.2, [this](const NutPlace& nut) {
      choose_grip(nut);
      return HandPlace{nut.position + Vec3{0, 0, kClear}, pick_yaw_};
    });
    phases_.add(0, [this](const World&) { gripper_->open(20); });
    move(0.6, [by](const NutPlace&) { return by({0, 0, -kClear}, 0); });
    close();
    phases_.add(0, [this](const World&) { wanted_load_ = fastener_.nut_mass; });
    move(0.6, [by](const NutPlace&) { return by({0, 0, 0.2}, 0); });
    move(1.8, [this](const NutPlace&) {
      return HandPlace{{kBolt.x(), kBolt.y(), path_.goal().position.z()}, start_.yaw};
    });
    move(1, [by, this](const NutPlace& nut) { return by({0, 0, start_.height - nut.height}, 0); });
    screw();
    for (int i = 1; i < p_.count("sweeps"); ++i) {
      move(1.2, [by](const NutPlace&) { return by({}, kSweep); });
      move(0.5, [this](const NutPlace& nut) {
        return HandPlace{{kBolt.x(), kBolt.y(), nut.position.z()}, yaw_for(nut.angle, path_.goal().yaw)};
      });
      close();
      screw();
    }
  }

  Parameters p_;
  Model panda_;
  Fastener fastener_;
  Phases phases_;
  HandPath path_;
  std::optional<ArmControl> arm_;
  std::optional<Gripper> gripper_;
  StepWatch steps_;
  struct {
    double height, yaw;  ///< of the nut, of the hand
  } start_{};
  double pick_yaw_ = 0;
  NutPlace begun_;
  bool screwing_ = false, reached_ = true;
  double load_ = 0, wanted_load_ = 0, last_angle_ = 0, turned_ = 0, error_ = 0;
};

}  // namespace

Description bolt_nut_assembly() {
  return {.name = "bolt-nut-assembly",
          .summary = "a Panda picks a nut by friction, puts it onto a bolt and screws it down with two grips",
          .dt = 1.0 / 240,
          .duration = 13.5,
          .check_time = 13.4,
          .parameters = kParameters,
          .make = make_scene<BoltNutAssembly>};
}

}  // namespace uzawa::scenarios
