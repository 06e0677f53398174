#include <algorithm>
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

constexpr Parameter kParameters[] = {
    {"dishes", 3, 1, 3, "dishes that the robot piles on the plate: a bowl, another bowl, the pot", true},
    {"mass", 0.1, 1e-2, 0.3, "kg, of a bowl and of the plate"},
    {"pot", 0.3, 1e-2, 0.5, "kg, of the pot; [AL] has 5 kg where no robot is, which is more than a Panda lifts"},
    {"mu", 0.3, 0, 10, "friction of the dishes; that of the fingertips is 1"},
    {"squeeze", 1, 0, 3, "how far the fingers are bent beyond the touch, over the usual"},
    {"aside", 0.012, 0, 1, "m, by which a dish may be beside the middle of the pile"},
    {"tilt", 0.1, 0, 3, "rad, allowed of a dish at the end"},
    {"depth", 5e-4, 0, 1, "m, allowed penetration"},
};

constexpr double kThickness = 0.005;                             // m
constexpr double kRadius = 0.075, kHeight = 0.07, kFoot = 0.06;  // m, of a bowl
constexpr double kPotRadius = 0.08, kPotHeight = 0.08;           // m; stands on the rim of the upper bowl
constexpr int kDishes = 4;                                       // a plate, two bowls, a pot
constexpr int kPot = 3;                                          // the last of them
const Vec3 kPile{0.55, 0, 0};
const std::array<Vec3, kDishes> kPlaces = {kPile, {0.52, 0.25, 0}, {0.52, -0.25, 0}, {0.38, 0.45, 0}};

/// Postures of the hand; joints in the order of its actuators: spread, proximal, middle and distal of index, middle and
/// ring finger; rotate, swing, proximal and distal of the thumb. The fingers go into a bowl, the thumb stays outside.
using Posture = std::array<double, 16>;
constexpr Posture kOpen = {0, 0.55, 0.8, 0.8, 0, 0.55, 0.8, 0.8, 0, 0.55, 0.8, 0.8, 1.39, 0.5, 0.45, -0.1};
constexpr Posture kTouch = {0, 0.81, 0.8, 0.8, 0, 1.04, 0.8, 0.8, 0, 0.81, 0.8, 0.8, 1.39, 0.5, 0.8, -0.1};
constexpr Posture kSqueeze = {0, 0.15, 0, 0, 0, 0.15, 0, 0, 0, 0.15, 0, 0, 0, 0, 0.3, 0};  // rad beyond the touch

/// Where the near rim of a dish is in the palm's axes when it is touched so: x points down, z away from the robot.
constexpr double kRimBelow = 0.093, kRimAhead = -0.0052;  // m
constexpr double kGap = 0.001;       // m, by which the first bowl is above the plate when the hand opens
constexpr double kDrop = 0.014;      // m, likewise the second: the thumb has to stay above the rim of the bowl below
constexpr double kClear = 0.12;      // m, by which dishes are lifted
constexpr double kOver = 0.04;       // m, by which the pot is lifted more: it has to pass over the bowls
constexpr double kRestSpeed = 1e-3;  // m/s or rad/s

/// The hand hangs by its back from the flange, so that its palm faces down.
void mount_hand(ModelSpec& spec) {
  const ModelSpec hand = load_model(models_folder() / "allegro_like_hand.xml").model.spec();
  const auto flange =
      std::find_if(spec.bodies.begin(), spec.bodies.end(), [](const BodySpec& body) { return body.name == "link7"; });
  const Quat turn = exp_rotation({0, 0, -M_PI / 4});  // of a tool on the flange, as of the Panda's own hand
  const Quat turned = turn * to_quaternion({{Vec3{0, 0, 1}, Vec3{0, -1, 0}, Vec3{1, 0, 0}}});
  // The back of the palm is 2 cm below the flange, the middle of the palm under its axis; in its file, the palm stands
  // 0.12 m above the ground.
  const Vec3 place = rotate(turn, {0.0475, 0, 0.1567}) - rotate(turned, {0, 0, 0.12});
  mount_model(spec, hand, "", static_cast<int>(flange - spec.bodies.begin()), place, turned);
}

