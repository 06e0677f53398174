#include "uzawa/problem/block_matrix.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <vector>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nodal_cholesky.hpp"
#include "uzawa/problem/sparse_ldlt.hpp"

namespace uzawa {

namespace {

void multiply_body(const SpatialInertia& inertia, const double* x, double* y) {
  const Force momentum = inertia * Motion{Vec3::from(x + 3), Vec3::from(x)};
  momentum.force.store(y);
  momentum.moment.store(y + 3);
}

/// A x of a tree without forming A: momenta of the links, carried to the root. Scratch of one entry a link.
void multiply_tree(const TreeInertia& tree, const double* x, double* y, Motion* velocity, Force* momentum) {
  const TreeTopology& topology = *tree.topology;
  for (int i = 0; i < topology.links(); ++i) {
    const int parent = topology.link_parent(i);
    Motion v = parent < 0 ? Motion{} : velocity[parent];
    for (int d = topology.dof_begin(i); d < topology.dof_begin(i + 1); ++d) v += tree.subspace[at(d)] * x[d];
    velocity[i] = v;
    momentum[i] = tree.inertia[at(i)] * v;
  }
  for (int i = topology.links() - 1; i >= 0; --i) {
    for (int d = topology.dof_begin(i); d < topology.dof_begin(i + 1); ++d) {
      y[d] = dot(tree.subspace[at(d)], momentum[i]) + tree.diagonal[at(d)] * x[d];
    }
    const int parent = topology.link_parent(i);
    if (parent >= 0) momentum[parent] += momentum[i];
  }
}

/// Any robot fits on the stack, so that no thread has to allocate; chains of hundreds of links have memory of the
/// thread's own, which grows to the largest and stays.
void multiply_tree(const TreeInertia& tree, const double* x, double* y) {
  constexpr int kStackLinks = 128;
  const int links = tree.topology->links();
  if (links <= kStackLinks) {
    // Raw memory: clearing all of it would cost more than a small tree's product.
    alignas(Motion) std::byte velocity_memory[kStackLinks * sizeof(Motion)];
    alignas(Force) std::byte momentum_memory[kStackLinks * sizeof(Force)];
    auto* velocity = reinterpret_cast<Motion*>(velocity_memory);
    auto* momentum = reinterpret_cast<Force*>(momentum_memory);
    std::uninitialized_default_construct_n(velocity, links);
    std::uninitialized_default_construct_n(momentum, links);
    multiply_tree(tree, x, y, velocity, momentum);
    return;
  }
  static thread_local std::vector<Motion> velocity;
  static thread_local std::vector<Force> momentum;
  velocity.resize(std::max(velocity.size(), at(links)));
  momentum.resize(velocity.size());
  multiply_tree(tree, x, y, velocity.data(), momentum.data());
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
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const int offset = problem.blocks[b].offset;
    multiply_block(problem, static_cast<int>(b), x.data() + offset, y.data() + offset);
  }
}

void multiply_block(const Problem& problem, int b, const double* x, double* y) {
  const Block& block = problem.blocks[at(b)];
  switch (block.kind) {
    case BlockKind::FreeBody: multiply_body(problem.bodies[at(block.index)], x, y); break;
    case BlockKind::Tree: multiply_tree(problem.trees[at(block.index)], x, y); break;
    case BlockKind::Nodal: problem.nodal[at(block.index)].multiply({x, at(block.size)}, {y, at(block.size)}); break;
    case BlockKind::Sparse: multiply_sparse(problem.sparse[at(block.index)].lower, x, y); break;
  }
}

namespace {

/// Inverse of a symmetric 3x3 matrix by way of L D L^T; false where it is not positive definite.
bool invert(const Sym3& s, Sym3& inverse) {
  const double d1 = s.diagonal.x(), l21 = s.off.z() / d1, l31 = s.off.y() / d1;
  const double d2 = s.diagonal.y() - l21 * s.off.z(), l32 = (s.off.x() - l21 * s.off.y()) / d2;
  const double d3 = s.diagonal.z() - l31 * s.off.y() - l32 * l32 * d2;
  // Rows of L^-1: (1, 0, 0), (-l21, 1, 0), (m, -l32, 1).
  const double m = l21 * l32 - l31, i1 = 1 / d1, i2 = 1 / d2, i3 = 1 / d3;
  inverse.diagonal = {i1 + l21 * l21 * i2 + m * m * i3, i2 + l32 * l32 * i3, i3};
  inverse.off = {-l32 * i3, m * i3, -l21 * i2 - m * l32 * i3};
  return d1 > 0 && d2 > 0 && d3 > 0;
}

/// A free body's inertia, taken apart at its centre of mass.
struct BodyFactor {
  double inverse_mass = 0;
  Vec3 centre;          ///< of mass, from the reference point
  Sym3 inverse_moment;  ///< about the centre of mass

