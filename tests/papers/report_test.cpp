/// Reports as text, JSON and Markdown.
#include "uzawa/papers/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "uzawa/base/error.hpp"
#include "uzawa/papers/results_document.hpp"

namespace uzawa::papers {
namespace {

const Bench kBench{"some-table", "who is faster", "[AL] Table IX", nullptr};

Report example() {
  return {.setup = "Two methods.",
          .tables = {{"times", {"method", "ms"}, {{"one | two", Cell::of(0.25)}, {"three", Cell::of(1234567.0)}}}},
          .claims = {{"one is faster", "2 x", "3 x", true}, {"one is exact", "", "it is not", false}},
          .notes = {"A note."},
          .figure = {.title = "A plot",
                     .panels = {{.title = "p", .x = {"x"}, .y = {"y"}, .series = {{"s", {1, 2}, {3, 4}}}}}}};
}

TEST(ReportTest, JsonHasTheNumbers) {
  const auto out = nlohmann::json::parse(as_json(kBench, example()));
  EXPECT_EQ(out["name"], "some-table");
  EXPECT_EQ(out["tables"][0]["rows"][0][1], 0.25);
  EXPECT_EQ(out["tables"][0]["rows"][1][1], 1234567.0) << "not the rounded text";
  EXPECT_EQ(out["claims"][1]["holds"], false);
  EXPECT_EQ(out["holds"], false);
  EXPECT_EQ(out["panels"][0]["series"][0]["y"][1], 4);
  EXPECT_EQ(out["quick"], false);
  EXPECT_TRUE(out["words"].contains("SubADMM"));
}

TEST(ReportTest, TextSaysWhichClaimsHold) {
  const std::string text = as_text(kBench, example());
  for (const char* said : {"[AL] Table IX", "holds          one is faster", "DOES NOT HOLD  one is exact", "paper: 2 x",
                           "here:  it is not", "1 of 2 claims hold", "note: A note."}) {
    EXPECT_NE(text.find(said), std::string::npos) << said << " in\n" << text;
  }
}

/// A reader without the papers is told what the words mean, and that a quick run says little.
TEST(ReportTest, TextExplainsItself) {
  Report report = example();
  EXPECT_EQ(as_text(kBench, report).find("--quick"), std::string::npos);
  report.quick = true;
  const std::string text = as_text(kBench, report);
  EXPECT_NE(text.find("[--quick: a few cases, the claims mean little]"), std::string::npos) << text;
  EXPECT_EQ(nlohmann::json::parse(as_json(kBench, report))["quick"], true);
  for (const char* word : {"[AL]", "[JOINT]", "residual", "CANAL", "SubADMM", "PGS", "published form"}) {
    EXPECT_NE(legend_text().find(word), std::string::npos) << word;
    EXPECT_NE(legend_markdown().find(word), std::string::npos) << word;
  }
}

TEST(ReportTest, MarkdownTablesHaveAsManyBarsInEveryLine) {
  const std::string text = as_markdown(kBench, example(), "picture.svg");
  std::istringstream lines(text);
  std::size_t bars = 0;
  for (std::string line; std::getline(lines, line);) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < line.size(); ++i) count += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    if (count > 0 && bars > 0) {
      EXPECT_EQ(count, bars) << line;
    }
    bars = count;
  }
  EXPECT_NE(text.find("![A plot](picture.svg)"), std::string::npos);
  EXPECT_NE(text.find("**does not hold**"), std::string::npos);
}

/// A bench that is run alone changes its own row and section of the document, or comes in where it belongs.
TEST(ReportTest, DocumentTakesOneSection) {
  const std::string old =
      "# Title\n\nPreface.\n\n| bench | what | paper | claims that hold |\n|---|---|---|---|\n| al-fig7 | a | b | 1 of "
      "2 "
      "|\n| scenes | c | d | 3 of 3 |\n\n## al-fig7: a\n\nOld: one.\n\n## scenes: c\n\nLast.\n";
  const std::string same =
      with_section(old, find_bench("al-fig7"), "| al-fig7 | a | b | 2 of 2 |\n", "## al-fig7: a\n\nNew.\n");
  EXPECT_EQ(
      same,
      "# Title\n\nPreface.\n\n| bench | what | paper | claims that hold |\n|---|---|---|---|\n| al-fig7 | a | b | 2 "
      "of 2 |\n| scenes | c | d | 3 of 3 |\n\n## al-fig7: a\n\nNew.\n\n## scenes: c\n\nLast.\n");
  const std::string more = with_section(same, find_bench("lcp-table1"), "| lcp-table1 | e | f | 1 of 1 |\n",
                                        "## lcp-table1: e\n\nBetween.\n");
  EXPECT_NE(more.find("2 of 2 |\n| lcp-table1 | e | f | 1 of 1 |\n| scenes"), std::string::npos) << more;
  EXPECT_NE(more.find("New.\n\n## lcp-table1: e\n\nBetween.\n\n## scenes"), std::string::npos) << more;
  EXPECT_THROW(with_section("Some text.\n", find_bench("scenes"), "", ""), InputError);
}

}  // namespace
}  // namespace uzawa::papers
