#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/control/trajectory.hpp"
#include "uzawa/model/rod_builder.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/mobile_robot.hpp"
#include "uzawa/scenarios/ropes.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"links", 640, 40, 6400, "of the cable; [SUB] 640", true},
    {"group", 4, 1, 640, "links a subsystem; [SUB] 4", true},
    {"length", 1.2, 0.6, 12, "m; [SUB] 1.2"},
    {"young", 1e5, 1e4, 1e9, "Pa; [SUB] 0.1 MPa"},
    {"poisson", 0.49, 0, 0.49, "[SUB] 0.49"},
    {"mu", 0.5, 0, 10, "friction of cable and post"},
    {"carry", 0.6, 0, 5, "m, that the cable is carried before it comes to the post"},
    {"wind", 60, 0, 65, "degrees, that each of the robots drives around the post"},
    {"pull", 0.05, 0, 0.3, "strain of the cable that the hands ask for"},
    {"speed", 0.3, 0.01, 2, "m/s, mean, of the robots"},
    {"error", 12, 0, 360, "degrees, allowed of the angle that the cable lies on the post"},
    {"slip", 1e-4, 0, 1, "m, that the wheels may slip sideways in all"},
    {"depth", 5e-4, 0, 1, "m, allowed penetration"},
};

// [SUB] gives the cable's diameter; the rest is ours. A material of 0.1 MPa is a foam.
constexpr double kCable = 0.004, kDensity = 300;  // m, radius; kg/m^3
constexpr double kDamping = 0.02;                 // s
constexpr double kPost = 0.06, kHigh = 0.6;       // m, radius of the post; height of the hands
constexpr double kWound = kPost + kCable;         // m, from the axis of the post to that of the cable
constexpr double kAway = 0.55;                    // m, from a robot's middle to its hand at the start
constexpr double kRest = 0.6;                     // s, before the end
constexpr double kStick = 0.1;                    // m

/// [SUB] section IV-A.2: two mobile manipulators carry a cable between them and wind it around a post. They drive side
/// by side in x until the middle of the cable meets the post, then around it, one to the left and one to the right,
/// while their hands draw the cable in along involutes. Wheels do not slip sideways: a row of the problem says so
/// (NoSlip), and the drives could not hold a robot to its curve without turning it.
class CableCarry : public Scene {
 public:
  explicit CableCarry(const Parameters& parameters) : p_(parameters), robots_{robot("right_", -1), robot("left_", 1)} {
    const double there = std::max(0.1, p_["carry"] / p_["speed"]), angle = kDegree * p_["wind"];
    const double around = std::max(0.1, angle * track() / p_["speed"]);
    path_ = Trajectory({{0, {-p_["carry"], 0}}, {there, {0, 0}}, {there + around, {0, angle}}});
  }

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    GeomSpec post;
    post.name = "post";
    post.shape = ShapeType::Cylinder;
    post.size = {kPost, kHigh, 0};
    post.position = {0, 0, kHigh};
    post.friction = {p_["mu"], 0, 0};
    spec.geoms.push_back(post);

