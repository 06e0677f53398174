#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/temp_folder.hpp"
#include "run_program.hpp"

/// `uzawa solve` and `uzawa solvers` as a user sees them.
namespace uzawa::test {
namespace {

/// A particle of 2 kg that slips (see tests/solver/closed_form_test.cpp), behind an equality on a second one: lambda
/// must follow the order of the file.
const std::string kSlip = R"({"format": "uzawa-problem/1", "n": 4,
  "A": {"shape": [4, 4], "i": [0, 1, 2, 3], "j": [0, 1, 2, 3], "x": [2, 2, 2, 1]}, "b": [0.3, 0.4, -1, 5],
  "constraints": [
    {"kind": "equality", "J": {"dense": [[0, 0, 0, 1]]}, "e": -2},
    {"kind": "contact", "J": {"dense": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]}, "e": [0, 0, 0], "mu": 0.2}]})";

TEST(Solve, JsonHasTheAnswerInTheOrderOfTheFile) {
  const TempFolder folder;
  folder.write("slip.json", kSlip);
  for (const char* solver : {"canal", "subadmm", "pgs"}) {
    const ProgramResult result = run_program(folder.path(), {"solve", "slip.json", "--solver", solver, "--tol", "1e-12",
                                                             "--max-iterations", "5000", "--json"});
    ASSERT_EQ(result.exit_code, 0) << solver << result.err;
    const nlohmann::json json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json["status"], "converged");
    for (const char* key : {"iterations", "inner_iterations", "residual", "seconds"}) EXPECT_TRUE(json.contains(key));
    const std::vector<double> lambda = json["lambda"], v = json["v"];
    const std::vector<double> expected_lambda = {-3, -0.12, -0.16, 1}, expected_v = {0.09, 0.12, 0, 2};
    ASSERT_EQ(lambda.size(), 4U);
    ASSERT_EQ(v.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(lambda[i], expected_lambda[i], 1e-10) << solver;
      EXPECT_NEAR(v[i], expected_v[i], 1e-10) << solver;
    }
  }
}

TEST(Solve, TextNamesStatusAndResiduals) {
  const TempFolder folder;
  folder.write("slip.json", kSlip);
  const ProgramResult result = run_program(folder.path(), {"solve", "slip.json"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* word : {"canal: converged", "residual", "Siconos", "2 constraints (1 contacts)"}) {
    EXPECT_NE(result.out.find(word), std::string::npos) << word << '\n' << result.out;
  }
}

TEST(Solve, NotConvergedIsExitCodeOne) {
  const TempFolder folder;
  folder.write("slip.json", kSlip);
  const ProgramResult result = run_program(
      folder.path(), {"solve", "slip.json", "--solver", "subadmm", "--max-iterations", "1", "--tol", "1e-14"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("iteration-limit"), std::string::npos) << result.out;
}

TEST(Solve, BadInputIsOneLineAndExitCodeTwo) {
  const TempFolder folder;
  folder.write("slip.json", kSlip);
  folder.write("broken.json", kSlip.substr(0, 100));
  folder.write("indefinite.json", replaced(kSlip, "[2, 2, 2, 1]", "[2, 2, -2, 1]"));
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"solve", "none.json"}, "none.json"},
      {{"solve", "broken.json"}, "broken.json"},
      {{"solve", "indefinite.json"}, "positive definite"},
      {{"solve", "slip.json", "--solver", "magic"}, "magic"}};
  for (const auto& [arguments, message] : cases) {
    const ProgramResult result = run_program(folder.path(), arguments);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_EQ(run_program(folder.path(), {"solve", "slip.json", "--tol", "-1"}).exit_code, 2);
}

TEST(Solvers, AreListed) {
  const TempFolder folder;
  const ProgramResult result = run_program(folder.path(), {"solvers"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* name : {"canal", "subadmm", "pgs"}) EXPECT_NE(result.out.find(name), std::string::npos);
}

}  // namespace
}  // namespace uzawa::test
