#include <gtest/gtest.h>

#include <cstdlib>

#include "child_process.hpp"
#include "frame_list.hpp"
#include "io/temp_folder.hpp"
#include "run_program.hpp"
#include "uzawa/base/error.hpp"
#include "viewer_page.hpp"

/// `uzawa render` as a user sees it.
namespace uzawa::test {
namespace {

namespace fs = std::filesystem;
using cli::FrameList;

TEST(FrameList, NumbersAndRanges) {
  EXPECT_EQ(FrameList("0,5,3:9:3,end").numbers(20), (std::vector<int>{0, 5, 3, 6, 9, 19}));
  EXPECT_EQ(FrameList("0:end:2").numbers(6), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(FrameList("0:end:2").highest(), -1);
  EXPECT_EQ(FrameList("3,7:9,1").highest(), 9);
  EXPECT_EQ(FrameList("0:end:2").stride(), 2);
  EXPECT_EQ(FrameList("1,2").stride(), 0);
}

TEST(FrameList, RefusesNonsense) {
  for (const char* text : {"", ",", "1,,2", "x", "-1", "1:2:0", "1:2:3:4", "5:3", "1.5", "99999999999", "0:end:end"}) {
    EXPECT_THROW(FrameList{text}, InputError) << text;
  }
  EXPECT_THROW(FrameList("20").numbers(20), InputError);
}

class RenderProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (viewer_page().empty()) GTEST_SKIP() << "built without the viewer";
    if (cli::find_program({"chromium", "chromium-browser", "google-chrome"}).empty()) {
      GTEST_SKIP() << "there is no Chromium here";
    }
  }
  TempFolder folder_;
};

/// Width and height stand in the header of a PNG, highest byte first.
void expect_picture(const fs::path& path, int width, int height) {
  const std::string bytes = read_text(path);
  ASSERT_GT(bytes.size(), 1000U) << path;
  EXPECT_EQ(bytes.substr(1, 3), "PNG");
  const auto number = [&](std::size_t at) {
    return 256 * static_cast<unsigned char>(bytes[at + 2]) + static_cast<unsigned char>(bytes[at + 3]);
  };
  EXPECT_EQ(number(16), width);
  EXPECT_EQ(number(20), height);
}

TEST_F(RenderProgram, PicturesOfASceneAndOfAReplay) {
  const ProgramResult scene =
      run_program(folder_.path(), {"render", "box-stack", "--set", "count=2", "--frames", "0:4:4", "--out", "a/b",
                                   "--width", "160", "--height", "120"});
  ASSERT_EQ(scene.exit_code, 0) << scene.err;
  expect_picture(folder_.path() / "a/b/frame_00000.png", 160, 120);
  expect_picture(folder_.path() / "a/b/frame_00004.png", 160, 120);  // by the frame's number
  EXPECT_FALSE(fs::exists(folder_.path() / "a/b/frame_00001.png"));
  EXPECT_EQ(read_text(folder_.path() / "a/b/box-stack.webm").substr(0, 4), "\x1A\x45\xDF\xA3");

  ASSERT_EQ(run_program(folder_.path(), {"run", "box-stack", "--time", "0.1", "--html", "r.html"}).exit_code, 0);
  const std::vector<std::string> replay = {"render", "r.html",   "--frames",  "end", "--out",
                                           "c",      "--forces", "--azimuth", "90"};
  ASSERT_EQ(run_program(folder_.path(), replay).exit_code, 0);
  expect_picture(folder_.path() / "c/frame_00006.png", 1280, 720);
}

TEST_F(RenderProgram, SaysWhatIsWrong) {
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& says) {
    const ProgramResult result = run_program(folder_.path(), arguments);
    EXPECT_EQ(result.exit_code, 2) << says;
    EXPECT_NE(result.err.find(says), std::string::npos) << "no '" << says << "' in " << result.err;
  };
  folder_.write("bad.html", "<html></html>");
  folder_.write("file", "");
  expect({"render", "box-stack", "--out", "file"}, "file: --out: can't be made");
  expect({"render", "box-stack", "--out", "x", "--frames", "7:3"}, "'7:3' ends before it begins");
  expect({"render", "absent.html", "--out", "x"}, "absent.html: replay: no such file");
  expect({"render", "box-stak", "--out", "x"}, "did you mean box-stack?");
  expect({"render", "box-stack", "--frames", "0,3", "--film", "--out", "x"}, "--film: needs frames at even distances");

  const char* path = std::getenv("PATH");
  const std::string kept = path != nullptr ? path : "";
  setenv("PATH", folder_.path().c_str(), 1);
  expect({"render", "box-stack", "--out", "x"},
         "drawn by Chromium, which is not here (Debian: apt-get install chromium)");
  folder_.write("chromium", "#!/bin/sh\necho some trouble >&2\nexit 1\n");
  fs::permissions(folder_.path() / "chromium", fs::perms::owner_all);
  expect({"render", "box-stack", "--frames", "0", "--out", "x"},
         "Chromium: it has ended; its last words: some trouble");
  setenv("PATH", kept.c_str(), 1);
}

}  // namespace
}  // namespace uzawa::test
