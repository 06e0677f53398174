#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/temp_folder.hpp"
#include "run_program.hpp"

/// `uzawa collide` as a user sees it.
namespace uzawa::test {
namespace {

/// A ball over a floor and a box, with two keyframes: high up, and 1 mm into the floor.
const std::string kScene = R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <geom name="step" type="box" size=".1 .1 .1" pos="1 0 .1"/>
  <body name="ball"><freejoint/><geom size=".1"/></body></worldbody>
  <keyframe><key name="up" qpos="0 0 1 1 0 0 0"/><key name="down" qpos="0 0 .099 1 0 0 0"/></keyframe></mujoco>)";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class CollideProgram : public testing::Test {
 protected:
  void SetUp() override { folder_.write("scene.xml", kScene); }
  ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"collide", "scene.xml"});
    return run_program(folder_.path(), arguments);
  }
  nlohmann::json contacts(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
  TempFolder folder_;
};

TEST_F(CollideProgram, TheFirstKeyframeIsTheDefault) {
  const ProgramResult up = run({});
  EXPECT_EQ(up.exit_code, 0) << up.err;
  EXPECT_TRUE(contains(up.out, "keyframe 'up': 0 contacts")) << up.out;
  const ProgramResult down = run({"--keyframe", "down"});
  EXPECT_TRUE(contains(down.out, "1 contacts of 1 pairs")) << down.out;
  for (const char* part : {"floor", "ball#2", "-1.000e-03"}) EXPECT_TRUE(contains(down.out, part)) << part << down.out;
}

TEST_F(CollideProgram, JsonHoldsTheContact) {
  const nlohmann::json found = contacts({"--keyframe", "down"});
  EXPECT_EQ(found["touching_pairs"], 1);
  EXPECT_EQ(found["dropped"], 0);
  ASSERT_EQ(found["contacts"].size(), 1U);
  const nlohmann::json& c = found["contacts"][0];
  EXPECT_EQ(c["geoms"][0], "floor");
  EXPECT_EQ(c["geom_ids"][1], 2);
  EXPECT_NEAR(c["gap"].get<double>(), -0.001, 1e-12);
  EXPECT_NEAR(c["position"][2].get<double>(), -0.0005, 1e-12);
  EXPECT_EQ(c["normal"][2], 1.0);
  EXPECT_EQ(c["key"].get<std::string>().size(), 16U);
}

TEST_F(CollideProgram, PosesFromAFile) {
  folder_.write("list.json", "[1, 0, 0.299, 1, 0, 0, 0]");
  folder_.write("object.json", R"({"qpos": [1, 0, 0.299, 1, 0, 0, 0], "note": "on the step"})");
  folder_.write("key.json", R"({"keyframe": "down"})");
  EXPECT_EQ(contacts({"--pose", "list.json"})["contacts"][0]["geoms"][0], "step");
  EXPECT_EQ(contacts({"--pose", "object.json"})["contacts"], contacts({"--pose", "list.json"})["contacts"]);
  EXPECT_EQ(contacts({"--pose", "key.json"})["contacts"], contacts({"--keyframe", "down"})["contacts"]);
}

TEST_F(CollideProgram, MarginShowsWhatIsClose) {
  EXPECT_TRUE(contacts({})["contacts"].empty());
  const nlohmann::json found = contacts({"--margin", "1"});
  ASSERT_FALSE(found["contacts"].empty());
  EXPECT_NEAR(found["contacts"][0]["gap"].get<double>(), 0.9, 1e-12);
}

TEST_F(CollideProgram, BadInputEndsWithCodeTwoAndOneLine) {
  folder_.write("short.json", "[1, 2, 3]");
  folder_.write("text.json", R"(["a", 0, 0, 1, 0, 0, 0])");
  folder_.write("broken.json", "[1, 2");
  folder_.write("other.json", R"({"pose": [1]})");
  folder_.write("key.json", R"({"keyframe": "sideways"})");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--pose", "absent.json"}, "absent.json"},
      {{"--pose", "short.json"}, "has 3 values where the model needs 7"},
      {{"--pose", "text.json"}, "qpos[0]"},
      {{"--pose", "broken.json"}, "broken.json"},
      {{"--pose", "other.json"}, "neither"},
      {{"--pose", "key.json"}, "sideways"},
      {{"--keyframe", "sideways"}, "sideways"},
      {{"--margin", "-1"}, "margin"},
      {{"--pose", "short.json", "--keyframe", "up"}, "--pose"}};
  for (const auto& [arguments, word] : cases) {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << word;
    EXPECT_TRUE(contains(result.err, word)) << word << " in " << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
}

TEST_F(CollideProgram, ShapesOfNoUseAreNamed) {
  folder_.write("flat.xml",
                R"(<mujoco><worldbody><body name="b"><freejoint/><geom name="g" size=".1"/></body></worldbody>
    <contact><exclude body1="b" body2="nobody"/></contact></mujoco>)");
  const ProgramResult result = run_program(folder_.path(), {"collide", "flat.xml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "flat.xml")) << result.err;
}

}  // namespace
}  // namespace uzawa::test
