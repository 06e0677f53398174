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
    {"wires", 3, 1, 8, "each of five ball joints, with a ring at either end", true},
    {"mu", 0.3, 0, 2, "friction"},
    {"slack", 1e-3, 0, 5e-3, "m, by which each ring falls at the start"},
    {"push", 0.2, 0, 2, "m/s, of the lowest wire at the start"},
    {"depth", 1e-4, 0, 1, "m, allowed penetration"},
};

constexpr double kRing = 0.04, kTube = 0.006, kWire = 0.004, kLink = 0.05;  // m
constexpr double kRingMass = 0.05, kLinkMass = 0.005;                       // kg
constexpr int kSegments = 8, kLinks = 4;
constexpr double kDamping = 2e-4;  // N m s/rad

/// Wires with rings at their ends, hooked into each other like a chain and hung over a rod: non-convex links that meet
/// at several points.
class Ring : public Scene {
 public:
  explicit Ring(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec;
    spec.options.gravity = {0, 0, -kGravity};
    const Vec3 half{0, 0.1, 0};
    GeomSpec rod = capsule_between(0, half * -1, half, kTube);
    rod.name = "rod";
    rod.friction = {p_["mu"], 0, 0};
    spec.geoms.push_back(std::move(rod));
    double tube = 0;  // height of what the next ring hangs on
    for (int i = 0; i < p_.count("wires"); ++i) {
      const double centre = tube + (i == 0 ? seat_on_rod() : seat_in_ring()) + p_["slack"] - kRing;
      tube = add_wire(spec, "wire" + std::to_string(i) + "/", centre) - kRing;
    }
    return spec;
  }
  void start(const Model& model, State& state) override {
    const std::size_t last =
        static_cast<std::size_t>(model.nv() / p_.count("wires")) * static_cast<std::size_t>(p_.count("wires") - 1);
    state.v[last] = p_["push"];
  }
  void watch(const World& world) override {
    steps_.watch(world);
    DynamicsData data(world.model());
    forward_kinematics(world.model(), world.state().q, data);
    for (int i = 0; i + 1 < p_.count("wires"); ++i) {
      const Vec3 above = body_pose(world.model(), data, bottom_ring(i)).position;
      const Vec3 below = body_pose(world.model(), data, top_ring(i + 1)).position;
      // The frame of a lower ring is at its joint, of an upper one at its centre.
      farthest_ = std::max(farthest_, norm(above - below));
    }
    lowest_ = std::min(lowest_, body_pose(world.model(), data, top_ring(0)).position.z());
  }
  Outcome check(const World& /*world*/) const override {
    // From the joint of a ring to the centre of the one in it: where corner hangs in corner at the most.
    return Findings()
        .below("from ring to ring", farthest_, 3 * kRing - seat_in_ring() + p_["depth"], kMillimetres)
        .at_least("height of the first ring", lowest_, seat_on_rod() - kRing - p_["depth"], kMillimetres)
        .below("penetration", steps_.penetration(), p_["depth"], kMillimetres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  static constexpr int kBodies = kLinks + 2;  // of a wire
  static int top_ring(int wire) { return 1 + kBodies * wire; }
  static int bottom_ring(int wire) { return kBodies * (wire + 1); }

  /// How high the corner of a ring is above the axis of a rod that both of its segments touch.
  static double seat_on_rod() { return 2 * kTube / std::cos(M_PI / kSegments); }
  /// The same above the corner of a ring that lies across: each segment touches both of the other ring's. Axes whose
  /// corners are h apart are nearest where the four points are t along them, t = h s / (c^2 + 2 s^2).
  static double seat_in_ring() {
    const double s = std::sin(M_PI / kSegments), c = std::cos(M_PI / kSegments), t = s / (c * c + 2 * s * s);
    return 2 * kTube / std::hypot(M_SQRT2 * t * c, 1 - 2 * t * s);
  }

  /// Capsules in a circle about `centre` (body frame), corners at the top and the bottom; its hole lies along y or x.
  void add_ring(ModelSpec& spec, int body, const Vec3& centre, bool hole_along_y) const {
    const auto corner = [&](int k) {
      const double angle = 2 * M_PI * k / kSegments, across = kRing * std::sin(angle);
      return centre + Vec3{hole_along_y ? across : 0, hole_along_y ? 0 : across, kRing * std::cos(angle)};
    };
    for (int k = 0; k < kSegments; ++k) {
      GeomSpec geom = capsule_between(body, corner(k), corner(k + 1), kTube);
      geom.name = spec.bodies[static_cast<std::size_t>(body)].name + std::to_string(k);
      geom.friction = {p_["mu"], 0, 0};
      geom.rgba = {0.8F, 0.75F, 0.3F, 1};
      spec.geoms.push_back(std::move(geom));
    }
    BodySpec& spec_body = spec.bodies[static_cast<std::size_t>(body)];
    const double about = kRingMass * kRing * kRing, across = about / 2;
    spec_body.com = centre;
    spec_body.principal_inertia = hole_along_y ? Vec3{across, about, across} : Vec3{about, across, across};
  }
  /// Returns the height of the lower ring's centre.
  double add_wire(ModelSpec& spec, const std::string& name, double centre) const {
    int parent = add_link(
        spec, {.name = name + "top", .parent = 0, .joint = {0, 0, centre}, .type = JointType::Free, .mass = kRingMass});
    add_ring(spec, parent, {}, true);
    Vec3 place{0, 0, centre}, joint{0, 0, centre - kRing};
    for (int k = 0; k < kLinks; ++k) {
      parent = add_link(spec, {.name = name + std::to_string(k),
                               .parent = parent,
                               .parent_place = place,
                               .joint = joint,
                               .mass = kLinkMass,
                               .damping = kDamping});
      const Vec3 end{0, 0, -kLink};
      set_slender_inertia(spec.bodies.back(), {}, end, kWire);
      GeomSpec geom = capsule_between(parent, {}, end, kWire);
      geom.name = name + std::to_string(k);
      geom.friction = {p_["mu"], 0, 0};
      spec.geoms.push_back(std::move(geom));
      place = joint;
      joint += end;
    }
    const int last = add_link(spec, {.name = name + "bottom",
                                     .parent = parent,
                                     .parent_place = place,
                                     .joint = joint,
                                     .mass = kRingMass,
                                     .damping = kDamping});
    add_ring(spec, last, {0, 0, -kRing}, false);
    return joint.z() - kRing;
  }

  Parameters p_;
  StepWatch steps_;
  double farthest_ = 0, lowest_ = HUGE_VAL;
};

}  // namespace

Description ring() {
  return {.name = "ring",
          .summary = "wires of five ball joints with rings at their ends hang in each other",
          .dt = 0.001,
          .duration = 4,
          .check_time = 0.5,
          .parameters = kParameters,
          .make = make_scene<Ring>};
}

}  // namespace uzawa::scenarios