  [[nodiscard]] bool factorize(const SpatialInertia& inertia) {
    inverse_mass = 1 / inertia.mass;
    centre = inertia.first * inverse_mass;
    Sym3 moment = inertia.rotational;
    moment += SpatialInertia::point_moment(-inertia.mass, centre);
    return inertia.mass > 0 && invert(moment, inverse_moment);
  }
  void solve(double* x) const {
    const Vec3 force = Vec3::from(x), angular = inverse_moment * (Vec3::from(x + 3) - cross(centre, force));
    (force * inverse_mass + cross(centre, angular)).store(x);
    angular.store(x + 3);
  }
};

struct NodalFactor {
  NodalCholesky cholesky;

  [[nodiscard]] bool factorize(const NodalMatrix& matrix) {
    cholesky.analyse(*matrix.pattern);
    return cholesky.factorize(matrix);
  }
};

struct TreeFactor {
  TreeMatrix matrix, factor;

  [[nodiscard]] bool factorize(const TreeInertia& tree, std::vector<SpatialInertia>& composite) {
    if (matrix.size() == 0 || &matrix.topology() != tree.topology.get()) {
      matrix.reset(tree.topology);
      factor.reset(tree.topology);
    }
    composite.resize(std::max(composite.size(), tree.inertia.size()));
    assemble(tree, {composite.data(), tree.inertia.size()}, matrix);
    return factor.factorize(matrix);
  }
};

struct SparseFactor {
  enum class Form { Sparse, Diagonal, Dense };
  Form form = Form::Sparse;
  std::vector<double> inverse_diagonal;
  SparseLdlt ldlt;
  Eigen::MatrixXd dense;  ///< Cholesky factor, lower triangle

  [[nodiscard]] bool factorize(const SparseRows& lower) {
    const std::size_t n = at(lower.rows()), entries = lower.column.size();
    constexpr std::size_t kWorthBlocks = 32;  // dofs from which a dense factor in cache blocks is faster
    form = entries == n ? Form::Diagonal : n >= kWorthBlocks && entries == n * (n + 1) / 2 ? Form::Dense : Form::Sparse;
    if (form == Form::Sparse) return ldlt.factorize(lower);
    if (form == Form::Dense) return factorize_dense(lower);
    inverse_diagonal.resize(lower.value.size());
    for (std::size_t i = 0; i < lower.value.size(); ++i) inverse_diagonal[i] = 1 / lower.value[i];
    return std::all_of(lower.value.begin(), lower.value.end(), [](double d) { return d > 0; });
  }
  [[nodiscard]] bool factorize_dense(const SparseRows& lower) {
    dense.resize(lower.rows(), lower.rows());
    for (int r = 0; r < lower.rows(); ++r) {
      for (int c = 0; c <= r; ++c) dense(r, c) = lower.value[lower.begin(r) + at(c)];
    }
    return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(dense).info() == Eigen::Success;
  }
  /// |L^-1 x|^2; L x = y leaves the zeros that y begins with.
  double dense_inverse_form(std::span<double> x) const {
    const auto first = std::find_if(x.begin(), x.end(), [](double number) { return number != 0; });
    const auto count = static_cast<Eigen::Index>(x.end() - first);
    Eigen::Map<Eigen::VectorXd> y(x.data() + (first - x.begin()), count);
    dense.bottomRightCorner(count, count).triangularView<Eigen::Lower>().solveInPlace(y);
    return y.squaredNorm();
  }
  void solve(std::span<double> x) const {
    if (form == Form::Sparse) return ldlt.solve(x);
    if (form == Form::Dense) {
      Eigen::Map<Eigen::VectorXd> y(x.data(), static_cast<Eigen::Index>(x.size()));
      dense.triangularView<Eigen::Lower>().solveInPlace(y);
      dense.triangularView<Eigen::Lower>().adjoint().solveInPlace(y);
      return;
    }
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= inverse_diagonal[i];
  }
};

/// Vectors of factors only grow: those beyond what a problem has keep their memory for the next that has them.
template <typename T>
void grow(std::vector<T>& factors, std::size_t count) {
  if (factors.size() < count) factors.resize(count);
}

}  // namespace

struct BlockFactor::Impl {
  std::vector<Block> blocks;
  std::vector<BodyFactor> bodies;
  std::vector<TreeFactor> trees;
  std::vector<NodalFactor> nodal;
  std::vector<SparseFactor> sparse;
  std::vector<SpatialInertia> composite;
  int bad_block = -1;

