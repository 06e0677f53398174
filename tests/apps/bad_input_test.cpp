#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/temp_folder.hpp"
#include "run_program.hpp"

/// Bad files: one line on stderr with file, element and reason; exit code 2; nothing left behind.
namespace uzawa::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// Both commands refuse `file` with one line that names it and `element`.
void expect_refused(const TempFolder& folder, const std::string& file, const std::string& element) {
  const std::vector<std::string> before = names_in(folder.path());
  for (const char* command : {"info", "verify"}) {
    const ProgramResult result = run_program(folder.path(), {command, file});
    EXPECT_EQ(result.exit_code, 2) << command << ' ' << result.out << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.err.rfind("uzawa: " + file + ": ", 0), 0U) << result.err;
    EXPECT_NE(result.err.find(element), std::string::npos) << result.err;
    EXPECT_GT(result.err.size(), std::string("uzawa: " + file + ": ").size() + 5) << "a reason, please: " << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
  EXPECT_EQ(names_in(folder.path()), before) << "files left behind";
}

struct BadFile {
  const char* name;
  std::string content;
  std::string element;  ///< what the message must name
};
void PrintTo(const BadFile& bad, std::ostream* out) { *out << bad.name; }

/// A model with one of everything, into which the cases put their mistakes.
const std::string kModel = R"(<mujoco model="everything">
<option timestep="0.002" gravity="0 0 -9.81" wind="0.5 0 0" density="0.1" viscosity="0.2"/>
<worldbody>
<site name="ground" pos="0 0 2"/>
<body name="arm" pos="0.1 0.2 0.3" quat="1 0.1 0 0">
<inertial pos="0.01 0.02 0.03" mass="1.5" diaginertia="0.04 0.05 0.06"/>
<joint name="elbow" type="hinge" axis="0 1 0" pos="0.11 0 0" limited="true" range="-91 92" stiffness="3" damping="0.4"
armature="0.01" frictionloss="0.02" ref="5" springref="6" margin="0.001"/>
<joint name="rail" type="slide" axis="1 0 0"/>
<geom name="rod" type="capsule" size="0.07 0.08" pos="0.21 0 0" friction="0.9 0.005 0.0001" rgba="0.1 0.2 0.3 1"/>
<site name="tip" pos="0.31 0 0"/>
</body>
<body name="ball"><freejoint/><geom name="round" size="0.12" mass="0.7"/></body>
</worldbody>
<contact><exclude body1="arm" body2="ball"/></contact>
<tendon><fixed name="cord" stiffness="7" damping="8"><joint joint="elbow" coef="1.1"/></fixed>
<spatial name="rope" stiffness="9"><site site="ground"/><site site="tip"/></spatial></tendon>
<equality><joint name="couple" joint1="elbow" joint2="rail" polycoef="0 1.2 0 0 0"/>
<connect name="pin" body1="arm" body2="ball" anchor="0.41 0 0"/></equality>
<actuator><motor name="drive" joint="elbow" gear="13" ctrllimited="true" ctrlrange="-14 15"/>
<position name="servo" joint="rail" kp="16" forcelimited="true" forcerange="-17 18"/>
<motor name="winch" tendon="cord"/></actuator>
<keyframe><key name="home" qpos="0.5 0.6 0 0 1 1 0 0 0" qvel="0 0 0 0 0 0 0 0" ctrl="0.7 0 0"/></keyframe>
</mujoco>
)";

std::string broken(const std::string& from, const std::string& to) { return replaced(kModel, from, to); }

