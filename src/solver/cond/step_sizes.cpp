#include "uzawa/solver/cond/step_sizes.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/problem/block_matrix.hpp"

namespace uzawa {

namespace {

constexpr int kSmall = 64;  // dofs up to which a block without structure has a dense inverse
/// Gains of virtual nodes: the nominal ten diagonals of the node on the other side of the contact ([COND] leaves it
/// open); where all sides are virtual, masses at the contact.
constexpr double kGainBesideNode = 10, kGainAlone = 2;

using Dense = Eigen::Map<Eigen::MatrixXd>;

bool is_diagonal(const SparseRows& lower) { return lower.column.size() == at(lower.rows()); }

}  // namespace

bool StepSizes::read(const Problem& problem, const CondSettings& settings) {
  const std::size_t n = at(problem.n()), blocks = problem.blocks.size();
  diagonal_block_.assign(blocks, 1);
  dense_start_.assign(blocks, -1);
  chain_of_.assign(blocks, -1);
  size_.resize(blocks);
  diagonal_.assign(n, 0.0);
  sum_.assign(n, 0.0);
  square_.assign(n, 0.0);
  if (product_.size() < problem.nodal.size()) product_.resize(problem.nodal.size());
  if (chain_.size() < problem.nodal.size()) chain_.resize(problem.nodal.size());
  int stored = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const Block& block = problem.blocks[b];
    size_[b] = block.size;
    const bool rigid = block.kind == BlockKind::FreeBody || block.kind == BlockKind::Tree;
    const bool small =
        block.kind == BlockKind::Sparse && block.size <= kSmall && !is_diagonal(problem.sparse[at(block.index)].lower);
    if (!rigid && !small) continue;
    diagonal_block_[b] = static_cast<char>(!settings.exact_blocks && !rigid);
    dense_start_[b] = stored;
    stored += block.size * block.size;
  }
  matrix_.resize(at(stored));
  bool good = true;
  for (std::size_t b = 0; b < blocks; ++b) {
    const Block& block = problem.blocks[b];
    if (dense_start_[b] >= 0) {
      read_dense(problem, b);
    } else if (block.kind == BlockKind::Nodal) {
      read_nodal(problem, block);
      const NodalMatrix& matrix = problem.nodal[at(block.index)];
      ChainInverse& chain = chain_[at(block.index)];
      if (!settings.exact_blocks || !chain.suits(*matrix.pattern)) continue;
      good = chain.read(matrix, block.offset) && good;
      chain_of_[b] = block.index;
      diagonal_block_[b] = 0;
    } else {
      read_sparse(problem, block);
    }
  }
  scale_ = 1;
  exact_ = settings.exact_blocks;
  return good;
}

void StepSizes::read_dense(const Problem& problem, std::size_t b) {
  const Block& block = problem.blocks[b];
  Dense matrix(matrix_.data() + dense_start_[b], block.size, block.size);
  column_.resize(std::max(column_.size(), at(block.size)));
  for (int j = 0; j < block.size; ++j) {
    std::fill_n(column_.begin(), block.size, 0.0);
    column_[at(j)] = 1;
    multiply_block(problem, static_cast<int>(b), column_.data(), matrix.data() + at(j) * at(block.size));
  }
  for (int i = 0; i < block.size; ++i) {
    const std::size_t dof = at(block.offset + i);
    diagonal_[dof] = matrix(i, i);
    sum_[dof] = matrix.row(i).cwiseAbs().sum();
    square_[dof] = matrix.row(i).squaredNorm();
  }
}

void StepSizes::read_nodal(const Problem& problem, const Block& block) {
  const NodalMatrix& matrix = problem.nodal[at(block.index)];
  NodalProduct& product = product_[at(block.index)];
  product.prepare(matrix.pattern);
  for (int node = 0; node < matrix.nodes(); ++node) {
    const std::size_t dof = at(block.offset + 3 * node);
    product.for_each_block(matrix, node, [&](int other, const double* a, bool transposed) {
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          const double entry = transposed ? a[3 * j + i] : a[3 * i + j];
          sum_[dof + i] += std::abs(entry);
          square_[dof + i] += entry * entry;
          if (other == node && i == j) diagonal_[dof + i] = entry;
        }
      }
    });
  }
}

