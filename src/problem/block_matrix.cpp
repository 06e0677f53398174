#include "uzawa/problem/block_matrix.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cassert>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void multiply_body(const SpatialInertia& inertia, const double* x, double* y) {
  const Force momentum = inertia * Motion{Vec3::from(x + 3), Vec3::from(x)};
  momentum.force.store(y);
  momentum.moment.store(y + 3);
}

/// A x of a tree without forming A: momenta of the links, carried to the root.
void multiply_tree(const TreeInertia& tree, const double* x, double* y, std::vector<Motion>& velocity,
                   std::vector<Force>& momentum) {
  const TreeTopology& topology = *tree.topology;
  velocity.resize(at(topology.links()));
  momentum.resize(at(topology.links()));
  for (int i = 0; i < topology.links(); ++i) {
    const int parent = topology.link_parent(i);
    Motion v = parent < 0 ? Motion{} : velocity[at(parent)];
    for (int d = topology.dof_begin(i); d < topology.dof_begin(i + 1); ++d) v += tree.subspace[at(d)] * x[d];
    velocity[at(i)] = v;
    momentum[at(i)] = tree.inertia[at(i)] * v;
  }
  for (int i = topology.links() - 1; i >= 0; --i) {
    for (int d = topology.dof_begin(i); d < topology.dof_begin(i + 1); ++d) {
      y[d] = dot(tree.subspace[at(d)], momentum[at(i)]) + tree.diagonal[at(d)] * x[d];
    }
    const int parent = topology.link_parent(i);
    if (parent >= 0) momentum[at(parent)] += momentum[at(i)];
  }
}

void multiply_sparse(const SparseRows& lower, const double* x, double* y) {
  std::fill_n(y, lower.rows(), 0.0);
  for (int r = 0; r < lower.rows(); ++r) {
    for (std::size_t k = lower.begin(r); k < lower.end(r); ++k) {
      const int c = lower.column[k];
      y[r] += lower.value[k] * x[c];
      if (c != r) y[c] += lower.value[k] * x[r];
    }
  }
}

}  // namespace

void multiply(const Problem& problem, std::span<const double> x, std::span<double> y) {
  assert(static_cast<int>(x.size()) == problem.n() && x.size() == y.size());
  static thread_local std::vector<Motion> velocity;  // grows to the largest tree, then stays
  static thread_local std::vector<Force> momentum;
  for (const Block& block : problem.blocks) {
    const double* xb = x.data() + block.offset;
    double* yb = y.data() + block.offset;
    switch (block.kind) {
      case BlockKind::FreeBody: multiply_body(problem.bodies[at(block.index)], xb, yb); break;
      case BlockKind::Tree: multiply_tree(problem.trees[at(block.index)], xb, yb, velocity, momentum); break;
      case BlockKind::Sparse: multiply_sparse(problem.sparse[at(block.index)].lower, xb, yb); break;
    }
  }
}

struct BlockFactor::Impl {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using SparseMatrix = Eigen::SparseMatrix<double>;
  struct SparseFactor {
    SparseMatrix matrix;
    Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower> ldlt;
    std::vector<int> start, column;  // the pattern that was analysed
    bool diagonal = false;
    Eigen::VectorXd inverse_diagonal;
  };
  std::vector<Block> blocks;
  std::vector<Eigen::LLT<Matrix6>> bodies;
  std::vector<TreeMatrix> trees;
  std::vector<std::unique_ptr<SparseFactor>> sparse;
  std::vector<SpatialInertia> composite;
  int bad_block = -1;

