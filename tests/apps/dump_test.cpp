#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/temp_folder.hpp"
#include "run_program.hpp"
#include "uzawa/problem_io/problem_file.hpp"

/// `uzawa run --dump-problem`: a step of a simulation, handed to `uzawa solve`.
namespace uzawa::test {
namespace {

// It falls 0.1 m: on the ground within 0.143 s, which is 72 steps of 2 ms.
const std::string kBall = R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 .2"><freejoint/><geom type="sphere" size=".1"/></body></worldbody></mujoco>)";

class Dump : public ::testing::Test {
 protected:
  Dump() { folder_.write("ball.xml", kBall); }

  ProgramResult run(const std::string& step, const std::string& file, const char* time = "0.5") const {
    return run_program(folder_.path(), {"run", "ball.xml", "--time", time, "--dump-problem", step, file});
  }
  nlohmann::json solve(const std::string& file) const {
    const ProgramResult result = run_program(folder_.path(), {"solve", file, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    return nlohmann::json::parse(result.out);
  }
  void expect_only_the_model() const {
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1) << "files left behind";
  }
  /// One line on stderr that says this, exit code 2, no file.
  void expect_refused(const std::string& step, const std::string& file, const std::string& says,
                      const char* time = "1e6") const {
    const ProgramResult result = run(step, file, time);
    EXPECT_EQ(result.exit_code, 2) << says << '\n' << result.out << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
    EXPECT_NE(result.err.find(says), std::string::npos) << "no '" << says << "' in " << result.err;
    expect_only_the_model();
  }

  TempFolder folder_;
};

TEST_F(Dump, ProblemIsThatOfTheStep) {
  ASSERT_EQ(run("20", "flight.json").exit_code, 0);
  ASSERT_EQ(run("250", "rest.json").exit_code, 0);
  const nlohmann::json flight = solve("flight.json"), rest = solve("rest.json");
  EXPECT_EQ(flight["rows"], 0);
  EXPECT_NEAR(flight["v"][2].get<double>(), -9.81 * 20 * 0.002, 1e-12);
  EXPECT_EQ(rest["rows"], 3);
  EXPECT_NEAR(rest["v"][2].get<double>(), 0, 1e-9);
  const Problem problem = read_problem(folder_.path() / "rest.json");
  EXPECT_EQ(problem.name, "ball.xml, step 250");
  EXPECT_EQ(problem.dt, 0.002);
}

TEST_F(Dump, SceneSaysInTheFileHowToGetThere) {
  const ProgramResult result =
      run_program(folder_.path(), {"run", "box-stack", "--set", "count=3", "--seed", "7", "--time", "0.1",
                                   "--dump-problem", "50", "stack.h5", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["problem"], nlohmann::json({{"file", "stack.h5"}, {"step", 50}}));
  EXPECT_EQ(solve("stack.h5")["status"], "converged");
  const Problem problem = read_problem(folder_.path() / "stack.h5");
  EXPECT_EQ(problem.name, "box-stack, step 50");
  EXPECT_NE(problem.comment.find("count=3"), std::string::npos) << problem.comment;
  EXPECT_NE(problem.comment.find("seed 7"), std::string::npos) << problem.comment;
}

TEST_F(Dump, BadStepsAreRefused) {
  expect_refused("0", "p.json", "--dump-problem");
  expect_refused("-3", "p.json", "--dump-problem");
  expect_refused("1.5", "p.json", "--dump-problem");
  expect_refused("last", "p.json", "--dump-problem");
  expect_refused("51", "p.json", "--dump-problem: there is no step 51: the run has 50", "0.1");
  EXPECT_EQ(run_program(folder_.path(), {"run", "ball.xml", "--dump-problem", "3"}).exit_code, 2);
}

/// With a step that takes an hour to get to: it would not come back from a run.
TEST_F(Dump, FileThatCantBeWrittenIsFoundOutFirst) {
  expect_refused("500000000", "absent/p.json", "absent/p.json: problem: its folder does not exist");
  expect_refused("500000000", ".", "is a folder");
  expect_refused("500000000", "/dev/null", "is no regular file");
  expect_refused("500000000", "/proc/p.json", "/proc/p.json: problem: ");
}

TEST_F(Dump, FormatThatDoesNotKnowAConstraintIsNamed) {
  folder_.write("ball.xml", R"(<mujoco><worldbody><body><joint type="hinge" frictionloss="1"/>
    <geom type="sphere" size=".1" pos=".5 0 0"/></body></worldbody></mujoco>)");
  const ProgramResult result = run("10", "p.h5");
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_EQ(result.err, "uzawa: p.h5: friction constraint 0: FCLIB knows contacts and equalities only\n");
  expect_only_the_model();
  ASSERT_EQ(run("10", "p.json").exit_code, 0);
  EXPECT_EQ(solve("p.json")["rows"], 1);
}

TEST_F(Dump, FullDiskLeavesWhatWasThere) {
  folder_.write("p.json", "of yesterday");
  const ProgramResult result =
      Program(folder_.path(), {"run", "ball.xml", "--dump-problem", "250", "p.json"}, 100).wait();
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_NE(result.err.find("p.json: problem: can't be written"), std::string::npos) << result.err;
  EXPECT_EQ(read_text(folder_.path() / "p.json"), "of yesterday");
}

}  // namespace
}  // namespace uzawa::test
