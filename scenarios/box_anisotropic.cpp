#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"mu1", 0.5, 1e-3, 0.99, "friction along x"},
    {"mu2", 0.2, 1e-3, 0.99, "friction along y; the box would tip over at 1"},
    {"speed", 1, 1e-3, 10, "m/s along x and along y, at first"},
    {"edge", 0.2, 1e-2, 10, "m, of the cube"},
    {"mass", 0.5, 1e-3, 1e3, "kg"},
    {"error", 1e-6, 0, 1, "m, allowed from the path of maximal dissipation, step by step"},
    {"path", 0.012, 0, 1, "m, allowed from where the continuous law stops: 1.2 steps at 1 m/s"},
};

struct Planar {
  double x = 0, y = 0;
};

/// Maximal dissipation under a constant normal force: of all forces in the ellipse of half axes mu g, the one of the
/// largest power takes (mu1^2 vx, mu2^2 vy) g / |(mu1 vx, mu2 vy)| off the velocity in a second. With the parameter s
/// of ds = g dt / |(mu1 vx, mu2 vy)|, vx = v exp(-mu1^2 s) and vy = v exp(-mu2^2 s): the place is an integral over s.
struct Sliding {
  double mu1, mu2, speed;

  struct Stop {
    Planar place;
    double time = 0;  // s
  };
  /// Where the box comes to rest: Simpson's rule over s, to where 1e-12 of the velocity is left.
  Stop stop() const {
    constexpr int kCells = 20000;
    const double slow = std::min(mu1, mu2), end = -std::log(1e-12) / (slow * slow);
    Stop sum;
    for (int i = 0; i <= kCells; ++i) {
      // Cells grow with s: what is far away is slow.
      const double u = static_cast<double>(i) / kCells, s = end * u * u * u, stretch = 3 * end * u * u / kCells;
      const double weight = (i == 0 || i == kCells ? 1 : (i % 2 == 1 ? 4 : 2)) / 3.0 * stretch;
      const Planar v{speed * std::exp(-mu1 * mu1 * s), speed * std::exp(-mu2 * mu2 * s)};
      const double dt = weight * length(mu1 * v.x, mu2 * v.y) / kGravity;
      sum.place.x += v.x * dt;
      sum.place.y += v.y * dt;
      sum.time += dt;
    }
    return sum;
  }
  /// One step of backward Euler: the impulse is the point of the ellipse with half axes mu g h that is closest to the
  /// velocity; the multiplier of that projection by halving.
  Planar step(const Planar& v, double h) const {
    const double a = mu1 * kGravity * h, b = mu2 * kGravity * h;
    if (length(v.x / a, v.y / b) <= 1) return {};
    double low = 0, high = std::max(a, b) * length(v.x, v.y);
    for (int i = 0; i < 200; ++i) {
      const double m = 0.5 * (low + high);
      (length(a * v.x / (a * a + m), b * v.y / (b * b + m)) > 1 ? low : high) = m;
    }
    return {v.x * high / (a * a + high), v.y * high / (b * b + high)};
  }
};

/// [COND] section V-G, Fig. 14: a cube slides diagonally over a floor that is rougher along x than along y. Its path is
/// curved, for friction is not opposite to the velocity.
class BoxAnisotropic : public Scene {
 public:
  explicit BoxAnisotropic(Parameters parameters)
      : p_(std::move(parameters)), sliding_{p_["mu1"], p_["mu2"], p_["speed"]}, velocity_{p_["speed"], p_["speed"]} {}

  ModelSpec model() const override {
    ModelSpec spec = ground(0);
    const double half = p_["edge"] / 2;
    add_box(spec, {.half = {half, half, half}, .mass = p_["mass"], .position = {0, 0, half}});
    ContactPairSpec pair;  // the normal of the floor has the tangents x and y
    pair.geom1 = 0;
    pair.geom2 = 1;
    pair.friction = {p_["mu1"], p_["mu2"], 0, 0, 0};
    spec.contact_pairs.push_back(pair);
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    const double rest = rounded_up(sliding_.stop().time + 0.1);
    return {.duration = rest, .check_time = rest};
  }
  void start(const Model& /*model*/, State& state) override { state.v[0] = state.v[1] = p_["speed"]; }
  void watch(const World& world) override {
    steps_.watch(world);
    velocity_ = sliding_.step(velocity_, world.dt());
    place_.x += velocity_.x * world.dt();
    place_.y += velocity_.y * world.dt();
    const std::vector<double>& q = world.state().q;
    off_ = std::max({off_, length(q[0] - place_.x, q[1] - place_.y), std::abs(q[2] - p_["edge"] / 2)});
    // How far it leaves the straight line on which isotropic friction would stop it.
    bend_ = std::max(bend_, std::abs(q[0] - q[1]) / std::sqrt(2));
  }
  Outcome check(const World& world) const override {
    const Sliding::Stop stop = sliding_.stop();
    const std::vector<double>& q = world.state().q;
    return Findings()
        .note("stops at (" + with_unit(q[0], "") + ", " + with_unit(q[1], "m)") + ", " +
                  with_unit(1e3 * bend_, "mm beside the straight line"),
              "stops at (" + with_unit(stop.place.x, "") + ", " + with_unit(stop.place.y, "m)"))
        .below("off the steps of maximal dissipation", off_, p_["error"], kMicrometres)
        .below("off the continuous law's stop", length(q[0] - stop.place.x, q[1] - stop.place.y), p_["path"],
               kMillimetres)
        .below("speed", fastest(world.state()), 1e-9, kSpeed)
        .all_solved(steps_)
        .outcome();
  }

 private:
  Parameters p_;
  Sliding sliding_;
  StepWatch steps_;
  Planar velocity_, place_;
  double off_ = 0, bend_ = 0;  // m
};

}  // namespace

Description box_anisotropic() {
  return {.name = "box-anisotropic",
          .summary = "a cube on a floor of elliptic friction slides along the curve of maximal dissipation",
          .dt = 0.01,
          .duration = 0.8,
          .check_time = 0.8,
          .parameters = kParameters,
          .make = make_scene<BoxAnisotropic>};
}

}  // namespace uzawa::scenarios
