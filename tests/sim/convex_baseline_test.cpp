#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <random>

#include "uzawa/assembly/assembler.hpp"
#include "uzawa/base/temp_folder.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/sim/world.hpp"
#include "uzawa/solver/solver.hpp"

/// The baseline soft-convex beside MuJoCo with elliptic cones: on the same contacts, and over whole runs.
namespace uzawa::test {
namespace {

struct Twins {
  explicit Twins(const std::string& bodies) {
    const TempFolder folder;
    const std::filesystem::path path = folder.path() / "model.xml";
    std::ofstream(path) << R"(<mujoco><option cone="elliptic" tolerance="1e-15" iterations="500"/>)"
                        << "<worldbody><geom name=\"floor\" type=\"plane\" size=\"0 0 1\" friction=\".5\"/>" << bodies
                        << "</worldbody></mujoco>";
    ours = std::make_unique<Model>(load_model(path).model);
    char error[500] = "";
    theirs.reset(mj_loadXML(path.string().c_str(), nullptr, error, sizeof error));
    EXPECT_TRUE(theirs) << error;
    data.reset(mj_makeData(theirs.get()));
  }

  std::unique_ptr<Model> ours;
  std::unique_ptr<mjModel, void (*)(mjModel*)> theirs{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data{nullptr, mj_deleteData};
};

std::string cube(double x, double z, double half, double mass) {
  const std::string h = std::to_string(half);
  return "<body pos=\"" + std::to_string(x) + " 0 " + std::to_string(z) + "\"><freejoint/><geom type=\"box\" size=\"" +
         h + " " + h + " " + h + "\" mass=\"" + std::to_string(mass) + "\" friction=\".5\"/></body>";
}

TEST(SoftConvex, BodiesYieldAsInMujoco) {
  const Twins twins(
      R"(<body pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".05 .2" pos=".2 0 0" euler="0 90 0"/>
      <body pos=".4 0 0"><joint axis="0 1 0"/><geom size=".1" pos=".1 .02 0"/></body></body>)" +
      cube(3, 1, .1, 2));
  const std::vector<double> mobility = body_mobilities(*twins.ours);
  for (std::size_t b = 0; b < mobility.size(); ++b) {
    EXPECT_NEAR(mobility[b], twins.theirs->body_invweight0[2 * b], 1e-10 * (1 + mobility[b])) << b;
  }
}

/// v_{k+1} of soft-convex on the contacts that MuJoCo has found.
std::vector<double> our_velocity(const Twins& twins, const State& state) {
  const Model& model = *twins.ours;
  const ThetaRule rule{model.options().timestep, 0};
  DynamicsData data(model);
  MiddleWorkspace workspace(model);
  const CarriedMomentum carried(model);
  start_step(model, state, carried, {}, {}, rule, data, workspace);
  std::vector<Contact> contacts;
  for (int i = 0; i < twins.data->ncon; ++i) {
    const mjContact& from = twins.data->contact[i];
    Contact& contact = contacts.emplace_back();
    contact.geom1 = from.geom1;
    contact.geom2 = from.geom2;
    contact.pair = -1;
    contact.position = Vec3::from(from.pos);
    contact.normal = Vec3::from(from.frame);
    contact.gap = from.dist;
    contact.key = static_cast<std::uint64_t>(i);
  }
  AssemblySettings settings;
  settings.errors_in_rows = true;
  Assembler assembler(model, settings);
  assembler.assemble(workspace.state, workspace.start_v, {}, rule, data, workspace.impulse, contacts);
  Workspace memory;
  Result result;
  find_solver("soft-convex").solve(assembler.problem(), {}, memory, result);
  std::vector<double> v(state.v.size());
  assembler.joint_velocity(data, result.v, v);
  return v;
}

/// Stacks of cubes (no velocity products) that overlap, fly, turn and slide.
TEST(SoftConvex, SameContactsSameVelocity) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int trial = 0; trial < 30; ++trial) {
    std::string bodies;
    double z = 0;
    for (int k = 0; k < 3; ++k) {
      const double half = .1 + .03 * unit(random);
      bodies += cube(.02 * unit(random), z + half - .001 * std::abs(unit(random)), half, std::exp(unit(random)));
      z += 2 * half - .001;
    }
    const Twins twins(bodies);
    State state = twins.ours->reference_state();
    for (double& v : state.v) v = .3 * unit(random);
    std::copy(state.v.begin(), state.v.end(), twins.data->qvel);
    mj_forward(twins.theirs.get(), twins.data.get());
    ASSERT_GE(twins.data->ncon, 4);
    const std::vector<double> ours = our_velocity(twins, state);
    const double h = twins.theirs->opt.timestep;
    for (std::size_t d = 0; d < ours.size(); ++d) {
      EXPECT_NEAR(ours[d], state.v[d] + h * twins.data->qacc[d], 1e-6) << "trial " << trial << " dof " << d;
    }
  }
}

SimSettings soft_convex() {
  SimSettings settings;
  settings.solver = "soft-convex";
  return settings;
}

TEST(SoftConvex, TenBoxesRestAsDeepAsInMujoco) {
  std::string bodies;
  for (int k = 0; k < 10; ++k) bodies += cube(0, .1 + .2 * k, .1, 1);
  const Twins twins(bodies);
  World world(*twins.ours, soft_convex());
  for (int i = 0; i < 1000; ++i) {
    world.step();
    mj_step(twins.theirs.get(), twins.data.get());
  }
  for (std::size_t k = 0; k < 10; ++k) {
    const double theirs = twins.data->qpos[7 * k + 2], sunk = .1 + .2 * static_cast<double>(k) - theirs;
    EXPECT_GT(sunk, 5e-5);
    EXPECT_NEAR(world.state().q[7 * k + 2], theirs, .02 * sunk) << k;
  }
}

/// Slips to a stop; falls and hops.
TEST(SoftConvex, SlidesAndHopsAsInMujoco) {
  struct Case {
    double height, speed;
  };
  for (const Case& c : {Case{0, 2}, Case{.05, 0}, Case{.3, 1}}) {
    const Twins twins(cube(0, .1 + c.height, .1, 1));
    World world(*twins.ours, soft_convex());
    State state = world.state();
    state.v[0] = twins.data->qvel[0] = c.speed;
    world.set_state(state);
    for (int i = 0; i < 500; ++i) {
      world.step();
      mj_step(twins.theirs.get(), twins.data.get());
      ASSERT_NEAR(world.state().q[2], twins.data->qpos[2], 2e-4) << "height " << c.height << " step " << i;
      ASSERT_NEAR(world.state().q[0], twins.data->qpos[0], 2e-3) << "height " << c.height << " step " << i;
    }
  }
}

}  // namespace
}  // namespace uzawa::test
