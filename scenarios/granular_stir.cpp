#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/control/trajectory.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/stick_arm.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"spheres", 216, 8, 10000, "in the box; [SUB] 216", true},
    {"mu", 0.3, 0, 10, "friction of all"},
    {"turns", 2, 0.25, 20, "of the stick around the box"},
    {"period", 2, 0.2, 100, "s a turn"},
    {"depth", 1e-3, 0, 1, "m, allowed penetration"},
    {"error", 0.01, 0, 1, "m, allowed distance of the stick's end from its path"},
    {"moved", 0.9, 0, 1, "share of the balls in the way of the stick that must have gone elsewhere"},
};

// [SUB] gives radius and mass of the spheres.
constexpr double kRadius = 0.01, kMass = 0.004;          // m, kg
constexpr double kSpacing = 2.2, kJitter = 0.08;         // radii from ball to ball at the start; at random
constexpr double kPacking = 0.6;                         // share of the volume that poured balls take
constexpr double kWall = 0.01;                           // m, half of the thickness of the box's walls
constexpr double kMiddle = 0.5;                          // m, of the box in front of the robot
constexpr double kStick = 0.006;                         // m, radius of the stick
constexpr double kDeepest = 0.12;                        // m, that the stick goes below the surface
constexpr double kFall = 0.6, kDown = 0.6, kRest = 0.2;  // s, until the balls lie; of the way down; after stirring

/// [SUB] section IV-A.1: a Panda stirs balls in a box with a stick on its flange. The balls fall into the box first;
/// then the stick comes down among them and goes around in a circle. The box is as wide as the cube of balls was.
class GranularStir : public Scene {
 public:
  GranularStir(const Parameters& parameters, std::uint64_t seed)
      : p_(parameters),
        seed_(seed),
        side_(static_cast<int>(std::ceil(std::cbrt(p_["spheres"]) - 1e-9))),
        half_(kRadius * (0.5 * kSpacing * side_ + 0.2)),
        bed_(p_["spheres"] * 4 * M_PI / 3 * std::pow(kRadius, 3) / (kPacking * 4 * half_ * half_)),
        arm_({.length = std::min(bed_, kDeepest) + 0.1,
              .radius = kStick,
              .touches = true,
              .mu = p_["mu"],
              .stiffer = 4}) {
    const double up = height() + 0.02, down = lowest(), way = half_ / 2;
    path_ = Trajectory({{0, {0, 0, up}}, {kFall, {0, way, up}}, {kFall + kDown, {0, way, down}}});
    turn_ = Trajectory({{begins(), {0}}, {begins() + p_["turns"] * p_["period"], {2 * M_PI * p_["turns"]}}});
  }

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    for (const double side : {-1.0, 1.0}) {
      const std::string end = side < 0 ? "low" : "high";
      const double away = side * (half_ + kWall), up = height() / 2;
      add_wall(spec, {.name = "wall x " + end,
                      .half = {kWall, half_ + 2 * kWall, up},
                      .position = {kMiddle + away, 0, up},
                      .mu = p_["mu"]});
      add_wall(spec,
               {.name = "wall y " + end, .half = {half_, kWall, up}, .position = {kMiddle, away, up}, .mu = p_["mu"]});
    }
    Random random(seed_);
    for (int k = 0; k < p_.count("spheres"); ++k) {
      const auto place = [&](int i) {
        return kRadius * (kSpacing * (i - 0.5 * (side_ - 1)) + random.uniform(-kJitter, kJitter));
      };
      const double x = place(k % side_), y = place(k / side_ % side_), z = place(k / side_ / side_);
      add_ball(spec, "ball" + std::to_string(k), kRadius, kMass,
               {kMiddle + x, y, z + kRadius * (0.5 * kSpacing * (side_ - 1) + 1.2)}, p_["mu"]);
    }
    arm_.add(spec);
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    const double end = turn_.end() + kRest;
    return {.duration = end, .check_time = end};
  }
  void start(const Model& model, State& state) override { arm_.start(model, state, stick_at(0)); }
  void drive(const World& world, Drive& drive) override {
    arm_.lead(world, stick_at(world.state().time + world.dt()), drive);
  }
  void watch(const World& world) override {
    steps_.watch(world);
    if (world.state().time <= begins() + 0.5 * world.dt()) unstirred_ = world.state();
  }
  Outcome check(const World& world) const override {
    int inside = 0, in_the_way = 0, moved = 0;
    const Model& model = world.model();
    for (int ball = 0; ball < p_.count("spheres"); ++ball) {
      const Vec3 now = place_of(model, ball, world.state()), before = place_of(model, ball, unstirred_);
      if (std::max(std::abs(now.x() - kMiddle), std::abs(now.y())) < half_ && now.z() > 0) ++inside;
      const double from_circle = std::hypot(before.x() - kMiddle, before.y()) - half_ / 2;
      if (std::abs(from_circle) > kStick + kRadius || before.z() < lowest()) continue;
      ++in_the_way;
      if (norm(now - before) > kRadius) ++moved;
    }
    const double share = in_the_way == 0 ? 0 : 1.0 * moved / in_the_way;
    return Findings()
        .all("balls in the box", inside, p_.count("spheres"))
        .at_least("balls in the stick's way that were moved by more than a radius", share, p_["moved"], kPercent)
        .below("stick off its path by", arm_.error(), p_["error"], kMillimetres)
        .require(arm_.reached(), "all in reach", "out of reach")
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  double height() const { return kRadius * (kSpacing * side_ + 2); }        // m, of the box
  double lowest() const { return std::max(3 * kRadius, bed_ - kDeepest); }  // m, of the stick's end
  static double begins() { return kFall + kDown; }                          // s, of stirring
  Vec3 stick_at(double time) const {
    std::array<double, 3> place{};
    std::array<double, 1> angle{};
    path_.at(time, place);
    turn_.at(time, angle);
    const double c = std::cos(angle[0]), s = std::sin(angle[0]);
    return {kMiddle + c * place[0] - s * place[1], s * place[0] + c * place[1], place[2] + kStick};
  }
  static Vec3 place_of(const Model& model, int ball, const State& state) {
    return Vec3::from(&state.q[at(model.joint_q(ball))]);
  }

  Parameters p_;
  std::uint64_t seed_;
  int side_;           // balls along an edge of the cube that falls
  double half_, bed_;  // m, half of the box's width; depth of the balls in it
  StickArm arm_;
  Trajectory path_, turn_;  // of the stick's end until it stirs, m from the middle of the box; then its angle, rad
  State unstirred_;
  StepWatch steps_;
};

}  // namespace

Description granular_stir() {
  return {.name = "granular-stir",
          .summary = "a Panda stirs 216 balls in a box",
          .dt = 0.01,
          .duration = 5.4,
          .check_time = 5.4,
          .parameters = kParameters,
          .make = make_scene<GranularStir>};
}

}  // namespace uzawa::scenarios
