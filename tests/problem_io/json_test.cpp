#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "io/temp_folder.hpp"
#include "problem/random_problem.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem_io/lcp_file.hpp"
#include "uzawa/problem_io/problem_file.hpp"

namespace uzawa::test {
namespace {

Problem written_and_read(const Problem& problem) {
  const TempFolder folder;
  const auto file = folder.path() / "problem.json";
  write_problem(problem, file);
  return read_problem(file);
}
Problem read_text(const std::string& text) {
  const TempFolder folder;
  return read_problem(folder.write("problem.json", text));
}

TEST(LcpFile, RoundTripKeepsEveryBit) {
  const TempFolder folder;
  const auto file = folder.path() / "lcp.json";
  const LcpData lcp{"name", "", {1.0 / 3, -0.0, 1e-310, 7}, {-1, 0.1}};
  write_lcp(lcp, file);
  EXPECT_TRUE(is_lcp_file(file));
  const LcpData again = read_lcp(file);
  EXPECT_EQ(again.name, lcp.name);
  EXPECT_EQ(again.m, lcp.m);
  EXPECT_EQ(again.q, lcp.q);
  EXPECT_FALSE(is_lcp_file(folder.path() / "none.json"));
  EXPECT_FALSE(is_lcp_file(folder.write("problem.json", R"({"format": "uzawa-problem/1"})")));
  EXPECT_THROW(write_lcp({"", "", {1, 2}, {1}}, file), InputError);
  EXPECT_THROW(read_lcp(folder.write("a.json", R"({"format": "uzawa-lcp/1", "M": {"dense": [[1, 2]]}, "q": [1]})")),
               InputError);
}

RC_GTEST_PROP(ProblemJson, RoundTripKeepsEveryBit, (unsigned seed)) {
  Random random(seed);
  const Problem problem = random_problem(random);
  RC_ASSERT(difference(problem, written_and_read(problem)) == "");
}

TEST(ProblemJson, RoundTripKeepsNumbersThatAreEasyToLose) {
  Random random(2);
  const double denormal = std::numeric_limits<double>::denorm_min(), tiny = std::numeric_limits<double>::min();
  const double huge = std::numeric_limits<double>::max();
  Problem problem;
  problem.name = "quotes \" and \xc3\xa4 and \n";
  problem.comment = "a comment";
  problem.dt = 1.0 / 240;
  problem.add_body(random_inertia(random), {-0.0, denormal, -denormal, huge, 0.1, tiny / 3});
  problem.bodies[0].rotational.off.set(1, -0.0);
  // Zeros that are written out are entries, and stay.
  problem.add_sparse({SparseRows{2, {0, 1, 3}, {0, 0, 1}, {1, -0.0, 2}}}, {1, 1});
  problem.add_contact({denormal, denormal}, {-0.0, 1e-310, 1.0 / 3},
                      {problem.explicit_rows(1, SparseRows{2, {0, 2, 2, 3}, {0, 1, 1}, {0.0, -0.0, denormal}})});
  problem.add_contact({0, 0}, {}, {});
  problem.add_limit(-std::numeric_limits<double>::infinity(), -0.0, {});
  problem.add_limit(-0.0, std::numeric_limits<double>::infinity(), {});
  const Problem again = written_and_read(problem);
  EXPECT_EQ(difference(problem, again), "");
  EXPECT_TRUE(std::signbit(again.b[0]));
  EXPECT_EQ(again.b[1], denormal);
}

/// A chain of four nodes, cut at the third.
Problem cut_chain() {
  const std::vector<std::vector<std::pair<int, int>>> couples{{{0, 1}, {1, 2}}, {{2, 3}}};
  const auto pattern = std::make_shared<const NodalPattern>(make_nodal_pattern(4, {{0, 1}, {1, 2}, {2, 3}}));
  NodalPieces pieces;
  pieces.clear(std::make_shared<const NodalPieceLayout>(make_piece_layout(*pattern, couples)));
  NodalMatrix whole(pattern);
  for (NodalMatrix& part : pieces.part) {
    for (int i = 0; i < part.nodes(); ++i) {
      part.add_to_diagonal(i, 2.0 + i);
      if (i == 0) continue;
      for (int k = 0; k < 3; ++k) part.block(part.pattern->place(i, i - 1))[4 * k] = -1.0 / 3;
    }
  }
  add_pieces(pieces, whole);
  Problem problem;
  problem.add_nodal(whole, std::vector<double>(12, 0.25));
  problem.pieces.push_back({0, std::move(pieces)});
  return problem;
}

TEST(ProblemJson, PiecesAreKept) {
  const Problem problem = cut_chain(), again = written_and_read(problem);
  EXPECT_EQ(difference(problem, again), "");
  ASSERT_EQ(again.pieces.size(), 1U);
  const NodalPieces &given = problem.pieces[0].pieces, &read = again.pieces[0].pieces;
  ASSERT_EQ(read.part.size(), 2U);
  EXPECT_EQ(read.layout->first, given.layout->first);
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(read.layout->pieces[p].node, given.layout->pieces[p].node);
    EXPECT_EQ(read.layout->pieces[p].share, given.layout->pieces[p].share);
    EXPECT_EQ(read.layout->pieces[p].place, given.layout->pieces[p].place);
    EXPECT_EQ(*read.part[p].pattern, *given.part[p].pattern);
    EXPECT_EQ(read.part[p].value, given.part[p].value);
  }
}

TEST(ProblemJson, WrongPiecesAreNamed) {
  const TempFolder folder;
  const auto file = folder.path() / "problem.json";
  write_problem(cut_chain(), file);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const auto reason = [&](const std::string& from, const std::string& to) -> std::string {
    std::string changed = text.str();
    const std::size_t at = changed.find(from);
    if (at == std::string::npos) return "not found";
    changed.replace(at, from.size(), to);
    try {
      read_text(changed);
    } catch (const InputError& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_NE(reason(R"("nodes":[2,3])", R"("nodes":[3,2])").find("pieces[1].nodes: must be nodes in ascending"),
            std::string::npos);
  EXPECT_NE(reason(R"("nodes":[2,3])", R"("nodes":[0,3])").find("couples nodes 3 and 0"), std::string::npos);
  EXPECT_NE(reason(R"("shares":[1.0,)", R"("shares":[0.5,)").find("shares of node 0"), std::string::npos);
}

/// The comparison itself must be able to fail.
TEST(ProblemJson, DifferenceSeesOneBit) {
  Random random(2);
  const Problem problem = random_problem(random);
  Problem other = problem;
  other.b[3] = std::nextafter(other.b[3], 2);
  EXPECT_EQ(difference(problem, other), "b");
  other = problem;
  other.contacts.e[0].set(1, -problem.contacts.e[0].y());
  EXPECT_EQ(difference(problem, other), "contacts");
  other = problem;
  other.attachment_rows[0].value[0] += 1e-16;
  EXPECT_EQ(difference(problem, other), "attachment_rows");
}

const char* const kGeneral = R"({"format": "uzawa-problem/1", "name": "pair", "dt": 0.01, "comment": "c", "n": 4,
  "A": {"shape": [4, 4], "i": [0, 1, 0, 1, 2, 3, 3], "j": [0, 0, 1, 1, 2, 3, 3], "x": [2, 1, 1, 3, 5, 6, 1]},
  "b": [1, 2, 3, 4],
  "constraints": [
    {"kind": "contact", "mu": 0.5, "e": [1, 2, 3], "J": {"dense": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]}},
    {"kind": "contact", "mu": [0.5, 0.25], "e": [0, 0, 0], "J": {"shape": [3, 4], "i": [2, 2], "j": [3, 3], "x": [1, 1]}},
    {"kind": "hard", "e": 0.5, "J": {"dense": [[0, 0, 0, 1]]}},
    {"kind": "equality", "e": -1, "J": {"dense": [[0, 0, 0, 1]]}},
    {"kind": "soft", "e": 1, "k": 2, "b": 3, "J": {"dense": [[0, 0, 0, 1]]}},
    {"kind": "limit", "lower": null, "upper": 2, "J": {"dense": [[0, 0, 0, 1]]}},
    {"kind": "friction", "bound": 7, "J": {"dense": [[0, 0, 0, 1]]}}]})";

