#include "uzawa/solver/cond/chain_inverse.hpp"

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr double kChainFill = 2;  // numbers in the factor over those in the matrix: rods have 1.1, soft bodies 3 to 10

}  // namespace

bool ChainInverse::suits(const NodalPattern& pattern) {
  if (pattern.blocks() > 4 * at(pattern.nodes())) return false;  // links have two nodes; spares solids the ordering
  factor_.plan(pattern);
  return static_cast<double>(factor_.fill()) <= kChainFill * 9 * static_cast<double>(pattern.blocks());
}

bool ChainInverse::read(const NodalMatrix& matrix, int offset) {
  offset_ = offset;
  matrix_ = matrix;
  factor_.analyse(*matrix.pattern);
  return factor_.factorize(matrix_);
}

double ChainInverse::mobility(const RowPieces& part, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    column_.assign(at(3 * matrix_.nodes()), 0.0);
    bool any = false;
    for (std::size_t k = begin; k < end; ++k) {
      column_[at(part.column[k] - offset_)] = part.value[k][axis];
      any = any || part.value[k][axis] != 0;
    }
    if (any) sum += factor_.inverse_form(column_);
  }
  return sum;
}

void ChainInverse::add_damper(const RowPieces& part, std::size_t begin, std::size_t end, double gain) {
  int nodes = 0;
  for (std::size_t i = begin; i < end; ++i) {
    nodes += i == begin || node_of(part.column[i]) != node_of(part.column[i - 1]) ? 1 : 0;
  }
  for (std::size_t i = begin; i < end; ++i) {
    const int node = node_of(part.column[i]);
    double* block = matrix_.block(matrix_.pattern->diagonal(node));
    for (std::size_t j = begin; j < end; ++j) {
      if (node_of(part.column[j]) != node) continue;
      block[3 * ((part.column[i] - offset_) % 3) + (part.column[j] - offset_) % 3] +=
          gain * nodes * dot(part.value[i], part.value[j]);
    }
  }
}

bool ChainInverse::factorize() { return factor_.factorize(matrix_); }

double ChainInverse::diagonal(int dof) const {
  const int own = dof - offset_;
  return matrix_.block(matrix_.pattern->diagonal(own / 3))[4 * (own % 3)];
}

}  // namespace uzawa
