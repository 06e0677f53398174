/// H = A + beta J^T D J by small blocks against dense linear algebra, for every kind of block and constraint.
#include "uzawa/solver/linear/newton_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "problem/random_problem.hpp"
#include "support/attachments.hpp"
#include "support/dense_jacobian.hpp"
#include "support/problem_families.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {
namespace {

/// Conditioning of the random problems is below 1e6: what is left of sixteen digits, with room.
constexpr double kTolerance = 1e-8;

LawDerivatives random_derivatives(const Problem& problem, test::Random& random, bool symmetric) {
  LawDerivatives d;
  d.resize(problem);
  for (Mat3& contact : d.contact) {
    if (test::uniform(random, 0, 1) < 0.2) {
      contact = {};  // an open contact
    } else if (symmetric) {
      const Mat3 frame = test::random_frame(random);
      contact = transpose(frame) * Mat3{{frame.col[0] * 0.5, frame.col[1], frame.col[2] * 0.1}};
    } else {
      const FrictionCone cone{0.5, 0.5};
      contact = strict_derivative(cone, Vec3{1, 0.3, 0.5} + test::random_vec3(random) * 0.2);
    }
  }
  for (double& slope : d.scalar) slope = test::uniform(random, 0, 1) < 0.3 ? 0 : test::uniform(random, 0, 1);
  return d;
}

Eigen::MatrixXd dense_newton_matrix(const Problem& problem, double beta, const LawDerivatives& d) {
  const Eigen::MatrixXd j = test::dense_jacobian(problem);
  Eigen::MatrixXd weight = Eigen::MatrixXd::Zero(problem.rows, problem.rows);
  for (const ConstraintRef& ref : problem.constraints) {
    if (ref.kind == ConstraintKind::Contact) {
      const Mat3& contact = d.contact[static_cast<std::size_t>(ref.index)];
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) weight(ref.row + r, ref.row + c) = contact(r, c);
      }
    } else {
      weight(ref.row, ref.row) = d.scalar[static_cast<std::size_t>(ref.row)];
    }
  }
  return test::dense_a(problem) + beta * j.transpose() * weight * j;
}

/// H x = r by the blocks and by Eigen, in the units of energies (S = sqrt(diag A)): momenta and angular momenta of a
/// small sphere differ by 1e5.
void expect_solves(NewtonMatrix& matrix, const Problem& problem, test::Random& random, bool symmetric,
                   double beta = 3) {
  const LawDerivatives d = random_derivatives(problem, random, symmetric);
  ASSERT_TRUE(symmetric ? matrix.factorize(problem, beta, d) : matrix.factorize_general(problem, beta, d));
  const Eigen::VectorXd scale = test::dense_a(problem).diagonal().cwiseSqrt();
  const Eigen::VectorXd right = scale.cwiseProduct(Eigen::VectorXd::Random(problem.n()));
  std::vector<double> x(right.data(), right.data() + right.size());
  matrix.solve(x);
  const Eigen::VectorXd expected = dense_newton_matrix(problem, beta, d).partialPivLu().solve(right);
  const Eigen::VectorXd error = Eigen::Map<Eigen::VectorXd>(x.data(), problem.n()) - expected;
  EXPECT_LE(scale.cwiseProduct(error).norm(), kTolerance * scale.cwiseProduct(expected).norm())
      << problem.name << (symmetric ? "" : ", general");
}

void expect_products(NewtonMatrix& matrix, const Problem& problem) {
  const Eigen::MatrixXd j = test::dense_jacobian(problem);
  const Eigen::VectorXd v = Eigen::VectorXd::Random(problem.n()), lambda = Eigen::VectorXd::Random(problem.rows);
  std::vector<double> u(static_cast<std::size_t>(problem.rows)), f(static_cast<std::size_t>(problem.n()), 1.0);
  matrix.multiply_rows({v.data(), static_cast<std::size_t>(v.size())}, u);
  matrix.add_transposed_rows({lambda.data(), static_cast<std::size_t>(lambda.size())}, f);
  EXPECT_LE((Eigen::Map<Eigen::VectorXd>(u.data(), problem.rows) - j * v).norm(), 1e-12 * (1 + (j * v).norm()));
  const Eigen::VectorXd expected = j.transpose() * lambda + Eigen::VectorXd::Ones(problem.n());
  EXPECT_LE((Eigen::Map<Eigen::VectorXd>(f.data(), problem.n()) - expected).norm(), 1e-12 * (1 + expected.norm()));
}

TEST(NewtonMatrixTest, AgreesWithDenseAlgebraOnEveryKindOfProblem) {
  NewtonMatrix matrix;  // one for all: what it keeps of the last problem must not show in the next
  for (unsigned seed = 0; seed < 60; ++seed) {
    test::Random random(seed);
    const Problem problem = test::random_problem(random);
    CompactRows rows;
    rows.build(problem, constraint_rows(problem));
    for (int again = 0; again < 2; ++again) {
      matrix.prepare(problem, rows);
      expect_solves(matrix, problem, random, true);
      expect_solves(matrix, problem, random, false);
      expect_products(matrix, problem);
    }
  }
}

