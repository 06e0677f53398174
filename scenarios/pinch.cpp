#include <algorithm>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"force", 20, 0, 1000, "N, of each finger"},
    {"mass", 0.5, 1e-3, 100, "kg, of the box"},
    {"mu", 0.7, 0, 10, "friction of fingers and box"},
    {"creep", 1e-7, 0, 1, "m/s, allowed"},
};

constexpr double kClosed = 1;  // s; the fingers have come to rest by then
constexpr int kBox = 3;        // body

/// A box between two fingers that press with a constant force. Friction could carry 2 mu F = 28 N; 4.9 N are asked for.
class Pinch : public Scene {
 public:
  explicit Pinch(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec;
    spec.options.gravity = {0, 0, -kGravity};
    const Vec3 pad{0.01, 0.02, 0.02};
    add_finger(spec, "left", pad, {-0.041, 0, 0}, {1, 0, 0}, p_["mu"]);  // 1 mm from the box
    add_finger(spec, "right", pad, {0.041, 0, 0}, {-1, 0, 0}, p_["mu"]);
    add_box(spec, {.half = {0.03, 0.03, 0.03}, .mass = p_["mass"], .mu = p_["mu"]});
    return spec;
  }
  void drive(const World& /*world*/, Drive& drive) override {
    std::fill(drive.control.begin(), drive.control.end(), p_["force"]);
  }
  void watch(const World& world) override {
    steps_.watch(world);
    if (world.state().time <= kClosed) closed_ = world.state();
  }
  Outcome check(const World& world) const override {
    const double time = std::max(world.state().time - closed_.time, world.dt());
    const double creep = displacement(world.model(), kBox, closed_, world.state(), 0) / time;
    return Findings().below("creep", creep, p_["creep"], {"um/s", 1e6}).all_solved(steps_).outcome();
  }

 private:
  Parameters p_;
  StepWatch steps_;
  State closed_;
};

}  // namespace

Description pinch() {
  return {.name = "pinch",
          .summary = "a box pinched by two fingers at 20 N does not creep",
          .dt = 0.002,
          .duration = 6,
          .check_time = 1.1 * kClosed,
          .parameters = kParameters,
          .make = make_scene<Pinch>};
}

}  // namespace uzawa::scenarios
