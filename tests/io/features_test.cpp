#include "agreement.hpp"
#include "temp_folder.hpp"
#include "uzawa/base/error.hpp"

/// Joints, inertia, passive forces and flags, one small model each, against MuJoCo.
namespace uzawa::test {
namespace {

/// A box with an inertia that no symmetry simplifies.
const std::string kBox = R"(<geom type="box" size=".1 .2 .3" mass="2" pos=".05 .1 -.02" euler=".3 .5 .7"/>)";
const std::string kRod = R"(<geom type="capsule" size=".04 .2" mass="1.5" pos="0 .1 .2" euler=".2 .1 0"/>)";

/// A moving body off the origin with these joints.
std::string body(const std::string& joints, const std::string& rest = kBox) {
  return R"(<body pos=".3 -.2 1" euler=".1 .4 -.3">)" + joints + rest + "</body>";
}
/// The same, below a hinged link.
std::string arm(const std::string& joints, const std::string& rest = kBox) {
  return body(R"(<joint axis="0 1 .2" pos="0 0 .1"/>)", kRod + body(joints, rest));
}

class JointFeature : public testing::TestWithParam<FeatureCase> {};
TEST_P(JointFeature, AgreesWithMujoco) { expect_feature(GetParam()); }

const std::string kBall = R"(<joint type="ball" pos=".1 .2 -.1"/>)";
const std::string kSlide = R"(<joint type="slide" axis="1 2 3" pos="-.1 .1 .2"/>)";
const std::string kHinge = R"(<joint type="hinge" axis="1 -1 .5" pos=".2 0 -.1"/>)";
const std::string kHinge2 = R"(<joint type="hinge" axis="0 1 1" pos="0 .1 .1"/>)";
const std::string kHinge3 = R"(<joint type="hinge" axis="-1 0 1" pos=".1 .1 0"/>)";

/// Joints in the order given, against MuJoCo; and unlike the same joints in the other order.
std::string in_order(const std::string& joints, const std::string& other_order) {
  return mjcf(arm("{{" + joints + "||" + other_order + "}}"));
}

INSTANTIATE_TEST_SUITE_P(
    Joints, JointFeature,
    testing::Values(
        FeatureCase{"Free", mjcf(body(R"(<freejoint/>)", R"(<geom type="box" size=".1 .2 .3" {{pos=".1 0 0"||}}/>)"))},
        FeatureCase{"FreeWithChild", mjcf(body("<freejoint/>", kRod + body("{{" + kHinge + "||" + kSlide + "}}")))},
        FeatureCase{"Ball", mjcf(arm(R"(<joint type="ball" {{pos=".1 .2 -.1"||}}/>)"))},
        FeatureCase{"Hinge", mjcf(arm(R"(<joint {{type="hinge"||type="slide"}} axis="1 2 3"/>)"))},
        FeatureCase{"Slide", mjcf(arm(R"(<joint {{type="slide"||type="hinge"}} axis="1 2 3"/>)"))},
        FeatureCase{"HingeAnchor", mjcf(arm(R"(<joint axis="1 2 3" {{pos=".3 -.1 .2"||}}/>)"))},
        FeatureCase{"HingeReference", mjcf(arm(R"(<joint axis="1 2 3" pos=".1 0 0" {{ref=".4"||}}/>)"))},
        FeatureCase{"SlideReference", mjcf(arm(R"(<joint type="slide" axis="1 2 3" {{ref=".4"||}}/>)"))},
        FeatureCase{"BallSlide", in_order(kBall + kSlide, kSlide + kBall)},
        FeatureCase{"SlideBall", in_order(kSlide + kBall, kBall + kSlide)},
        FeatureCase{"HingeBall", in_order(kHinge + kBall, kHinge2 + kBall)},
        FeatureCase{"HingeBallSlide", in_order(kHinge + kBall + kSlide, kSlide + kHinge + kBall)},
        FeatureCase{"HingeSlide", in_order(kHinge + kSlide, kSlide + kHinge)},
        FeatureCase{"SlideHinge", in_order(kSlide + kHinge, kHinge + kSlide)},
        FeatureCase{"ThreeHinges", in_order(kHinge + kHinge2 + kHinge3, kHinge3 + kHinge2 + kHinge)},
        FeatureCase{"SlideHingeHingeBall",
                    in_order(kSlide + kHinge + kHinge2 + kBall, kHinge2 + kHinge + kSlide + kBall)},
        FeatureCase{"HingeSlideHinge", in_order(kHinge + kSlide + kHinge2, kHinge2 + kSlide + kHinge)},
        FeatureCase{"SlideBallSlide", in_order(kSlide + kBall + kSlide, kBall + kSlide + kSlide)},
        FeatureCase{"HingeReferences", mjcf(arm(R"(<joint axis="1 0 0" ref=".3" pos="0 .1 0"/>
            <joint type="slide" axis="0 1 1" {{ref="-.2"||}}/><joint axis="0 1 0" {{ref="1"||}} pos=".1 0 0"/>)"))}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Inertia, JointFeature,
    testing::Values(
        FeatureCase{"ArmatureHinge", mjcf(arm(R"(<joint {{armature=".3"||}}/>)"))},
        FeatureCase{"ArmatureSlide", mjcf(arm(R"(<joint type="slide" {{armature=".3"||}}/>)"))},
        FeatureCase{"ArmatureBall", mjcf(arm(R"(<joint type="ball" {{armature=".3"||}}/>)"))},
        FeatureCase{"ArmatureFree", mjcf(body(R"(<joint type="free" {{armature=".3"||}}/>)"))},
        FeatureCase{"ExplicitInertia", mjcf(arm("<joint/>", R"(<inertial mass="2" pos=".1 .2 .3"
            {{fullinertia=".3 .4 .5 .01 .02 .03"||diaginertia=".3 .4 .5"}}/>)"))},
        FeatureCase{"FixedOnGround",
                    mjcf(R"(<body pos="1 2 3" euler=".1 .2 .3">)" + kBox + R"(<body {{pos="0 1 0"||}} euler="0 0 1">)" +
                         kBox + arm("<joint/>") + "</body></body>")},
        FeatureCase{"FixedOnMovingLink", mjcf(arm("<joint/>", kBox + R"(<body {{pos="0 1 0"||}} euler="0 0 1">)" +
                                                                  kBox + R"(<body pos="1 0 0" euler=".2 0 0">)" + kRod +
                                                                  arm(kHinge) + "</body></body>"))},
        FeatureCase{"FixedOnFreeBody",
                    mjcf(body("<freejoint/>", kBox + R"(<body {{pos=".4 1 0"||}} euler="0 0 1">)" + kRod + "</body>"))},
        FeatureCase{"MassOnlyInFixedChild",
                    mjcf(arm("<joint/>", R"(<body {{pos=".4 1 0"||pos="0 1 0"}}>)" + kBox + "</body>"))}),
    case_name);

const std::string kFluid = R"(<option density="900" viscosity=".7" wind="1 -2 .5"/>)";

INSTANTIATE_TEST_SUITE_P(
    Passive, JointFeature,
    testing::Values(
        FeatureCase{"StiffnessHinge", mjcf(arm(R"(<joint {{stiffness="7"||}}/>)"))},
        FeatureCase{"StiffnessSlide", mjcf(arm(R"(<joint type="slide" {{stiffness="7"||}}/>)"))},
        FeatureCase{"StiffnessBall", mjcf(arm(R"(<joint type="ball" {{stiffness="7"||}}/>)"))},
        FeatureCase{"StiffnessFree", mjcf(body(R"(<joint type="free" {{stiffness="7"||}}/>)"))},
        FeatureCase{"SpringReferenceHinge", mjcf(arm(R"(<joint stiffness="7" {{springref=".5"||}}/>)"))},
        FeatureCase{"SpringReferenceSlide", mjcf(arm(R"(<joint type="slide" stiffness="7" {{springref=".5"||}}/>)"))},
        FeatureCase{"SpringReferenceAndReference",
                    mjcf(arm(R"(<joint stiffness="7" {{ref=".3"||}} springref=".5" pos=".1 0 0"/>)"))},
        FeatureCase{"DampingHinge", mjcf(arm(R"(<joint {{damping="2"||}}/>)"))},
        FeatureCase{"DampingSlide", mjcf(arm(R"(<joint type="slide" {{damping="2"||}}/>)"))},
        FeatureCase{"DampingBall", mjcf(arm(R"(<joint type="ball" {{damping="2"||}}/>)"))},
        FeatureCase{"DampingFree", mjcf(body(R"(<joint type="free" {{damping="2"||}}/>)"))},
        FeatureCase{"SpringDamper", mjcf(arm(R"(<joint {{springdamper=".5 1.2"||}}/>)"))},
        FeatureCase{"FluidDensity", mjcf(arm(kBall), R"(<option {{density="900"||}}/>)")},
        FeatureCase{"FluidViscosity", mjcf(arm(kBall), R"(<option {{viscosity=".7"||}}/>)")},
        FeatureCase{"FluidWind", mjcf(arm(kBall), R"(<option density="900" viscosity=".7" {{wind="1 -2 .5"||}}/>)")},
        FeatureCase{"FluidOnMergedBodies",
                    mjcf(arm(kBall, kBox + R"(<body pos=".4 1 0" euler="0 0 1">{{)" + kRod + "||" + kBox + "}}</body>"),
                         kFluid)},
        FeatureCase{"GravityCompensation",
                    mjcf(R"(<body {{gravcomp=".7"||}}>)" + kHinge + kBox + R"(<body gravcomp="1" pos="0 0 1">)" + kBox +
                         kSlide + "</body></body>"),
                    true},
        FeatureCase{"GravityCompensationOfFixedBody",
                    mjcf(arm(kBall, kBox + R"(<body pos=".4 1 0" {{gravcomp="1.5"||}}>)" + kRod + "</body>")), true},
        FeatureCase{"GravityCompensationByActuators",
                    mjcf(R"(<body gravcomp="1"><joint name="j" axis="0 1 0" {{actuatorgravcomp="true"||}}/>)" + kBox +
                             "</body>",
                         "", R"(<actuator><motor joint="j"/></actuator>)"),
                    true},
        FeatureCase{"GravityCompensationByClampedActuators",
                    mjcf(R"(<body gravcomp="1"><joint name="j" axis="0 1 0" actuatorgravcomp="true"
                             {{actuatorfrcrange="-.5 .6"||}}/>)" +
                             kBox + "</body>",
                         "", R"(<actuator><motor joint="j"/></actuator>)"),
                    true}),
    case_name);

/// Two links with a hinge and a slide, a site on each and one on the ground.
const std::string kTendonBodies =
    R"(<site name="ground" pos="0 .5 1"/><body pos=".3 -.2 1" euler=".1 .4 -.3"><joint name="h" axis="0 1 .2"/>
       <site name="s1" pos=".1 .2 .3"/><site name="s1b" pos="-.1 .2 .3"/>)" +
    kBox + R"(<body pos=".4 0 .3"><joint name="s" type="slide" axis="1 2 0"/><site name="s2" pos=".1 0 -.2"/>)" + kRod +
    "</body></body>";

std::string fixed_tendon(const std::string& attributes) {
  return mjcf(kTendonBodies, "", "<tendon><fixed " + attributes + R"(><joint joint="h" coef=".7"/>
      <joint joint="s" coef="-1.3"/></fixed></tendon>)");
}
std::string spatial_tendon(const std::string& attributes, const std::string& path) {
  return mjcf(kTendonBodies, "", "<tendon><spatial " + attributes + ">" + path + "</spatial></tendon>");
}
const std::string kPath = R"(<site site="ground"/><site site="s1"/><site site="s2"/>)";

INSTANTIATE_TEST_SUITE_P(
    Tendons, JointFeature,
    testing::Values(
        FeatureCase{"FixedStiffness", fixed_tendon(R"({{stiffness="5"||}})")},
        FeatureCase{"FixedDamping", fixed_tendon(R"({{damping="5"||}})")},
        FeatureCase{"FixedSpringLength", fixed_tendon(R"(stiffness="5" {{springlength=".3"||}})")},
        FeatureCase{"FixedSpringRange", fixed_tendon(R"(stiffness="5" {{springlength="0 .5"||}})"), true},
        FeatureCase{"SpatialStiffness", spatial_tendon(R"({{stiffness="5"||}})", kPath)},
        FeatureCase{"SpatialDamping", spatial_tendon(R"({{damping="5"||}})", kPath)},
        FeatureCase{"SpatialSpringLength", spatial_tendon(R"(stiffness="5" {{springlength=".3"||}})", kPath)},
        FeatureCase{"SpatialSameBody", spatial_tendon(R"({{stiffness="5"||}} damping="1")",
                                                      R"(<site site="ground"/><site site="s1"/><site site="s1b"/>)")},
        FeatureCase{
            "SpatialPulley",
            spatial_tendon(R"(stiffness="5" damping="1" springlength=".3")",
                           R"(<site site="ground"/><site site="s1"/>{{<pulley divisor="2"/>||}}<site site="s1b"/>
                                      <site site="s2"/><pulley divisor="3"/><site site="ground"/><site site="s2"/>)")},
        FeatureCase{"SpatialAndFixedOnOneJoint",
                    mjcf(kTendonBodies, "",
                         R"(<tendon><spatial stiffness="3">)" + kPath +
                             R"(</spatial><fixed {{damping="2"||}}><joint joint="h" coef="1"/></fixed>
                                                </tendon>)")}),
    case_name);

std::string flags(const std::string& flag, bool fluid = true) {
  return mjcf(
      arm(R"(<joint stiffness="3" damping="2"/>)"),
      std::string("<option ") + (fluid ? R"(density="900" viscosity=".7")" : "") + "><flag " + flag + "/></option>");
}

INSTANTIATE_TEST_SUITE_P(Flags, JointFeature,
                         testing::Values(FeatureCase{"NoGravity", flags(R"({{gravity="disable"||}})")},
                                         FeatureCase{"NoSpring", flags(R"({{spring="disable"||}})"), true},
                                         FeatureCase{"NoDamper", flags(R"({{damper="disable"||}})"), true},
                                         FeatureCase{"NeitherSpringNorDamper",
                                                     flags(R"({{spring="disable" damper="disable"||}})"), true},
                                         FeatureCase{"NoGravityButCompensation",
                                                     mjcf(R"(<body gravcomp="1">)" + kHinge + kBox + "</body>",
                                                          R"(<option><flag {{gravity="disable"||}}/></option>)"),
                                                     true}),
                         case_name);

// Our motion subspace of a ball joint relies on it: no rotation may follow on the same body.
TEST(JointOrder, MujocoRefusesBallFollowedByRotation) {
  const TempFolder folder;
  for (const std::string& second : {kHinge, kBall}) {
    const auto path = folder.write("model.xml", mjcf(arm(kBall + second)));
    EXPECT_THROW(load_model(path), InputError);
  }
}

TEST(LegacyFlags, PassiveOffSwitchesEverythingPassiveOff) {
  if (!is_legacy_mujoco()) GTEST_SKIP() << "the passive flag went away with MuJoCo 3";
  expect_feature({"NoPassive", flags(R"({{passive="disable"||}})")});
}

}  // namespace
}  // namespace uzawa::test
