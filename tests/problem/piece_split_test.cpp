#include "uzawa/problem/piece_split.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "problem/random_problem.hpp"
#include "support/dense_jacobian.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa::test {

namespace {

constexpr int kSide = 4, kNodes = kSide * kSide * kSide;

/// A body, and a cube of nodes whose elements are cubes of eight nodes with random stiffness, in pieces. Pieces 0, 1
/// and 2 lie one after the other along x, so that nodes on the second cut have copies in all three where `corner`
/// gives piece 2 an element beside piece 0.
Problem cut_cube(Random& random, bool corner) {
  const auto node = [](int x, int y, int z) { return (z * kSide + y) * kSide + x; };
  std::vector<std::vector<std::pair<int, int>>> couples(3);
  std::vector<std::pair<int, int>> all;
  std::vector<std::pair<std::size_t, std::vector<int>>> elements;
  for (int x = 0; x + 1 < kSide; ++x) {
    for (int y = 0; y + 1 < kSide; ++y) {
      for (int z = 0; z + 1 < kSide; ++z) {
        std::vector<int> nodes;
        for (int k = 0; k < 8; ++k) nodes.push_back(node(x + k % 2, y + k / 2 % 2, z + k / 4));
        const std::size_t piece = corner && x == 1 && y == 0 ? 2 : at(x);
        for (const int i : nodes) {
          for (const int j : nodes) couples[piece].emplace_back(i, j);
        }
        all.insert(all.end(), couples[piece].begin(), couples[piece].end());
        elements.emplace_back(piece, nodes);
      }
    }
  }
  Problem problem;
  problem.name = "cube in pieces";
  problem.add_body(random_inertia(random), {1, 2, 3, 4, 5, 6});
  const auto pattern = std::make_shared<const NodalPattern>(make_nodal_pattern(kNodes, all));
  NodalPieces pieces;
  pieces.clear(std::make_shared<const NodalPieceLayout>(make_piece_layout(*pattern, couples)));
  for (const auto& [piece, nodes] : elements) {
    const Eigen::MatrixXd root = Eigen::MatrixXd::Random(24, 6), stiffness = 10 * root * root.transpose();
    NodalMatrix& part = pieces.part[piece];
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = 0; j < 8; ++j) {
        if (nodes[i] < nodes[j]) continue;
        const NodalPieceLayout::Piece& layout = pieces.layout->pieces[piece];
        double* block = part.block(part.pattern->place(layout.find(nodes[i]), layout.find(nodes[j])));
        for (int r = 0; r < 3; ++r) {
          for (int c = 0; c < 3; ++c) {
            block[3 * r + c] += stiffness(static_cast<int>(3 * i) + r, static_cast<int>(3 * j) + c);
          }
        }
      }
    }
  }
  NodalMatrix whole(pattern);
  add_pieces(pieces, whole);
  for (int i = 0; i < kNodes; ++i) {
    double* block = whole.block(pattern->diagonal(i));
    for (const auto& [upper, lower] : {std::pair{1, 3}, {2, 6}, {5, 7}}) block[upper] = block[lower];
    whole.add_to_diagonal(i, uniform(random, 0.1, 1));
  }
  share_diagonal(whole, pieces);
  std::vector<double> b(3 * kNodes);
  for (double& value : b) value = uniform(random, -1, 1);
  problem.add_nodal(std::move(whole), b);
  problem.pieces.push_back({1, std::move(pieces)});
  return problem;
}

Attachment nodes_of(Random& random, std::array<int, 4> node) {
  Attachment out;
  out.kind = AttachmentKind::Nodes;
  out.block = 1;
  out.node = node;
  for (std::size_t k = 0; k < 4; ++k) out.weight[k] = node[k] < 0 ? 0 : uniform(random, 0.1, 1);
  out.frame = random_frame(random);
  return out;
}

