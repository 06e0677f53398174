#include <algorithm>
#include <cmath>
#include <numeric>

#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/soft_builder.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"cells", 3, 1, 20, "along the longer edges of a jelly, which is two thirds as high", true},
    {"edge", 0.06, 1e-3, 1, "m"},
    {"young", 3e4, 1e3, 1e9, "Pa"},
    {"mass", 0.3, 1e-3, 100, "kg, of each plate; a jelly's density is that of water"},
    {"plates", 2, 1, 10, "rigid ones, each on a jelly, with a jelly on top of all", true},
    {"mu", 0.5, 0, 10, "friction"},
    {"drift", 1e-6, 0, 1, "m, allowed"},
    {"depth", 1e-5, 0, 1, "m, allowed penetration"},
};

constexpr double kSettled = 2;       // s; the stack has come to rest by then
constexpr double kDamping = 0.05;    // s
constexpr double kThickness = 0.01;  // m, of a plate
constexpr double kFallen = 0.05;     // of a cell, penetration allowed among what has fallen
constexpr double kGain = 1e-3;       // J, allowed

/// Soft, rigid, soft, rigid, soft: they sag under their weight, swing a little, and then stand still. A stack that is
/// too slender for its stiffness bends over by itself (Greenhill 1881: a column whose weight is q L falls from
/// q L^3 = 7.837 E I on): the check says so, and looks whether it falls without penetration or gain of energy.
class JellyStack : public Scene {
 public:
  explicit JellyStack(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    const double edge = p_["edge"], height = edge * 2 / 3;
    double top = 0;
    for (int i = 0; i <= p_.count("plates"); ++i) {
      add_jelly(spec, i, {edge, edge, height}, top);
      top += height;
      if (i == p_.count("plates")) break;
      add_box(spec, {.name = "plate" + std::to_string(i),
                     .half = {0.6 * edge, 0.6 * edge, kThickness / 2},
                     .mass = p_["mass"],
                     .position = {0, 0, top + kThickness / 2},
                     .mu = p_["mu"]});
      top += kThickness;
    }
    return spec;
  }
  void watch(const World& world) override {
    steps_.watch(world);
    creep_.watch(world);
    gain_ = std::max(gain_, world.report().energy.gain);
  }
  Outcome check(const World& world) const override {
    std::vector<int> all(world.model().spec().bodies.size() - 1);
    std::iota(all.begin(), all.end(), 1);
    const bool slender = is_too_slender(world.model());
    Findings findings;
    if (slender) findings.note("too slender for its stiffness, so it falls");
    return findings.below("drift", creep_.drift(world, all), p_["drift"], kMicrometres)
        .below("penetration", steps_.penetration(), slender ? kFallen * p_["edge"] / p_.count("cells") : p_["depth"],
               kMicrometres)
        .below("gain of energy", gain_, kGain, {"J"})
        .all_solved(steps_)
        .outcome();
  }

 private:
  bool is_too_slender(const Model& model) const {
    constexpr double kGreenhill = 7.837;
    const double edge = p_["edge"], plates = p_.count("plates"), jellies = plates + 1;
    const double height = jellies * edge * 2 / 3;  // what is soft of it
    const double mass = plates * p_["mass"] + SoftBodyOptions{}.density * edge * edge * height;
    const double bending = p_["young"] * std::pow(edge, 4) / 12;
    return mass * norm(model.options().gravity) * height * height > kGreenhill * bending;
  }
  void add_jelly(ModelSpec& spec, int number, const Vec3& size, double bottom) const {
    const int cells = p_.count("cells");
    SoftBodyOptions jelly;
    jelly.name = "jelly" + std::to_string(number);
    jelly.position = {0, 0, bottom + size.z() / 2};
    jelly.material.young = p_["young"];
    jelly.material.damping = kDamping;
    jelly.friction = {p_["mu"], 0, 0};
    add_soft_body(spec, box_mesh(size, {cells, cells, std::max(1, 2 * cells / 3)}), jelly);
  }

  Parameters p_;
  StepWatch steps_;
  CreepWatch creep_{kSettled};
  double gain_ = 0;  // J
};

}  // namespace

Description jelly_stack() {
  return {.name = "jelly-stack",
          .summary = "plates between jellies sag, swing and stand still",
          .dt = 0.002,
          .duration = 5,
          .check_time = 1.1 * kSettled,
          .parameters = kParameters,
          .make = make_scene<JellyStack>};
}

}  // namespace uzawa::scenarios
