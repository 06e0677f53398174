#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/ropes.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"links", 60, 4, 1000, "of the rope", true},
    {"length", 1, 0.05, 100, "m"},
    {"radius", 0.006, 1e-3, 0.1, "m"},
    {"young", 1e6, 1e4, 1e10, "Pa"},
    {"drop", 0.05, 0, 10, "m, from its lower end to the floor"},
    {"mu", 0.5, 0, 10, "friction"},
    {"speed", 0.02, 0, 10, "m/s, allowed at the end"},
    {"depth", 1e-3, 0, 1, "m, allowed penetration"},
    {"pieces", 1, 0, 1000, "that subadmm solves the rope in; 0: automatically", true},
};

/// A rope that hangs is let go, and falls into a pile on the floor.
class RopePile : public Scene {
 public:
  explicit RopePile(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    // A flat helix, for a rope that is exactly upright would stand on its end.
    const int links = p_.count("links");
    const double step = p_["length"] / links, radius = p_["radius"];
    std::vector<Vec3> points;
    for (int i = 0; i <= links; ++i) {
      const double angle = 2 * M_PI * i / 20;
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), p_["drop"] + 2 * radius + i * step});
    }
    RodOptions options;
    options.name = "rope";
    options.radius = radius;
    options.young = p_["young"];
    options.damping = 0.02;
    options.pieces.count = p_.count("pieces");
    options.natural_shape = RodShape::Straight;
    options.friction = {p_["mu"], 0, 0};
    add_rope(spec, points, options, 10);
    return spec;
  }
  void watch(const World& world) override { steps_.watch(world); }
  Outcome check(const World& world) const override {
    const RodSpec& rope = world.model().spec().rods[0];
    int above = 0;
    double speed = 0, highest = 0;
    for (const int body : rope.bodies) {
      const double height = world.state().q[q_of(world.model(), body) + 2];
      above += height > p_["radius"] - p_["depth"] ? 1 : 0;
      highest = std::max(highest, height);
      speed = std::max(speed, norm(Vec3::from(&world.state().v[v_of(world.model(), body)])));
    }
    return Findings()
        .all("links above the floor", above, static_cast<int>(rope.bodies.size()))
        .below("height of the pile", highest, 0.2 * p_["length"], kMillimetres)
        .below("speed", speed, p_["speed"], {"m/s"})
        .below("penetration", steps_.penetration(), p_["depth"], kMillimetres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  Parameters p_;
  StepWatch steps_;
};

}  // namespace

Description rope_pile() {
  return {.name = "rope-pile",
          .summary = "a rope falls into a pile on the floor and comes to rest",
          .dt = 0.002,
          .duration = 3,
          .check_time = 3,
          .parameters = kParameters,
          .make = make_scene<RopePile>};
}

}  // namespace uzawa::scenarios
