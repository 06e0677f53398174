#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/temp_folder.hpp"
#include "run_program.hpp"

/// `uzawa bench` as a user sees it.
namespace uzawa::test {
namespace {

TEST(Bench, ListsTheNames) {
  TempFolder folder;
  const ProgramResult result = run_program(folder.path(), {"bench"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* name : {"joint-fig2", "joint-fig3", "joint-fig4"}) {
    EXPECT_NE(result.out.find(name), std::string::npos) << name;
  }
}

TEST(Bench, PrintsJsonAndWritesThePlot) {
  TempFolder folder;
  const ProgramResult result =
      run_program(folder.path(), {"bench", "joint-fig3", "--quick", "--json", "--plot", "out.svg"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["name"], "joint-fig3");
  EXPECT_EQ(out["quick"], true);
  EXPECT_FALSE(out["words"]["residual"].empty());
  std::ifstream file(folder.path() / "out.svg");
  std::string first;
  std::getline(file, first);
  EXPECT_EQ(first, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
}

/// What the claims of a few cases say is no reason to fail; that they mean little is said.
TEST(Bench, AQuickRunSaysSoAndDoesNotFail) {
  TempFolder folder;
  const ProgramResult result = run_program(folder.path(), {"bench", "al-budget", "--quick"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("[--quick:"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("DOES NOT HOLD"), std::string::npos) << "twenty steps do no task";
}

/// One line, exit code 2, and nothing is run or left behind.
void expect_refused(const std::vector<std::string>& options, const std::string& says) {
  TempFolder folder;
  std::vector<std::string> arguments = {"bench"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramResult result = run_program(folder.path(), arguments);
  EXPECT_EQ(result.exit_code, 2) << says << '\n' << result.out << result.err;
  EXPECT_TRUE(result.out.empty()) << result.out;
  EXPECT_NE(result.err.find(says), std::string::npos) << "no '" << says << "' in " << result.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Bench, BadArgumentsAreRefused) {
  expect_refused({"joint-fig22"}, "joint-fig22: no such bench; did you mean joint-fig2?");
  expect_refused({"foo"}, "foo: no such bench; `uzawa bench` lists them");
  expect_refused({"joint-fig2", "--plot", "out.png"}, "out.png: --plot: plots are SVG: its name should end in .svg");
  expect_refused({"joint-fig2", "--plot", "absent/out.svg"}, "absent/out.svg: --plot: its folder does not exist");
  expect_refused({"joint-fig2", "--plot", ".svg/"}, "--plot");
  expect_refused({"--all"}, "docs/results.md: its folder does not exist");
  expect_refused({"--all", "joint-fig2"}, "--all");
  expect_refused({"--all", "--json"}, "--json");
  expect_refused({"--json"}, "--json");
  expect_refused({"joint-fig2", "--output", "x.md"}, "--output");
  expect_refused({"joint-fig2", "--slow"}, "--slow");
}

}  // namespace
}  // namespace uzawa::test
