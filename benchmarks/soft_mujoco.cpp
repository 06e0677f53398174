/// A soft block at rest on a plane, a rope at rest over a cylinder, and bodies like those of soft-mat and soft-ball
/// while they are moved: ours beside MuJoCo, a step of ours, then one of MuJoCo's, CPU time of a whole step on one
/// thread. Soft bodies are the same flexcomp in both. The rope is a chain of capsules on ball joints in MuJoCo, a rod
/// of as many links, mass and bending stiffness here.
///
/// MuJoCo's integrator for soft bodies is `discrete`, the one that is implicit in elasticity: Euler diverges at this
/// stiffness unless the step is a tenth as long.
///
/// `residual`: the judge's word on the impulses of a step, the worst of those looked at (MuJoCo's: Referee).
/// `sinks`: the deepest contact on the way. `creeps`: how fast positions change over the steps that are timed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>

#include "mujoco_referee.hpp"
#include "soft.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/rod_builder.hpp"

namespace uzawa::bench {

namespace {

struct SoftScene {
  std::string name;
  std::string xml;  ///< MuJoCo's side, and the referee's
  int first = 0, steps = 0;
  Model (*ours)(const ModelPair& pair);
  double most_speed = 0;  ///< m/s, of what counts as resting; infinite: it is timed while it moves
  double most_ratio = 1;  ///< of the time of a step
};

// -- the block: 11 x 11 x 12 nodes, 6600 tetrahedra, 1.1 kg

std::string block_xml(const char* solver) {
  return fmt::format(
      R"(<mujoco><option timestep=".002" solver="{}" integrator="discrete"/><size memory="400M"/><worldbody>
    <geom type="plane" size="1 1 1" friction=".5"/>
    <flexcomp name="block" type="grid" dim="3" count="11 11 12" spacing=".01 .01 .01" pos="0 0 .056" radius=".001"
      mass="1.1"><contact selfcollide="none" friction=".5"/>
      <elasticity young="1e5" poisson=".3" damping=".005"/></flexcomp>
  </worldbody></mujoco>)",
      solver);
}

Model same_model(const ModelPair& pair) { return Model(pair.ours.model.spec()); }

// -- the mat: 27 x 27 x 2 nodes, 4056 tetrahedra, on the floor; an arm on a hinge lifts the middle and the ends of an
// edge, as the hand in soft-mat does

std::string mat_xml(const char* solver) {
  constexpr int kNodes = 27;
  std::string clips;
  for (const int node : {0, kNodes / 2, kNodes - 1}) {
    clips += fmt::format(R"(<connect body1="mat_{}" body2="arm" anchor="0 0 0"/>)", 2 * node + 1);
  }
  return fmt::format(
      R"(<mujoco><option timestep=".002" solver="{}" integrator="discrete"/><size memory="400M"/><worldbody>
    <geom type="plane" size="1 1 1" friction=".3"/>
    <body name="arm" pos="0 0 .01"><joint type="hinge" axis="0 1 0" stiffness="5" springref="120" damping="2"/>
      <inertial pos="-.12 0 0" mass=".2" diaginertia="1e-3 1e-3 1e-3"/></body>
    <flexcomp name="mat" type="grid" dim="3" count="27 27 2" spacing=".0096154 .0096154 .006" pos="0 0 .00325"
      radius=".00025" mass=".375"><contact selfcollide="none" friction=".3"/>
      <elasticity young="7.5e4" poisson=".35" damping=".005"/></flexcomp>
  </worldbody><equality>{}</equality></mujoco>)",
      solver, clips);
}

// -- the ball: 1415 nodes, 6860 tetrahedra, between two fingers on springs, which lift it: that of soft-ball

std::string ball_xml(const char* solver) {
  constexpr double kRadius = 0.04;
  const TetMesh mesh = ball_mesh(kRadius, 7);
  std::string points, elements;
  for (const Vec3& node : mesh.nodes) points += fmt::format("{} {} {} ", node.x(), node.y(), node.z());
  for (const std::array<int, 4>& tet : mesh.tets) {
    elements += fmt::format("{} {} {} {} ", tet[0], tet[1], tet[2], tet[3]);
  }
  const auto finger = [&](const char* name, int side) {
    return fmt::format(
        R"(<body name="{}" pos="{} 0 0"><joint type="slide" axis="{} 0 0" stiffness="2000" springref=".02" damping="50"/>
        <geom type="box" size=".008 .028 .028" mass=".1" friction=".5"/></body>)",
        name, side * (kRadius + 0.0095), -side);
  };
  return fmt::format(
      R"(<mujoco><option timestep=".002" solver="{}" integrator="discrete"/><size memory="400M"/><worldbody>
    <body name="palm" pos="0 0 .0415"><joint type="slide" axis="0 0 1" stiffness="500" springref=".15" damping="100"/>
      <inertial pos="0 0 .1" mass=".3" diaginertia="1e-3 1e-3 1e-3"/>{}{}</body>
    <flexcomp name="ball" type="direct" dim="3" pos="0 0 .0415" radius=".001" mass=".268"
      point="{}" element="{}"><contact selfcollide="none" friction=".5"/>
      <elasticity young="1e6" poisson=".35" damping=".002"/></flexcomp>
  </worldbody></mujoco>)",
      solver, finger("left", -1), finger("right", 1), points, elements);
}