  [[nodiscard]] bool factorize(const Problem& problem, const Block& block) {
    const std::size_t i = at(block.index);
    switch (block.kind) {
      case BlockKind::FreeBody: return bodies[i].factorize(problem.bodies[i]);
      case BlockKind::Tree: return trees[i].factorize(problem.trees[i], composite);
      case BlockKind::Nodal: return nodal[i].factorize(problem.nodal[i]);
      case BlockKind::Sparse: return sparse[i].factorize(problem.sparse[i].lower);
    }
    return false;
  }
};

BlockFactor::BlockFactor() : impl_(std::make_unique<Impl>()) {}
BlockFactor::~BlockFactor() = default;
BlockFactor::BlockFactor(BlockFactor&&) noexcept = default;
BlockFactor& BlockFactor::operator=(BlockFactor&&) noexcept = default;

bool BlockFactor::factorize(const Problem& problem) {
  impl_->blocks = problem.blocks;
  grow(impl_->bodies, problem.bodies.size());
  grow(impl_->trees, problem.trees.size());
  grow(impl_->nodal, problem.nodal.size());
  grow(impl_->sparse, problem.sparse.size());
  impl_->bad_block = -1;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    if (impl_->factorize(problem, problem.blocks[i])) continue;
    impl_->bad_block = static_cast<int>(i);
    return false;
  }
  return true;
}

int BlockFactor::bad_block() const { return impl_->bad_block; }

void BlockFactor::solve_block(int b, std::span<double> x) const {
  const Block& block = impl_->blocks[at(b)];
  const std::size_t i = at(block.index);
  switch (block.kind) {
    case BlockKind::FreeBody: impl_->bodies[i].solve(x.data()); break;
    case BlockKind::Tree: impl_->trees[i].factor.solve(x); break;
    case BlockKind::Nodal: impl_->nodal[i].cholesky.solve(x); break;
    case BlockKind::Sparse: impl_->sparse[i].solve(x); break;
  }
}

std::optional<double> BlockFactor::inverse_form(int b, std::span<double> x) const {
  const Block& block = impl_->blocks[at(b)];
  const std::size_t i = at(block.index);
  if (block.kind == BlockKind::Tree) return impl_->trees[i].factor.inverse_form(x);
  if (block.kind == BlockKind::Nodal) return impl_->nodal[i].cholesky.inverse_form(x);
  if (block.kind == BlockKind::Sparse && impl_->sparse[i].form == SparseFactor::Form::Dense) {
    return impl_->sparse[i].dense_inverse_form(x);
  }
  return {};
}

double BlockFactor::point_mobility(int b, const Vec3& point) const {
  const BodyFactor& body = impl_->bodies[at(impl_->blocks[at(b)].index)];
  const Vec3 arm = point - body.centre;
  double trace = 3 * body.inverse_mass;
  for (int i = 0; i < 3; ++i) {
    const Vec3 moment = cross(arm, Vec3::unit(i));
    trace += dot(moment, body.inverse_moment * moment);
  }
  return trace;
}

const TreeMatrix& BlockFactor::tree_matrix(int b) const { return impl_->trees[at(impl_->blocks[at(b)].index)].matrix; }
const TreeMatrix& BlockFactor::tree_factor(int b) const { return impl_->trees[at(impl_->blocks[at(b)].index)].factor; }

void BlockFactor::solve(std::span<double> x) const {
  for (std::size_t i = 0; i < impl_->blocks.size(); ++i) {
    const Block& block = impl_->blocks[i];
    solve_block(static_cast<int>(i), x.subspan(at(block.offset), at(block.size)));
  }
}

void diagonal(const Problem& problem, const BlockFactor& factor, std::span<double> out) {
  for (int b = 0; b < std::ssize(problem.blocks); ++b) {
    const Block& block = problem.blocks[at(b)];
    double* d = out.data() + block.offset;
    switch (block.kind) {
      case BlockKind::FreeBody: {
        const SpatialInertia& body = problem.bodies[at(block.index)];
        std::fill_n(d, 3, body.mass);
        body.rotational.diagonal.store(d + 3);
        break;
      }
      case BlockKind::Tree:
        for (int i = 0; i < block.size; ++i) d[i] = factor.tree_matrix(b).diagonal(i);
        break;
      case BlockKind::Nodal: {
        const NodalMatrix& matrix = problem.nodal[at(block.index)];
        for (int i = 0; i < block.size; ++i) d[i] = matrix.block(matrix.pattern->diagonal(i / 3))[4 * (i % 3)];
        break;
      }
      case BlockKind::Sparse: {
        const SparseRows& lower = problem.sparse[at(block.index)].lower;
        for (int i = 0; i < block.size; ++i) d[i] = lower.value[lower.end(i) - 1];
        break;
      }
    }
  }
}

}  // namespace uzawa