class BadInput : public testing::TestWithParam<BadFile> {};
TEST_P(BadInput, IsRefusedInOneLine) {
  const TempFolder folder;
  folder.write("bad.xml", GetParam().content);
  expect_refused(folder, "bad.xml", GetParam().element);
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadInput,
    testing::Values(BadFile{"Empty", "", ""}, BadFile{"Blank", "  \n\n", ""}, BadFile{"NotXml", "hello, world\n", ""},
                    BadFile{"Binary", std::string("\0\1\2\xff\xfe", 5), ""},
                    BadFile{"Cut", kModel.substr(0, kModel.size() / 2), ""},
                    BadFile{"OtherXml", "<html><body/></html>", "html"},
                    BadFile{"UnknownElement", broken("<contact>", "<contract/><contact>"), "contract"},
                    BadFile{"UnknownAttribute", broken("timestep=", "timestamp="), "timestamp"},
                    BadFile{"MissingInclude", broken("<option", "<include file=\"lost.xml\"/><option"), "lost.xml"},
                    BadFile{"MissingMesh", broken("<worldbody>", R"(<asset><mesh name="m" file="lost.stl"/></asset>
                                                                    <worldbody>)"),
                            "lost.stl"},
                    BadFile{"BadMesh", broken("<worldbody>", R"(<asset><mesh name="m" file="bad.xml"/></asset>
                                                                <worldbody>)"),
                            "'m'"},
                    BadFile{"HugeField", broken("<worldbody>", R"(<asset><hfield name="h" nrow="1000000" ncol="1000000"
                                                                  size="1 1 1 1"/></asset><worldbody>)"),
                            "<hfield>, line 3: nrow"},
                    BadFile{"HugeReplicate", broken("<body name=\"ball\">", R"(<replicate count="100000000"><geom
                                                    size="1"/></replicate><body name="ball">)"),
                            "<replicate>, line 13: count"},
                    BadFile{"HugeUserData", broken("<worldbody>", R"(<size nuser_body="2147483647"/><worldbody>)"),
                            "<size>, line 3: nuser_body"},
                    BadFile{"HugeKeys", broken("<worldbody>", R"(<size nkey="2147483647"/><worldbody>)"),
                            "<size>, line 3: nkey"}),
    [](const auto& bad) { return bad.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Elements, BadInput,
    testing::Values(BadFile{"MasslessMovingBody", broken(R"(mass="0.7")", R"(mass="0")"), "ball"},
                    BadFile{"NegativeMass", broken(R"(mass="1.5")", R"(mass="-1.5")"), "arm"},
                    BadFile{"ImpossibleInertia",
                            broken(R"(diaginertia="0.04 0.05 0.06")", R"(diaginertia="0.04 0.05 5")"), "arm"},
                    BadFile{"ZeroAxis", broken(R"(axis="0 1 0")", R"(axis="0 0 0")"), "elbow"},
                    BadFile{"EmptyRange", broken(R"(range="-91 92")", R"(range="92 -91")"), "elbow"},
                    BadFile{"NegativeSize", broken(R"(size="0.12")", R"(size="-0.12")"), "round"},
                    BadFile{"NegativeDamping", broken(R"(damping="0.4")", R"(damping="-0.4")"), "elbow"},
                    BadFile{"UnknownActuatorJoint",
                            broken(R"(name="drive" joint="elbow")", R"(name="drive" joint="knee")"), "knee"},
                    BadFile{"UnknownActuatorTendon", broken(R"(tendon="cord")", R"(tendon="string")"), "string"},
                    BadFile{"UnknownTendonJoint", broken(R"(<joint joint="elbow")", R"(<joint joint="knee")"), "knee"},
                    BadFile{"UnknownTendonSite", broken(R"(<site site="tip")", R"(<site site="toe")"), "toe"},
                    BadFile{"UnknownEqualityJoint", broken(R"(joint2="rail")", R"(joint2="knee")"), "knee"},
                    BadFile{"UnknownEqualityBody", broken(R"(body2="ball" anchor)", R"(body2="bell" anchor)"), "bell"},
                    BadFile{"UnknownExcludedBody", broken(R"(body2="ball"/>)", R"(body2="bell"/>)"), "bell"},
                    BadFile{"DuplicateBody", broken(R"(body name="ball")", R"(body name="arm")"), "arm"},
                    BadFile{"DuplicateJoint", broken(R"(name="rail")", R"(name="elbow")"), "elbow"},
                    BadFile{"DuplicateActuator", broken(R"(name="servo")", R"(name="drive")"), "drive"},
                    BadFile{"LongKeyframe", broken("0.7 0 0", "0.7 0 0 0"), "ctrl"},
                    BadFile{"ZeroTimestep", broken(R"(timestep="0.002")", R"(timestep="0")"), "time"},
                    BadFile{"WordForNumber", broken(R"(stiffness="3")", R"(stiffness="strong")"), "stiffness"}),
    [](const auto& bad) { return bad.param.name; });

TEST(BadFiles, MissingFileFolderAndUnreadableName) {
  const TempFolder folder;
  fs::create_directory(folder.path() / "folder");
  expect_refused(folder, "lost.xml", "no such file");
  expect_refused(folder, "folder", "not a file");
  expect_refused(folder, std::string(5000, 'x'), "");
}

/// Every number of the model, made NaN, infinite or enormous: refused, or harmless as `verify` shows. Never a silent
/// NaN.
class OddNumbers : public testing::TestWithParam<const char*> {};
TEST_P(OddNumbers, NeverGetThrough) {
  const TempFolder folder;
  const std::string odd = GetParam();
  const std::vector<const char*> numbers = {
      "0.002",     "-9.81",      "0.5 0 0\" d", "0.1\" v", "0.2\"/>",  "0.1 0.2 0.3\" q", "1 0.1 0 0",
      "0.01 0.02", "1.5",        "0.04 0",      "0 1 0",   "0.11 0 0", "-91 92",          "3\" da",
      "0.4\"",     "0.01\" fri", "0.02\"",      "5\" spr", "6\" mar",  "0.001\"",         "0.07",
      "0.21 0 0",  "0.9",        "0.31 0 0",    "0.12",    "0.7\"/>",  "7\" da",          "8\">",
      "1.1",       "9\">",       "1.2 0",       "0.41",    "13",       "-14 15",          "16",
      "-17 18",    "0.5 0.6",    "0.7 0 0"};
  int refused = 0, harmless = 0;
  for (const char* number : numbers) {
    const std::string text = number;
    const std::size_t digits = text.find_first_not_of("-.0123456789");
    folder.write("odd.xml", broken('"' == kModel[kModel.find(text) - 1] ? '"' + text : text,
                                   ('"' == kModel[kModel.find(text) - 1] ? "\"" : "") + odd +
                                       (digits == std::string::npos ? "" : text.substr(digits))));
    const ProgramResult result = run_program(folder.path(), {"verify", "odd.xml", "--json", "--states", "3"});
    ASSERT_TRUE(result.exit_code == 0 || result.exit_code == 2) << number << ": " << result.out << result.err;
    if (result.exit_code == 2) {
      ++refused;
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
      EXPECT_EQ(result.err.rfind("uzawa: odd.xml: ", 0), 0U) << result.err;
    } else {
      ++harmless;
      EXPECT_EQ(nlohmann::json::parse(result.out)["passed"], true) << number;
    }
  }
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"odd.xml"}) << "files left behind";
  RecordProperty("refused", refused);
  RecordProperty("harmless", harmless);
  EXPECT_GT(refused, static_cast<int>(numbers.size()) / 2);
}
INSTANTIATE_TEST_SUITE_P(Numbers, OddNumbers, testing::Values("nan", "inf", "-inf", "NaN"), [](const auto& odd) {
  return std::string(odd.param) == "-inf" ? "MinusInf"
                                          : std::string(odd.param) + (odd.param[0] == 'N' ? "Capital" : "");
});

TEST(BadFiles, TheModelOfTheseTestsIsGood) {
  const TempFolder folder;
  folder.write("good.xml", kModel);
  const ProgramResult result = run_program(folder.path(), {"verify", "good.xml"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

}  // namespace
}  // namespace uzawa::test
