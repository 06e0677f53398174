#include "uzawa/solver/subsystems.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "uzawa/math/tree_matrix.hpp"
#include "uzawa/solver/newton_matrix.hpp"

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Inverse of a 6x6 symmetric matrix, columns padded to eight lanes: a product is twelve fused multiply-adds.
struct alignas(32) Inverse6 {
  Lanes low[6], high[6];

  void multiply(const double* x, double* y) const {
    Lanes a{}, b{};
    for (int c = 0; c < 6; ++c) {
      a += low[c] * x[c];
      b += high[c] * x[c];
    }
    for (int k = 0; k < 4; ++k) y[k] = a[k];
    y[4] = b[0];
    y[5] = b[1];
  }
};

/// A sparse block and the explicit rows on it, as a problem of its own for NewtonMatrix.
struct SparseSubsystem {
  Problem problem;
  CompactRows rows;
  NewtonMatrix matrix;
  LawDerivatives identity;
};

}  // namespace

struct Subsystems::Impl {
  std::vector<Inverse6> bodies;
  std::vector<TreeInertia> augmented;
  std::vector<TreeMatrix> trees;
  std::vector<std::unique_ptr<SparseSubsystem>> sparse;
  std::vector<SpatialInertia> composite;
};

Subsystems::Subsystems() : impl_(std::make_unique<Impl>()) {}
Subsystems::~Subsystems() = default;
Subsystems::Subsystems(Subsystems&&) noexcept = default;
Subsystems& Subsystems::operator=(Subsystems&&) noexcept = default;

void Subsystems::prepare(const Problem& problem) {
  link_start_.assign(1, 0);
  for (const Block& block : problem.blocks) {
    const int links = block.kind == BlockKind::Tree ? problem.trees[at(block.index)].topology->links()
                                                    : (block.kind == BlockKind::FreeBody ? 1 : 0);
    link_start_.push_back(link_start_.back() + links);
  }
  twist_.assign(at(link_start_.back()), {});
  force_.assign(at(link_start_.back()), {});
  sides_.clear();
  side_start_.assign(1, 0);
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const bool contact = problem.constraints[c].kind == ConstraintKind::Contact;
    for (int a = problem.attachment_start[c]; a < problem.attachment_start[c + 1]; ++a) {
      const Attachment& from = problem.attachments[at(a)];
      Side side;
      side.kind = from.kind;
      side.constraint = static_cast<int>(c);
      side.block = from.block;
      side.tangents = contact || from.kind == AttachmentKind::LinkPoint;
      side.link = link_start_[at(from.block)] + from.link;
      side.point = from.point;
      side.frame = from.frame * from.sign;
      side.dof = problem.blocks[at(from.block)].offset + from.dof;
      side.coefficient = from.coefficient;
      side.entries = from.entries;
      sides_.push_back(side);
    }
    side_start_.push_back(static_cast<int>(sides_.size()));
  }
  block_side_start_.assign(problem.blocks.size() + 1, 0);
  for (const Side& side : sides_) ++block_side_start_[at(side.block) + 1];
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) block_side_start_[b + 1] += block_side_start_[b];
  block_side_.resize(sides_.size());
  std::vector<int> next(block_side_start_.begin(), block_side_start_.end() - 1);
  for (std::size_t s = 0; s < sides_.size(); ++s) block_side_[at(next[at(sides_[s].block)]++)] = static_cast<int>(s);

  impl_->bodies.resize(problem.bodies.size());
  impl_->augmented = problem.trees;
  impl_->trees.clear();
  for (const TreeInertia& tree : problem.trees) impl_->trees.emplace_back(tree.topology);
  impl_->sparse.clear();
  impl_->sparse.resize(problem.sparse.size());
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    if (block.kind != BlockKind::Sparse) continue;
    auto sub = std::make_unique<SparseSubsystem>();
    sub->problem.add_sparse(problem.sparse[at(block.index)], std::vector<double>(at(block.size), 0.0));
    for (int k = block_side_start_[b]; k < block_side_start_[b + 1]; ++k) {
      const Side& side = sides_[at(block_side_[at(k)])];
      Attachment attachment = problem.attachments[at(block_side_[at(k)])];
      if (side.kind == AttachmentKind::Rows) {
        attachment = sub->problem.explicit_rows(0, problem.attachment_rows[at(side.entries)]);
      }
      attachment.block = 0;
      if (side.tangents) {
        sub->problem.add_contact({}, {}, {attachment});
      } else {
        sub->problem.add_equality(0, {attachment});
      }
    }
    sub->rows.build(sub->problem, constraint_rows(sub->problem));
    sub->matrix.prepare(sub->problem, sub->rows);
    sub->identity.resize(sub->problem);
    std::fill(sub->identity.contact.begin(), sub->identity.contact.end(), Mat3::identity());
    std::fill(sub->identity.scalar.begin(), sub->identity.scalar.end(), 1.0);
    impl_->sparse[at(block.index)] = std::move(sub);
  }
}

