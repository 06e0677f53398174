#include "uzawa/solver/admm/matrix_subsystem.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

void MatrixSubsystem::start(const Problem& problem, int first, int end) {
  offset_ = problem.blocks[at(first)].offset;
  const Block& last = problem.blocks[at(end) - 1];
  part_.blocks.assign(problem.blocks.begin() + first, problem.blocks.begin() + end);
  part_.b.assign(at(last.offset + last.size - offset_), 0.0);
  std::size_t bodies = 0, trees = 0, nodal = 0, sparse = 0;
  // Elements that are there already are assigned to, which keeps their memory.
  const auto keep = [](auto& list, std::size_t index, const auto& value) {
    if (index < list.size()) {
      list[index] = value;
    } else {
      list.push_back(value);
    }
    return static_cast<int>(index);
  };
  for (Block& block : part_.blocks) {
    block.offset -= offset_;
    switch (block.kind) {
      case BlockKind::FreeBody: block.index = keep(part_.bodies, bodies++, problem.bodies[at(block.index)]); break;
      case BlockKind::Tree: block.index = keep(part_.trees, trees++, problem.trees[at(block.index)]); break;
      case BlockKind::Nodal: block.index = keep(part_.nodal, nodal++, problem.nodal[at(block.index)]); break;
      case BlockKind::Sparse: block.index = keep(part_.sparse, sparse++, problem.sparse[at(block.index)]); break;
    }
  }
  part_.bodies.resize(bodies);
  part_.trees.resize(trees);
  part_.nodal.resize(nodal);
  part_.sparse.resize(sparse);

  part_.constraints.clear();
  part_.contacts.row.clear();
  part_.equality.row.clear();
  part_.rows = 0;
  rows_.columns = part_.n();
  rows_.start.assign(1, 0);
  rows_.column.clear();
  rows_.value.clear();
}

void MatrixSubsystem::add(const Problem& problem, const SparseRows& j, int constraint) {
  const int first = problem.constraints[at(constraint)].row, dims = problem.dims(constraint);
  for (int d = 0; d < dims; ++d) {
    for (std::size_t k = j.begin(first + d); k < j.end(first + d); ++k) {
      const int column = j.column[k] - offset_;
      if (column < 0 || column >= rows_.columns) continue;
      rows_.column.push_back(column);
      rows_.value.push_back(j.value[k]);
    }
    rows_.start.push_back(static_cast<int>(rows_.column.size()));
  }
  // The law does not matter to the matrix; three rows or one does.
  const bool contact = dims == 3;
  std::vector<int>& of_kind = contact ? part_.contacts.row : part_.equality.row;
  part_.constraints.push_back(
      {contact ? ConstraintKind::Contact : ConstraintKind::Equality, static_cast<int>(of_kind.size()), part_.rows});
  of_kind.push_back(part_.rows);
  part_.rows += dims;
}

void MatrixSubsystem::finish() {
  compact_.build(part_, rows_);
  nodal_ = part_.blocks.size() == 1 && part_.blocks[0].kind == BlockKind::Nodal &&
           penalty_.prepare(part_.nodal[0], compact_);
  plain_weights_.assign(part_.constraints.size(), 1.0);
  if (nodal_) return;
  matrix_.prepare(part_, compact_);
  weights_.set_to_one(part_);
}

void MatrixSubsystem::set_weight(int i, double weight) {
  plain_weights_[at(i)] = weight;
  if (nodal_) return;
  const ConstraintRef& ref = part_.constraints[at(i)];
  if (ref.kind == ConstraintKind::Contact) {
    weights_.contact[at(ref.index)] = Mat3::identity() * weight;
  } else {
    weights_.scalar[at(ref.row)] = weight;
  }
}

bool MatrixSubsystem::factorize(double beta) {
  if (nodal_) return penalty_.factorize(part_.nodal[0], compact_, plain_weights_, beta);
  return matrix_.factorize(part_, beta, weights_);
}

void MatrixSubsystem::solve(const Problem& problem, const Vec3* g, double* v) {
  double* x = v + offset_;
  std::copy_n(problem.b.begin() + offset_, part_.n(), x);
  for (int i = 0; i < compact_.constraints(); ++i) {
    const int width = compact_.width(i);
    const int* column = compact_.columns(i);
    if (compact_.dims(i) == 1) {
      const double* row = compact_.row(i, 0);
      for (int k = 0; k < width; ++k) x[column[k]] += row[k] * g[i].z();
      continue;
    }
    const double *row1 = compact_.row(i, 0), *row2 = compact_.row(i, 1), *row3 = compact_.row(i, 2);
    const double g1 = g[i].x(), g2 = g[i].y(), g3 = g[i].z();
    for (int k = 0; k < width; ++k) x[column[k]] += row1[k] * g1 + row2[k] * g2 + row3[k] * g3;
  }
  if (nodal_) return penalty_.solve({x, at(part_.n())});
  matrix_.solve({x, at(part_.n())});
}

Vec3 MatrixSubsystem::velocity(int i, const double* v) const {
  const double* x = v + offset_;
  const int width = compact_.width(i);
  const int* column = compact_.columns(i);
  if (compact_.dims(i) == 1) {
    const double* row = compact_.row(i, 0);
    double sum = 0;
    for (int k = 0; k < width; ++k) sum += row[k] * x[column[k]];
    return {0, 0, sum};
  }
  const double *row1 = compact_.row(i, 0), *row2 = compact_.row(i, 1), *row3 = compact_.row(i, 2);
  double u1 = 0, u2 = 0, u3 = 0;
  for (int k = 0; k < width; ++k) {
    const double speed = x[column[k]];
    u1 += row1[k] * speed;
    u2 += row2[k] * speed;
    u3 += row3[k] * speed;
  }
  return {u1, u2, u3};
}

}  // namespace uzawa
