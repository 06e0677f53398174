#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/temp_folder.hpp"
#include "problem/random_problem.hpp"
#include "support/cpu_time.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem_io/problem_file.hpp"

namespace uzawa::test {
namespace {

using Json = nlohmann::json;

/// The file must be refused, in one line that names it, with this element and (part of) this reason.
void expect_refused(const std::filesystem::path& file, const std::string& element, const std::string& reason) {
  try {
    read_problem(file);
    ADD_FAILURE() << "accepted: " << reason;
  } catch (const InputError& error) {
    EXPECT_EQ(error.source(), file.string());
    EXPECT_EQ(error.element(), element) << error.what();
    EXPECT_NE(error.reason().find(reason), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}
void expect_text_refused(const std::string& text, const std::string& element, const std::string& reason) {
  const TempFolder folder;
  expect_refused(folder.write("problem.json", text), element, reason);
}

Json general() {
  return Json::parse(R"({"format": "uzawa-problem/1", "n": 2, "b": [1, 2],
    "A": {"shape": [2, 2], "i": [0, 1, 0, 1], "j": [0, 1, 1, 0], "x": [2.0, 2.0, 0.5, 0.5]},
    "constraints": [{"kind": "contact", "mu": 0.5, "e": [0, 0, 0], "J": {"dense": [[1, 0], [0, 1], [1, 1]]}},
                    {"kind": "soft", "e": 0, "k": 1, "b": 1, "J": {"dense": [[1, 0]]}},
                    {"kind": "limit", "lower": 0, "upper": 1, "J": {"dense": [[1, 0]]}},
                    {"kind": "friction", "bound": 1, "J": {"dense": [[1, 0]]}}]})");
}
Json local() {
  return Json::parse(R"({"W": {"shape": [3, 3], "i": [0, 1, 2], "j": [0, 1, 2], "x": [1.0, 1.0, 1.0]},
                         "q": [0, 0, -1], "mu": [0.5]})");
}
Json blocks() {
  return Json::parse(R"({"n": 9, "b": [0, 0, 0, 0, 0, 0, 0, 0, 0],
    "blocks": [{"kind": "body", "inertia": [2, 0, 0, 0, 1, 1, 1, 0, 0, 0]},
               {"kind": "tree", "parents": [-1], "dofs": [1], "subspace": [[0, 0, 1, 0, 0, 0]],
                "inertia": [[1, 0, 0, 0, 1, 1, 1, 0, 0, 0]], "diagonal": [0]},
               {"kind": "sparse", "size": 2, "A": {"dense": [[1, 0], [0, 1]]}}],
    "constraints": [
      {"kind": "contact", "mu": 0.5, "e": [0, 0, 0], "attachments": [
        {"kind": "point", "block": 0, "link": 0, "point": [0, 0, 1], "frame": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "sign": 1},
        {"kind": "point", "block": 1, "link": 0, "point": [0, 0, 1], "frame": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "sign": -1}]},
      {"kind": "hard", "e": 0, "attachments": [{"kind": "coordinate", "block": 2, "dof": 1, "coefficient": 1}]},
      {"kind": "hard", "e": 0, "attachments": [{"kind": "rows", "block": 2, "J": {"dense": [[1, 1]]}}]}]})");
}

struct Change {
  const char* pointer;  ///< where, as a JSON pointer
  const char* value;    ///< the new value, as JSON
  const char* element;
  const char* reason;
};
void expect_changes_refused(const Json& valid, std::initializer_list<Change> changes) {
  const TempFolder folder;
  ASSERT_NO_THROW(read_problem(folder.write("valid.json", valid.dump())));
  for (const Change& change : changes) {
    Json broken = valid;
    broken[Json::json_pointer(change.pointer)] = Json::parse(change.value);
    SCOPED_TRACE(std::string(change.pointer) + " = " + change.value);
    expect_text_refused(broken.dump(), change.element, change.reason);
  }
}

TEST(BadProblemFile, MissingEmptyTruncatedMalformed) {
  const TempFolder folder;
  expect_refused(folder.path() / "absent.json", "", "no such file");
  expect_refused(folder.path() / "absent.hdf5", "", "no such file");
  expect_refused(folder.path(), "", "is not a file");
  expect_text_refused("", "", "is empty");
  expect_text_refused("  \n ", "", "does not start with a JSON object");
  expect_text_refused("[1, 2]", "", "does not start with a JSON object");
  expect_text_refused("<mujoco/>", "", "does not start with a JSON object");
  expect_text_refused("{\"n\": 2,\n \"b\": [1, x]}", "", "line 2, column 11");
  expect_text_refused("{\"n\": NaN}", "", "malformed JSON");
  expect_text_refused("{\"n\": 1e999}", "", "malformed JSON");
  expect_text_refused("{\"n\": 2, \"n\": 3}", "", "\"n\" twice");
  expect_text_refused("{} {}", "", "malformed JSON");
  const std::string text = general().dump();
  for (std::size_t length = 1; length < text.size(); length += 7) {
    expect_text_refused(text.substr(0, length), "", "malformed JSON");
  }
}

TEST(BadProblemFile, LargeFileOfSomethingElseIsRefusedAtOnce) {
  const TempFolder folder;
  for (const char* name : {"zeros.json", "zeros.hdf5"}) {
    const auto file = folder.write(name, "");
    std::filesystem::resize_file(file, 1U << 30U);  // sparse: takes no space on disk
    const double start = cpu_seconds();
    expect_refused(file, "", "");
    EXPECT_LT(cpu_seconds() - start, 2);
  }
  const auto file = folder.write("huge.json", "{");
  std::filesystem::resize_file(file, (512U << 20U) + 1);
  expect_refused(file, "", "larger than");
}

TEST(BadProblemFile, General) {
  expect_changes_refused(general(),
                         {{"/format", "\"other/1\"", "format", "uzawa-problem/1"},
                          {"/extra", "1", "", "unknown key \"extra\""},
                          {"/A/extra", "1", "A", "unknown key \"extra\""},
                          {"/constraints/0/extra", "1", "constraints[0]", "unknown key \"extra\""},
                          {"/constraints/1/mu", "1", "constraints[1]", "unknown key \"mu\""},
                          {"/constraints/0/kind", "\"glue\"", "constraints[0].kind", "unknown kind \"glue\""},
                          {"/constraints/0", "{}", "constraints[0]", "has no \"kind\""},
                          {"/constraints", "3", "constraints", "must be a list"},
                          {"/constraints/0", "3", "constraints[0]", "has no \"kind\""},
                          {"/n", "3", "b", "has 2 numbers"},
                          {"/n", "-1", "n", "outside"},
                          {"/n", "2.5", "n", "whole number"},
                          {"/n", "99999999999999999999", "n", "whole number"},
                          {"/n", "9999999999", "n", "outside"},
                          {"/b", "[1, 2, 3]", "b", "has 3 numbers"},
                          {"/b", "[1, null]", "b[1]", "must be a number"},
                          {"/b", "[1, \"2\"]", "b[1]", "must be a number"},
                          {"/dt", "-1", "dt", "not negative"},
                          {"/name", "1", "name", "must be text"},
                          {"/A/shape", "[1000000000, 1000000000]", "A.shape", "must be [2, 2]"},
                          {"/A/shape", "[2]", "A.shape", "must be [2, 2]"},
                          {"/A/i/0", "2", "A.i[0]", "outside"},
                          {"/A/i/0", "-1", "A.i[0]", "outside"},
                          {"/A/i/0", "0.5", "A.i[0]", "whole number"},
                          {"/A/i/0", "null", "A.i[0]", "whole number"},
                          {"/A/i/0", "1e300", "A.i[0]", "whole number"},
                          {"/A/i/0", "18446744073709551615", "A.i[0]", "outside"},
                          {"/A/j/1", "7", "A.j[1]", "outside"},
                          {"/A/x", "[1, 2]", "A", "differ in length"},
                          {"/A/x/2", "0.75", "A", "not symmetric"},
                          {"/A/x/0", "-2", "block 0", "not positive definite"},
                          {"/A/x/0", "0", "block 0", "not positive definite"},
                          {"/A", "{\"dense\": [[1, 1], [1, 1]]}", "block 0", "not positive definite"},
                          {"/A", "{\"dense\": [[1, 2], [2, 1]]}", "block 0", "not positive definite"},
                          {"/A", "{\"dense\": [[1, 0]]}", "A.dense", "must have 2 rows"},
                          {"/A", "{\"dense\": [[1, 0], [0]]}", "A.dense[1]", "has 1 numbers"},
                          {"/constraints/0/J", "{\"dense\": [[1, 0]]}", "constraints[0].J.dense", "must have 3 rows"},
                          {"/constraints/0/attachments", "[]", "constraints[0]", "need \"blocks\""},
                          {"/constraints/0/mu", "-0.5", "contact constraint 0", "mu must"},
                          {"/constraints/0/mu", "[0.5, -1]", "contact constraint 0", "mu must"},
                          {"/constraints/0/mu", "[0.5, 0]", "contact constraint 0", "both tangents"},
                          {"/constraints/0/mu", "[0.5]", "constraints[0].mu", "has 1 numbers"},
                          {"/constraints/0/e", "[0, 0]", "constraints[0].e", "has 2 numbers"},
                          {"/constraints/1/k", "-1", "soft constraint 1", "k must"},
                          {"/constraints/1/b", "-1", "soft constraint 1", "b must"},
                          {"/constraints/2/lower", "2", "limit constraint 2", "empty"},
                          {"/constraints/3/bound", "-1", "friction constraint 3", "bound must"},
                          {"/constraints/3/bound", "null", "constraints[3].bound", "must be a number"},
                          {"/blocks", "[]", "A", "beside \"blocks\""}});
}

/// A singular matrix whose rounding errors make it look positive definite.
TEST(BadProblemFile, SingularToWorkingPrecision) {
  Random random(4);
  int refused = 0;
  for (int i = 0; i < 20; ++i) {
    const Eigen::MatrixXd factor = Eigen::MatrixXd::NullaryExpr(6, 5, [&] { return uniform(random, -1, 1); });
    const Eigen::MatrixXd a = factor * factor.transpose();
    Json dense = Json::array();
    for (int r = 0; r < 6; ++r) {
      dense.push_back(Json::array());
      for (int c = 0; c < 6; ++c) dense.back().push_back(a(std::max(r, c), std::min(r, c)));
    }
    const Json problem{
        {"n", 6}, {"b", std::vector<double>(6)}, {"A", {{"dense", dense}}}, {"constraints", Json::array()}};
    const TempFolder folder;
    try {
      read_problem(folder.write("problem.json", problem.dump()));
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_EQ(refused, 20);
}

TEST(BadProblemFile, Local) {
  expect_changes_refused(local(), {{"/n", "3", "", "unknown key \"n\""},
                                   {"/W/shape", "[1000000000, 1000000000]", "W.shape", "must be [3, 3]"},
                                   {"/W/x/1", "-1", "W", "negative diagonal"},
                                   {"/W", "{\"dense\": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}", "W", "negative pivot"},
                                   {"/W", "{\"dense\": [[0, 1, 0], [1, 1, 0], [0, 0, 1]]}", "W", "zero diagonal"},
                                   {"/W", "{\"dense\": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]}", "W", "not symmetric"},
                                   {"/q", "[0, 0]", "mu", "one entry for three of q"},
                                   {"/mu", "[0.5, 0.5]", "mu", "one entry for three of q"},
                                   {"/mu", "[-0.5]", "contact constraint 0", "mu must"}});
}

TEST(BadProblemFile, Blocks) {
  expect_changes_refused(
      blocks(),
      {{"/blocks/0/kind", "\"blob\"", "blocks[0].kind", "unknown kind"},
       {"/blocks/0/extra", "1", "blocks[0]", "unknown key"},
       {"/blocks/0/inertia", "[1]", "blocks[0].inertia", "has 1 numbers"},
       {"/blocks/0/inertia/0", "-1", "block 0", "not positive definite"},
       {"/blocks/1/parents", "[0]", "blocks[1]", ""},
       {"/blocks/1/parents", "[]", "blocks[1]", ""},
       {"/blocks/1/dofs", "[2000000000]", "blocks[1].dofs[0]", "outside"},
       {"/blocks/1/dofs", "[3]", "blocks[1].diagonal", "has 1 numbers"},
       {"/blocks/1/subspace", "[]", "blocks[1].subspace", "one entry a dof"},
       {"/blocks/1/inertia", "[]", "blocks[1].inertia", "one entry a link"},
       {"/blocks/1/diagonal", "[-10]", "block 1", "not positive definite"},
       {"/blocks/2/size", "1000000000", "blocks[2]", "dofs where b leaves 2"},
       {"/blocks/2/A", "{\"dense\": [[1, 1], [0, 1]]}", "blocks[2].A", "not symmetric"},
       {"/blocks", "[]", "blocks", "have 0 dofs where b has 9"},
       {"/constraints/0/J", "{\"dense\": []}", "constraints[0]", "either \"J\" or \"attachments\""},
       {"/constraints/0/attachments/0/block", "3", "constraints[0].attachments[0].block", "outside"},
       {"/constraints/0/attachments/0/block", "2", "contact constraint 0", "block that has none"},
       {"/constraints/0/attachments/1/link", "1", "contact constraint 0", "link that does not exist"},
       {"/constraints/0/attachments/0/frame", "[[1, 0, 0]]", "constraints[0].attachments[0].frame", "three vectors"},
       {"/constraints/0/attachments/0/kind", "\"nail\"", "constraints[0].attachments[0].kind", "unknown kind"},
       {"/constraints/0/attachments/0", "{\"kind\": \"coordinate\", \"block\": 0, \"dof\": 0, \"coefficient\": 1}",
        "contact constraint 0", "one coordinate"},
       {"/constraints/1/attachments/0/dof", "2", "hard constraint 1", "dof that does not exist"},
       {"/constraints/2/attachments/0/J", "{\"dense\": [[1]]}", "constraints[2].attachments[0].J.dense[0]",
        "has 1 numbers"}});
}

/// Whatever happens to a file, it is read or refused with an InputError; nothing else may escape.
TEST(BadProblemFile, DamagedTextNeverCrashes) {
  Random random(11);
  const TempFolder folder;
  int accepted = 0;
  for (const Json& valid : {general(), local(), blocks()}) {
    const std::string text = valid.dump();
    for (int i = 0; i < 400; ++i) {
      std::string damaged = text;
      const int edits = 1 + i % 3;
      for (int k = 0; k < edits; ++k) {
        const auto place = static_cast<std::size_t>(uniform(random, 0, static_cast<double>(text.size())));
        damaged[place] = "0129-.e,:[]{}\"x\0\xff"[static_cast<std::size_t>(uniform(random, 0, 17))];
      }
      try {
        read_problem(folder.write("damaged.json", damaged));
        ++accepted;
      } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      }
    }
  }
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 900);
}

}  // namespace
}  // namespace uzawa::test
