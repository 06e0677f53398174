#include "agreement.hpp"
#include "temp_folder.hpp"

/// Actuators on sites and slider-cranks, muscles, tendons around obstacles, against MuJoCo.
namespace uzawa::test {
namespace {

const std::string kBox = R"(<geom type="box" size=".1 .2 .3" mass="2" pos=".05 .1 -.02" euler=".3 .5 .7"/>)";
/// Two arms on one free body, so that a site of one and a site of the other share dofs that move both.
const std::string kRobot =
    R"(<site name="ground" pos="0 .5 1" euler=".2 .3 .4"/>
       <body pos="0 0 3"><joint name="free" type="free"/><site name="hull" pos=".1 .2 .3" euler=".5 .1 .2"/>)" +
    kBox +
    R"(<geom name="ball" size=".15" pos=".3 .3 .3" mass="1"/><site name="inside" pos=".31 .3 .32"/>
       <site name="beside" pos=".3 .6 .3"/>
       <geom name="drum" type="cylinder" size=".12 .3" pos=".3 -.3 .2" euler=".4 .2 0" mass="1"/>
       <site name="drumside" pos=".3 -.3 .7"/>
       <body pos=".3 -.2 1"><joint name="hinge" axis="0 1 .2"/><site name="s1" pos=".1 .2 .3" euler="1 0 .3"/>)" +
    kBox + R"(<body pos=".4 0 .3"><joint name="slide" type="slide" axis="1 2 0"/>
              <site name="s2" pos=".1 0 -.2" euler="0 .4 .3"/>)" +
    kBox + R"(</body></body>
       <body pos="-.3 .4 .5"><joint name="other" type="ball"/><site name="s3" pos=".2 .1 .1" euler=".3 .2 1"/>)" +
    kBox + "</body></body>";

std::string driven(const std::string& actuators, const std::string& tendons = "") {
  return mjcf(kRobot, "", "<tendon>" + tendons + "</tendon><actuator>" + actuators + "</actuator>");
}

// Mistakes of the legacy release, by its source and MuJoCo's changelog.
const char* const kOwnRefsite = "dofs that move site and refsite alike count (fixed in 3.1.0)";
const char* const kTurnedRefsite = "the rotations of a site and of its body are multiplied in the wrong order";
const char* const kShortMuscle = "muscles shorter than lmin pull (fixed in 3.1.2)";
const char* const kInsideSphere = "a tendon with a side site outside a sphere can jump into it (fixed in 3.2.3)";