bool Subsystems::factorize(const Problem& problem, double beta) {
  bool positive = true;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    if (block.kind == BlockKind::Sparse) {
      SparseSubsystem& sub = *impl_->sparse[at(block.index)];
      positive = sub.matrix.factorize(sub.problem, sub.rows, beta, sub.identity) && positive;
      continue;
    }
    const bool free = block.kind == BlockKind::FreeBody;
    SpatialInertia body;
    double extra[6] = {};  // joint-space diagonal of a free body
    if (free) {
      body = problem.bodies[at(block.index)];
    } else {
      const TreeInertia& tree = problem.trees[at(block.index)];
      TreeInertia& augmented = impl_->augmented[at(block.index)];
      std::copy(tree.inertia.begin(), tree.inertia.end(), augmented.inertia.begin());
      std::copy(tree.diagonal.begin(), tree.diagonal.end(), augmented.diagonal.begin());
      std::copy(tree.subspace.begin(), tree.subspace.end(), augmented.subspace.begin());
    }
    for (int k = block_side_start_[b]; k < block_side_start_[b + 1]; ++k) {
      const Side& side = sides_[at(block_side_[at(k)])];
      if (side.kind == AttachmentKind::LinkPoint) {
        SpatialInertia& inertia =
            free ? body : impl_->augmented[at(block.index)].inertia[at(side.link - link_start_[b])];
        inertia.add_point_mass(beta, side.point);
      } else {
        const int dof = side.dof - block.offset;
        double& diagonal = free ? extra[dof] : impl_->augmented[at(block.index)].diagonal[at(dof)];
        diagonal += beta * side.coefficient * side.coefficient;
      }
    }
    if (free) {
      Eigen::Matrix<double, 6, 6> h;
      for (int c = 0; c < 6; ++c) {
        const Vec3 axis = Vec3::unit(c % 3);
        const Force momentum = body * (c < 3 ? Motion{{}, axis} : Motion{axis, {}});
        momentum.force.store(&h(0, c));
        momentum.moment.store(&h(3, c));
        h(c, c) += extra[c];
      }
      const Eigen::LLT<Eigen::Matrix<double, 6, 6>> llt(h);
      positive = positive && llt.info() == Eigen::Success;
      const Eigen::Matrix<double, 6, 6> inverse = llt.solve(Eigen::Matrix<double, 6, 6>::Identity());
      Inverse6& out = impl_->bodies[at(block.index)];
      for (int c = 0; c < 6; ++c) {
        out.low[c] = Lanes{inverse(0, c), inverse(1, c), inverse(2, c), inverse(3, c)};
        out.high[c] = Lanes{inverse(4, c), inverse(5, c), 0, 0};
      }
    } else {
      TreeInertia& augmented = impl_->augmented[at(block.index)];
      impl_->composite.resize(std::max(impl_->composite.size(), augmented.inertia.size()));
      TreeMatrix& matrix = impl_->trees[at(block.index)];
      assemble(augmented, {impl_->composite.data(), augmented.inertia.size()}, matrix);
      positive = matrix.factorize(matrix) && positive;
    }
  }
  return positive;
}

void Subsystems::solve_body(const Problem& problem, int b, std::span<const Vec3> g, std::span<double> v) {
  const Block& block = problem.blocks[at(b)];
  const double* impulse = &problem.b[at(block.offset)];
  Vec3 force = Vec3::from(impulse), moment = Vec3::from(impulse + 3);
  double extra[6] = {};
  for (int k = block_side_start_[at(b)]; k < block_side_start_[at(b) + 1]; ++k) {
    const Side& side = sides_[at(block_side_[at(k)])];
    const Vec3& gs = g[at(block_side_[at(k)])];
    if (side.kind == AttachmentKind::LinkPoint) {
      const Vec3 world = side.frame * gs;
      force += world;
      moment += cross(side.point, world);
    } else {
      extra[side.dof - block.offset] += side.coefficient * gs.z();
    }
  }
  double x[6];
  (force + Vec3::from(extra)).store(x);
  (moment + Vec3::from(extra + 3)).store(x + 3);
  double* out = &v[at(block.offset)];
  impl_->bodies[at(block.index)].multiply(x, out);
  twist_[at(link_start_[at(b)])] = {Vec3::from(out + 3), Vec3::from(out)};
}

void Subsystems::tree_twists(const Problem& problem, const Block& block, std::span<const double> v) {
  const TreeInertia& tree = problem.trees[at(block.index)];
  const TreeTopology& topology = *tree.topology;
  Motion* twist = twist_.data() + link_start_[static_cast<std::size_t>(&block - problem.blocks.data())];
  for (int i = 0; i < topology.links(); ++i) {
    const int parent = topology.link_parent(i);
    Motion motion = parent < 0 ? Motion{} : twist[parent];
    for (int d = topology.dof_begin(i); d < topology.dof_begin(i + 1); ++d) {
      motion += tree.subspace[at(d)] * v[at(block.offset + d)];
    }
    twist[i] = motion;
  }
}

