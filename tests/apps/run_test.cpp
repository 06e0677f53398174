#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/temp_folder.hpp"
#include "run_program.hpp"

/// `uzawa run` as a user sees it.
namespace uzawa::test {
namespace {

const std::string kBall = R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 .2"><freejoint/><geom type="sphere" size=".1"/></body></worldbody></mujoco>)";

TEST(Run, JsonTellsWhereItEnded) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  const ProgramResult result = run_program(folder.path(), {"run", "ball.xml", "--time", "0.5", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["steps"], 250);
  EXPECT_EQ(out["statuses"]["solved"], 250);
  EXPECT_NEAR(out["q"][2].get<double>(), 0.1, 1e-6);
  EXPECT_TRUE(result.err.empty()) << result.err;
}

TEST(Run, TextIsATable) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  const ProgramResult result = run_program(folder.path(), {"run", "ball.xml", "--time", "0.1", "--solver", "subadmm"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* line : {"50 steps of 0.002 s", "real-time factor", "collision", "penetration", "50 solved"}) {
    EXPECT_NE(result.out.find(line), std::string::npos) << line << " in " << result.out;
  }
}

TEST(Run, BadArgumentsAreRefused) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  EXPECT_EQ(run_program(folder.path(), {"run", "ball.xml", "--solver", "magic"}).exit_code, 2);
  EXPECT_EQ(run_program(folder.path(), {"run", "ball.xml", "--keyframe", "home"}).exit_code, 2);
  EXPECT_EQ(run_program(folder.path(), {"run", "ball.xml", "--keyframe", "3"}).exit_code, 2);
  EXPECT_EQ(run_program(folder.path(), {"run", "ball.xml", "--theta", "1"}).exit_code, 2);
  EXPECT_EQ(run_program(folder.path(), {"run", "absent.xml"}).exit_code, 2);
}

}  // namespace
}  // namespace uzawa::test
