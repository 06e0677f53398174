#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/control/trajectory.hpp"
#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/soft_builder.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/stick_arm.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"across", 5, 1, 20, "cells along the short sides", true},
    {"along", 43, 2, 400, "cells along the beam: 1,584 nodes, 6,450 tetrahedra; [SUB] 1,591 and 6,347", true},
    {"pieces", 20, 1, 200, "of the beam, subsystems of their own; [SUB] 20", true},
    {"young", 1e7, 1e4, 1e9, "Pa; [SUB] 10 MPa"},
    {"poisson", 0.45, 0, 0.49, "[SUB] 0.45"},
    {"mu", 0.1, 0, 10, "friction of beam and jaws"},
    {"gap", 0.0495, 0.02, 0.1, "m, between the jaws; the beam is 0.05 m thick"},
    {"aside", 0.004, 0, 0.02, "m, of the gap from the beam's axis"},
    {"push", 0.25, 0.01, 0.3, "m, that the hand pushes"},
    {"speed", 0.1, 0.001, 1, "m/s, mean"},
    {"through", 0.18, 0, 1, "m of the beam that must be beyond the narrowest place in the end"},
    {"depth", 5e-4, 0, 1, "m, allowed penetration, a hundredth of the thickness"},
};

// Sizes and density but those of the beam are ours.
constexpr double kThick = 0.05, kLength = 0.5;      // m, of the beam
constexpr double kDensity = 1000, kDamping = 1e-2;  // kg/m^3, s
constexpr double kJaw = 0.03;                       // m, radius of the jaws
constexpr double kMiddle = 0.5, kNarrowest = 0.25;  // m, of the gap: from the robot, and its height
constexpr double kAbove = 0.01;                     // m, of the beam's end over the jaws at the start
constexpr double kSettle = 0.2, kRest = 0.8;        // s, before and after the push
constexpr double kStick = 0.02;                     // m
constexpr double kTiny = 1e-6, kSlack = 3e-4;       // m; of the thickness that nodes between the jaws show