void StepSizes::read_sparse(const Problem& problem, const Block& block) {
  const SparseRows& lower = problem.sparse[at(block.index)].lower;
  for (int r = 0; r < lower.rows(); ++r) {
    for (std::size_t k = lower.begin(r); k < lower.end(r); ++k) {
      const double entry = lower.value[k];
      const auto add = [&](int row) {
        sum_[at(block.offset + row)] += std::abs(entry);
        square_[at(block.offset + row)] += entry * entry;
      };
      add(r);
      if (lower.column[k] != r) add(lower.column[k]);
      if (lower.column[k] == r) diagonal_[at(block.offset + r)] = entry;
    }
  }
}

/// Mobility of a constraint's part, 1/kg, summed over its axes: of rods as it is, of others as if A were diagonal.
double StepSizes::mobility(const Problem& problem, const RowPieces& part, int c) {
  double sum = 0;
  std::size_t b = 0;
  for (std::size_t k = part.begin(c); k < part.end(c);) {
    while (part.column[k] >= problem.blocks[b].offset + problem.blocks[b].size) ++b;
    std::size_t end = k;
    while (end < part.end(c) && part.column[end] < problem.blocks[b].offset + problem.blocks[b].size) ++end;
    if (chain_of_[b] >= 0) sum += chain_[at(chain_of_[b])].mobility(part, k, end);
    for (; k < end; ++k) {
      if (chain_of_[b] < 0) sum += dot(part.value[k], part.value[k]) / diagonal_[at(part.column[k])];
    }
  }
  return sum;
}

void StepSizes::choose_gains(const Problem& problem, const CondSettings& settings, const Nodalization& nodes) {
  gain_.resize(at(nodes.virtual_nodes()));
  for (int s = 0; s < nodes.virtual_nodes(); ++s) {
    const int c = nodes.owners()[at(s)];
    const bool mixed = !nodes.direct().empty(c);
    const double axes = 3, found = mobility(problem, mixed ? nodes.direct() : nodes.virtual_part(), c);
    const double gain = (mixed ? kGainBesideNode : kGainAlone) * axes / found;
    gain_[at(s)] = settings.virtual_gain > 0 ? settings.virtual_gain : std::isfinite(gain) && gain > 0 ? gain : 1;
  }
}

/// Adds s k V^T V, side by side.
void StepSizes::add_dampers(const Problem& problem, const Nodalization& nodes) {
  const RowPieces& part = nodes.virtual_part();
  for (int s = 0; s < nodes.virtual_nodes(); ++s) {
    const int c = nodes.owners()[at(s)];
    const double gain = gain_[at(s)] * nodes.sides(c);
    std::size_t b = 0;
    for (std::size_t i = part.begin(c); i < part.end(c); ++i) {
      const bool enters = i == part.begin(c) || part.column[i] >= problem.blocks[b].offset + problem.blocks[b].size;
      while (part.column[i] >= problem.blocks[b].offset + problem.blocks[b].size) ++b;
      const Block& block = problem.blocks[b];
      if (enters && is_chain(static_cast<int>(b))) {
        std::size_t end = i;
        while (end < part.end(c) && part.column[end] < block.offset + block.size) ++end;
        chain_[at(chain_of_[b])].add_damper(part, i, end, gain);
      }
      const std::size_t dof = at(part.column[i]);
      for (std::size_t j = part.begin(c); j < part.end(c); ++j) {
        if (part.column[j] < block.offset || part.column[j] >= block.offset + block.size) continue;
        const double added = gain * dot(part.value[i], part.value[j]);
        if (has_dense(static_cast<int>(b))) {
          Dense factor(factor_.data() + dense_start_[b], block.size, block.size);
          factor(part.column[i] - block.offset, part.column[j] - block.offset) += added;
        }
        sum_[dof] += std::abs(added);
        if (i != j) square_[dof] += added * added;
        if (i == j) square_[dof] += added * (added + 2 * diagonal_[dof]);
      }
      square_[dof] += gain * gain * dot(part.value[i], part.value[i]);  // the coupling to the virtual node
      diagonal_[dof] += gain * dot(part.value[i], part.value[i]);
    }
  }
}

