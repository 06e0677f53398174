#include <algorithm>
#include <cmath>

#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/chains.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"cylinders", 5, 0, 8, "that fall on the net", true},
    {"mu", 0.5, 0, 2, "friction"},
    {"drop", 0.05, 0, 1, "m, from the net to the lowest cylinder"},
    {"depth", 2e-3, 0, 1, "m, allowed penetration"},
    {"open", 1e-4, 0, 1, "m, how far a string's end may be off its anchor"},
};

constexpr int kLinks = 16;  // on as many joints, [LCP] section V-C; the far end is tied to the ground
constexpr double kSpan = 0.6, kSag = 0.08, kRadius = 0.006, kApart = 0.12;              // m
constexpr double kLinkMass = 0.01, kCylinder = 0.025, kHalfLength = 0.12, kMass = 0.2;  // kg, m, m, kg
constexpr double kBeside = 2.2 * kCylinder;                                             // m, from cylinder to cylinder

/// Four strings with both ends fixed, two across two, and cylinders that fall into what they form: closed loops.
class Net : public Scene {
 public:
  explicit Net(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec;
    spec.options.gravity = {0, 0, -kGravity};
    for (int i = 0; i < 4; ++i) add_string(spec, i);
    for (int i = 0; i < p_.count("cylinders"); ++i) {
      // Side by side across strings 2 and 3, from the middle outwards; the later ones fall from higher up.
      const double beside = (i % 2 == 0 ? 1 : -1) * ((i + 1) / 2) * kBeside;
      add_disc(spec, {.name = "cylinder" + std::to_string(i),
                      .radius = kCylinder,
                      .half_height = kHalfLength,
                      .mass = kMass,
                      .position = {0, beside, p_["drop"] + kCylinder + i * kCylinder / 2},
                      .orientation = exp_rotation({0, M_PI / 2, 0}),
                      .mu = p_["mu"]});
    }
    return spec;
  }
  void watch(const World& world) override {
    steps_.watch(world);
    DynamicsData data(world.model());
    forward_kinematics(world.model(), world.state().q, data);
    for (int i = 0; i < 4; ++i) {
      const int last = kLinks * (i + 1);
      const Vec3 end = body_pose(world.model(), data, last) * last_link(i);
      open_ = std::max(open_, norm(end - points(i).back()));
    }
  }
  Outcome check(const World& world) const override {
    int caught = 0;
    const std::size_t count = static_cast<std::size_t>(p_.count("cylinders"));
    const std::vector<double>& q = world.state().q;
    for (std::size_t i = 0; i < count; ++i) {
      if (q[q.size() - 7 * (count - i) + 2] > -3 * kSag) ++caught;
    }
    return Findings()
        .all("are caught", caught, p_.count("cylinders"))
        .below("off the anchors", open_, p_["open"], kMillimetres)
        .below("penetration", steps_.penetration(), p_["depth"], kMillimetres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  /// A parabola from anchor to anchor; strings 0 and 1 run along x, 2 and 3 along y, above them.
  static std::vector<Vec3> points(int string) {
    const double side = string % 2 == 0 ? -kApart / 2 : kApart / 2, lift = string < 2 ? 0 : 2.2 * kRadius;
    std::vector<Vec3> out;
    for (int k = 0; k <= kLinks; ++k) {
      const double s = 2.0 * k / kLinks - 1, along = s * kSpan / 2, z = -kSag * (1 - s * s) + lift;
      out.push_back(string < 2 ? Vec3{along, side, z} : Vec3{side, along, z});
    }
    return out;
  }
  static Vec3 last_link(int string) {
    const std::vector<Vec3> all = points(string);
    return all[kLinks] - all[kLinks - 1];
  }
  void add_string(ModelSpec& spec, int string) const {
    const std::string name = "string" + std::to_string(string) + "/";
    add_chain(spec, points(string),
              {.name = name,
               .radius = kRadius,
               .mass = kLinkMass,
               .damping = 1e-4,
               .mu = p_["mu"],
               .first = JointType::Ball});
    EqualitySpec tie;
    tie.name = name + "end";
    tie.first = static_cast<int>(spec.bodies.size()) - 1;
    tie.second = 0;
    tie.first_anchor = last_link(string);
    tie.second_anchor = points(string).back();
    spec.equalities.push_back(std::move(tie));
  }

  Parameters p_;
  StepWatch steps_;
  double open_ = 0;
};

}  // namespace

Description net() {
  return {.name = "net",
          .summary = "five cylinders fall on four strings of 16 joints with both ends fixed",
          .dt = 0.001,
          .duration = 2,
          .check_time = 0.5,
          .parameters = kParameters,
          .make = make_scene<Net>};
}

}  // namespace uzawa::scenarios