/// [SUB] section IV-A.3: a Panda pushes a soft beam through a gap that is narrower than it. The beam hangs from the
/// flange; the gap is between two round jaws that stand off its axis, so that it is bent aside before it is squeezed.
class BeamInsertion : public Scene {
 public:
  explicit BeamInsertion(const Parameters& parameters)
      : p_(parameters), arm_({.length = kStick, .radius = kStick, .stiffer = 8}) {
    path_ = Trajectory({{kSettle, {0}}, {kSettle + p_["push"] / p_["speed"], {p_["push"]}}});
  }

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    for (const double side : {-1.0, 1.0}) {
      GeomSpec jaw;
      jaw.name = side < 0 ? "near jaw" : "far jaw";
      jaw.shape = ShapeType::Cylinder;
      jaw.size = {kJaw, 0.06, 0};
      jaw.position = {kMiddle + p_["aside"] + side * (p_["gap"] / 2 + kJaw), 0, kNarrowest};
      jaw.orientation = exp_rotation({M_PI / 2, 0, 0});
      jaw.friction = {p_["mu"], 0, 0};
      spec.geoms.push_back(std::move(jaw));
    }
    SoftBodyOptions beam;
    beam.name = "beam";
    beam.position = {kMiddle, 0, top() - kLength / 2};
    beam.density = kDensity;
    beam.material.young = p_["young"];
    beam.material.poisson = p_["poisson"];
    beam.material.damping = kDamping;
    beam.friction = {p_["mu"], 0, 0};
    beam.pieces.count = p_.count("pieces");
    const int across = p_.count("across");
    const TetMesh mesh = box_mesh({kThick, kThick, kLength}, {across, across, p_.count("along")});
    const int soft = add_soft_body(spec, mesh, beam);
    const int flange = arm_.add(spec);
    for (const int node : held(mesh.nodes)) {
      EqualitySpec clip;
      clip.name = "clip" + std::to_string(node);
      clip.first = spec.soft_bodies[at(soft)].bodies[at(node)];
      clip.second = flange;
      const Vec3& place = mesh.nodes[at(node)];
      clip.second_anchor = arm_.tip() + transpose_times(arm_.home(), Vec3{place.x(), place.y(), 0});
      spec.equalities.push_back(std::move(clip));
    }
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    return {.duration = path_.end() + kRest, .check_time = path_.end() + kRest};
  }
  void start(const Model& model, State& state) override { arm_.start(model, state, hand(0)); }
  void drive(const World& world, Drive& drive) override {
    std::array<double, 1> way{};
    path_.at(world.state().time + world.dt(), way);
    arm_.lead(world, hand(way[0]), drive);
  }
  void watch(const World& world) override { steps_.watch(world); }
  Outcome check(const World& world) const override {
    const Inserted beam = look(world);
    return Findings()
        .at_least("beam beyond the gap by", beam.through, p_["through"], kMillimetres)
        .below("thickness between the jaws", beam.thickness, p_["gap"] + kSlack, kMillimetres)
        .require(beam.held == 2, "both jaws hold the beam", "a jaw does not touch the beam")
        .below("speed of the beam", beam.speed, 0.01, kSpeed)
        .below("hand off its path by", arm_.error(), 0.02, kMillimetres)
        .require(arm_.reached(), "all in reach", "out of reach")
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  static double top() { return kNarrowest + kJaw + kAbove + kLength; }  // m, of the beam at the start
  static Vec3 hand(double pushed) { return {kMiddle, 0, top() - pushed}; }
  /// The corners of the upper end.
  static std::vector<int> held(const std::vector<Vec3>& nodes) {
    return select_nodes(nodes, [](const Vec3& node) {
      const bool corner = std::abs(node.x()) > kThick / 2 - kTiny && std::abs(node.y()) > kThick / 2 - kTiny;
      return node.z() > kLength / 2 - kTiny && corner;
    });
  }

  struct Inserted {
    double through = kLength;  // m, from the narrowest place to the end of the beam, where that is nearest
    double thickness = 0;      // m, of the beam there
    double speed = 0;          // m/s
    int held = 0;              // jaws that touch the beam
  };
  Inserted look(const World& world) const {
    const Model& model = world.model();
    const std::vector<Vec3> now = node_places(model, 0, world.state());
    const std::vector<Vec3> rest = node_places(model, 0, model.reference_state());
    Inserted out;
    double low = kMiddle + kThick, high = kMiddle - kThick;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const int body = model.spec().soft_bodies[0].bodies[i];
      out.speed = std::max(out.speed, norm(Vec3::from(&world.state().v[v_of(model, body)])));
      if (rest[i].z() < top() - kLength + kTiny) out.through = std::min(out.through, kNarrowest - now[i].z());
      if (std::abs(now[i].z() - kNarrowest) > 0.6 * kLength / p_.count("along")) continue;
      low = std::min(low, now[i].x());
      high = std::max(high, now[i].x());
    }
    out.thickness = high - low;
    for (const char* jaw : {"near jaw", "far jaw"}) {
      const std::vector<GeomSpec>& geoms = model.spec().geoms;
      const auto named = [&](const GeomSpec& geom) { return geom.name == jaw; };
      const auto geom = static_cast<int>(std::find_if(geoms.begin(), geoms.end(), named) - geoms.begin());
      const bool touches = std::any_of(world.contacts().begin(), world.contacts().end(), [&](const Contact& contact) {
        return (contact.geom1 == geom || contact.geom2 == geom) && contact.gap < p_["depth"];
      });
      out.held += touches ? 1 : 0;
    }
    return out;
  }

  Parameters p_;
  StickArm arm_;
  Trajectory path_;  // m, that the hand has pushed
  StepWatch steps_;
};

}  // namespace

Description beam_insertion() {
  return {.name = "beam-insertion",
          .summary = "a Panda pushes a soft beam through a narrow gap",
          .dt = 0.01,
          .duration = 3.5,
          .check_time = 3.5,
          .parameters = kParameters,
          .make = make_scene<BeamInsertion>};
}

}  // namespace uzawa::scenarios
