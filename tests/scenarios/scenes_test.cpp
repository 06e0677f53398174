/// The named scenes do what they say; short or small versions of them here, the full ones by `uzawa run NAME`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "uzawa/scenarios/scene.hpp"

namespace uzawa::scenarios {
namespace {

constexpr std::string_view kExact = "auto";

struct Case {
  const char* scene;
  std::vector<std::string> changes;
  double time;  ///< s
  const char* solver = "auto";
  double dt = 0;  ///< s; 0: the scene's own
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.scene; }

/// `unsolved`: counts steps that are not solved to the tolerance; `deepest`: m, penetration of all steps.
SceneRun run_for(const Case& c, std::uint64_t seed = 1, int* unsolved = nullptr, double* deepest = nullptr) {
  const Description& description = *find_scene(c.scene);
  Parameters parameters(description.parameters);
  for (const std::string& change : c.changes) parameters.set(change);
  SimSettings settings = SceneRun::settings(description, parameters);
  settings.solver = c.solver;
  if (c.dt > 0) settings.dt = c.dt;
  SceneRun run(description, parameters, seed, settings);
  const long steps = std::lround(c.time / run.world().dt());
  for (long i = 0; i < steps; ++i) {
    const StepReport& report = run.step();
    if (unsolved != nullptr && !is_solved(report.status)) ++*unsolved;
    if (deepest != nullptr) *deepest = std::max(*deepest, report.penetration);
  }
  return run;
}

class SceneChecks : public testing::TestWithParam<Case> {};
TEST_P(SceneChecks, Hold) {
  const Case& c = GetParam();
  ASSERT_NE(find_scene(c.scene), nullptr);
  EXPECT_GE(c.time, find_scene(c.scene)->check_time) << "too short to be judged";
  int unsolved = 0;
  const Outcome outcome = run_for(c, 1, &unsolved).check();
  EXPECT_TRUE(outcome.holds) << "expected: " << outcome.expected << "; measured: " << outcome.measured;
  EXPECT_FALSE(outcome.expected.empty() || outcome.measured.empty());
  if (c.solver == kExact) {
    EXPECT_EQ(unsolved, 0);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Short, SceneChecks,
    testing::Values(Case{"box-stack", {}, 2}, Case{"heavy-on-light", {}, 5},
                    Case{"heavy-on-light", {"ratio=100000"}, 0.5}, Case{"push-box", {}, 1},
                    Case{"push-box", {}, 1, "auto", 0.002}, Case{"push-box", {"angle=200", "mu=0.3"}, 0.5},
                    Case{"push-box", {"force=4"}, 0.5}, Case{"pinch", {}, 6}, Case{"card-house", {"drift=1e-6"}, 0.5},
                    Case{"card-house", {"lean=20", "mu=0.6", "drift=1e-6"}, 1}, Case{"sphere-pile", {"side=2"}, 1},
                    Case{"quadruped-drop", {"robots=3"}, 2}, Case{"newton-cradle", {}, 1.3},
                    Case{"newton-cradle", {"balls=3"}, 1.3}, Case{"spinning-coin", {}, 0.1},
                    Case{"spinning-coin", {"tilt=60", "mu=0.2"}, 0.1}, Case{"bolt-nut", {}, 2},
                    Case{"bolt-nut", {"turns=0.25", "mu=0.4", "clearance=5e-5"}, 2},
                    Case{"bolt-nut", {"turns=0.5"}, 2, "subadmm"}, Case{"dish-piling", {}, 1.6},
                    Case{"dish-piling", {}, 1.6, "subadmm"}, Case{"bolt-nut-assembly", {"sweeps=1"}, 8.5},
                    Case{"bolt-nut-assembly", {"sweeps=1", "yaw=-100"}, 8.5, "subadmm"},
                    Case{"dish-piling-robot", {"dishes=1"}, 6.5},
                    Case{"dish-piling-robot", {"dishes=1"}, 6.5, "subadmm"}));
INSTANTIATE_TEST_SUITE_P(Papers, SceneChecks,
                         testing::Values(Case{"door-handle", {}, 2},
                                         Case{"door-handle", {"periodic=1", "limit=0.3"}, 1}, Case{"franka-box", {}, 1},
                                         Case{"laikago-drop", {}, 1.5}, Case{"dish-sliding", {}, 0.7},
                                         Case{"pouring", {"particles=9"}, 6}));

/// A check that can't fail is none: each scene with something wrong in it.
class WrongScenes : public testing::TestWithParam<Case> {};
TEST_P(WrongScenes, AreFoundOut) {
  const Outcome outcome = run_for(GetParam()).check();
  EXPECT_FALSE(outcome.holds) << outcome.measured;
}
INSTANTIATE_TEST_SUITE_P(
    Short, WrongScenes,
    testing::Values(Case{"box-stack", {"drift=1e-16"}, 0.2},                         // exacter than rounding
                    Case{"heavy-on-light", {"depth=1e-20"}, 0.2},                    // likewise
                    Case{"push-box", {"error=1e-16"}, 0.2},                          // likewise
                    Case{"pinch", {"mu=0.1"}, 1.2},                                  // 4 N for 4.9 N
                    Case{"card-house", {"mu=0.1", "storeys=1"}, 1},                  // tan(24 degrees) = 0.45
                    Case{"sphere-pile", {"side=3"}, 0.1},                            // still falling
                    Case{"quadruped-drop", {"robots=1", "tilt=90", "drop=0.5"}, 1},  // on its side
                    Case{"newton-cradle", {"restitution=0.5"}, 1.3},
                    Case{"spinning-coin", {"mu=0", "rate_error=1e-9"}, 0.1},
                    Case{"bolt-nut", {"turns=0.1", "mu=0.01"}, 2},                // does not lock itself
                    Case{"dish-piling", {"mu=0", "askew=0.01"}, 1.6},             // slides apart
                    Case{"bolt-nut-assembly", {"sweeps=1", "grip=2"}, 8.5},       // 4 N for 9.4 N
                    Case{"dish-piling-robot", {"dishes=1", "squeeze=0"}, 6.5}));  // a touch is no grip
INSTANTIATE_TEST_SUITE_P(Papers, WrongScenes,
                         testing::Values(Case{"door-handle", {"error=1e-16"}, 1},     // exacter than rounding
                                         Case{"franka-box", {"mu=0"}, 3},             // the box slides off
                                         Case{"laikago-drop", {"side=1"}, 0.1},       // still in the air
                                         Case{"laikago-drop", {"limit=1e-16"}, 1.5},  // exacter than rounding
                                         Case{"pouring", {"particles=1"}, 3},         // nothing is poured yet
                                         Case{"dish-sliding", {"rise=1e-20"}, 0.7},   // exacter than rounding
                                         Case{"dish-sliding", {"force=0.5"}, 0.7}));  // does not slide

/// Legs are flung about and turn fast; what they meet is found within the step. Without that they overlap by 11 mm.
TEST(ScenesTest, HeapOf125QuadrupedsDoesNotOverlap) {
  double deepest = 0;
  run_for({"laikago-drop", {"side=5"}, 2, "subadmm"}, 1, nullptr, &deepest);
  EXPECT_LT(deepest, Parameters(find_scene("laikago-drop")->parameters)["depth"]);
}

TEST(ScenesTest, EveryoneIsFoundByNameAndTested) {
  std::set<std::string> names;
  for (const Description& scene : scenes()) {
    EXPECT_TRUE(names.insert(scene.name).second) << scene.name << " twice";
    EXPECT_EQ(find_scene(scene.name), &scene);
    EXPECT_LE(scene.check_time, scene.duration) << scene.name;
    for (const Parameter& p : scene.parameters) EXPECT_TRUE(p.least <= p.value && p.value <= p.most) << p.name;
  }
  EXPECT_EQ(names.size(), 18U);
  EXPECT_EQ(find_scene("no-such-scene"), nullptr);
}

TEST(ScenesTest, NearestNameForgivesTypos) {
  EXPECT_EQ(nearest_scene("boxstack"), "box-stack");
  EXPECT_EQ(nearest_scene("cardhouse"), "card-house");
  EXPECT_EQ(nearest_scene("newtons-cradle"), "newton-cradle");
  EXPECT_EQ(nearest_scene("pich"), "pinch");
}

TEST(ScenesTest, SeedsDecideWhatIsRandom) {
  for (const char* name : {"sphere-pile", "quadruped-drop"}) {
    const Case c{name, {std::string(name) == "sphere-pile" ? "side=2" : "robots=2"}, 0.1};
    const State first = run_for(c, 5).world().state();
    EXPECT_EQ(first, run_for(c, 5).world().state()) << name;
    EXPECT_NE(first, run_for(c, 6).world().state()) << name;
  }
  const Case stack{"box-stack", {"count=2"}, 0.1};
  EXPECT_EQ(run_for(stack, 5).world().state(), run_for(stack, 6).world().state());
}

}  // namespace
}  // namespace uzawa::scenarios