// -- the rope: 200 links of 6 mm over a cylinder of radius 50 mm, one end hangs lower by 20 links

constexpr int kLinks = 200, kArcLinks = 28, kLongLinks = 96;
constexpr double kLink = 6e-3, kRopeRadius = 4e-3, kCylinder = 0.05, kYoung = 1e6, kDensity = 1000, kRopeDamping = 0.02;

std::vector<Vec3> rope_points() {
  constexpr double kAngle = std::numbers::pi / kArcLinks;
  // The middles of the links on the arc touch the cylinder.
  const double radius = (kCylinder + kRopeRadius) / std::cos(kAngle / 2);
  std::vector<Vec3> points;
  for (int i = 0; i <= kLinks; ++i) {
    const int on_arc = std::clamp(i - kLongLinks, 0, kArcLinks), beyond = i - kLongLinks - on_arc;
    const double angle = std::numbers::pi - kAngle * on_arc;
    points.push_back({radius * std::cos(angle), 0, radius * std::sin(angle) - kLink * std::abs(beyond)});
  }
  return points;
}

/// Links along z of their frames, each in the frame of the one before.
std::string rope_xml() {
  const std::vector<Vec3> points = rope_points();
  constexpr double kBending = kYoung * std::numbers::pi * kRopeRadius * kRopeRadius * kRopeRadius * kRopeRadius / 4;
  const auto turned = [&](int link) {  // about y, of a link's axis
    const Vec3 along = points[at(link + 1)] - points[at(link)];
    return std::atan2(along.x(), along.z());
  };
  std::string bodies, ends;
  for (int i = 0; i < kLinks; ++i) {
    const double length = norm(points[at(i + 1)] - points[at(i)]), turn = turned(i) - (i > 0 ? turned(i - 1) : 0);
    const Vec3 place = i > 0 ? Vec3{0, 0, norm(points[at(i)] - points[at(i - 1)])} : points[0];
    bodies += fmt::format(
        R"(<body pos="{} {} {}" euler="0 {} 0">{}<geom type="capsule" fromto="0 0 0 0 0 {}" size="{}" mass="{}"/>)",
        place.x(), place.y(), place.z(), turn, i > 0 ? "<joint type=\"ball\"/>" : "<freejoint/>", length, kRopeRadius,
        kDensity * std::numbers::pi * kRopeRadius * kRopeRadius * length);
    ends += "</body>";
  }
  return fmt::format(R"(<mujoco><option timestep=".002"/><compiler angle="radian"/><size memory="400M"/>
    <default><geom contype="2" conaffinity="1" friction=".3"/><joint stiffness="{}" damping="{}"/></default>
    <worldbody><geom type="cylinder" size="{} .1" zaxis="0 1 0" contype="1" conaffinity="2"/>)",
                     kBending / kLink, kRopeDamping * kBending / kLink, kCylinder) +
         bodies + ends + "</worldbody></mujoco>";
}

Model rod_over_cylinder(const ModelPair& pair) {
  ModelSpec spec;
  spec.options = pair.ours.model.spec().options;
  spec.geoms.push_back(pair.ours.model.spec().geoms.at(0));  // the cylinder
  RodOptions rope;
  rope.radius = kRopeRadius;
  rope.young = kYoung;
  rope.density = kDensity;
  rope.damping = kRopeDamping;
  rope.friction = {0.3, 0, 0};
  rope.contact_type = 2;
  rope.contact_affinity = 1;
  add_rod(spec, rope_points(), rope);
  return Model(spec);
}

// -- a run

struct Side {
  std::vector<double> ms;
  double residual = 0, sinks = 0, creeps = 0;  // worst; m; m/s
};

struct SoftComparison {
  Side ours, theirs;
  StageTimes stages;
  int contacts = 0, their_contacts = 0, unsolved = 0, warnings = 0;
  double inner = 0;
};

/// m/s, mean speed of the q that moved most.
double creep(std::span<const double> from, std::span<const double> to, double seconds) {
  double most = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!std::isfinite(to[i])) return NAN;
    most = std::max(most, std::abs(to[i] - from[i]));
  }
  return most / seconds;
}

double deepest_contact(const mjData* d) {
  double deepest = 0;
  for (int i = 0; i < d->ncon; ++i) deepest = std::max(deepest, -d->contact[i].dist);
  return deepest;
}

int warnings(const mjData* d) {
  int count = 0;
  for (const mjWarningStat& warning : d->warning) count += warning.number;
  return count;
}

