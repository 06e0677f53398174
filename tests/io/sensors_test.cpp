#include "agreement.hpp"
#include "temp_folder.hpp"

/// Every sensor that we know, against MuJoCo, with constraints off; those of contacts and limits are in tests/sim.
namespace uzawa::test {
namespace {

const std::string kRobot = R"(
    <geom name="floor" type="plane" size="0 0 1"/><site name="post" pos="1 .5 1" euler=".2 .3 .4"/>
    <geom type="ellipsoid" size=".2 .3 .4" pos="1 1 1"/><geom type="capsule" size=".2 .3" pos="-1 1 1"/>
    <geom type="cylinder" size=".2 .3" pos="1 -1 1" euler=".4 0 0"/><geom type="box" size=".2 .3 .1" pos="-1 -1 1"/>
    <body name="hull" pos="0 0 2"><joint name="free" type="free"/><site name="imu" pos=".1 .2 .3" euler=".5 .1 .2"/>
      <geom name="shell" type="box" size=".1 .2 .3" mass="2" pos=".05 .1 -.02" euler=".3 .5 .7"/>
      <camera name="eye" pos=".1 .1 .2" euler="1 2 .3"/>
      <body name="arm" pos=".3 -.2 .4"><joint name="hinge" axis="0 1 .2" damping="1" stiffness="3"/>
        <geom size=".1" pos=".2 0 .1" mass="1"/>
        <body name="plate" pos=".1 .2 0" euler=".1 .4 .2"><site name="cell" pos=".05 .02 .1" euler=".3 .1 .2"/>
          <geom type="box" size=".1 .05 .02" mass=".3"/>
          <body name="tip" pos=".1 .2 0"><joint name="ball" type="ball"/><geom type="capsule" size=".05 .1" mass=".4" pos="0 0 .2"/>
            <site name="nose" pos="0 .1 .2" euler="1 0 .5"/></body></body></body></body>)";
const std::string kDrives =
    R"(<tendon><spatial name="rope" stiffness="3"><site site="post"/><site site="nose"/></spatial></tendon>
    <actuator><position name="servo" joint="hinge" kp="7"/><motor name="pull" tendon="rope" gear="2"/></actuator>)";

std::string sensing(const std::string& sensor, const std::string& before = "") {
  return mjcf(kRobot, before, kDrives + "<sensor>" + sensor + "</sensor>");
}

