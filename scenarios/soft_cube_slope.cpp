#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/soft_builder.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"cells", 4, 1, 20, "along each edge of the cube", true},
    {"edge", 0.04, 1e-3, 1, "m"},
    {"mass", 0.064, 1e-3, 100, "kg, of the cube"},
    {"young", 1e5, 1e3, 1e9, "Pa"},
    {"slope", 0.3, 0, 1.5, "rad"},
    {"mu", 0.5, 0, 10, "friction"},
    {"creep", 1e-6, 0, 1, "m/s, allowed"},
    {"depth", 1e-5, 0, 1, "m, allowed penetration"},
    {"pieces", 1, 0, 1000, "that subadmm solves the cube in; 0: automatically", true},
};

constexpr double kSettled = 1;  // s; vibrations have died out by then
constexpr double kDamping =
    2e-3;  // s: the slowest vibration, of 36 Hz or more, loses a fifth of its height in a period

/// A soft cube on a slope that friction can hold: tan 0.3 = 0.31 is less than mu. It sags, and stays.
class SoftCubeSlope : public Scene {
 public:
  explicit SoftCubeSlope(Parameters parameters) : p_(std::move(parameters)) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"], p_["slope"]);
    const double edge = p_["edge"];
    const int cells = p_.count("cells");
    SoftBodyOptions cube;
    cube.name = "cube";
    cube.orientation = exp_rotation({0, p_["slope"], 0});
    cube.position = rotate(cube.orientation, {0, 0, edge / 2});
    cube.mass = p_["mass"];
    cube.material.young = p_["young"];
    cube.material.damping = kDamping;
    cube.pieces.count = p_.count("pieces");
    cube.friction = {p_["mu"], 0, 0};
    add_soft_body(spec, box_mesh({edge, edge, edge}, {cells, cells, cells}), cube);
    return spec;
  }
  void watch(const World& world) override {
    steps_.watch(world);
    creep_.watch(world);
  }
  Outcome check(const World& world) const override {
    const double creep = creep_.creep(world, world.model().spec().soft_bodies[0].bodies);
    return Findings()
        .below("creep", creep, p_["creep"], kCreep)
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .all_solved(steps_)
        .outcome();
  }

 private:
  Parameters p_;
  StepWatch steps_;
  CreepWatch creep_{kSettled};
};

}  // namespace

Description soft_cube_slope() {
  return {.name = "soft-cube-slope",
          .summary = "a soft cube on a slope sags and stays where it is",
          .dt = 0.002,
          .duration = 5,
          .check_time = 1.1 * kSettled,
          .parameters = kParameters,
          .make = make_scene<SoftCubeSlope>};
}

}  // namespace uzawa::scenarios