/// [AL] section VII-B: a Panda with a hand of 16 joints takes two bowls and a pot by their rims, between thumb and
/// three fingers, and piles them on a plate: 23 + 4 * 6 = 47 dofs. Nothing but friction holds them. [AL] does not say
/// in which order; a plate that lies on the floor is no thing for fingers from above, so it is the lowest.
class DishPilingRobot : public Scene {
 public:
  explicit DishPilingRobot(Parameters parameters) : p_(std::move(parameters)) { plan(); }

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    const Vec3 up{0, 0, kThickness / 2};
    add_dish(spec, {.name = "plate",
                    .shell = plate(0.1, 0.01, kThickness),
                    .mass = p_["mass"],
                    .position = kPlaces[0] + up,
                    .mu = p_["mu"]});
    for (int i = 1; i < kPot; ++i) {
      add_dish(spec, {.name = "bowl" + std::to_string(i),
                      .shell = dish(kRadius, kHeight, kFoot, kThickness),
                      .mass = p_["mass"],
                      .position = kPlaces[static_cast<std::size_t>(i)] + up,
                      .mu = p_["mu"]});
    }
    add_dish(spec, {.name = "pot",
                    .shell = pot(kPotRadius, kPotHeight, kThickness),
                    .mass = p_["pot"],
                    .position = kPlaces[kPot] + up,
                    .mu = p_["mu"],
                    .rgba = {0.6F, 0.62F, 0.66F, 1}});
    ModelSpec arm = load_model(models_folder() / "panda_arm.xml").model.spec();
    soften_panda(arm);
    add_model(spec, arm, "", {});
    mount_hand(spec);
    for (const std::string& joint : hand_joints()) set_impedance(spec, joint, 5, 0.15);
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    return {.duration = phases_.duration() + 0.3, .check_time = phases_.duration() + 0.1};
  }
  void start(const Model& model, State& state) override {
    constexpr std::array<double, 7> kHome = {0, -0.785398, 0, -2.356194, 0, 1.570796, 0.785398};
    std::copy(kHome.begin(), kHome.end(), state.q.begin() + model.joint_q(model.joint("joint1")));
    std::copy(kOpen.begin(), kOpen.end(), state.q.begin() + model.joint_q(model.joint("index_spread")));
    arm_.emplace(model, panda_servos(), body_frame(model, "palm"));
    arm_->start(state);
    hand_.emplace(model, hand_joints());
    const Pose palm = arm_->pose(state.q);
    path_.start({palm.position, 0}, palm.rotation);
    fingers_ = Trajectory({{0, {kOpen.begin(), kOpen.end()}}});
  }
  void drive(const World& world, Drive& drive) override {
    phases_.update(world);
    const double dt = world.dt(), next = world.state().time + dt;
    reached_ = arm_->follow(world.state(), path_.at(next), dt, load_, drive.control) && reached_;
    Posture wanted, rate;
    fingers_.at(next, wanted, rate);
    hand_->write(world.state(), {.position = wanted, .velocity = rate}, drive.control);
  }
  void watch(const World& world) override { steps_.watch(world); }

  Outcome check(const World& world) const override {
    double aside = 0, tilt = 0, speed = 0, below = 0;
    bool in_order = true;
    for (int i = 0; i <= p_.count("dishes"); ++i) {
      const std::size_t q = q_of(world.model(), i + 1);
      const Vec3 place = Vec3::from(&world.state().q[q]);
      aside = std::max(aside, length(place.x() - kPile.x(), place.y() - kPile.y()));
      tilt = std::max(tilt, tilt_of(&world.state().q[q]));
      speed = std::max(speed, fastest(world.model(), i + 1, world.state()));
      in_order = in_order && place.z() > below;
      below = place.z();
    }
    return Findings()
        .require(in_order, "in order", "out of order")
        .below("beside the middle", aside, p_["aside"], kMillimetres)
        .below("tilt", tilt, p_["tilt"], kRadians)
        .below("fastest", speed, kRestSpeed, kSpeed)
        .below("penetration", steps_.penetration(), p_["depth"], kMillimetres)
        .require(reached_, "all in reach", "out of reach")
        .well_solved(steps_)
        .outcome();
  }

 private:
  static const std::vector<std::string>& hand_joints() {
    static const std::vector<std::string> names = [] {
      std::vector<std::string> list;
      for (const char* finger : {"index", "middle", "ring"}) {
        for (const char* joint : {"_spread", "_proximal", "_middle", "_distal"})
          list.push_back(std::string(finger) + joint);
      }
      for (const char* joint : {"_rotate", "_swing", "_proximal", "_distal"})
        list.push_back(std::string("thumb") + joint);
      return list;
    }();
    return names;
  }
  static Vec3 see(const World& world, int dish) { return Vec3::from(&world.state().q[q_of(world.model(), dish + 1)]); }
  /// Where the palm is when the hand can close on a dish's rim.
  static Vec3 palm_for(const Vec3& place, int dish) {
    const bool pot = dish == kPot;
    return place + Vec3{-(pot ? kPotRadius : kRadius) - kRimAhead, 0, (pot ? kPotHeight : kHeight) + kRimBelow};
  }
  /// Height of a dish's origin on the pile: the first bowl on the plate's foot, the second by what walls of this slope
  /// allow, the pot on the rim of the second.
  static double height_on_pile(int dish) {
    const double slant = length(kRadius - kFoot, kHeight) / (kRadius - kFoot);
    const int bowl = std::min(dish, kPot - 1);
    return kThickness * (1.5 + (bowl - 1) * slant) + (dish == kPot ? kHeight + kThickness : 0);
  }

  void bend(const World& world, const Posture& to, double duration) {
    Posture from;
    fingers_.at(world.state().time, from);
    fingers_ = Trajectory(
        {{world.state().time, {from.begin(), from.end()}}, {world.state().time + duration, {to.begin(), to.end()}}});
  }
  void plan() {
    const auto move = [this](double duration, auto&& where) {
      phases_.add(duration, [this, duration, where](const World& world) {
        path_.go_to({where(world), 0}, world.state().time, duration);
      });
    };
    Posture closed = kTouch;
    for (std::size_t i = 0; i < closed.size(); ++i) closed[i] += p_["squeeze"] * kSqueeze[i];
    for (int dish = 1; dish <= p_.count("dishes"); ++dish) {
      const auto goal = [this] { return path_.goal().position; };
      const double lift = kClear + (dish == kPot ? kOver : 0);
      move(1, [dish](const World& world) { return palm_for(see(world, dish), dish) + Vec3{0, 0, kClear}; });
      move(0.7, [dish](const World& world) { return palm_for(see(world, dish), dish); });
      phases_.add(0.4, [this](const World& world) { bend(world, kTouch, 0.4); });
      phases_.add(0.4, [this, closed](const World& world) { bend(world, closed, 0.3); });
      phases_.add(0, [this, dish](const World&) { load_ = p_[dish == kPot ? "pot" : "mass"]; });
      move(0.7, [goal, lift](const World&) { return goal() + Vec3{0, 0, lift}; });
      // What is seen of the dish in the hand says how far it is still to go.
      move(1.2, [goal, dish](const World& world) {
        const Vec3 way = kPile - see(world, dish);
        return goal() + Vec3{way.x(), way.y(), 0};
      });
      move(0.9, [goal, dish](const World& world) {
        const double above = height_on_pile(dish) + (dish == 2 ? kDrop : kGap);
        return goal() + kPile + Vec3{0, 0, above} - see(world, dish);
      });
      // The thumb goes down as it opens; the hand goes up meanwhile.
      phases_.add(0, [this](const World& world) { load_ = 0, bend(world, kOpen, 0.4); });
      move(0.4, [goal](const World&) { return goal() + Vec3{0, 0, 0.025}; });
      move(0.7, [goal](const World&) { return goal() + Vec3{0, 0, kClear}; });
    }
  }

  Parameters p_;
  Phases phases_;
  HandPath path_;
  Trajectory fingers_;
  std::optional<ArmControl> arm_;
  std::optional<ImpedanceControl> hand_;
  StepWatch steps_;
  bool reached_ = true;
  double load_ = 0;
};

}  // namespace

Description dish_piling_robot() {
  return {
      .name = "dish-piling-robot",
      .summary = "a Panda with a four-finger hand takes two bowls and a pot by their rims and piles them on a plate",
      .dt = 1.0 / 240,
      .duration = 19.5,
      .check_time = 19.3,
      .parameters = kParameters,
      .make = make_scene<DishPilingRobot>};
}

}  // namespace uzawa::scenarios