class Drive : public testing::TestWithParam<FeatureCase> {};
TEST_P(Drive, AgreesWithMujoco) { expect_feature(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Sites, Drive,
    testing::Values(
        FeatureCase{"Rotor", driven(R"(<motor site="s1" {{gear="0 0 1 0 0 -.2"||gear="0 0 1"}}/>)")},
        FeatureCase{"Wrench", driven(R"(<motor site="s2" gear="1 2 3 {{4 5 6||4 5 7}}"/>)")},
        FeatureCase{"Damped", driven(R"(<velocity site="s3" kv="{{3||4}}" gear="1 2 3 4 5 6"/>)")},
        FeatureCase{"RelativeTranslation", driven(R"(<position site="s2" {{refsite="ground"||refsite="hull"}} kp="30"
                                                     gear="1 2 3 0 0 0"/>)")},
        FeatureCase{"RelativeRotation", driven(R"(<position site="s2" {{refsite="ground"||refsite="hull"}} kp="30"
                                                  gear="0 0 0 1 .5 2"/>)"),
                    false, kTurnedRefsite},
        FeatureCase{"RelativePose", driven(R"(<position site="s2" refsite="s3" kp="{{30||31}}" gear="1 2 3 1 .5 2"/>)"),
                    false, kTurnedRefsite},
        FeatureCase{"RelativeToItsOwnBody",
                    driven(R"(<position site="s2" refsite="hull" kp="{{30||31}}" gear="1 2 3"/>)"), false,
                    kOwnRefsite}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    SliderCranks, Drive,
    testing::Values(
        FeatureCase{"LongRod",
                    driven(R"(<position cranksite="s2" slidersite="hull" cranklength="{{6||7}}" kp="3" gear="2"/>)")},
        FeatureCase{
            "RodThatDoesNotReach",
            driven(R"(<position cranksite="s2" {{slidersite="s3"||slidersite="hull"}} cranklength=".01" kp="3"/>)")}),
    case_name);

const std::string kRange = R"(lengthrange=".5 2")";
INSTANTIATE_TEST_SUITE_P(
    Muscles, Drive,
    testing::Values(
        FeatureCase{"Force", driven("<muscle joint=\"hinge\" " + kRange + R"( force="{{50||60}}"/>)"), false,
                    kShortMuscle},
        FeatureCase{"NeverTooShort",
                    driven("<muscle joint=\"hinge\" " + kRange + R"( force="{{50||60}}" lmin="-100"/>)")},
        FeatureCase{"ForceByScale", driven("<muscle joint=\"hinge\" " + kRange + R"( scale="{{50||60}}"/>)"), false,
                    kShortMuscle},
        FeatureCase{"Lengths",
                    driven("<muscle joint=\"hinge\" " + kRange +
                           R"( force="50" range="{{.4 1.6||.5 1.5}}" lmin=".3" lmax="1.9"/>)"),
                    false, kShortMuscle},
        FeatureCase{
            "Velocities",
            driven("<muscle joint=\"hinge\" " + kRange + R"( force="50" range=".7 1.2" vmax="{{1||2}}" fvmax="1.6"/>)"),
            false, kShortMuscle},
        FeatureCase{"PassiveForce",
                    driven("<muscle joint=\"hinge\" " + kRange + R"( force="50" range=".4 1.9" fpmax="{{1||2}}"/>)"),
                    false, kShortMuscle},
        FeatureCase{"TimeConstants",
                    driven("<muscle joint=\"hinge\" " + kRange + R"( force="50" timeconst="{{.01 .04||.02 .05}}"/>)"),
                    false, kShortMuscle},
        FeatureCase{"SmoothSwitch",
                    driven("<muscle joint=\"hinge\" " + kRange + R"( force="50" tausmooth="{{.5||.1}}"/>)"), true},
        FeatureCase{"OnATendon",
                    driven("<muscle tendon=\"rope\" lengthrange=\"1 5\"" +
                               std::string(R"( force="{{50||60}}" range=".5 1.5"/>)"),
                           R"(<spatial name="rope"><site site="ground"/><site site="s2"/></spatial>)"),
                    false, kShortMuscle}),
    case_name);

/// A tendon with a spring, so that its length and its moments count.
std::string rope(const std::string& path) {
  return driven("", R"(<spatial stiffness="10" damping="2" springlength=".1">)" + path + "</spatial>");
}
INSTANTIATE_TEST_SUITE_P(
    Wrapping, Drive,
    testing::Values(
        FeatureCase{"Sphere", rope(R"(<site site="s2"/>{{<geom geom="ball"/>||}}<site site="s3"/>)")},
        FeatureCase{"SphereWithASide",
                    rope(R"(<site site="s2"/><geom geom="ball" {{sidesite="beside"||}}/><site site="s3"/>)"), false,
                    kInsideSphere},
        FeatureCase{"Cylinder", rope(R"(<site site="s2"/>{{<geom geom="drum"/>||}}<site site="s3"/>)")},
        FeatureCase{"CylinderWithASide",
                    rope(R"(<site site="s2"/><geom geom="drum" {{sidesite="drumside"||}}/><site site="s3"/>)")},
        FeatureCase{"TwoObstaclesAndAPulley",
                    rope(R"(<site site="ground"/><geom geom="drum" sidesite="drumside"/><site site="s1"/>
                            <pulley divisor="{{2||3}}"/><site site="s1"/><geom geom="ball" sidesite="beside"/><site site="s3"/>)"),
                    false, kInsideSphere}),
    case_name);

}  // namespace
}  // namespace uzawa::test