/// Whether some order eliminates the bodies without fill, that is, whether the graph of contacts is chordal: then, and
/// only then, there is always a body left whose neighbours all touch each other.
bool has_order_without_fill(const Problem& problem) {
  std::vector<std::set<int>> touches(problem.blocks.size());
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    for (int i = problem.attachment_start[c]; i < problem.attachment_start[c + 1]; ++i) {
      for (int j = problem.attachment_start[c]; j < problem.attachment_start[c + 1]; ++j) {
        const int a = problem.attachments[at(i)].block, b = problem.attachments[at(j)].block;
        if (a != b) touches[at(a)].insert(b);
      }
    }
  }
  std::set<int> left;
  for (std::size_t k = 0; k < touches.size(); ++k) left.insert(static_cast<int>(k));
  const auto is_free_of_fill = [&](int body) {
    const std::set<int>& near = touches[at(body)];
    return std::ranges::all_of(near, [&](int a) {
      return std::ranges::all_of(near, [&](int b) { return a == b || touches[at(a)].contains(b); });
    });
  };
  for (auto next = std::ranges::find_if(left, is_free_of_fill); next != left.end();
       next = std::ranges::find_if(left, is_free_of_fill)) {
    for (const int near : touches[at(*next)]) touches[at(near)].erase(*next);
    left.erase(next);
  }
  return left.empty();
}

TEST(NewtonMatrixTest, AgreesOnPilesWhereEliminationFillsIn) {
  // Of the order of the contacts' effective mass, as in CANAL: the spheres have 5 g.
  constexpr double kBeta = 0.05;
  NewtonMatrix matrix;
  test::Random random(7);
  for (const unsigned seed : {4U, 9U, 4U}) {
    const Problem problem = test::sphere_pile(seed, false, 0);
    ASSERT_FALSE(has_order_without_fill(problem)) << seed;
    CompactRows rows;
    rows.build(problem, constraint_rows(problem));
    matrix.prepare(problem, rows);
    expect_solves(matrix, problem, random, true, kBeta);
    expect_solves(matrix, problem, random, false, kBeta);
    expect_products(matrix, problem);
  }
}

/// The oracle of the test above on graphs whose fill is known: a chain has none, a ring of four has some.
TEST(NewtonMatrixTest, ARingOfFourFillsInAndAChainDoesNot) {
  test::Random random(2);
  for (const bool ring : {false, true}) {
    Problem problem;
    for (int i = 0; i < 4; ++i) problem.add_body(test::random_inertia(random), {1, 2, 3, 4, 5, 6});
    for (int i = 0; i < (ring ? 4 : 3); ++i) {
      const Mat3 frame = test::random_frame(random);
      problem.add_contact({0.5, 0.5}, {},
                          {test::point_on(i, test::random_vec3(random), frame, 1),
                           test::point_on((i + 1) % 4, test::random_vec3(random), frame, -1)});
    }
    EXPECT_EQ(has_order_without_fill(problem), !ring);
  }
}

/// A long chain of links hanging together by scalar rows only, and blocks without any constraint.
TEST(NewtonMatrixTest, NodesOfASparseBlockCoverItWhateverItsSize) {
  for (const int size : {1, 2, 7, 8, 9, 24, 100}) {
    test::Random random(static_cast<unsigned>(size));
    Problem problem;
    problem.add_sparse(test::random_sparse(random, size), std::vector<double>(static_cast<std::size_t>(size), 1.0));
    problem.add_body(test::random_inertia(random), {1, 2, 3, 4, 5, 6});
    Attachment coordinate;
    coordinate.kind = AttachmentKind::Coordinate;
    coordinate.dof = size - 1;
    Attachment other = coordinate;
    other.block = 1;
    other.dof = 5;
    problem.add_equality(0.1, {coordinate, other});
    CompactRows rows;
    rows.build(problem, constraint_rows(problem));
    NewtonMatrix matrix;
    matrix.prepare(problem, rows);
    expect_solves(matrix, problem, random, true);
    expect_solves(matrix, problem, random, false);
  }
}

TEST(NewtonMatrixTest, SaysThatAnIndefiniteMatrixIs) {
  Problem problem = test::nut(1, false, 0);
  CompactRows rows;
  rows.build(problem, constraint_rows(problem));
  NewtonMatrix matrix;
  matrix.prepare(problem, rows);
  LawDerivatives d;
  d.resize(problem);
  for (Mat3& contact : d.contact) contact = Mat3::identity() * -1.0;
  EXPECT_FALSE(matrix.factorize(problem, 1e3, d));
}

}  // namespace
}  // namespace uzawa
