#include <gtest/gtest.h>

#include "agreement.hpp"
#include "meshes.hpp"
#include "temp_folder.hpp"
#include "uzawa/base/error.hpp"

/// Files that one MuJoCo release or the other would crash on, hang on or fill up without a word.
namespace uzawa::test {
namespace {

struct Hostile {
  const char* name;
  std::string xml, message;
};
void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.name; }

std::string with_asset(const std::string& asset) { return mjcf("<geom size=\"1\"/>", "<asset>" + asset + "</asset>"); }
std::string with_size(const std::string& size) { return mjcf("<geom size=\"1\"/>", "<size " + size + "/>"); }
std::string with_geom(const std::string& attributes) {
  return mjcf("<body name=\"b\"><joint name=\"j\"/><geom " + attributes + "/></body>");
}
std::string with_key(const std::string& key) {
  return mjcf("<body><joint name=\"j\"/><joint name=\"k\"/><geom size=\"1\"/></body>", "",
              "<actuator><motor joint=\"j\"/></actuator><keyframe><key " + key + "/></keyframe>");
}

std::string refusal(const std::filesystem::path& path) {
  try {
    load_model(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "loaded";
}

class HostileFile : public testing::TestWithParam<Hostile> {};
TEST_P(HostileFile, IsRefusedAndSaysWhy) {
  const TempFolder folder;
  const std::string text = refusal(folder.write("model.xml", GetParam().xml));
  EXPECT_NE(text.find(GetParam().message), std::string::npos) << text;
  // The same, one include further down.
  folder.write("parts/model.xml", GetParam().xml);
  const std::string deeper =
      refusal(folder.write("outer.xml", R"(<mujoco><include file="parts/model.xml"/></mujoco>)"));
  EXPECT_NE(deeper.find(GetParam().message), std::string::npos) << deeper;
}

INSTANTIATE_TEST_SUITE_P(
    Files, HostileFile,
    testing::Values(
        Hostile{"Field", with_asset(R"(<hfield name="h" nrow="40000" ncol="40000" size="1 1 1 1"/>)"),
                "nrow is excessive"},
        Hostile{"Texture", with_asset(R"(<texture name="t" type="2d" builtin="flat" width="46340" height="46340"/>)"),
                "width is excessive"},
        Hostile{"Keys", with_size(R"(nkey="200000000")"), "nkey is excessive"},
        Hostile{"UserData", with_size(R"(nuser_geom="2147483647")"), "nuser_geom is excessive"},
        Hostile{"Replicate", mjcf(R"(<replicate count="100000000"><geom size="1"/></replicate>)"),
                "count is excessive"},
        Hostile{"NestedReplicates",
                mjcf(R"(<replicate count="10000"><replicate count="10000"><geom size="1"/></replicate></replicate>)"),
                "count is excessive"},
        Hostile{"Composite", mjcf(R"(<body><composite type="grid" count="10000 10000 1"/></body>)"),
                "count is excessive"},
        Hostile{"HugeSize", with_geom(R"(type="box" size=".1 1e39 .1")"), "size holds 1e39"},
        Hostile{"NanMass", with_geom(R"(size=".1" mass="nan")"), "mass holds nan"},
        Hostile{"InfinitePosition", with_geom(R"(size=".1" pos="0 -inf 0")"), "pos holds -inf"},
        Hostile{"LongKeyPosition", with_key(R"(qpos="1 2 3")"), "qpos"},
        Hostile{"LongKeyControl", with_key(R"(ctrl="1 2")"), "ctrl"}),
    [](const auto& hostile) { return hostile.param.name; });

TEST(SourceCheck, WholeKeyframesAndReasonableCountsPass) {
  const TempFolder folder;
  EXPECT_EQ(refusal(folder.write("key.xml", with_key(R"(qpos="1 2" qvel="3 4" ctrl="5")"))), "loaded");
  EXPECT_EQ(refusal(folder.write("size.xml", with_size(R"(nuser_geom="3")"))), "loaded");
}

TEST(SourceCheck, ShortKeyframesAreFilledUpWithANote) {
  if (is_legacy_mujoco()) GTEST_SKIP() << "MuJoCo 2.2.2 refuses short keyframes itself";
  const TempFolder folder;
  const LoadedModel loaded = load_model(folder.write("key.xml", with_key(R"(qpos="1" ctrl="5")")));
  EXPECT_EQ(loaded.model.keyframe_state(0).q, (std::vector<double>{1, 0}));
  ASSERT_FALSE(loaded.warnings.empty());
  EXPECT_NE(loaded.warnings.back().find("qpos has 1 values where the model needs 2"), std::string::npos);
}

/// The parser that looks at the text first gives up a hundred elements deep.
TEST(SourceCheck, LongChainsOfBodiesLoad) {
  if (is_legacy_mujoco()) GTEST_SKIP() << "MuJoCo 2.2.2 gives up there, too";
  const auto chain = [](const std::string& last) {
    std::string bodies, ends;
    for (int i = 0; i < 200; ++i) {
      bodies += "<body pos='0 0 .1'>\n<!-- <body> --><joint type=\"ball\"/><geom name=\"a>b" + std::to_string(i) +
                "\" size=\".01\"/>";
      ends += "</body>";
    }
    return mjcf(bodies + last + ends);
  };
  const TempFolder folder;
  EXPECT_EQ(load_model(folder.write("rope.xml", chain("<body/>"))).model.nv(), 600);
  const std::string text = refusal(folder.write("wrong.xml", chain(R"(<geom size=".1" pos="0 nan 0"/>)")));
  EXPECT_NE(text.find("pos holds nan"), std::string::npos) << text;
}

TEST(SourceCheck, BrokenMeshesAreRefused) {
  const TempFolder folder;
  const std::string good = obj_tetrahedron();
  const std::pair<const char*, std::string> broken[] = {{"half a vertex", "v 1\n" + good},
                                                        {"unknown vertex", good + "f 1 2 99999999\n"},
                                                        {"unknown relative vertex", good + "f -1 -2 -999\n"},
                                                        {"no vertices", "o nothing\n"}};
  for (const auto& [what, content] : broken) {
    folder.write("meshes/m.obj", content);
    const std::string text = refusal(folder.write(
        "model.xml", R"(<mujoco><compiler meshdir="meshes"/><asset><mesh name="m" file="m.obj"/></asset><worldbody>
                        <geom type="mesh" mesh="m"/></worldbody></mujoco>)"));
    EXPECT_NE(text, "loaded") << what;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace uzawa::test