/// Contacts within one piece, on a cut, and across pieces; one coordinate; a row over the whole cube.
void hold(Random& random, Problem& problem) {
  Attachment body;
  body.kind = AttachmentKind::LinkPoint;
  body.point = random_vec3(random);
  body.frame = random_frame(random);
  body.sign = -1;
  problem.add_contact({0.5, 0.5}, {0, 0, 0.1}, {nodes_of(random, {0, 4, 16, 20}), body});
  problem.add_contact({0.3, 0.3}, {}, {body, nodes_of(random, {1, 2, 5, -1})});
  problem.add_contact({0.3, 0.3}, {}, {nodes_of(random, {0, 3, 60, 63})});
  Attachment dof;
  dof.kind = AttachmentKind::Coordinate;
  dof.block = 1;
  dof.dof = 3 * 62 + 1;
  problem.add_equality(0.3, {dof});
  SparseRows row;
  row.clear(problem.blocks[1].size);
  for (int k = 1; k < 3 * kNodes; k += 17) {
    row.column.push_back(k);
    row.value.push_back(uniform(random, -1, 1));
  }
  row.start = {0, static_cast<int>(row.column.size())};
  problem.add_limit(-1, 1, {problem.explicit_rows(1, row)});
}

Eigen::Map<const Eigen::VectorXd> vector(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace

/// The oracle is dense: with the impulses of the ties, each piece by itself moves as the whole does, and where it is
/// held, too.
TEST(PieceSplitTest, PiecesMoveAsTheWholeForAnyImpulses) {
  Random random(7);
  for (const bool corner : {false, true}) {
    Problem whole = cut_cube(random, corner);
    hold(random, whole);
    ASSERT_NO_THROW(validate(whole));
    PieceSplit split;
    ASSERT_TRUE(split.split(whole));
    const Problem& parts = split.problem();
    EXPECT_NO_THROW(validate(parts));
    ASSERT_EQ(parts.blocks.size(), 4U);
    EXPECT_EQ(parts.n(), whole.n() + split.ties());
    const Eigen::MatrixXd j = dense_jacobian(whole), parts_j = dense_jacobian(parts);
    const Eigen::LLT<Eigen::MatrixXd> a(dense_a(whole)), parts_a(dense_a(parts));
    SparseRows rows;
    constraint_rows(parts, rows);
    for (int trial = 0; trial < 3; ++trial) {
      const Eigen::VectorXd lambda = Eigen::VectorXd::Random(whole.rows);
      const Eigen::VectorXd v = a.solve(vector(whole.b) + j.transpose() * lambda);
      std::vector<double> all(at(parts.rows)), merged(at(whole.n()));
      split.split_impulses(whole, rows, {lambda.data(), at(whole.rows)}, {v.data(), at(whole.n())}, all);
      EXPECT_EQ(vector(all).head(whole.rows), lambda);
      const Eigen::VectorXd parts_v = parts_a.solve(vector(parts.b) + parts_j.transpose() * vector(all));
      const Eigen::VectorXd u = parts_j * parts_v;
      EXPECT_LT((u.head(whole.rows) - j * v).norm(), 1e-11 * v.norm());
      EXPECT_LT(u.tail(split.ties()).norm(), 1e-11 * v.norm());
      split.merge_velocity(whole, {parts_v.data(), at(parts.n())}, merged);
      EXPECT_LT((vector(merged) - v).norm(), 1e-11 * v.norm());
    }
  }
}

/// On a cut, one row a dof and a pair of copies; no more.
TEST(PieceSplitTest, TiesAreAsManyAsCopies) {
  Random random(8);
  PieceSplit split;
  ASSERT_TRUE(split.split(cut_cube(random, false)));
  EXPECT_EQ(split.ties(), 3 * 2 * kSide * kSide);
}

TEST(PieceSplitTest, NothingToDoWithoutPieces) {
  Random random(9);
  PieceSplit split;
  EXPECT_FALSE(split.split(random_problem(random)));
}

TEST(PieceSplitTest, PiecesThatDoNotAddUpAreRefused) {
  Random random(10);
  Problem problem = cut_cube(random, false);
  problem.pieces[0].pieces.part[1].value[9] += 1e-3;
  EXPECT_THROW(validate(problem), InputError);
  problem.pieces[0].block = 0;
  EXPECT_THROW(validate(problem), InputError);
}

}  // namespace uzawa::test
