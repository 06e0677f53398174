#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/ropes.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"ratio", 0.98, 0.1, 10, "of the heavier load to the largest that the lighter one holds"},
    {"links", 36, 24, 500, "of the rope that lie on the cylinder, on half of its circumference", true},
    {"radius", 0.1, 0.01, 10, "m, of the cylinder"},
    {"load", 1, 1e-3, 1e3, "kg, the lighter load"},
    {"mu", 0.3, 0, 2, "friction of rope and cylinder"},
    {"creep", 1e-6, 0, 1, "m/s, allowed where the rope holds"},
    {"slip", 0.01, 0, 1, "m, asked for in half a second where it does not"},
};

constexpr double kRope = 2e-3;     // m, radius of the rope
constexpr double kYoung = 6e8;     // Pa
constexpr double kStrands = 1000;  // E I / (R^2 T) must be far below one
constexpr double kBall = 0.03;     // m, radius of a load
constexpr double kSettled = 1;     // s

/// Two loads hang on a rope over a fixed cylinder. Euler and Eytelwein: it slips where their ratio is above
/// exp(mu pi); for n straight links, each with one contact and a turn of phi = pi / n, above
/// ((1 + m tan(phi/2)) / (1 - m tan(phi/2)))^n. Tension pulls at the axis of the rope, friction at its surface:
/// moments about the middle of the cylinder are in balance with m = mu R / (R + r). Measured: it begins to slip within
/// 0.5 % of this. Links that turn by more than 8 degrees would catch and let go as corners pass.
class Capstan : public Scene {
 public:
  explicit Capstan(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec;
    spec.options.gravity = {0, 0, -kGravity};
    GeomSpec drum;
    drum.name = "drum";
    drum.shape = ShapeType::Cylinder;
    drum.size = {p_["radius"], 0.3 * p_["radius"], 0};
    drum.orientation = exp_rotation({M_PI / 2, 0, 0});
    drum.friction = {p_["mu"], 0, 0};
    spec.geoms.push_back(drum);

    const std::vector<Vec3> points = axis();
    RodOptions options;
    options.name = "rope";
    options.radius = kRope;
    options.young = kYoung;
    options.density = 100;
    options.damping = 0.01;
    options.friction = {p_["mu"], 0, 0};
    const int rod = add_rope(spec, points, options, kStrands);
    const Vec3 below{0, 0, -kBall};
    const int light = add_ball(spec, "light", kBall, p_["load"], points.front() + below);
    const int heavy = add_ball(spec, "heavy", kBall, p_["load"] * p_["ratio"] * threshold(), points.back() + below);
    tie_rod_end(spec, rod, RodEnd::First, light, EqualityType::Connect);
    tie_rod_end(spec, rod, RodEnd::Last, heavy, EqualityType::Connect);
    return spec;
  }
  void watch(const World& world) override {
    steps_.watch(world);
    creep_.watch(world);
  }
  Outcome check(const World& world) const override {
    // Of the links on the cylinder: the loads swing a little for a long time.
    const std::span<const int> rope = world.model().spec().rods[0].bodies;
    const std::span<const int> touching = rope.subspan(at(hanging()), at(p_.count("links")));
    Findings findings;
    findings.note("loads 1 : " + with_unit(p_["ratio"] * threshold(), ""),
                  "slips at 1 : " + with_unit(threshold(), ""));
    if (p_["ratio"] < 1) {
      findings.below("creep", creep_.creep(world, touching), p_["creep"], kCreep);
    } else {
      findings.at_least("slip", creep_.drift(world, touching), p_["slip"], kMillimetres);
    }
    return findings.all_solved(steps_).outcome();
  }

 private:
  double turn() const { return M_PI / p_.count("links"); }  // rad, from link to link
  int hanging() const { return p_.count("links") / 2; }     // links on each side
  double threshold() const {
    const double radius = p_["radius"];
    const double m = p_["mu"] * radius / (radius + kRope) * std::tan(turn() / 2);
    return std::pow((1 + m) / (1 - m), p_.count("links"));
  }
  /// Up, around the cylinder with the middle of each link on it, and down: the corners are farther out than the rope.
  std::vector<Vec3> axis() const {
    const double middle = p_["radius"] + kRope, corner = middle / std::cos(turn() / 2);
    const double length = 2 * middle * std::tan(turn() / 2);
    const int links = p_.count("links");
    std::vector<Vec3> points;
    for (int i = hanging(); i > 0; --i) points.push_back({-corner, 0, -i * length});
    for (int i = 0; i <= links; ++i) {
      points.push_back({-corner * std::cos(i * turn()), 0, corner * std::sin(i * turn())});
    }
    for (int i = 1; i <= hanging(); ++i) points.push_back({corner, 0, -i * length});
    return points;
  }

  Parameters p_;
  StepWatch steps_;
  CreepWatch creep_{kSettled};
};

}  // namespace

Description capstan() {
  return {.name = "capstan",
          .summary = "a rope over a cylinder holds a load by friction, up to Eytelwein's ratio",
          .dt = 0.002,
          .duration = 3,
          .check_time = 1.5,
          .parameters = kParameters,
          .make = make_scene<Capstan>};
}

}  // namespace uzawa::scenarios
