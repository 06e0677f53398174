#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "problem/random_problem.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa::test {
namespace {

RC_GTEST_PROP(ValidateProblem, AcceptsValidOnes, (unsigned seed)) {
  Random random(seed);
  validate(random_problem(random));
}

TEST(ValidateProblem, AcceptsTheEmptyOne) { EXPECT_NO_THROW(validate(Problem())); }

struct Damage {
  const char* element;
  const char* reason;
  std::function<void(Problem&)> apply;
};

Attachment& first_of(Problem& problem, AttachmentKind kind) {
  for (Attachment& a : problem.attachments) {
    if (a.kind == kind) return a;
  }
  throw std::logic_error("the sample problem has no such attachment");
}

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<Damage>& damages() {
  static const std::vector<Damage> kDamages{
      {"dt", "finite", [](Problem& p) { p.dt = kNan; }},
      {"b", "not finite", [](Problem& p) { p.b[0] = kInfinity; }},
      {"b", "another size", [](Problem& p) { p.b.push_back(0); }},
      {"block 1", "does not start", [](Problem& p) { p.blocks[1].offset += 1; }},
      {"block 0", "six dofs", [](Problem& p) { p.blocks[0].size = 5; }},
      {"block 0", "does not exist", [](Problem& p) { p.blocks[0].index = 7; }},
      {"block 2", "does not exist", [](Problem& p) { p.blocks[2].index = -1; }},
      {"block 0", "not finite", [](Problem& p) { p.bodies[0].first.set(1, kNan); }},
      {"block 0", "not positive definite", [](Problem& p) { p.bodies[0].mass = 0; }},
      {"block 1", "no topology", [](Problem& p) { p.trees[0].topology = nullptr; }},
      {"block 1", "one entry a dof", [](Problem& p) { p.trees[0].diagonal.pop_back(); }},
      {"block 1", "one inertia a link", [](Problem& p) { p.trees[0].inertia.pop_back(); }},
      {"block 1", "not finite", [](Problem& p) { p.trees[0].subspace[0].linear.set(0, kNan); }},
      {"block 1", "not finite", [](Problem& p) { p.trees[0].inertia[0].mass = kInfinity; }},
      {"block 1", "not finite", [](Problem& p) { p.trees[0].diagonal[0] = kNan; }},
      {"block 1", "not positive definite", [](Problem& p) { p.trees[0].diagonal[0] = -1e4; }},
      {"block 2", "not finite", [](Problem& p) { p.sparse[0].lower.value[0] = kNan; }},
      {"block 2", "malformed", [](Problem& p) { p.sparse[0].lower.column[0] = -1; }},
      {"block 2", "malformed", [](Problem& p) { p.sparse[0].lower.start.back() += 1; }},
      {"block 2", "another size", [](Problem& p) { p.sparse[0].lower.columns += 1; }},
      {"block 2", "not positive definite", [](Problem& p) { p.sparse[0].lower.value[0] = -1; }},
      {"block 2", "lower triangle",
       [](Problem& p) { p.sparse[0].lower = sparse(Eigen::MatrixXd::Ones(p.blocks[2].size, p.blocks[2].size)); }},
      {"contact constraint 0", "mu", [](Problem& p) { p.contacts.cone[0].mu1 = -1; }},
      {"contact constraint 0", "mu",
       [](Problem& p) {
         p.contacts.cone[0] = {kNan, kNan};
       }},
      {"contact constraint 0", "both tangents",
       [](Problem& p) {
         p.contacts.cone[0] = {0, 1};
       }},
      {"contact constraint 0", "e is not finite", [](Problem& p) { p.contacts.e[0].set(2, kNan); }},
      {"hard constraint 2", "e is not finite", [](Problem& p) { p.hard.e[0] = kNan; }},
      {"soft constraint 4", "k must", [](Problem& p) { p.soft.k[0] = -1; }},
      {"soft constraint 4", "b must", [](Problem& p) { p.soft.b[0] = kInfinity; }},
      {"limit constraint 5", "empty", [](Problem& p) { p.limits.lower[0] = p.limits.upper[0] + 1; }},
      {"limit constraint 5", "empty", [](Problem& p) { p.limits.lower[0] = kNan; }},
      {"limit constraint 5", "empty", [](Problem& p) { p.limits.lower[0] = p.limits.upper[0] = kInfinity; }},
      {"friction constraint 7", "bound", [](Problem& p) { p.friction.bound[0] = -1; }},
      {"constraints", "follow", [](Problem& p) { p.constraints[3].row += 1; }},
      {"constraints", "number of rows", [](Problem& p) { p.rows += 1; }},
      {"contact constraints", "differ in size", [](Problem& p) { p.contacts.e.pop_back(); }},
      {"contact constraints", "not where", [](Problem& p) { p.contacts.row[1] += 3; }},
      {"hard constraints", "not among", [](Problem& p) { p.hard.constraint[0] = 99; }},
      {"constraints", "attachments", [](Problem& p) { p.attachment_start.back() += 1; }},
      {"", "block that does not exist", [](Problem& p) { p.attachments[0].block = 99; }},
      {"", "link that does not exist", [](Problem& p) { first_of(p, AttachmentKind::LinkPoint).link = 99; }},
      {"", "not finite", [](Problem& p) { first_of(p, AttachmentKind::LinkPoint).point.set(0, kNan); }},
      {"", "not finite", [](Problem& p) { first_of(p, AttachmentKind::LinkPoint).frame.col[2].set(2, kNan); }},
      {"", "dof that does not exist", [](Problem& p) { first_of(p, AttachmentKind::Coordinate).dof = -1; }},
      {"", "not finite", [](Problem& p) { first_of(p, AttachmentKind::Coordinate).coefficient = kNan; }},
      {"", "rows do not exist", [](Problem& p) { first_of(p, AttachmentKind::Rows).entries = 99; }},
      {"", "wrong size", [](Problem& p) { p.attachment_rows[0].columns += 1; }},
      {"", "not finite", [](Problem& p) { p.attachment_rows[0].value[0] = kNan; }},
      {"", "malformed", [](Problem& p) { p.attachment_rows[0].column[0] = 1000; }}};
  return kDamages;
}

TEST(ValidateProblem, NamesWhatIsWrong) {
  Random random(6);
  const Problem valid = random_problem(random);
  ASSERT_GE(valid.blocks[2].size, 2);  // so that a full matrix is no lower triangle
  for (const Damage& damage : damages()) {
    Problem problem = valid;
    damage.apply(problem);
    SCOPED_TRACE(std::string(damage.element) + ": " + damage.reason);
    try {
      validate(problem);
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(error.source(), "random");
      if (*damage.element != '\0') {
        EXPECT_EQ(error.element(), damage.element) << error.what();
      }
      EXPECT_NE(error.reason().find(damage.reason), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace uzawa::test
