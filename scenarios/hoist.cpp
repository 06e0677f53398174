#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/chains.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"mu", 0.1, 0, 2, "friction of the chain on the rod"},
    {"load", 0.3, 0.01, 10, "kg, at the first link"},
    {"counter", 0.6, 0.01, 10, "kg, at the last link; less than load times exp(pi mu): the chain must not slip"},
    {"rise", 0.15, 0.01, 0.25, "m, of the load until it is looked at"},
    {"hold", 1, 0.01, 100, "s, of a run in which it must not slip"},
    {"error", 0.05, 0, 1, "allowed of the speed, beside what a link more or less on the rod makes"},
    {"creep", 1e-3, 0, 1, "m/s, allowed of a load that must not slip"},
};

constexpr int kLinks = 26;                                                    // on 25 ball joints, [LCP] section V-C
constexpr double kLength = 0.04, kRadius = 0.006, kRod = 0.09, kMass = 1e-3;  // m, m, m, kg
// N m s/rad: between weights that are much heavier, links shake faster than steps of 10 ms can follow.
constexpr double kDamping = 1e-3;
constexpr int kOnRod = 8, kOnSide = (kLinks - kOnRod) / 2;  // links on the half turn, and on either side
constexpr double kTurn = M_PI / kOnRod;                     // rad, from link to link

/// A string of 25 joints over a rod with a weight at either end: the heavier one hoists the other against friction.
/// Closed form, capstan and Atwood: a = g (M - k m) / (M + k m + c) with k = exp(pi mu) and c of the links on the rod.
class Hoist : public Scene {
 public:
  explicit Hoist(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec;
    spec.options.gravity = {0, 0, -kGravity};
    const Vec3 half{0, 0.1, 0};
    GeomSpec rod = capsule_between(0, half * -1, half, kRod);
    rod.name = "rod";
    rod.friction = {p_["mu"], 0, 0};
    rod.contact_type = 2;
    rod.contact_affinity = 0;
    spec.geoms.push_back(std::move(rod));
    add_chain(
        spec, points(),
        {.radius = kRadius, .mass = kMass, .damping = kDamping, .mu = p_["mu"], .contact_type = 0, .affinity = 2});
    add_weight(spec.bodies[1], p_["load"]);
    add_weight(spec.bodies.back(), p_["counter"]);
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    const double a = acceleration();
    const double time = a > 0 ? std::ceil(100 * std::sqrt(2 * p_["rise"] / a)) / 100 : p_["hold"];
    return {.duration = time, .check_time = time};
  }
  void start(const Model& /*model*/, State& state) override { start_ = state.q[2]; }
  void watch(const World& world) override {
    steps_.watch(world);
    most_contacts_ = std::max(most_contacts_, world.report().contacts);
  }
  Outcome check(const World& world) const override {
    const double time = world.state().time, speed = world.state().v[2], rise = world.state().q[2] - start_;
    Findings findings;
    if (acceleration() > 0) {
      const double slow = acceleration(M_PI + kTurn), fast = acceleration(M_PI - kTurn);
      findings.near("mean acceleration of the load", speed / time, (slow + fast) / 2,
                    (fast - slow) / 2 + p_["error"] * acceleration(), {"m/s^2"});
    } else {
      findings.below("creep of the load", std::abs(rise) / time, p_["creep"], kCreep);
    }
    return findings.at_least("contacts at once", most_contacts_, 5, {""})
        .below("penetration", steps_.penetration(), 1e-3, kMillimetres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  /// m/s^2, of the weights; 0: friction holds them. `wrapped`: rad.
  double acceleration(double wrapped = M_PI) const {
    const double k = std::exp(wrapped * p_["mu"]), side = kOnSide * kMass;
    const double heavy = p_["counter"] + side, light = p_["load"] + side;
    return std::max(0.0, kGravity * (heavy - k * light) / (heavy + k * light + kOnRod * kMass));
  }
  /// A weight as a ball of lead about the link's middle, which touches nothing.
  static void add_weight(BodySpec& body, double mass) {
    const double radius = std::cbrt(mass / 11340 * 3 / (4 * M_PI)), inertia = 0.4 * mass * radius * radius;
    body.mass += mass;
    body.principal_inertia += Vec3{inertia, inertia, inertia};
  }
  /// Up along the left side, over the rod, down along the right; chords touch the rod with their middles.
  static std::vector<Vec3> points() {
    const double reach = (kRod + kRadius + 1e-5) / std::cos(kTurn / 2);
    std::vector<Vec3> out;
    for (int i = kOnSide; i > 0; --i) out.push_back({-reach, 0, -kLength * i});
    for (int i = 0; i <= kOnRod; ++i) {
      const double angle = M_PI - kTurn * i;
      out.push_back({reach * std::cos(angle), 0, reach * std::sin(angle)});
    }
    for (int i = 1; i <= kOnSide; ++i) out.push_back({reach, 0, -kLength * i});
    return out;
  }

  Parameters p_;
  StepWatch steps_;
  double start_ = 0;
  int most_contacts_ = 0;
};

}  // namespace

Description hoist() {
  return {.name = "hoist",
          .summary = "a string of 25 joints over a rod: a weight hoists another against friction",
          .dt = 0.001,
          .duration = 0.42,
          .check_time = 0.42,
          .parameters = kParameters,
          .make = make_scene<Hoist>};
}

}  // namespace uzawa::scenarios
