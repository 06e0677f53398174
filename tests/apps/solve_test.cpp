#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "build_folders.hpp"
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

/// One line on stderr that names the file and `message`, nothing on stdout, exit code 2.
void expect_refused(const TempFolder& folder, const std::string& file, const std::string& message) {
  const ProgramResult result = run_program(folder.path(), {"solve", file});
  EXPECT_EQ(result.exit_code, 2) << file << ": " << result.out << result.err;
  EXPECT_TRUE(result.out.empty()) << result.out;
  EXPECT_EQ(result.err.rfind("uzawa: " + file + ": ", 0), 0U) << result.err;
  EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

/// Processor time of all programs that have ended so far, s.
double children_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Resident memory of the largest program run so far.
long largest_child_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss;
}

TEST(Solve, JsonHasTheAnswerInTheOrderOfTheFile) {
  const TempFolder folder;
  folder.write("slip.json", kSlip);
  for (const char* solver : {"auto", "canal", "subadmm", "pgs", "al-semismooth", "al-dogleg"}) {
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

TEST(Solve, AnswerIsTheSameForAnyNumberOfThreads) {
  const TempFolder folder;
  folder.write("slip.json", kSlip);
  const auto lambda = [&](const char* threads) {
    const ProgramResult result = run_program(folder.path(), {"solve", "slip.json", "--threads", threads, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["lambda"];
  };
  EXPECT_EQ(lambda("1"), lambda("3"));
  EXPECT_EQ(run_program(folder.path(), {"solve", "slip.json", "--threads", "0"}).exit_code, 2);
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

TEST(Solve, PatienceGoesOnWhereAMethodHasGivenUp) {
  const TempFolder folder;
  folder.write("slip.json", kSlip);
  const std::vector<std::string> command = {"solve", "slip.json", "--solver", "subadmm", "--max-iterations", "4"};
  EXPECT_EQ(run_program(folder.path(), command).exit_code, 1);
  std::vector<std::string> patient = command;
  patient.emplace_back("--patient");
  const ProgramResult result = run_program(folder.path(), patient);
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_NE(result.out.find("subadmm: converged"), std::string::npos) << result.out;
}

TEST(Solve, RelaxationIsNotASolution) {
  const TempFolder folder;
  folder.write("slip.json", kSlip);
  const ProgramResult result = run_program(folder.path(), {"solve", "slip.json", "--solver", "soft-convex"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("soft-convex: relaxed"), std::string::npos) << result.out;
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

/// What can be wrong inside a file is tested one by one in tests/problem/bad_file_test.cpp; here: how each sort of it
/// reaches the user.
TEST(Solve, BadFilesAreRefusedInOneLine) {
  const TempFolder folder;
  struct Bad {
    const char* what;
    const char* from;
    const char* to;
    const char* message;
  };
  const Bad files[] = {{"size", "\"n\": 4", "\"n\": 5", "b: "},
                       {"rows", "[[0, 0, 0, 1]]", "[[0, 0, 1]]", "constraints[0].J"},
                       {"nan", "\"mu\": 0.2", "\"mu\": NaN", "malformed JSON"},
                       {"infinite", "\"mu\": 0.2", "\"mu\": 1e999", "malformed JSON"},
                       {"null", "\"e\": -2", "\"e\": null", "constraints[0].e"},
                       {"negative-mu", "\"mu\": 0.2", "\"mu\": -0.2", "mu must"},
                       {"indefinite", "[2, 2, 2, 1]", "[2, 2, 0, 1]", "positive definite"},
                       {"unknown-key", "\"mu\": 0.2", "\"mu\": 0.2, \"nu\": 1", "unknown key \"nu\""},
                       {"unknown-kind", "\"equality\"", "\"equal\"", "unknown kind \"equal\""},
                       {"index", "\"i\": [0, 1, 2, 3]", "\"i\": [0, 1, 2, 4]", "A.i[3]"},
                       {"format", "uzawa-problem/1", "uzawa-problem/9", "uzawa-problem/1"}};
  for (const Bad& bad : files) {
    const std::string name = std::string(bad.what) + ".json";
    folder.write(name, replaced(kSlip, bad.from, bad.to));
    expect_refused(folder, name, bad.message);
  }
  for (const std::size_t length : {std::size_t{1}, kSlip.size() / 2, kSlip.size() - 1}) {
    folder.write("cut.json", kSlip.substr(0, length));
    expect_refused(folder, "cut.json", "malformed JSON");
  }
  folder.write("empty.json", "");
  expect_refused(folder, "empty.json", "is empty");
}

TEST(Solve, GigabyteOfZerosIsRefusedAtOnce) {
  const TempFolder folder;
  const auto file = folder.write("zeros.json", "");
  std::filesystem::resize_file(file, 1U << 30U);  // sparse: takes no space on disk
  const long before = largest_child_kilobytes();
  const double start = children_cpu_seconds();
  expect_refused(folder, "zeros.json", "");
  EXPECT_LT(children_cpu_seconds() - start, 5);
  // The program itself with its libraries takes some 30 MB.
  EXPECT_LE(largest_child_kilobytes(), std::max(before, 200L * 1024));
}

/// w = M z + q without bodies; a polygon that is no disc is relaxed, and a file with M not square is refused.
TEST(Solve, LinearComplementarityProblems) {
  const TempFolder folder;
  const std::string lcp = R"({"format": "uzawa-lcp/1", "M": {"dense": [[2, 1], [1, 2]]}, "q": [-5, -6]})";
  folder.write("lcp.json", lcp);
  for (const char* name : {"lcp", "lcp-search", "lcp-lemke", "lcp-lexicographic"}) {
    const ProgramResult result = run_program(folder.path(), {"solve", "lcp.json", "--solver", name, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const nlohmann::json out = nlohmann::json::parse(result.out);
    EXPECT_NEAR(out["z"][0].get<double>(), 4.0 / 3, 1e-12);
    EXPECT_NEAR(out["z"][1].get<double>(), 7.0 / 3, 1e-12);
  }
  EXPECT_EQ(run_program(folder.path(), {"solve", "lcp.json"}).exit_code, 0);
  EXPECT_EQ(run_program(folder.path(), {"solve", "lcp.json", "--solver", "canal"}).exit_code, 2);
  folder.write("none.json", replaced(lcp, "[[2, 1], [1, 2]]", "[[-1, 0], [0, -1]]"));
  const ProgramResult none = run_program(folder.path(), {"solve", "none.json"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.out.find("no-solution"), std::string::npos) << none.out;
  folder.write("oblong.json", replaced(lcp, "[[2, 1], [1, 2]]", "[[2, 1]]"));
  EXPECT_EQ(run_program(folder.path(), {"solve", "oblong.json"}).exit_code, 2);
  folder.write("slip.json", kSlip);
  const ProgramResult relaxed = run_program(folder.path(), {"solve", "slip.json", "--solver", "lcp"});
  EXPECT_NE(relaxed.out.find("by the friction polygon"), std::string::npos) << relaxed.out;
}

TEST(Solvers, AreListed) {
  const TempFolder folder;
  const ProgramResult result = run_program(folder.path(), {"solvers"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* name :
       {"auto", "canal", "subadmm", "pgs", "apgd", "ccs", "al-semismooth", "al-dogleg", "soft-convex", "penalty"}) {
    EXPECT_NE(result.out.find(name), std::string::npos) << name;
  }
}

/// The example atop docs/problem-format.md, and what the text says of it.
TEST(Solve, ExampleOfTheDocsIsSolvedAsTheyTell) {
  const TempFolder folder;
  const std::string docs = read_text(UZAWA_DOCS "/problem-format.md"), fence = "```json\n";
  const std::size_t begin = docs.find(fence) + fence.size();
  const std::string example = docs.substr(begin, docs.find("```", begin) - begin);
  const auto solve = [&](const std::string& content) {
    folder.write("box.json", content);
    return nlohmann::json::parse(run_program(folder.path(), {"solve", "box.json", "--json"}).out);
  };
  const nlohmann::json stops = solve(example);
  EXPECT_NEAR(stops["v"][0].get<double>(), 0, 1e-12);
  EXPECT_NEAR(stops["lambda"][0].get<double>(), -0.01, 1e-9);
  EXPECT_NEAR(stops["lambda"][2].get<double>(), 0.0981, 1e-9);
  const nlohmann::json slides = solve(replaced(example, "\"mu\": 0.5", "\"mu\": 0.05"));
  EXPECT_NEAR(slides["v"][0].get<double>(), 0.01 - 0.05 * 0.0981, 1e-9);
}

TEST(Solvers, SettingsOfAMethodAreListedWithDefaultRangeAndReason) {
  const TempFolder folder;
  const ProgramResult text = run_program(folder.path(), {"solvers", "canal"});
  EXPECT_EQ(text.exit_code, 0);
  for (const char* part :
       {"canal.penalty", "1000", "effective masses", "canal.polish", "true", "tolerance", "proximal Newton"}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
  }
  const ProgramResult result = run_program(folder.path(), {"solvers", "pgs", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["name"], "pgs");
  ASSERT_EQ(json["settings"].size(), 5U);
  EXPECT_EQ(json["settings"][0]["name"], "pgs.relaxation");
  EXPECT_EQ(json["settings"][0]["default"], 1);
  EXPECT_EQ(json["settings"][0]["most"], 2);
  EXPECT_EQ(json["settings"][2]["default"], "split");
  EXPECT_EQ(json["settings"][2]["choices"].size(), 3U);
  const ProgramResult unknown = run_program(folder.path(), {"solvers", "magic"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("magic"), std::string::npos);
}

}  // namespace
}  // namespace uzawa::test