void Subsystems::solve_tree(const Problem& problem, int b, std::span<const Vec3> g, std::span<double> v) {
  const Block& block = problem.blocks[at(b)];
  const TreeInertia& tree = problem.trees[at(block.index)];
  const TreeTopology& topology = *tree.topology;
  Force* force = force_.data() + link_start_[at(b)];
  double* x = &v[at(block.offset)];
  std::fill_n(force, topology.links(), Force{});
  std::copy_n(problem.b.begin() + block.offset, block.size, x);
  for (int k = block_side_start_[at(b)]; k < block_side_start_[at(b) + 1]; ++k) {
    const Side& side = sides_[at(block_side_[at(k)])];
    const Vec3& gs = g[at(block_side_[at(k)])];
    if (side.kind == AttachmentKind::LinkPoint) {
      force[side.link - link_start_[at(b)]] += force_at(side.frame * gs, side.point);
    } else {
      v[at(side.dof)] += side.coefficient * gs.z();
    }
  }
  for (int i = topology.links() - 1; i >= 0; --i) {
    for (int d = topology.dof_begin(i); d < topology.dof_begin(i + 1); ++d) x[d] += dot(tree.subspace[at(d)], force[i]);
    const int parent = topology.link_parent(i);
    if (parent >= 0) force[parent] += force[i];
  }
  impl_->trees[at(block.index)].solve({x, at(block.size)});
  tree_twists(problem, block, v);
}

void Subsystems::solve_sparse(const Problem& problem, int b, std::span<const Vec3> g, std::span<double> v) {
  const Block& block = problem.blocks[at(b)];
  SparseSubsystem& sub = *impl_->sparse[at(block.index)];
  double* x = &v[at(block.offset)];
  std::copy_n(problem.b.begin() + block.offset, block.size, x);
  for (int k = block_side_start_[at(b)], c = 0; k < block_side_start_[at(b) + 1]; ++k, ++c) {
    const Vec3& gs = g[at(block_side_[at(k)])];
    const int dims = sub.rows.dims(c), width = sub.rows.width(c);
    const int* column = sub.rows.columns(c);
    for (int d = 0; d < dims; ++d) {
      const double value = dims == 1 ? gs.z() : gs[d];
      const double* entries = sub.rows.row(c, d);
      for (int e = 0; e < width; ++e) x[column[e]] += entries[e] * value;
    }
  }
  sub.matrix.solve({x, at(block.size)});
}

void Subsystems::solve(const Problem& problem, std::span<const Vec3> g, std::span<double> v) {
  for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
    switch (problem.blocks[at(b)].kind) {
      case BlockKind::FreeBody: solve_body(problem, b, g, v); break;
      case BlockKind::Tree: solve_tree(problem, b, g, v); break;
      case BlockKind::Sparse: solve_sparse(problem, b, g, v); break;
    }
  }
}

void Subsystems::set_velocity(const Problem& problem, std::span<const double> v) {
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    if (block.kind == BlockKind::Tree) tree_twists(problem, block, v);
    if (block.kind == BlockKind::FreeBody) {
      twist_[at(link_start_[b])] = {Vec3::from(&v[at(block.offset + 3)]), Vec3::from(&v[at(block.offset)])};
    }
  }
}

Vec3 Subsystems::side_velocity(const Problem& problem, const Side& side, std::span<const double> v) const {
  switch (side.kind) {
    case AttachmentKind::LinkPoint: return transpose_times(side.frame, velocity_at(twist_[at(side.link)], side.point));
    case AttachmentKind::Coordinate: return {0, 0, side.coefficient * v[at(side.dof)]};
    case AttachmentKind::Rows: break;
  }
  const SparseRows& rows = problem.attachment_rows[at(side.entries)];
  const int offset = problem.blocks[at(side.block)].offset, dims = rows.rows();
  double u[3] = {};
  for (int d = 0; d < dims; ++d) {
    double sum = 0;
    for (std::size_t k = rows.begin(d); k < rows.end(d); ++k) sum += rows.value[k] * v[at(offset + rows.column[k])];
    u[dims == 1 ? 2 : d] = sum;
  }
  return Vec3::from(u);
}

double Subsystems::pseudo_density(const Problem& problem) const {
  double sum = 0;
  int counted = 0;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const int count = block_side_start_[b + 1] - block_side_start_[b];
    if (count == 0) continue;
    const Block& block = problem.blocks[b];
    double mass = 0;
    switch (block.kind) {
      case BlockKind::FreeBody: mass = problem.bodies[at(block.index)].mass; break;
      case BlockKind::Tree:
        for (const SpatialInertia& inertia : problem.trees[at(block.index)].inertia) mass += inertia.mass;
        break;
      case BlockKind::Sparse: {  // no mass to speak of: the mean of the diagonal
        const SparseRows& lower = problem.sparse[at(block.index)].lower;
        for (int r = 0; r < lower.rows(); ++r) mass += lower.value[lower.end(r) - 1];
        mass /= std::max(1, lower.rows());
        break;
      }
    }
    if (!(mass > 0)) continue;
    sum += std::log(mass / count);
    ++counted;
  }
  return counted == 0 ? 1.0 : std::exp(sum / counted);
}

}  // namespace uzawa
