#include <algorithm>
#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"side", 6, 1, 20, "balls along an edge of the cube that falls", true},
    {"radius", 0.01, 1e-3, 1, "m"},
    {"mass", 0.004, 1e-6, 100, "kg, of a ball"},
    {"mu", 0.3, 0, 10, "friction"},
    {"depth", 1e-4, 0, 1, "m, allowed penetration"},
    {"speed", 0.02, 0, 10, "m/s, allowed root mean square speed at the end"},
};

constexpr double kSpacing = 2.2;  // radii from ball to ball at the start
constexpr double kJitter = 0.08;  // radii, at random, in each direction

/// Balls fall into an open box and come to rest in it.
class SpherePile : public Scene {
 public:
  SpherePile(Parameters parameters, std::uint64_t seed) : p_(std::move(parameters)), seed_(seed) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    const double wall = p_["radius"], height = half_box() + p_["radius"];
    for (const double side : {-1.0, 1.0}) {
      const double x = side * (half_box() + wall);
      const std::string end = side < 0 ? "low" : "high";
      add_wall(spec,
               {.name = "wall x " + end, .half = {wall, half_box() + 2 * wall, height}, .position = {x, 0, height}});
      add_wall(spec, {.name = "wall y " + end, .half = {half_box(), wall, height}, .position = {0, x, height}});
    }
    Random random(seed_);
    const int n = p_.count("side");
    const double r = p_["radius"];
    for (int k = 0; k < n * n * n; ++k) {
      const auto place = [&](int i) {
        return r * (kSpacing * (i - 0.5 * (n - 1)) + random.uniform(-kJitter, kJitter));
      };
      const double x = place(k % n), y = place(k / n % n), z = place(k / n / n);
      add_ball(spec, "ball" + std::to_string(k), r, p_["mass"], {x, y, z + r * (0.5 * kSpacing * (n - 1) + 1.2)},
               p_["mu"]);
    }
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    const double fall = fall_time(kSpacing * p_["radius"] * p_["side"]);  // the larger, the slower
    return {.duration = rounded_up(9 * fall), .check_time = rounded_up(6 * fall)};
  }
  void watch(const World& world) override { steps_.watch(world); }
  Outcome check(const World& world) const override {
    const int balls = static_cast<int>(world.model().spec().joints.size());
    int inside = 0;
    double square = 0;
    for (int ball = 0; ball < balls; ++ball) {
      const Vec3 at = Vec3::from(&world.state().q[static_cast<std::size_t>(world.model().joint_q(ball))]);
      const Vec3 v = Vec3::from(&world.state().v[static_cast<std::size_t>(world.model().joint_v(ball))]);
      if (std::max(std::abs(at.x()), std::abs(at.y())) < half_box() && at.z() > 0) ++inside;
      square += dot(v, v) / balls;
    }
    const double speed = std::sqrt(square);
    return Findings()
        .all("balls in the box", inside, balls)
        .below("speed (root mean square)", speed, p_["speed"], {"mm/s", 1e3})
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  double half_box() const { return p_["radius"] * (0.5 * kSpacing * p_["side"] + 0.2); }

  Parameters p_;
  std::uint64_t seed_;
  StepWatch steps_;
};

}  // namespace

Description sphere_pile() {
  return {.name = "sphere-pile",
          .summary = "216 balls fall into a box and come to rest",
          .dt = 0.002,
          .duration = 1.5,
          .check_time = 1,
          .parameters = kParameters,
          .make = make_scene<SpherePile>};
}

}  // namespace uzawa::scenarios
