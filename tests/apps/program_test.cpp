#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "build_folders.hpp"
#include "io/temp_folder.hpp"
#include "io/urdf_samples.hpp"
#include "run_program.hpp"

/// What a user of the command line sees.
namespace uzawa::test {
namespace {

const std::string kPanda = UZAWA_MODELS "/panda.xml";

/// Two joints, one limited; more where asked for.
std::string small_model(const std::string& extra = "") {
  return R"(<mujoco model="small"><worldbody><body name="arm"><joint name="elbow" limited="true" range="-90 90"
      damping=".5"/><geom size=".1" mass="2"/><body pos="1 0 0"><joint name="rail" type="slide"/><geom size=".1" mass="1"/>
      </body></body></worldbody>)" +
         extra + "</mujoco>";
}
const std::string kUserDefined =
    R"(<actuator><general name="biceps" joint="elbow" gaintype="user" dyntype="user"/></actuator>)";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Program, HelpExplainsTheCommands) {
  const TempFolder folder;
  const ProgramResult help = run_program(folder.path(), {"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* word : {"info", "verify", "run", "scenes", "Usage", "panda.xml"})
    EXPECT_TRUE(contains(help.out, word)) << word;
  EXPECT_TRUE(help.err.empty());
  for (const char* command : {"info", "verify"}) {
    const ProgramResult result = run_program(folder.path(), {command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    for (const char* option : {"--json", "--package", "--free-base"})
      EXPECT_TRUE(contains(result.out, option)) << option;
  }
  EXPECT_EQ(run_program(folder.path(), {"--version"}).exit_code, 0);
}

TEST(Program, BadArgumentsEndWithCodeTwo) {
  const TempFolder folder;
  const std::vector<std::vector<std::string>> cases = {{},
                                                       {"dance"},
                                                       {"--nonsense"},
                                                       {"info"},
                                                       {"info", kPanda, "--nonsense"},
                                                       {"info", kPanda, "another"},
                                                       {"verify", kPanda, "--states", "0"},
                                                       {"verify", kPanda, "--states", "many"},
                                                       {"verify", kPanda, "--seed", "-1"},
                                                       {"info", kPanda, "--package", "no_equals_sign"}};
  for (const std::vector<std::string>& arguments : cases) {
    const ProgramResult result = run_program(folder.path(), arguments);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_FALSE(result.err.empty()) << testing::PrintToString(arguments);
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
}

TEST(Program, HelpIsACommand) {
  const TempFolder folder;
  EXPECT_EQ(run_program(folder.path(), {"help"}).out, run_program(folder.path(), {"--help"}).out);
  EXPECT_EQ(run_program(folder.path(), {"help", "run"}).out, run_program(folder.path(), {"run", "--help"}).out);
}

TEST(Program, UnknownWordsSuggestTheNearest) {
  const TempFolder folder;
  const auto error = [&](const std::vector<std::string>& arguments) {
    const ProgramResult result = run_program(folder.path(), arguments);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_EQ(error({"rnu", "box-stack"}),
            "uzawa: there is no command 'rnu'; did you mean run? `uzawa help` lists them\n");
  EXPECT_EQ(error({"dance"}), "uzawa: there is no command 'dance'; `uzawa help` lists them\n");
  EXPECT_EQ(error({"help", "rendr"}),
            "uzawa: help: there is no command 'rendr'; did you mean render? `uzawa help` lists them\n");
  EXPECT_EQ(error({"run", "box-stack", "--tme", "3"}),
            "uzawa: there is no option --tme; did you mean --time? `uzawa help run` lists them\n");
  folder.write("key.xml", R"(<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody>
    <keyframe><key name="home"/><key name="up"/></keyframe></mujoco>)");
  EXPECT_EQ(error({"run", "key.xml", "--keyframe", "hoem"}),
            "uzawa: key.xml: keyframe 'hoem': there is none of that name; did you mean home? There are: home, up\n");
}

TEST(Program, FilesThatAreNoModelsAreNamedInPlainWords) {
  const TempFolder folder;
  const auto error = [&](const std::string& content) {
    folder.write("file.xml", content);
    return run_program(folder.path(), {"info", "file.xml"}).err;
  };
  EXPECT_EQ(error(""), "uzawa: file.xml: is empty\n");
  EXPECT_TRUE(contains(error("hello, world"), "begins with 'hello, world', not with '<'; a model is an XML file"));
  EXPECT_TRUE(contains(error(std::string("\x01\x02\x00garbage", 10)), "is no text but binary data"));
  EXPECT_TRUE(contains(error("\x89HDF\r\n\x1a\n"), "is an HDF5 file: `uzawa replay` takes logs"));
  EXPECT_TRUE(
      contains(error("<mujoco>\n<worldbody>\n</mujoco>"), "<worldbody> is not closed by a tag of its own name"));
}

/// Who pipes the output into a file learns that it is not all there.
TEST(Program, FullStandardOutputIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const std::string command = std::string(UZAWA_PROGRAM) + " scenes > /dev/full 2> /dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
}

TEST(Info, TextShowsSizesAndJoints) {
  const TempFolder folder;
  folder.write("small.xml", small_model());
  const ProgramResult result = run_program(folder.path(), {"info", "small.xml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"bodies 3, joints 2, nq 2, nv 2", "mass 3 kg", "kinematic trees 1, moving links 2", "elbow",
                           "hinge", "rail", "slide", "[-1.571, 1.571]"}) {
    EXPECT_TRUE(contains(result.out, part)) << part << " in " << result.out;
  }
  EXPECT_TRUE(result.err.empty());
}

TEST(Info, JsonHoldsTheSame) {
  const TempFolder folder;
  folder.write("small.xml", small_model());
  const ProgramResult result = run_program(folder.path(), {"info", "small.xml", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json info = nlohmann::json::parse(result.out);
  EXPECT_EQ(info["model"], "small.xml");
  EXPECT_EQ(info["name"], "small");
  EXPECT_EQ(info["supported"], true);
  EXPECT_EQ(info["bodies"], 3);
  EXPECT_EQ(info["nv"], 2);
  EXPECT_EQ(info["links"], 2);
  EXPECT_EQ(info["trees"], 1);
  EXPECT_DOUBLE_EQ(info["mass"].get<double>(), 3);
  ASSERT_EQ(info["joint_list"].size(), 2U);
  EXPECT_EQ(info["joint_list"][0]["name"], "elbow");
  EXPECT_EQ(info["joint_list"][0]["damping"], .5);
  EXPECT_NEAR(info["joint_list"][0]["range"][1].get<double>(), 1.5708, 1e-4);
  EXPECT_TRUE(info["joint_list"][1]["range"].is_null());
}

TEST(Info, UnsupportedModelsAreDescribedNotRefused) {
  const TempFolder folder;
  folder.write("small.xml", small_model(kUserDefined));
  const ProgramResult text = run_program(folder.path(), {"info", "small.xml"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(contains(text.out, "not supported yet")) << text.out;
  const ProgramResult json = run_program(folder.path(), {"info", "small.xml", "--json"});
  const nlohmann::json info = nlohmann::json::parse(json.out);
  EXPECT_EQ(info["supported"], false);
  EXPECT_EQ(info["unsupported"].size(), 2U);
  EXPECT_FALSE(info.contains("joint_list"));
}

TEST(Verify, TextAgrees) {
  const TempFolder folder;
  const ProgramResult result = run_program(folder.path(), {"verify", kPanda, "--states", "20", "--seed", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"link poses", "mass matrix", "bias force", "passive force", "actuator force", "agrees"}) {
    EXPECT_TRUE(contains(result.out, part)) << part << " in " << result.out;
  }
}

TEST(Verify, JsonAgreesAndTheSeedDecides) {
  const TempFolder folder;
  const auto verify = [&](const char* seed) {
    const ProgramResult result =
        run_program(folder.path(), {"verify", kPanda, "--json", "--states", "20", "--seed", seed});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  };
  const nlohmann::json found = verify("3");
  EXPECT_EQ(found["passed"], true);
  EXPECT_EQ(found["states"], 20);
  EXPECT_EQ(found["tolerance"], 1e-9);
  for (const char* field :
       {"pose", "mass_matrix", "bias_force", "passive_force", "actuator_force", "activation_rate"}) {
    EXPECT_LE(found[field].get<double>(), 1e-9) << field;
  }
  EXPECT_GT(found["bias_force"].get<double>(), 0) << "two codes agree to the last bit: is it one?";
  EXPECT_EQ(verify("3"), found);
  EXPECT_NE(verify("4")["bias_force"], found["bias_force"]);
}

TEST(Verify, UnsupportedModelsAreBadInput) {
  const TempFolder folder;
  folder.write("small.xml", small_model(kUserDefined));
  const ProgramResult result = run_program(folder.path(), {"verify", "small.xml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "small.xml: not supported yet: ")) << result.err;
  EXPECT_TRUE(contains(result.err, "biceps")) << result.err;
}

/// A disagreement is neither success nor bad input: states that overflow make both sides infinite, which is not equal.
TEST(Verify, DisagreementEndsWithCodeOne) {
  const TempFolder folder;
  folder.write("huge.xml", R"(<mujoco><worldbody><body><joint damping="1e308"/><joint type="slide" damping="1e308"/>
      <geom size=".1"/></body></worldbody></mujoco>)");
  const ProgramResult result = run_program(folder.path(), {"verify", "huge.xml"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "DIFFERS")) << result.out;
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "huge.xml"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "MUJOCO_LOG.TXT"));
}

TEST(Program, UrdfOptions) {
  const TempFolder folder;
  folder.write("arm.urdf", kUrdfArm);
  const auto nv = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"info", "arm.urdf", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return nlohmann::json::parse(run_program(folder.path(), arguments).out)["nv"].get<int>();
  };
  EXPECT_EQ(nv({}), 2);
  EXPECT_EQ(nv({"--free-base"}), 8);
  EXPECT_EQ(nv({"--package", "some_robot=/nowhere"}), 2);
}

}  // namespace
}  // namespace uzawa::test
