#include <cmath>

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/standing.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"storeys", 3, 1, 8, "tents of the lowest storey", true},
    {"lean", 24, 10, 40, "degrees between a leaning card and the vertical"},
    {"mu", 0.7, 0, 10, "friction; a tent needs tan(lean)"},
    {"drift", 1e-5, 0, 1, "m, allowed displacement of any point of a card"},
};

// m; beer mats rather than playing cards
constexpr double kLength = 0.1, kWidth = 0.07, kThick = 0.001;
constexpr double kDensity = 700;     // kg/m^3
constexpr double kInset = 0.005;     // m, from the top of a tent to the foot of the next storey
constexpr double kOverhang = 0.008;  // m, of the outer roofs
constexpr double kSeam = 0.0006;     // m, between two roofs above a tent

/// Tents of two leaning cards; flat cards from top to top carry the next storey, which has a tent less. Everything
/// touches exactly: two cards of a tent along their upper inner edges, a roof along the outer ones.
class CardHouse : public StandingScene {
 public:
  explicit CardHouse(const Parameters& parameters)
      : StandingScene(parameters, kLength / 2), lean_(parameters["lean"] * kDegree) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(parameters()["mu"]);
    double floor = 0;
    for (int tents = parameters().count("storeys"); tents > 0; --tents) {
      for (int i = 0; i < tents; ++i) {
        add_card(spec, top_x(i, tents), floor, 1);
        add_card(spec, top_x(i, tents), floor, -1);
      }
      const double roof = floor + kLength * std::cos(lean_) + kThick * std::sin(lean_);
      for (int i = 0; i + 1 < tents; ++i) add_roof(spec, i, tents, roof);
      floor = roof + kThick;
    }
    return spec;
  }
  Outcome check(const World& /*world*/) const override {
    return Findings().below("drift", drift(), parameters()["drift"], kMicrometres).well_solved(steps()).outcome();
  }

 private:
  double top_x(int i, int tents) const {
    const double spacing = 2 * (kLength * std::sin(lean_) + kInset);
    return (i - 0.5 * (tents - 1)) * spacing;
  }
  static std::string card_name(const ModelSpec& spec) { return "card" + std::to_string(spec.bodies.size()); }

  /// Leans to the right (side 1) or left (-1), its upper inner edge at x, its lower inner edge on the floor.
  void add_card(ModelSpec& spec, double x, double floor, int side) const {
    const Vec3 along{side * std::sin(lean_), 0, std::cos(lean_)}, inward{side * std::cos(lean_), 0, -std::sin(lean_)};
    const Vec3 edge{x, 0, floor + kLength * std::cos(lean_)};
    add_box(spec, {.name = card_name(spec),
                   .half = {kThick / 2, kWidth / 2, kLength / 2},
                   .mass = kDensity * kLength * kWidth * kThick,
                   .position = edge - along * (kLength / 2) - inward * (kThick / 2),
                   .orientation = exp_rotation({0, side * lean_, 0}),
                   .mu = parameters()["mu"]});
  }
  /// From the top of tent i to that of the next; beyond it where no other roof begins.
  void add_roof(ModelSpec& spec, int i, int tents, double bottom) const {
    const double left = top_x(i, tents) + (i == 0 ? -kOverhang : kSeam / 2);
    const double right = top_x(i + 1, tents) + (i + 2 == tents ? kOverhang : -kSeam / 2);
    add_box(spec, {.name = card_name(spec),
                   .half = {(right - left) / 2, kWidth / 2, kThick / 2},
                   .mass = kDensity * (right - left) * kWidth * kThick,
                   .position = {(left + right) / 2, 0, bottom + kThick / 2},
                   .mu = parameters()["mu"]});
  }

  double lean_;
};

}  // namespace

Description card_house() {
  return {.name = "card-house",
          .summary = "a house of cards with three storeys stands",
          .dt = 0.002,
          .duration = 5,
          .check_time = 0.5,
          .parameters = kParameters,
          .make = make_scene<CardHouse>};
}

}  // namespace uzawa::scenarios