SoftComparison run_soft_scene(const SoftScene& scene) {
  constexpr int kJudgeEvery = 20;
  ModelPair pair = load_pair_from_text(scene.xml);
  mjData* d = pair.their_data.get();
  World world(scene.ours(pair), {.solve = {.tolerance = kSoftTolerance}});
  Referee referee(pair.ours.model, {});
  SoftComparison c;
  std::vector<double> start, their_start;
  for (int i = 0; i < scene.steps; ++i) {
    const bool timed = i >= scene.first, judged = timed && i % kJudgeEvery == 0;
    if (i == scene.first) {
      start = world.state().q;
      their_start.assign(d->qpos, d->qpos + pair.theirs->nq);
    }
    if (judged) referee.look_at_state(d);
    const double ours = seconds([&] { world.step(); });
    const double theirs = seconds([&] { mj_step(pair.theirs.get(), d); });
    if (judged) c.theirs.residual = std::max(c.theirs.residual, referee.residual(pair));
    if (!timed) continue;
    const StepReport& report = world.report();
    c.ours.ms.push_back(ours * 1e3);
    c.theirs.ms.push_back(theirs * 1e3);
    c.ours.residual = std::max(c.ours.residual, report.residual);
    c.ours.sinks = std::max(c.ours.sinks, report.penetration);
    c.theirs.sinks = std::max(c.theirs.sinks, deepest_contact(d));
    c.contacts = report.contacts;
    c.their_contacts = d->ncon;
    c.unsolved += report.status == StepStatus::Solved ? 0 : 1;
    c.inner += report.inner_iterations;
    c.stages += report.times;
  }
  const double spent = (scene.steps - scene.first) * world.dt();
  c.ours.creeps = creep(start, world.state().q, spent);
  c.theirs.creeps = creep(their_start, {d->qpos, their_start.size()}, spent);
  c.warnings = warnings(d);
  if (!(c.ours.creeps < scene.most_speed)) {
    throw std::runtime_error(fmt::format("{}: ours is not at rest, {} m/s", scene.name, c.ours.creeps));
  }
  return c;
}

void print_side(const char* who, const Side& side, int contacts) {
  fmt::print("  {:<8} {:>8.2f} {:>8.2f} | {:>8} | {:>8.1e} | {:>9.4f} | {:>9.2g}\n", who, median(side.ms),
             *std::max_element(side.ms.begin(), side.ms.end()), contacts, side.residual, side.sinks * 1e3,
             side.creeps * 1e3);
}

bool print_soft(const SoftScene& scene, const SoftComparison& c) {
  const double ratio = median(c.ours.ms) / median(c.theirs.ms);
  fmt::print("{}\n", scene.name);
  print_side("ours", c.ours, c.contacts);
  print_side("MuJoCo", c.theirs, c.their_contacts);
  const double total = c.stages.total() / 100, count = static_cast<double>(c.ours.ms.size());
  fmt::print(
      "  dynamics {:.0f} %, collision {:.0f} %, assembly {:.0f} %, solve {:.0f} %, integrate {:.0f} %; {:.1f} inner a "
      "step; {} of {} steps not solved; MuJoCo warned {} times\n",
      c.stages.dynamics / total, c.stages.collision / total, c.stages.assembly / total, c.stages.solve / total,
      c.stages.integrate / total, c.inner / count, c.unsolved, c.ours.ms.size(), c.warnings);
  const bool holds = ratio < scene.most_ratio && !(c.ours.residual >= c.theirs.residual);
  fmt::print("  ratio {:.3f} (at most {:g}): {}\n", ratio, scene.most_ratio,
             holds ? "faster, at a smaller residual" : "target missed");
  std::fflush(stdout);
  return holds;
}

}  // namespace

bool compare_soft_with_mujoco(const std::string& only) {
  const SoftScene scenes[] = {
      {"block, 1452 nodes, 6600 tets; MuJoCo CG", block_xml("CG"), 150, 200, same_model, 1e-3},
      {"block, 1452 nodes, 6600 tets; MuJoCo Newton", block_xml("Newton"), 20, 40, same_model, 1e-2},
      {"mat, 1458 nodes, 4056 tets, an edge lifted; MuJoCo CG", mat_xml("CG"), 50, 200, same_model, HUGE_VAL, 0.5},
      {"ball, 1415 nodes, 6860 tets, lifted by two fingers; MuJoCo CG", ball_xml("CG"), 50, 200, same_model, HUGE_VAL,
       0.5},
      {"rope of 200 links over a cylinder", rope_xml(), 300, 400, rod_over_cylinder, 1e-2},
  };
  fmt::print("a step; ours to {:g}, MuJoCo {} to its default\n", kSoftTolerance, mj_versionString());
  fmt::print("  {:<8} {:>8} {:>8} | {:>8} | {:>8} | {:>9} | {:>9}\n", "", "median", "worst ms", "contacts", "residual",
             "sinks, mm", "creeps, mm/s");
  bool holds = true;
  for (const SoftScene& scene : scenes) {
    if (scene.name.find(only) == std::string::npos) continue;
    holds = print_soft(scene, run_soft_scene(scene)) && holds;
  }
  return holds;
}

}  // namespace uzawa::bench
