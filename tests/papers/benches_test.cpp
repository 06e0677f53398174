/// Every bench runs, quickly, and says something; what it says is for the full run to judge.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "uzawa/base/error.hpp"
#include "uzawa/papers/bench.hpp"
#include "uzawa/papers/dish_cases.hpp"

namespace uzawa::papers {
namespace {

TEST(BenchesTest, EveryoneIsFoundByName) {
  std::set<std::string> names;
  for (const Bench& bench : benches()) {
    EXPECT_TRUE(names.insert(bench.name).second) << bench.name << " twice";
    EXPECT_EQ(&find_bench(bench.name), &bench);
    EXPECT_STRNE(bench.title, "");
    EXPECT_STRNE(bench.paper, "");
  }
}

TEST(BenchesTest, UnknownNamesSuggestTheNearest) {
  try {
    find_bench("joint-fig5");
    FAIL() << "found";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean joint-fig"), std::string::npos) << error.what();
  }
}

class QuickBench : public testing::TestWithParam<const char*> {};

TEST_P(QuickBench, FillsItsReport) {
  double last = 0;
  const Options options{.quick = true, .progress = [&](double share) {
                          EXPECT_GE(share, last);
                          last = share;
                        }};
  const Report report = find_bench(GetParam()).run(options);
  EXPECT_LE(last, 1 + 1e-9);
  EXPECT_GT(last, 0.99);
  EXPECT_FALSE(report.setup.empty());
  ASSERT_FALSE(report.tables.empty());
  ASSERT_FALSE(report.claims.empty());
  for (const Table& table : report.tables) {
    EXPECT_FALSE(table.rows.empty()) << table.title;
    EXPECT_EQ(std::set(table.columns.begin(), table.columns.end()).size(), table.columns.size())
        << table.title << ": a head stands twice";
    for (const auto& row : table.rows) {
      EXPECT_EQ(row.size(), table.columns.size()) << table.title;
      for (const Cell& cell : row) EXPECT_TRUE(!cell.value || std::isfinite(*cell.value)) << table.title;
    }
  }
  for (const Claim& claim : report.claims) EXPECT_FALSE(claim.says.empty() || claim.ours.empty());
  ASSERT_FALSE(report.figure.panels.empty());
  for (const plot::Panel& panel : report.figure.panels) {
    EXPECT_FALSE(panel.series.empty()) << panel.title;
    EXPECT_FALSE(panel.x.label.empty() || panel.y.label.empty()) << panel.title;
    for (const plot::Series& series : panel.series) {
      EXPECT_EQ(series.x.size(), series.y.size()) << series.label;
      EXPECT_FALSE(series.x.empty()) << series.label;
    }
  }
}

/// Ctrl-C: whoever asked for the run can end it from within.
TEST_P(QuickBench, CanBeEnded) {
  struct Ended {};
  int calls = 0;
  const Options options{.quick = true, .pulse = [&] {
                          ++calls;
                          throw Ended{};
                        }};
  EXPECT_THROW(find_bench(GetParam()).run(options), Ended);
  EXPECT_EQ(calls, 1);
}

std::vector<const char*> names() {
  std::vector<const char*> out;
  for (const Bench& bench : benches()) out.push_back(bench.name);
  return out;
}
std::string test_name(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& letter : name) letter = letter == '-' ? '_' : letter;
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, QuickBench, testing::ValuesIn(names()), test_name);

/// What friction does at one joint is exact enough for its claims to hold in the quick run, too: a bench can say yes.
TEST(BenchesTest, JointFrictionFollowsTheTorque) {
  EXPECT_EQ(find_bench("joint-fig2").run({.quick = true}).failures(), 0);
}

TEST(BenchesTest, JointsStayWithinTheirStops) {
  EXPECT_EQ(find_bench("joint-fig3").run({.quick = true}).failures(), 0);
}

TEST(BenchesTest, ContactsAreLeftOutEvenly) {
  Problem problem = dish_cases(1, 1).front().problem;
  const int all = problem.contacts.size();
  keep_contacts(problem, 0.1);
  EXPECT_NEAR(problem.contacts.size(), 0.1 * all, 1);
  EXPECT_EQ(problem.rows, 3 * problem.contacts.size());
  validate(problem);
}

}  // namespace
}  // namespace uzawa::papers
