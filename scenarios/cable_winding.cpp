#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/control/trajectory.hpp"
#include "uzawa/model/rod_builder.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/ropes.hpp"
#include "uzawa/scenarios/stick_arm.hpp"
#include "uzawa/scenarios/trials.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"links", 320, 40, 2000, "of the cable", true},
    {"turns", 1.5, 0.25, 1.5, "that are wound"},
    {"speed", 0.2, 0.01, 1, "turns a second, mean"},
    {"young", 4.5e6, 1e5, 1e9, "Pa; [COND] 4 to 5 MPa"},
    {"poisson", 0.45, 0, 0.49, "[COND] 0.4 to 0.49"},
    {"mu", 1, 0, 10, "friction of cable and cylinder; [COND] 0.5 to 1.5"},
    {"pull", 0.01, 0, 0.1, "strain of the cable that the hand asks for"},
    {"error", 45, 0, 360, "degrees, allowed of the angle that the cable lies on the cylinder"},
    {"depth", 1e-4, 0, 1, "m, allowed penetration"},
    kRandomMaterial,
};
constexpr MaterialRanges kRanges{{4e6, 5e6}, {0.4, 0.49}, {0.5, 1.5}};

// [COND] gives no sizes.
constexpr double kLength = 0.4, kCable = 3e-3;  // m, of the cable; its radius
constexpr double kDensity = 1100;               // kg/m^3
constexpr double kCylinder = 0.03;              // m, radius of the cylinder, which is upright
constexpr double kWound = kCylinder + kCable;   // m, from the axis of the cylinder to that of the cable
const Vec3 kMiddle{0.4, 0, 0.25};               // m, on the axis of the cylinder, where the winding begins
constexpr double kAbove = 0.05;                 // m, by which the cylinder is higher
constexpr double kPitch = 3 * kCable;           // m a turn, upwards
constexpr double kFirst = M_PI;                 // rad, where the cable is fixed: next to the robot
constexpr double kRest = 0.5;                   // s, before the end

/// [COND] section V-C.5: a Panda winds a cable around a fixed cylinder. One end of the cable is welded to the cylinder,
/// the other is tied to the end of a stick on the flange, so that the arm stays above the cylinder. The tie is a ball
/// joint: welded, the cable would have to turn with the flange, whose last joint does not turn often enough. The free
/// part of the cable is straight and as long as what is not wound yet: its end goes along an involute. Where it begins
/// the cable is bent by less than the cylinder over a length of sqrt(E I / tension), 15 mm or 26 degrees, and touches
/// it in fewer points the stiffer it is.
class CableWinding : public Scene {
 public:
  CableWinding(const Parameters& parameters, std::uint64_t seed)
      : p_(drawn(parameters, kRanges, seed)), arm_({.radius = kCable}) {
    path_ = Trajectory({{0, {0}}, {p_["turns"] / p_["speed"], {2 * M_PI * p_["turns"]}}});
  }

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    GeomSpec drum;
    drum.name = "cylinder";
    drum.shape = ShapeType::Cylinder;
    const double half = (kMiddle.z() + kAbove) / 2;
    drum.size = {kCylinder, half, 0};
    drum.position = {kMiddle.x(), kMiddle.y(), half};
    drum.friction = {p_["mu"], 0, 0};
    spec.geoms.push_back(drum);

    RodOptions cable;
    cable.name = "cable";
    cable.radius = kCable;
    cable.young = p_["young"];
    cable.poisson = p_["poisson"];
    cable.density = kDensity;
    cable.damping = 0.01;
    cable.friction = {p_["mu"], 0, 0};
    std::vector<Vec3> points;
    const int links = p_.count("links");
    const Place first = place(0, 1);
    for (int i = 0; i <= links; ++i) points.push_back(first.touch + (first.end - first.touch) * (1.0 * i / links));
    const int rod = add_rod(spec, points, cable);
    tie_rod_end(spec, rod, RodEnd::First, 0, EqualityType::Weld);

    EqualitySpec tie;
    tie.name = "cable_on_stick";
    tie.type = EqualityType::Connect;
    tie.first = spec.rods[0].bodies.back();
    tie.second = arm_.add(spec);
    tie.first_anchor = {0, 0, 0.5 * kLength / links};
    tie.second_anchor = arm_.tip();
    spec.contact_excludes.push_back({tie.first, tie.second});
    spec.equalities.push_back(std::move(tie));
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    return {.duration = path_.end() + kRest, .check_time = path_.end() + 0.8 * kRest};
  }
  void start(const Model& model, State& state) override { arm_.start(model, state, place(0, 1).end); }
  void drive(const World& world, Drive& drive) override {
    std::array<double, 1> angle{};
    path_.at(world.state().time + world.dt(), angle);
    const double begun = std::min(1.0, world.state().time / 0.2);
    arm_.lead(world, place(angle[0], 1 + begun * p_["pull"]).end, drive);
  }
  void watch(const World& world) override { steps_.watch(world); }
  Outcome check(const World& world) const override {
    return Findings()
        .near("wound by",
              angle_on_cylinder(axis_of_rod(world.model(), 0, world.state()), kMiddle, kWound + 0.5 * kCable),
              2 * M_PI * p_["turns"], kDegree * p_["error"], {"degrees", 1 / kDegree})
        .require(arm_.reached(), "all in reach", "out of reach")
        .below("fastest", speed_of_rod(world.model(), 0, world.state()), 0.02, kSpeed)
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  struct Place {
    Vec3 touch, end;  // m, where the cable leaves the cylinder; its end
  };
  /// Once the cable is wound by an angle, with the free part longer than at rest by a factor.
  static Place place(double wound, double stretch) {
    const double angle = kFirst + wound;
    const Vec3 out{std::cos(angle), std::sin(angle), 0}, along{-out.y(), out.x(), 0};
    const Vec3 touch = kMiddle + Vec3{0, 0, kPitch * wound / (2 * M_PI)} + out * kWound;
    return {touch, touch + along * (stretch * (kLength - kWound * wound))};
  }
  Parameters p_;
  StickArm arm_;
  Trajectory path_;  // angle of winding, rad
  StepWatch steps_;
};

}  // namespace

Description cable_winding() {
  return {.name = "cable-winding",
          .summary = "a Panda winds a cable of 320 links around a cylinder",
          .dt = 0.01,
          .duration = 8,
          .check_time = 7.9,
          .parameters = kParameters,
          .make = make_scene<CableWinding>};
}

}  // namespace uzawa::scenarios
