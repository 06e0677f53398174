#include <gtest/gtest.h>

#include <algorithm>

#include "agreement.hpp"
#include "temp_folder.hpp"
#include "uzawa/base/error.hpp"

/// What we cannot simulate is refused by name, all of it in one line; what does not matter is noted.
namespace uzawa::test {
namespace {

const std::string kBody = R"(<geom name="wrap" type="cylinder" size=".05 .1"/><site name="ground" pos="0 0 2"/>
    <body name="arm"><joint name="j"/><geom name="rod" type="ellipsoid" size=".1 .2 .3"/><site name="tip" pos="1 0 0"/>
    <body name="hand" pos="1 0 0"><joint name="k" type="slide"/><geom size=".1"/></body></body>)";
const std::string kFixed = R"(<fixed name="cord"><joint joint="j" coef="1"/></fixed>)";

struct Refusal {
  const char* name;
  std::string xml;
  std::vector<std::string> phrases;  ///< of the message
  bool modern_only = false;
};
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

std::string actuator(const std::string& text) { return mjcf(kBody, "", "<actuator>" + text + "</actuator>"); }
/// A model with a flex that has these attributes and elements in addition.
std::string flex(const std::string& attributes, const std::string& content = "") {
  return mjcf(
      R"(<body name="parent"><flexcomp name="sponge" type="grid" count="3 3 3" dim="3" spacing=".1 .1 .1" mass="1"
      radius=".01" )" +
      attributes + '>' + content + "</flexcomp></body>");
}

class Unsupported : public testing::TestWithParam<Refusal> {};

TEST_P(Unsupported, IsNamedInOneLine) {
  if (GetParam().modern_only && is_legacy_mujoco()) GTEST_SKIP() << "not in MuJoCo " << mujoco_version();
  const TempFolder folder;
  const std::filesystem::path path = folder.write("model.xml", GetParam().xml);
  const Inspection inspection = inspect_model(path);
  EXPECT_FALSE(inspection.model.has_value());
  EXPECT_EQ(inspection.unsupported.size(), GetParam().phrases.size());
  try {
    load_model(path);
    FAIL() << "loaded";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind(path.string(), 0), 0U) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    for (const std::string& phrase : GetParam().phrases) EXPECT_NE(text.find(phrase), std::string::npos) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Features, Unsupported,
    testing::Values(
        Refusal{
            "PidPlugin",
            mjcf(kBody, "", R"(<extension><plugin plugin="mujoco.pid"><instance name="pid"><config key="kp" value="4"/>
        </instance></plugin></extension><actuator><plugin joint="j" plugin="mujoco.pid" instance="pid"/></actuator>)"),
            {"plugins (mujoco.pid)"},
            true},
        Refusal{"UserGain", actuator(R"(<general name="own" joint="j" gaintype="user"/>)"), {"user gains (own)"}},
        Refusal{"UserDynamics",
                actuator(R"(<general name="own" joint="j" dyntype="user"/>)"),
                {"user actuator dynamics (own)"}},
        Refusal{"EarlyActivation",
                actuator(R"(<general name="own" joint="j" dyntype="integrator" actearly="true"/>)"),
                {"steps early (own)"},
                true},
        Refusal{"DisabledGroup",
                mjcf(kBody, R"(<option actuatorgroupdisable="2"/>)",
                     R"(<actuator><motor name="off" joint="j" group="2"/></actuator>)"),
                {"disabled actuator groups (off)"},
                true},
        Refusal{"TendonArmature",
                mjcf(kBody, "", "<tendon>" + replaced(kFixed, "name=", "armature=\"1\" name=") + "</tendon>"),
                {"tendon armature (cord)"},
                true},
        Refusal{
            "EllipsoidFluid",
            mjcf(replaced(kBody, R"(name="rod")", R"(name="rod" fluidshape="ellipsoid")"), R"(<option density="1"/>)"),
            {"ellipsoid fluid model (rod)"}},
        Refusal{"FlexTrilinear", flex(R"(dof="trilinear")"), {"flexes with dof trilinear or quadratic (sponge)"}, true},
        Refusal{"FlexQuadratic", flex(R"(dof="quadratic")"), {"flexes with dof trilinear or quadratic (sponge)"}, true},
        Refusal{"FlexRadial",
                replaced(flex(R"(dof="radial")"), "grid", "box"),
                {"flexes with dof radial or 2d (sponge)"},
                true},
        Refusal{"FlexInPlane", flex(R"(dof="2d")"), {"flexes with dof radial or 2d (sponge)"}, true},
        Refusal{
            "FlexVertexEquality",
            replaced(flex("", R"(<edge equality="vert"/>)"), R"(count="3 3 3" dim="3")", R"(count="3 3 1" dim="2")"),
            {"flexes with an equality on vertices or strains (sponge)"},
            true},
        Refusal{"FlexStrainEquality",
                flex(R"(dof="trilinear")", R"(<edge equality="strain"/>)"),
                {"flexes with dof trilinear or quadratic (sponge)",
                 "flexes with an equality on vertices or strains (sponge)"},
                true},
        Refusal{
            "FlexBendingCord",
            replaced(flex("", R"(<elasticity young="1e5"/>)"), R"(count="3 3 3" dim="3")", R"(count="3 1 1" dim="1")"),
            {"flexes of dim 1 with elasticity (young): they resist bending (sponge)"},
            true},
        Refusal{"ContactOverride",
                mjcf(kBody, R"(<option o_margin=".1"><flag override="enable"/></option>)"),
                {"overrides contact parameters"}},
        Refusal{"All",
                mjcf(kBody, R"(<option density="1"/><default><geom fluidshape="ellipsoid"/></default>)",
                     R"(<actuator><general name="own" joint="j" gaintype="user"/>
                     <general name="slow" joint="j" dyntype="user"/></actuator>)"),
                {"user gains (own)", "user actuator dynamics (slow)", "ellipsoid fluid model (wrap, rod, #2)"}},
        Refusal{"ManyAreCounted",
                actuator(R"(<general name="a" joint="j" gaintype="user"/><general name="b" joint="j" gaintype="user"/>
                            <general name="c" joint="j" gaintype="user"/><general name="d" joint="j" gaintype="user"/>
                            <general name="e" joint="j" gaintype="user"/>)"),
                {"(a, b, c, and 2 more)"}}),
    [](const auto& refusal) { return refusal.param.name; });