TEST(ProblemJson, GeneralForm) {
  const Problem p = read_text(kGeneral);
  EXPECT_EQ(p.name, "pair");
  EXPECT_EQ(p.comment, "c");
  EXPECT_EQ(p.dt, 0.01);
  ASSERT_EQ(p.blocks.size(), 3U);  // {0, 1}, {2}, {3}
  Eigen::MatrixXd a(4, 4);
  a << 2, 1, 0, 0, 1, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 7;  // (3, 3) is there twice: entries add up
  EXPECT_EQ(dense_a(p), a);
  Eigen::MatrixXd j = Eigen::MatrixXd::Zero(11, 4);
  j.topLeftCorner(3, 3).setIdentity();
  j(5, 3) = 2;
  j.bottomRightCorner(5, 1).setOnes();
  EXPECT_EQ(dense(constraint_rows(p)), j);
  EXPECT_EQ(p.contacts.cone[1].mu2, 0.25);
  EXPECT_EQ(p.contacts.e[0].z(), 3);
  EXPECT_EQ(p.hard.e[0], 0.5);
  EXPECT_EQ(p.equality.e[0], -1);
  EXPECT_EQ(p.soft.k[0], 2);
  EXPECT_EQ(p.soft.b[0], 3);
  EXPECT_EQ(p.limits.lower[0], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(p.limits.upper[0], 2);
  EXPECT_EQ(p.friction.bound[0], 7);
  EXPECT_EQ(difference(p, written_and_read(p)), "");
}

TEST(ProblemJson, BlocksWithPlainRows) {
  const Problem p = read_text(R"({"n": 8, "b": [0, 0, 0, 0, 0, 0, 1, 2],
    "blocks": [{"kind": "body", "inertia": [2, 0, 0, 0, 1, 1, 1, 0, 0, 0]},
               {"kind": "sparse", "size": 2, "A": {"dense": [[2, 1], [1, 2]]}}],
    "constraints": [{"kind": "hard", "e": 0, "J": {"dense": [[0, 0, 1, 0, 0, 0, 0, -1]]}}]})");
  ASSERT_EQ(p.blocks.size(), 2U);
  EXPECT_EQ(p.blocks[0].kind, BlockKind::FreeBody);
  ASSERT_EQ(p.attachments.size(), 2U);
  EXPECT_EQ(p.attachments[1].block, 1);
  const Eigen::MatrixXd j = dense(constraint_rows(p));
  EXPECT_EQ(j(0, 2), 1);
  EXPECT_EQ(j(0, 7), -1);
}

TEST(ProblemJson, EmptyProblem) {
  const Problem p =
      read_text(R"({"n": 0, "b": [], "A": {"shape": [0, 0], "i": [], "j": [], "x": []}, "constraints": []})");
  EXPECT_EQ(p.n(), 0);
  EXPECT_EQ(p.rows, 0);
  EXPECT_EQ(difference(p, written_and_read(p)), "");
}

TEST(ProblemJson, WritingWhereThereIsNoFolderFails) {
  EXPECT_THROW(write_problem(Problem(), "/nowhere/at/all/problem.json"), InputError);
  EXPECT_THROW(write_problem(Problem(), "/nowhere/at/all/problem.h5"), InputError);
}

}  // namespace
}  // namespace uzawa::test