void StepSizes::set_weights(const Problem& problem, CondSurrogate surrogate) {
  weight_.resize(diagonal_.size());
  metric_.resize(diagonal_.size());
  double least = HUGE_VAL;
  for (const Block& block : problem.blocks) {
    const bool nodal = block.kind == BlockKind::Nodal || (block.kind == BlockKind::Sparse && block.size % 3 == 0);
    const std::size_t group = nodal ? 3 : 1;
    for (std::size_t dof = at(block.offset); dof < at(block.offset + block.size); dof += group) {
      double diagonal = 0, square = 0, sum = 0;
      for (std::size_t i = dof; i < dof + group; ++i) {
        diagonal += diagonal_[i];
        square += square_[i];
        sum = std::max(sum, sum_[i]);
      }
      const bool frobenius = surrogate == CondSurrogate::Frobenius || surrogate == CondSurrogate::TwoLevel;
      const double weight = frobenius                            ? diagonal / square
                            : surrogate == CondSurrogate::Jacobi ? static_cast<double>(group) / diagonal
                                                                 : 1 / sum;
      std::fill_n(weight_.begin() + static_cast<std::ptrdiff_t>(dof), group, weight);
      least = std::min(least, weight);
    }
  }
  if (surrogate == CondSurrogate::Identity) std::fill(weight_.begin(), weight_.end(), least);
  for (std::size_t i = 0; i < weight_.size(); ++i) metric_[i] = 1 / weight_[i];
}

bool StepSizes::build(const Problem& problem, const CondSettings& settings, const Nodalization& nodes) {
  factor_ = matrix_;
  add_dampers(problem, nodes);
  set_weights(problem, settings.surrogate);
  bool good = std::all_of(weight_.begin(), weight_.end(), [](double w) { return w > 0 && std::isfinite(w); });
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    if (!has_inverse(static_cast<int>(b))) continue;
    if (is_chain(static_cast<int>(b))) {
      ChainInverse& chain = chain_[at(chain_of_[b])];
      for (int dof = block.offset; dof < block.offset + block.size; ++dof) metric_[at(dof)] = chain.diagonal(dof);
      good = chain.factorize() && good;
      continue;
    }
    Dense matrix(factor_.data() + dense_start_[b], block.size, block.size);
    for (int i = 0; i < block.size; ++i) metric_[at(block.offset + i)] = matrix(i, i);
    good = good && Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(matrix).info() == Eigen::Success;
  }
  return good;
}

void StepSizes::shrink(double factor) {
  scale_ *= factor;
  for (double& w : weight_) w *= factor;
}

void StepSizes::step_inverse(int block, double* g, double* v) const {
  const int size = size_[at(block)];
  if (is_chain(block)) {
    chain_[at(chain_of_[at(block)])].solve({g, at(size)});
    for (int i = 0; i < size; ++i) v[i] -= scale_ * g[i];
    return;
  }
  Eigen::Map<const Eigen::MatrixXd> factor(factor_.data() + dense_start_[at(block)], size, size);
  Eigen::Map<Eigen::VectorXd> step(g, size);
  factor.triangularView<Eigen::Lower>().solveInPlace(step);
  factor.triangularView<Eigen::Lower>().adjoint().solveInPlace(step);
  for (int i = 0; i < size; ++i) v[i] -= scale_ * g[i];
}

void StepSizes::multiply_dense(int block, const double* x, double* y) const {
  const int size = size_[at(block)];
  const double* matrix = matrix_.data() + dense_start_[at(block)];
  std::fill_n(y, size, 0.0);
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) y[i] += matrix[j * size + i] * x[j];
  }
}

double StepSizes::direct_mobility(const Nodalization& nodes, int c) const {
  const RowPieces& part = nodes.direct();
  double contact = 0, scalar = 0;
  for (std::size_t k = part.begin(c); k < part.end(c); ++k) {
    const double w = weight_[at(part.column[k])];
    contact += w * part.value[k].x() * part.value[k].x();
    scalar += w * part.value[k].z() * part.value[k].z();
  }
  return contact > 0 ? contact : scalar;  // all axes of a contact have the same
}

}  // namespace uzawa
