#include <algorithm>
#include <cmath>

#include "uzawa/io/load.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/measure.hpp"
#include "uzawa/scenarios/models.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"robots", 8, 1, 64, "quadrupeds", true},
    {"drop", 0.1, 0, 2, "m from the feet to the floor"},
    {"tilt", 3, 0, 90, "degrees, of the trunks at the most, at random"},
    {"limp", 0, 0, 1, "1: the motors are off", true},
    {"mu", 0.8, 0, 10, "friction of the floor"},
    {"limit", 1e-6, 0, 1, "rad, how far a joint may be beyond its limit"},
    {"depth", 1e-3, 0, 1, "m, allowed penetration"},
};

constexpr double kSpacing = 1.2;     // m from robot to robot
constexpr double kUpright = 0.3;     // m, height of the trunk of a robot that stands (0.41 at home)
constexpr double kRestSpeed = 0.02;  // m/s or rad/s, at the end
constexpr double kRadian = M_PI / 180;

/// Quadrupeds (models/quadruped.xml) dropped at random headings and tilts; their servos hold the pose "home".
class QuadrupedDrop : public Scene {
 public:
  QuadrupedDrop(Parameters parameters, std::uint64_t seed)
      : p_(std::move(parameters)), seed_(seed), robot_(load_model(models_folder() / "quadruped.xml").model) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    spec.options.actuation = p_["limp"] == 0;
    Random random(seed_);
    const int count = p_.count("robots"), columns = static_cast<int>(std::ceil(std::sqrt(count)));
    for (int i = 0; i < count; ++i) {
      const double heading = random.uniform(-M_PI, M_PI), tilt = kRadian * random.uniform(0, p_["tilt"]);
      const double towards = random.uniform(-M_PI, M_PI);
      const Quat turn =
          exp_rotation(Vec3{std::cos(towards), std::sin(towards), 0} * tilt) * exp_rotation({0, 0, heading});
      const int row = i / columns;
      const Vec3 place{kSpacing * (i % columns), kSpacing * row, p_["drop"]};
      add_model(spec, robot_.spec(), "robot" + std::to_string(i) + "/", place, turn);
    }
    return spec;
  }
  void start(const Model& /*model*/, State& state) override {
    const State home = robot_.keyframe_state(robot_.keyframe("home"));
    constexpr std::size_t kRoot = 7;  // the free joint comes first and keeps the place that the model gave it
    for (std::size_t begin = 0; begin < state.q.size(); begin += home.q.size()) {
      std::copy(home.q.begin() + kRoot, home.q.end(), state.q.begin() + static_cast<std::ptrdiff_t>(begin + kRoot));
    }
  }
  void drive(const World& /*world*/, Drive& drive) override {
    const std::span<const double> home = robot_.keyframe_control(robot_.keyframe("home"));
    for (std::size_t i = 0; i < drive.control.size(); ++i) drive.control[i] = home[i % home.size()];
  }
  void watch(const World& world) override {
    steps_.watch(world);
    violation_ = std::max(violation_, limit_violation(world.model(), world.state()));
  }
  Outcome check(const World& world) const override {
    const std::vector<double>&q = world.state().q, &v = world.state().v;
    int standing = 0;
    for (std::size_t begin = 0; begin < q.size(); begin += static_cast<std::size_t>(robot_.nq())) {
      const Vec3 up = rotate(Quat::from(&q[begin + 3]), {0, 0, 1});
      if (q[begin + 2] > kUpright && up.z() > 0.9) ++standing;
    }
    const double speed =
        std::abs(*std::max_element(v.begin(), v.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    const bool limp = p_["limp"] != 0;
    const bool holds = steps_.none_failed() && violation_ < p_["limit"] && steps_.penetration() < p_["depth"] &&
                       (limp || standing == p_.count("robots")) && speed < kRestSpeed;
    return {holds,
            std::string(limp ? "at rest" : "all stand, at rest") + "; limits held to " +
                with_unit(p_["limit"], "rad, penetration below ") + with_unit(1e3 * p_["depth"], "mm"),
            std::to_string(standing) + " of " + std::to_string(p_.count("robots")) + " stand, fastest " +
                with_unit(speed, "m/s or rad/s, limits ") + with_unit(violation_, "rad, ") +
                with_unit(1e3 * steps_.penetration(), "mm, ") + steps_.text()};
  }

 private:
  Parameters p_;
  std::uint64_t seed_;
  Model robot_;
  StepWatch steps_;
  double violation_ = 0;
};

}  // namespace

Description quadruped_drop() {
  return {"quadruped-drop",
          "eight quadrupeds are dropped and land on their feet",
          0.002,
          3,
          2,
          kParameters,
          [](const Parameters& p, std::uint64_t seed) -> std::unique_ptr<Scene> {
            return std::make_unique<QuadrupedDrop>(p, seed);
          }};
}

}  // namespace uzawa::scenarios
