#include "agreement.hpp"

/// Actuators of every kind on every transmission, against MuJoCo: forces and rates of the activations.
namespace uzawa::test {
namespace {

const std::string kBox = R"(<geom type="box" size=".1 .2 .3" mass="2" pos=".05 .1 -.02" euler=".3 .5 .7"/>)";
const std::string kRobot =
    R"(<site name="ground" pos="0 .5 1"/><body><joint name="free" type="free"/>)" + kBox +
    R"(<body pos=".3 -.2 1"><joint name="hinge" axis="0 1 .2"/><site name="s1" pos=".1 .2 .3"/>)" + kBox +
    R"(<body pos=".4 0 .3"><joint name="slide" type="slide" axis="1 2 0"/><site name="s2" pos=".1 0 -.2"/>)" + kBox +
    R"(<body pos=".4 0 .3" euler="0 1 0"><joint name="ball" type="ball"/>)" + kBox + "</body></body></body></body>";
const std::string kTendons =
    R"(<tendon><fixed name="fixed"><joint joint="hinge" coef=".7"/><joint joint="slide" coef="-1.3"/></fixed>
       <spatial name="spatial"><site site="ground"/><site site="s1"/><pulley divisor="2"/><site site="s1"/>
       <site site="s2"/></spatial></tendon>)";

std::string actuated(const std::string& actuators, const std::string& option = "") {
  return mjcf(kRobot, option, kTendons + "<actuator>" + actuators + "</actuator>");
}

class ActuatorFeature : public testing::TestWithParam<FeatureCase> {};
TEST_P(ActuatorFeature, AgreesWithMujoco) { expect_feature(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Kinds, ActuatorFeature,
    testing::Values(
        FeatureCase{"Motor", actuated(R"(<motor {{joint="hinge"||joint="slide"}}/>)")},
        FeatureCase{"Position", actuated(R"(<position joint="hinge" {{kp="20"||}}/>)")},
        FeatureCase{"PositionWithDamping", actuated(R"(<position joint="hinge" kp="20" {{kv="3"||}}/>)"), true},
        FeatureCase{"PositionWithDampingRatio", actuated(R"(<position joint="hinge" kp="20" {{dampratio="1"||}}/>)"),
                    true},
        FeatureCase{"PositionWithLag", actuated(R"(<position joint="hinge" kp="20" timeconst="{{.2||.3}}"/>)"), true},
        FeatureCase{"Velocity", actuated(R"(<velocity joint="slide" {{kv="20"||}}/>)")},
        FeatureCase{"IntegratedVelocity", actuated(R"(<intvelocity joint="hinge" kp="{{20||30}}" actrange="-1 1"/>)")},
        FeatureCase{"Damper", actuated(R"(<damper joint="hinge" {{kv="4"||kv="5"}} ctrlrange="0 1"/>)")},
        FeatureCase{"AffineBias", actuated(R"(<general joint="hinge" gainprm="3" biastype="affine"
                                             {{biasprm="1 -2 -3"||}}/>)")},
        FeatureCase{"AffineGain", actuated(R"(<general joint="hinge" gaintype="affine" gainprm="3 {{2 1||0 0}}"/>)")},
        FeatureCase{"Integrator", actuated(R"(<general joint="hinge" dyntype="integrator" gainprm="{{3||4}}"/>)")},
        FeatureCase{"Filter", actuated(R"(<general joint="hinge" dyntype="filter" dynprm="{{.1||.2}}"/>)")},
        FeatureCase{"FilterOfNoTime", actuated(R"(<general joint="hinge" dyntype="filter" dynprm="{{0||.2}}"/>)")},
        FeatureCase{"FilterExact", actuated(R"(<general joint="hinge" dyntype="filterexact" dynprm="{{.1||.2}}"/>)"),
                    true},
        FeatureCase{"Cylinder", actuated(R"(<cylinder joint="slide" timeconst=".3" {{area="2"||}} bias="1 2 3"/>)")},
        FeatureCase{"MixedDynamics", actuated(R"(<motor joint="slide"/><motor joint="hinge" gear="{{2||3}}"/>
                                <general joint="hinge" dyntype="filter" dynprm=".3"/>
                                <general joint="slide" dyntype="integrator" gainprm="5"/>)")},
        FeatureCase{"InterleavedDynamics",
                    actuated(R"(<general joint="hinge" dyntype="filter" dynprm=".3"/><motor joint="hinge"/>
                                <general joint="slide" dyntype="integrator" gainprm="{{5||6}}"/>)"),
                    true}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Transmissions, ActuatorFeature,
    testing::Values(
        FeatureCase{"Gear", actuated(R"(<position joint="hinge" kp="5" {{gear="-3"||}}/>)")},
        FeatureCase{"BallGear", actuated(R"(<position joint="ball" kp="5" {{gear="1 2 -3"||}}/>)")},
        FeatureCase{"FreeGear", actuated(R"(<velocity joint="free" kv="5" {{gear="1 2 3 4 5 -6"||}}/>)")},
        FeatureCase{"BallInParent",
                    actuated(R"(<position {{jointinparent="ball"||joint="ball"}} kp="5" gear="1 2 -3"/>)")},
        FeatureCase{"FreeInParent",
                    actuated(R"(<velocity {{jointinparent="free"||joint="free"}} kv="5" gear="1 2 3 4 5 -6"/>)")},
        FeatureCase{"HingeInParent", actuated(R"(<position jointinparent="hinge" kp="5" gear="{{3||2}}"/>)")},
        FeatureCase{"FixedTendon", actuated(R"(<position {{tendon="fixed"||joint="hinge"}} kp="5" gear="2"/>)")},
        FeatureCase{"SpatialTendon", actuated(R"(<position {{tendon="spatial"||tendon="fixed"}} kp="5" gear="2"/>)")},
        FeatureCase{"SpatialTendonVelocity", actuated(R"(<velocity {{tendon="spatial"||tendon="fixed"}} kv="5"/>)")}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Clamps, ActuatorFeature,
    testing::Values(
        FeatureCase{"ControlRange", actuated(R"(<motor joint="hinge" {{ctrllimited="true"||ctrllimited="false"}}
                                               ctrlrange="-.2 .3"/>)")},
        FeatureCase{"ControlRangeIntoActivation",
                    actuated(R"(<general joint="hinge" dyntype="filter" dynprm=".1" ctrlrange="-.2 .3"
                                {{ctrllimited="true"||ctrllimited="false"}}/>)")},
        FeatureCase{"ForceRange", actuated(R"(<motor joint="hinge" {{forcelimited="true"||forcelimited="false"}}
                                             forcerange="-.2 .3"/>)")},
        FeatureCase{"ActivationRange",
                    actuated(R"(<general joint="hinge" dyntype="integrator" {{actlimited="true"||actlimited="false"}}
                                actrange="-.2 .3" gainprm="{{3||4}}"/>)")},
        FeatureCase{"NoControlClamp", actuated(R"(<motor joint="hinge" ctrllimited="true" ctrlrange="-.2 .3"/>)",
                                               R"(<option><flag {{clampctrl="disable"||}}/></option>)")},
        FeatureCase{"NoActuation",
                    actuated(R"(<motor joint="hinge"/>)", R"(<option><flag {{actuation="disable"||}}/></option>)")},
        FeatureCase{"NoActuationWithActivation", actuated(R"(<general joint="hinge" dyntype="filter" dynprm=".1"/>)",
                                                          R"(<option><flag {{actuation="disable"||}}/></option>)")},
        FeatureCase{"JointForceRange",
                    mjcf(R"(<body><joint name="j" axis="0 1 0" {{actuatorfrcrange="-.3 .4"||}}/>)" + kBox + "</body>",
                         "", R"(<actuator><motor joint="j" gear="2"/><position joint="j" kp="3"/></actuator>)"),
                    true},
        FeatureCase{"TendonForceRange",
                    mjcf(kRobot, "", R"(<tendon><fixed name="t" {{actuatorfrcrange="-.3 .4"||}}><joint joint="hinge"
                         coef=".7"/><joint joint="slide" coef="-1.3"/></fixed></tendon><actuator>
                         <motor tendon="t" gear="2"/><position tendon="t" kp="3"/></actuator>)"),
                    true}),
    case_name);

}  // namespace
}  // namespace uzawa::test