TEST(Unsupported, PluginsAreRefused) {
  if (is_legacy_mujoco()) GTEST_SKIP() << "plugins came later";
  const TempFolder folder;
  const auto path = folder.write("model.xml", mjcf(kBody, R"(<extension><plugin plugin="mujoco.sdf.torus"/>
                                                             </extension>)"));
  EXPECT_THROW(load_model(path), InputError);
}

struct Note {
  const char* name;
  std::string xml, phrase;
};
void PrintTo(const Note& note, std::ostream* out) { *out << note.name; }

class Harmless : public testing::TestWithParam<Note> {};
TEST_P(Harmless, IsNotedAndLoads) {
  const TempFolder folder;
  const std::filesystem::path path = folder.write("model.xml", GetParam().xml);
  const LoadedModel loaded = load_model(path);
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_NE(loaded.warnings[0].find(GetParam().phrase), std::string::npos) << loaded.warnings[0];
  expect_agreement(path);
}

INSTANTIATE_TEST_SUITE_P(
    Features, Harmless,
    testing::Values(
        Note{
            "UserSensors",
            mjcf(
                kBody, "",
                R"(<sensor><user name="own" dim="2" objtype="site" objname="tip" datatype="real" needstage="pos"/></sensor>)"),
            "user sensors are not computed: the file does not say what they measure (own)"},
        Note{"Margin", mjcf(replaced(kBody, R"(name="rod")", R"(name="rod" margin=".01")")),
             "not from margin - gap on as in MuJoCo (rod)"},
        Note{"Bounce", mjcf(replaced(kBody, R"(name="rod")", R"(name="rod" solref=".02 .3")")),
             "solref bounces in MuJoCo, here contacts do not: see the numeric uzawa.restitution (rod)"},
        Note{"BounceOfASpring", mjcf(replaced(kBody, R"(name="rod")", R"(name="rod" solref="-1000 -2")")),
             "solref bounces in MuJoCo"},
        Note{"UnlikeTangents",
             mjcf(R"(<geom name="floor" type="plane" size="0 0 1"/><geom name="rod" type="capsule" size=".1 .2"/>)", "",
                  R"(<contact><pair name="p" geom1="floor" geom2="rod" friction="1 .5 0 0 0"/></contact>)"),
             "the two friction coefficients of a capsule on a plane do not turn with the capsule (p)"}),
    [](const auto& note) { return note.param.name; });

TEST(Harmless, TorsionalAndRollingFrictionIsRead) {
  for (const int dimension : {4, 6}) {
    const TempFolder folder;
    const std::string rod = R"(name="rod" friction="1 0.02 0.003" condim=")" + std::to_string(dimension) + '"';
    const LoadedModel loaded = load_model(folder.write("model.xml", mjcf(replaced(kBody, R"(name="rod")", rod))));
    EXPECT_TRUE(loaded.warnings.empty());
    const auto& geoms = loaded.model.spec().geoms;  // the rod is not the last: its body has a child with one
    const auto found = std::find_if(geoms.begin(), geoms.end(), [](const GeomSpec& g) { return g.name == "rod"; });
    ASSERT_NE(found, geoms.end());
    const GeomSpec& geom = *found;
    EXPECT_EQ(geom.contact_dimension, dimension);
    EXPECT_EQ(geom.friction, (std::array<double, 3>{1, 0.02, 0.003}));
  }
}

TEST(Harmless, MarginThatItsGapTakesBackIsNotNoted) {
  const TempFolder folder;
  const auto path =
      folder.write("model.xml", mjcf(replaced(kBody, R"(name="rod")", R"(name="rod" margin=".01" gap=".01")")));
  EXPECT_TRUE(load_model(path).warnings.empty());
}

}  // namespace
}  // namespace uzawa::test
