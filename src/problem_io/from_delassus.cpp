#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/problem_io/from_matrices.hpp"
#include "uzawa/problem_io/semidefinite_factor.hpp"
#include "uzawa/problem_io/triplets.hpp"

namespace uzawa {

namespace {

/// Island of each contact: contacts that W couples, numbered in the order of their first contact.
class Islands {
 public:
  Islands(const SparseRows& w, int contacts) : parent_(at(contacts)), number_(at(contacts)) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (int r = 0; r < w.rows(); ++r) {
      for (std::size_t k = w.begin(r); k < w.end(r); ++k) join(r / 3, w.column[k] / 3);
    }
    for (int c = 0; c < contacts; ++c) number_[at(c)] = root(c) == c ? count_++ : number_[at(root(c))];
  }
  int count() const { return count_; }
  int of_contact(int contact) const { return number_[at(contact)]; }

 private:
  int root(int c) {
    while (parent_[at(c)] != c) c = parent_[at(c)] = parent_[at(parent_[at(c)])];
    return c;
  }
  void join(int a, int b) {
    const int first = root(a), second = root(b);
    parent_[at(std::max(first, second))] = std::min(first, second);
  }
  std::vector<int> parent_, number_;
  int count_ = 0;
};

/// argmin |L x - q|, by the normal equations with two steps of refinement. L has full column rank, and its condition
/// number is the root of W's, so that squaring it loses nothing that refinement does not bring back.
std::vector<double> least_squares(const SparseRows& l, const std::vector<double>& q) {
  using Matrix = Eigen::SparseMatrix<double>;
  const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> rows(
      l.rows(), l.columns, static_cast<Eigen::Index>(l.value.size()), l.start.data(), l.column.data(), l.value.data());
  const Matrix matrix = rows;
  const Matrix normal = matrix.transpose() * matrix;
  const Eigen::SimplicialLDLT<Matrix> factor(normal);
  const Eigen::Map<const Eigen::VectorXd> target(q.data(), static_cast<Eigen::Index>(q.size()));
  Eigen::VectorXd x = Eigen::VectorXd::Zero(l.columns);
  for (int i = 0; i < 3 && factor.info() == Eigen::Success; ++i) {
    x += factor.solve(matrix.transpose() * (target - matrix * x));
  }
  // Any split of q into L x + e is the same problem, so a failure here costs no correctness.
  if (!x.allFinite()) x.setZero();
  return {x.begin(), x.end()};
}

SparseBlock identity(int size) {
  SparseBlock block;
  block.lower.columns = size;
  block.lower.column.resize(at(size));
  std::iota(block.lower.column.begin(), block.lower.column.end(), 0);
  block.lower.value.assign(at(size), 1.0);
  block.lower.start.resize(at(size) + 1);
  std::iota(block.lower.start.begin(), block.lower.start.end(), 0);
  return block;
}

/// L with its columns reordered by island; a column's island is its pivot's, and elimination never leaves it.
SparseRows order_by_island(SemidefiniteFactor factor, const Islands& islands) {
  std::vector<int> order(factor.pivot.size()), place(factor.pivot.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return islands.of_contact(factor.pivot[at(a)] / 3) < islands.of_contact(factor.pivot[at(b)] / 3);
  });
  for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<int>(k);
  Triplets moved = expand(factor.rows);
  for (int& column : moved.j) column = place[at(column)];
  return compress(moved);
}

}  // namespace

Problem from_delassus(const SparseRows& w, const std::vector<double>& q, const std::vector<FrictionCone>& cones,
                      const std::string& source) {
  const SparseRows matrix = without_zeros(w);
  const Islands islands(matrix, static_cast<int>(cones.size()));
  SemidefiniteFactor factor = factor_semidefinite(lower_triangle(matrix, source, "W"), source, "W");
  const double shift = factor.shift;
  std::vector<int> size(at(islands.count()), 0);
  for (const int pivot : factor.pivot) ++size[at(islands.of_contact(pivot / 3))];
  const SparseRows l = order_by_island(std::move(factor), islands);

  const std::vector<double> b = least_squares(l, q);
  std::vector<double> rest(q.size());
  l.multiply(b, rest);
  std::transform(q.begin(), q.end(), rest.begin(), rest.begin(), std::minus<>());

  Problem problem;
  if (shift > 0) {
    std::array<char, 160> note{};
    std::snprintf(
        note.data(), note.size(),
        "W is positive semidefinite to the digits of its file only: %.0e of each diagonal entry was added to it",
        shift);
    problem.comment = note.data();
  }
  std::vector<int> block(size.size(), -1);
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (size[i] == 0) continue;  // contacts of fixed things: W = 0
    const auto first = b.begin() + problem.n();
    block[i] = problem.add_sparse(identity(size[i]), {first, first + size[i]});
  }
  for (int c = 0; c < static_cast<int>(cones.size()); ++c) {
    std::vector<Attachment> attachments;
    const int home = block[at(islands.of_contact(c))];
    if (home >= 0) {
      SparseRows rows;
      const int offset = problem.blocks[at(home)].offset;
      rows.columns = problem.blocks[at(home)].size;
      for (int r = 3 * c; r < 3 * c + 3; ++r) {
        for (std::size_t k = l.begin(r); k < l.end(r); ++k) rows.column.push_back(l.column[k] - offset);
        rows.value.insert(rows.value.end(), l.value.begin() + l.start[at(r)], l.value.begin() + l.start[at(r) + 1]);
        rows.start.push_back(static_cast<int>(rows.column.size()));
      }
      attachments.push_back(problem.explicit_rows(home, std::move(rows)));
    }
    problem.add_contact(cones[at(c)], Vec3::from(rest.data() + 3 * c), attachments);
  }
  return problem;
}

}  // namespace uzawa
