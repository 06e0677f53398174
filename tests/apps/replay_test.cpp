#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/temp_folder.hpp"
#include "run_program.hpp"
#include "uzawa/log/replay_reader.hpp"
#include "viewer_page.hpp"

/// `uzawa run --html` and `uzawa replay` as a user sees them.
namespace uzawa::test {
namespace {

const std::string kBall = R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 .2"><freejoint/><geom type="sphere" size=".1"/></body></worldbody></mujoco>)";

void expect_refused(const TempFolder& folder, const std::vector<std::string>& arguments, const std::string& says) {
  const ProgramResult result = run_program(folder.path(), arguments);
  EXPECT_EQ(result.exit_code, 2) << says << '\n' << result.out;
  EXPECT_NE(result.err.find(says), std::string::npos) << "no '" << says << "' in " << result.err;
}

class ReplayProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (viewer_page().empty()) GTEST_SKIP() << "built without the viewer";
    folder_.write("ball.xml", kBall);
  }
  TempFolder folder_;
};

TEST_F(ReplayProgram, ALogGivesTheSameReplayAsTheRun) {
  const ProgramResult run = run_program(
      folder_.path(), {"run", "ball.xml", "--time", "0.5", "--html", "run.html", "--log", "run.h5", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto out = nlohmann::json::parse(run.out);
  EXPECT_EQ(out["replay"]["file"], "run.html");
  EXPECT_EQ(out["replay"]["frames"], 31);
  EXPECT_EQ(read_replay(folder_.path() / "run.html").frames.size(), 31U);
  const ProgramResult replay = run_program(folder_.path(), {"replay", "run.h5", "--html", "replay.html"});
  ASSERT_EQ(replay.exit_code, 0) << replay.err;
  EXPECT_EQ(read_text(folder_.path() / "replay.html"), read_text(folder_.path() / "run.html"));
}

TEST_F(ReplayProgram, ASceneIsBuiltAgainFromTheLog) {
  const std::vector<std::string> scene = {"run", "box-stack", "--set", "count=3", "--time", "0.1"};
  std::vector<std::string> arguments = scene;
  arguments.insert(arguments.end(), {"--log", "run.h5", "--html", "run.html"});
  ASSERT_EQ(run_program(folder_.path(), arguments).exit_code, 0);
  ASSERT_EQ(run_program(folder_.path(), {"replay", "run.h5", "--html", "replay.html"}).exit_code, 0);
  EXPECT_EQ(read_text(folder_.path() / "replay.html"), read_text(folder_.path() / "run.html"));
}

TEST_F(ReplayProgram, WhatCantBeDoneIsRefused) {
  expect_refused(folder_, {"run", "ball.xml", "--html", "no/run.html"},
                 "no/run.html: replay: its folder does not exist");
  expect_refused(folder_, {"run", "ball.xml", "--html", "."}, "is a folder");
  expect_refused(folder_, {"replay", "absent.h5", "--html", "x.html"}, "no such file");
  expect_refused(folder_, {"replay", "ball.xml", "--html", "x.html"}, "no readable HDF5 file");
  ASSERT_EQ(run_program(folder_.path(), {"run", "ball.xml", "--time", "0.1", "--log", "run.h5"}).exit_code, 0);
  folder_.write("ball.xml", replaced(kBall, "name=\"ball\"", "name=\"other\""));
  expect_refused(folder_, {"replay", "run.h5", "--html", "x.html"}, "other bodies or joints than the log");
  std::filesystem::remove(folder_.path() / "ball.xml");
  expect_refused(folder_, {"replay", "run.h5", "--html", "x.html"}, "ball.xml");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "x.html"));
}

TEST_F(ReplayProgram, AFullDiskLeavesNothing) {
  Program program(folder_.path(), {"run", "ball.xml", "--time", "0.1", "--html", "run.html"}, 100000);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("disk full"), std::string::npos) << result.err;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().filename(), "ball.xml");
  }
}

}  // namespace
}  // namespace uzawa::test