  bool factorize_body(const SpatialInertia& inertia, int index) {
    Matrix6 a;
    for (int c = 0; c < 6; ++c) {
      double unit[6] = {}, column[6];
      unit[c] = 1;
      multiply_body(inertia, unit, column);
      for (int r = 0; r < 6; ++r) a(r, c) = column[r];
    }
    bodies[at(index)].compute(a);
    return bodies[at(index)].info() == Eigen::Success;
  }
  bool factorize_tree(const TreeInertia& tree, int index) {
    TreeMatrix& factor = trees[at(index)];
    if (factor.size() == 0 || &factor.topology() != tree.topology.get()) factor = TreeMatrix(tree.topology);
    composite.resize(std::max(composite.size(), tree.inertia.size()));
    assemble(tree, {composite.data(), tree.inertia.size()}, factor);
    return factor.factorize(factor);
  }
  bool factorize_sparse(const SparseRows& lower, int index) {
    if (!sparse[at(index)]) sparse[at(index)] = std::make_unique<SparseFactor>();
    SparseFactor& f = *sparse[at(index)];
    const int n = lower.rows();
    f.diagonal = static_cast<int>(lower.column.size()) == n;
    if (f.diagonal) {
      f.inverse_diagonal.resize(n);
      for (int i = 0; i < n; ++i) {
        if (!(lower.value[at(i)] > 0)) return false;
        f.inverse_diagonal[i] = 1 / lower.value[at(i)];
      }
      return true;
    }
    const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> rows(
        n, n, static_cast<Eigen::Index>(lower.value.size()), lower.start.data(), lower.column.data(),
        lower.value.data());
    f.matrix = rows;
    if (f.start != lower.start || f.column != lower.column) {
      f.start = lower.start;
      f.column = lower.column;
      f.ldlt.analyzePattern(f.matrix);
    }
    f.ldlt.factorize(f.matrix);
    return f.ldlt.info() == Eigen::Success && (f.ldlt.vectorD().array() > 0).all();
  }
};

BlockFactor::BlockFactor() : impl_(std::make_unique<Impl>()) {}
BlockFactor::~BlockFactor() = default;
BlockFactor::BlockFactor(BlockFactor&&) noexcept = default;
BlockFactor& BlockFactor::operator=(BlockFactor&&) noexcept = default;

bool BlockFactor::factorize(const Problem& problem) {
  impl_->blocks = problem.blocks;
  impl_->bodies.resize(problem.bodies.size());
  impl_->trees.resize(problem.trees.size());
  impl_->sparse.resize(problem.sparse.size());
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    bool positive = false;
    switch (block.kind) {
      case BlockKind::FreeBody: positive = impl_->factorize_body(problem.bodies[at(block.index)], block.index); break;
      case BlockKind::Tree: positive = impl_->factorize_tree(problem.trees[at(block.index)], block.index); break;
      case BlockKind::Sparse:
        positive = impl_->factorize_sparse(problem.sparse[at(block.index)].lower, block.index);
        break;
    }
    if (!positive) {
      impl_->bad_block = static_cast<int>(i);
      return false;
    }
  }
  impl_->bad_block = -1;
  return true;
}

int BlockFactor::bad_block() const { return impl_->bad_block; }

void BlockFactor::solve_block(int b, std::span<double> x) const {
  const Block& block = impl_->blocks[at(b)];
  Eigen::Map<Eigen::VectorXd> map(x.data(), static_cast<Eigen::Index>(x.size()));
  switch (block.kind) {
    case BlockKind::FreeBody: impl_->bodies[at(block.index)].solveInPlace(map); break;
    case BlockKind::Tree: impl_->trees[at(block.index)].solve(x); break;
    case BlockKind::Sparse: {
      const Impl::SparseFactor& f = *impl_->sparse[at(block.index)];
      if (f.diagonal) {
        map.array() *= f.inverse_diagonal.array();
      } else {
        map = f.ldlt.solve(map).eval();
      }
      break;
    }
  }
}

void BlockFactor::solve(std::span<double> x) const {
  for (std::size_t i = 0; i < impl_->blocks.size(); ++i) {
    const Block& block = impl_->blocks[i];
    solve_block(static_cast<int>(i), x.subspan(at(block.offset), at(block.size)));
  }
}

}  // namespace uzawa
