/// A check that can't fail is none: scenes with something wrong in them, and what their checks must find.
#include <gtest/gtest.h>

#include "scenarios/scene_cases.hpp"

namespace uzawa::scenarios {

struct Wrong {
  Case run;
  const char* found;  ///< among what the check says is wrong
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.run.scene << ": " << wrong.found; }

namespace {

class WrongScenes : public testing::TestWithParam<Wrong> {};
TEST_P(WrongScenes, AreFoundOut) {
  const Outcome outcome = run_for(GetParam().run).check();
  EXPECT_FALSE(outcome.holds);
  EXPECT_NE(outcome.wrong.find(GetParam().found), std::string::npos)
      << "found: " << outcome.wrong << "; measured: " << outcome.measured;
}

INSTANTIATE_TEST_SUITE_P(
    Physics, WrongScenes,
    testing::Values(Wrong{{"pinch", {"mu=0.1"}, 1.2}, "creep"},                               // 4 N for 4.9 N
                    Wrong{{"card-house", {"mu=0.1", "storeys=1"}, 1}, "drift"},               // needs 0.45
                    Wrong{{"sphere-pile", {"side=3"}, 0.1}, "speed"},                         // still falling
                    Wrong{{"quadruped-drop", {"robots=1", "tilt=90", "drop=0.5"}}, "stand"},  // on its side
                    Wrong{{"newton-cradle", {"restitution=0.5"}}, "height"},                  //
                    Wrong{{"spinning-coin", {}, 0, "auto", 0, 1e-2}, "error of the rate"},    // a step is 40 degrees
                    Wrong{{"bolt-nut", {"turns=0.1", "mu=0.01"}, 2}, "turned by"},            // does not lock
                    Wrong{{"bolt-nut", {"turns=6"}, 2.5}, "turned by"},                       // not there yet
                    Wrong{{"dish-piling", {"mu=0", "askew=0.01"}}, "out of order"},           // slides apart
                    Wrong{{"bolt-nut-assembly", {"sweeps=1", "grip=2"}}, "turned by"},        // 4 N for 9.4 N
                    Wrong{{"dish-piling-robot", {"dishes=1", "squeeze=0"}}, "beside the middle"},  // a touch, no grip
                    Wrong{{"door-handle", {"torque=0"}}, "does not slide"},                        //
                    Wrong{{"door-handle", {"friction=2"}}, "does not slide"},                      // 1.5 N m pull
                    Wrong{{"door-handle", {"limit=100"}}, "reaches no stop"},                      //
                    Wrong{{"franka-box", {"mu=0"}, 3}, "the box has fallen"},                      //
                    Wrong{{"franka-box", {"action=0.01"}}, "no joint runs into its stop"},         //
                    Wrong{{"laikago-drop", {"side=1", "drop=2"}, 0.1}, "highest trunk"},           // still in the air
                    Wrong{{"pouring", {"particles=1"}, 3}, "particles poured into the other vessel"},  // not yet
                    Wrong{{"dish-sliding", {"force=0.5"}}, "slid"}));  // friction is stronger

INSTANTIATE_TEST_SUITE_P(Pivoting, WrongScenes,
                         testing::Values(Wrong{{"humanoid-squat", {"mu=0.01"}}, "slip"},     // soles drift apart
                                         Wrong{{"humanoid-squat", {}, 0.3}, "way down"},     // not yet
                                         Wrong{{"humanoid-tap-dance", {"mu=0.1"}}, "slip"},  // heels are pushed away
                                         Wrong{{"humanoid-tap-dance", {"taps=2"}, 0.5}, "taps"},  // not yet
                                         Wrong{{"hoist", {}, 0, "pgs", 2}, "acceleration"},       // sweeps are too few
                                         Wrong{{"ring", {}, 0.5, "pgs", 1}, "residual"},          //
                                         Wrong{{"net", {"cylinders=3", "mu=0"}, 2.5}, "caught"}));  // slides off

INSTANTIATE_TEST_SUITE_P(
    SoftBodies, WrongScenes,
    testing::Values(Wrong{{"soft-cube-slope", {"slope=0.5", "cells=2"}}, "creep"},               // tan is 0.55
                    Wrong{{"soft-ball-pinch", {"force=0.5"}}, "creep"},                          // 0.7 N for 1 N
                    Wrong{{"jelly-stack", {"cells=1", "plates=4", "young=1e4"}}, "drift"},       // sways
                    Wrong{{"cantilever", {"links=4"}}, "error of the droop"},                    // long links
                    Wrong{{"hanging-cable", {"links=20"}, 0.1}, "off the catenary"},             // still falling
                    Wrong{{"capstan", {"links=24", "mu=0"}}, "creep"},                           // no friction
                    Wrong{{"rope-pile", {"links=20", "length=0.3", "drop=2"}, 0.5}, "speed"}));  // still falling

INSTANTIATE_TEST_SUITE_P(
    Cond, WrongScenes,
    testing::Values(Wrong{{"box-sliding", {}, 0, "soft-convex"}, "error in z"},
                    Wrong{{"box-sliding", {"edge=0.02", "mass=0.5", "mu=0.99"}, 0, "pgs", 1}, "steps"},
                    Wrong{{"box-anisotropic", {}, 0, "soft-convex"}, "off the steps of maximal dissipation"},
                    Wrong{{"box-anisotropic", {}, 0, "auto", 0, 0.1}, "off the continuous law's stop"},  // 10 steps
                    Wrong{{"soft-ball", {"layers=3", "squeeze=0.001"}}, "lowest point of the ball"},  // 2 N for 2.6 N
                    Wrong{{"cable-winding", {"links=60", "turns=0.5"}, 1}, "wound by"},               // not yet
                    Wrong{{"soft-mat", {"cells=6", "fold=0.4"}}, "the layers do not touch"},          // stands upright
                    Wrong{{"soft-gripper", {"cell=7e-3", "mu=0.05"}}, "object lifted by"}));          // slips

INSTANTIATE_TEST_SUITE_P(
    Sub, WrongScenes,
    testing::Values(Wrong{{"granular-stir", {"spheres=27", "turns=0.5", "period=1"}}, "stick off its path"},   // jams
                    Wrong{{"cable-carry", {"links=80", "carry=0.1", "wind=40", "speed=0.5"}}, "off its way"},  // hasty
                    Wrong{{"beam-insertion", {"across=2", "along=20", "pieces=5", "push=0.1"}},
                          "beam beyond the gap"}));  // stops short

INSTANTIATE_TEST_SUITE_P(SoftContact, WrongScenes,
                         testing::Values(Wrong{{"box-stack", {}, 0.2, "soft-convex"}, "drift"},
                                         Wrong{{"heavy-on-light", {}, 0.2, "soft-convex"}, "penetration"},
                                         Wrong{{"push-box", {}, 0.2, "soft-convex"}, "hop"},
                                         Wrong{{"pinch", {}, 0, "soft-convex"}, "creep"},
                                         Wrong{{"card-house", {"storeys=1"}, 0, "soft-convex"}, "drift"},
                                         Wrong{{"bolt-nut", {"turns=0.1"}, 0, "soft-convex"}, "off the thread"},
                                         Wrong{{"dish-piling", {}, 0, "soft-convex"}, "penetration"},
                                         Wrong{{"dish-sliding", {}, 0, "soft-convex"}, "off the floor"},
                                         Wrong{{"door-handle", {}, 0, "soft-convex"}, "creep"},
                                         Wrong{{"franka-box", {}, 0, "soft-convex"}, "beyond stops"},
                                         Wrong{{"laikago-drop", {}, 0, "soft-convex"}, "beyond limits"}));

/// Too few sweeps of PGS: where bodies do not sink or creep by it, the residual gives it away.
INSTANTIATE_TEST_SUITE_P(FewSweeps, WrongScenes,
                         testing::Values(Wrong{{"box-stack", {}, 0.2, "pgs", 1}, "drift"},
                                         Wrong{{"heavy-on-light", {}, 0.2, "pgs", 1}, "drift"},
                                         Wrong{{"bolt-nut", {"turns=0.1"}, 0, "pgs", 1}, "residual"},
                                         Wrong{{"bolt-nut-assembly", {"sweeps=1"}, 0, "pgs", 10}, "residual"},
                                         Wrong{{"dish-piling", {}, 0, "pgs", 10}, "drift"},
                                         Wrong{{"dish-piling-robot", {"dishes=1"}, 0, "pgs", 3}, "residual"},
                                         Wrong{{"dish-sliding", {}, 0, "pgs", 1}, "residual"},
                                         Wrong{{"franka-box", {}, 0, "pgs", 10}, "residual"},
                                         Wrong{{"laikago-drop", {}, 0, "pgs", 10}, "residual"},
                                         Wrong{{"pouring", {"particles=9"}, 0, "pgs", 10}, "residual"}));

}  // namespace
}  // namespace uzawa::scenarios