class Sensor : public testing::TestWithParam<FeatureCase> {};
TEST_P(Sensor, AgreesWithMujoco) { expect_feature(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Coordinates, Sensor,
    testing::Values(
        FeatureCase{"JointPosition", sensing(R"({{<jointpos joint="hinge"/>||<clock/>}})")},
        FeatureCase{"JointVelocity", sensing(R"({{<jointvel joint="hinge"/>||<clock/>}})")},
        FeatureCase{"JointActuatorForce", sensing(R"({{<jointactuatorfrc joint="hinge"/>||<clock/>}})"), true},
        FeatureCase{
            "Ball",
            sensing(R"(<ballquat joint="ball"/><ballangvel joint="ball"/><{{clock/||jointpos joint="hinge"/}}>)")},
        FeatureCase{"TendonPosition", sensing(R"({{<tendonpos tendon="rope"/>||<clock/>}})")},
        FeatureCase{"TendonVelocity", sensing(R"({{<tendonvel tendon="rope"/>||<clock/>}})")},
        FeatureCase{"TendonActuatorForce", sensing(R"({{<tendonactuatorfrc tendon="rope"/>||<clock/>}})"), true},
        FeatureCase{"ActuatorPosition", sensing(R"(<actuatorpos actuator="{{pull||servo}}"/>)")},
        FeatureCase{"ActuatorVelocity", sensing(R"(<actuatorvel actuator="{{pull||servo}}"/>)")},
        FeatureCase{"ActuatorForce", sensing(R"(<actuatorfrc actuator="{{servo||pull}}"/>)")},
        FeatureCase{"Cutoff", sensing(R"(<jointvel joint="hinge" {{cutoff=".5"||}}/>)")}),
    case_name);

const std::string kOf = R"( objtype="{{site" objname="nose||xbody" objname="tip}}")";
INSTANTIATE_TEST_SUITE_P(
    Frames, Sensor,
    testing::Values(
        FeatureCase{"Position", sensing("<framepos" + kOf + "/>")},
        FeatureCase{"Orientation", sensing("<framequat" + kOf + "/>")},
        FeatureCase{"Axes", sensing("<framexaxis" + kOf + "/><frameyaxis" + kOf + "/>")},
        FeatureCase{"ZAxisOfACamera",
                    sensing(R"(<framezaxis objtype="{{camera" objname="eye||xbody" objname="tip}}"/>)")},
        FeatureCase{"InertialFrame", sensing(R"(<framepos objtype="{{body||xbody}}" objname="arm"/>
                                                            <framequat objtype="body" objname="hull"/>)")},
        FeatureCase{"Velocity", sensing("<framelinvel" + kOf + "/><frameangvel" + kOf + "/>")},
        FeatureCase{"Acceleration", sensing("<framelinacc" + kOf + "/>")},
        FeatureCase{"AngularAcceleration", sensing(R"(<frameangacc objtype="site" objname="{{nose||imu}}"/>)")},
        FeatureCase{"Relative",
                    sensing(R"(<framepos objtype="site" objname="nose" reftype="site" refname="{{imu||post}}"/>
                                    <framequat objtype="site" objname="nose" reftype="site" refname="imu"/>
                                    <framezaxis objtype="site" objname="nose" reftype="site" refname="imu"/>
                                    <framelinvel objtype="site" objname="nose" reftype="site" refname="imu"/>
                                    <frameangvel objtype="site" objname="nose" reftype="site" refname="imu"/>)")}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Sites, Sensor,
    testing::Values(FeatureCase{"Accelerometer", sensing(R"(<accelerometer site="{{nose||imu}}"/>)")},
                    FeatureCase{"AccelerometerOfTheGround", sensing(R"(<accelerometer site="{{post||imu}}"/>)"), false,
                                "accelerometers on the ground feel gravity"},
                    FeatureCase{"Velocimeter", sensing(R"(<velocimeter site="{{nose||imu}}"/>)")},
                    FeatureCase{"Gyro", sensing(R"(<gyro site="{{nose||imu}}"/>)")},
                    FeatureCase{"Magnetometer",
                                sensing(R"(<magnetometer site="nose"/>)", R"(<option magnetic="{{1 2 3||1 2 4}}"/>)")},
                    FeatureCase{"Force", sensing(R"(<force site="{{cell||nose}}"/>)"), true},
                    FeatureCase{"Torque", sensing(R"(<torque site="{{cell||nose}}"/>)"), true},
                    FeatureCase{"Rangefinder",
                                sensing(R"(<rangefinder site="{{nose||imu}}"/><rangefinder site="cell"/>)")}),
    case_name);

/// Hills of five by seven corners around the robot; rays hit them from above, from within and from the side.
std::string hills(const std::string& geom) {
  return mjcf(
      kRobot + geom,
      R"(<asset><hfield name="hills" nrow="5" ncol="7" size="4 3 1.5 .2" elevation="0.24 0.54 0.37 0.6 0.63 0.066 0.013 0.84 0.26 0.23 1 0.47 0.84 0.48 0.64 0.15 0.63 0.87 
      0.52 0.74 0.67 0.064 0.76 0.59 0.3 0.031 0.87 0.47 0.72 0.88 0.71 0.92 0.39 0.8 0.44"/></asset>)",
      kDrives + R"(<sensor><rangefinder site="nose"/><rangefinder site="imu"/><rangefinder site="cell"/><rangefinder
      site="post"/></sensor>)");
}
INSTANTIATE_TEST_SUITE_P(
    Fields, Sensor,
    testing::Values(FeatureCase{
        .name = "RangefinderOverHills",
        .xml = hills(R"({{<geom type="hfield" hfield="hills" pos=".3 -.2 .1" euler=".1 .2 .3"/>||}})"),
        .modern_only = true}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Sums, Sensor,
    testing::Values(FeatureCase{"CentreOfMass", sensing(R"(<subtreecom body="{{arm||tip}}"/>)")},
                    FeatureCase{"LinearVelocity", sensing(R"(<subtreelinvel body="{{arm||tip}}"/>)")},
                    FeatureCase{"AngularMomentum", sensing(R"(<subtreeangmom body="{{arm||tip}}"/>)")},
                    FeatureCase{"PotentialEnergy", sensing(R"({{<e_potential/>||<clock/>}})"), true},
                    FeatureCase{"KineticEnergy", sensing(R"({{<e_kinetic/>||<clock/>}})"), true}),
    case_name);

}  // namespace
}  // namespace uzawa::test