    RodOptions cable;
    cable.name = "cable";
    cable.radius = kCable;
    cable.young = p_["young"];
    cable.poisson = p_["poisson"];
    cable.density = kDensity;
    cable.damping = kDamping;
    cable.friction = {p_["mu"], 0, 0};
    const int links = p_.count("links");
    cable.pieces.count = std::max(1, links / p_.count("group"));
    std::vector<Vec3> points;
    const Vec3 first = hand(0, -p_["carry"], 0, 1), last = hand(1, -p_["carry"], 0, 1);
    for (int i = 0; i <= links; ++i) points.push_back(first + (last - first) * (1.0 * i / links));
    const int rod = add_rod(spec, points, cable);
    const double half_link = 0.5 * p_["length"] / links;
    for (std::size_t r = 0; r < robots_.size(); ++r) {
      EqualitySpec tie;
      tie.name = r == 0 ? "cable in right hand" : "cable in left hand";
      tie.type = EqualityType::Connect;
      tie.first = r == 0 ? spec.rods[at(rod)].bodies.front() : spec.rods[at(rod)].bodies.back();
      tie.second = robots_[r].add(spec);
      tie.first_anchor = {0, 0, r == 0 ? -half_link : half_link};
      tie.second_anchor = robots_[r].tip();
      spec.contact_excludes.push_back({tie.first, tie.second});
      spec.equalities.push_back(std::move(tie));
    }
    return spec;
  }
  Ties ties(const Model& model) const override {
    Ties ties;
    for (const MobileRobot& robot : robots_) ties.no_slip.push_back(robot.wheels(model));
    return ties;
  }
  Times times(const Times& /*usual*/) const override {
    const double end = rounded_up(path_.end() + kRest);
    return {.duration = end, .check_time = end};
  }
  void start(const Model& model, State& state) override {
    for (std::size_t r = 0; r < robots_.size(); ++r) {
      robots_[r].start(model, state, hand(r, -p_["carry"], 0, 1), side(r) < 0 ? M_PI / 2 : -M_PI / 2);
    }
  }
  void drive(const World& world, Drive& drive) override {
    std::array<double, 2> way{}, speed{};
    path_.at(world.state().time + world.dt(), way, speed);
    const double stretch = 1 + p_["pull"] * std::min(1.0, way[1] / (kDegree * 10));
    for (std::size_t r = 0; r < robots_.size(); ++r) {
      robots_[r].drive(world, base(r, way[0], way[1]),
                       {.along = speed[0] + speed[1] * track(), .turn = -side(r) * speed[1]}, drive);
      robots_[r].lead(world, hand(r, way[0], way[1], stretch), drive);
    }
  }
  void watch(const World& world) override {
    steps_.watch(world);
    for (MobileRobot& robot : robots_) robot.watch(world);
  }
  Outcome check(const World& world) const override {
    const std::vector<Vec3> axis = axis_of_rod(world.model(), 0, world.state());
    // A straight cable is that near to the post for some degrees more at either end.
    const double near = kWound + 0.5 * kCable, beyond = std::acos(kWound / near);
    Findings findings;
    findings.near("cable on the post", -angle_on_cylinder(axis, {0, 0, 0}, near) - 2 * beyond, 2 * kDegree * p_["wind"],
                  kDegree * p_["error"], {"degrees", 1 / kDegree});
    for (std::size_t r = 0; r < robots_.size(); ++r) {
      const std::string who = r == 0 ? "right robot " : "left robot ";
      findings.below(who + "off its way by", robots_[r].error(), 0.02, kMillimetres)
          .below(who + "slipped sideways by", robots_[r].slip(), p_["slip"], kMicrometres)
          .below(who + "hand off its path by", robots_[r].hand_error(), 0.02, kMillimetres)
          .require(robots_[r].reached(), "in reach", "out of reach");
    }
    return findings.below("speed of the cable", speed_of_rod(world.model(), 0, world.state()), 0.05, kSpeed)
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  static double side(std::size_t robot) { return robot == 0 ? -1 : 1; }  // of y, where it is
  double track() const { return p_["length"] / 2 + kAway; }              // m, radius of its circle
  MobileRobot robot(const std::string& prefix, double side) const {
    return MobileRobot(prefix, {-p_["carry"], side * track(), 0}, kStick);
  }
  /// Where a robot is: `x` from the place where the cable meets the post, then `angle` around it.
  PlanarPose base(std::size_t robot, double x, double angle) const {
    return {x + track() * std::sin(angle), side(robot) * track() * std::cos(angle), -side(robot) * angle};
  }
  /// The end of the cable in its hand, with the free part longer than at rest by a factor.
  Vec3 hand(std::size_t robot, double x, double angle, double stretch) const {
    const double free = stretch * (p_["length"] / 2 - kWound * angle);
    const double c = std::cos(angle), s = std::sin(angle);
    return {x - kWound * c + free * s, side(robot) * (kWound * s + free * c), kHigh};
  }

  Parameters p_;
  std::array<MobileRobot, 2> robots_;
  Trajectory path_;  // m and rad: of the way to the post, and around it
  StepWatch steps_;
};

}  // namespace

Description cable_carry() {
  return {.name = "cable-carry",
          .summary = "two mobile manipulators carry a cable and wind it around a post",
          .dt = 0.01,
          .duration = 6.7,
          .check_time = 6.7,
          .parameters = kParameters,
          .make = make_scene<CableCarry>};
}

}  // namespace uzawa::scenarios
