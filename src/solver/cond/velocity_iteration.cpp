#include "uzawa/solver/cond/velocity_iteration.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/problem/block_matrix.hpp"

namespace uzawa {

namespace {

constexpr int kNodes = 128, kBlocks = 16, kConstraints = 64;  // that one thread takes at once

}  // namespace

template <typename Task>
void VelocityIteration::for_each_chunk(int count, int chunk, Task&& task) const {
  const int chunks = (count + chunk - 1) / chunk;
  const auto run = [&](int i) { task(i * chunk, std::min(count, (i + 1) * chunk)); };
  if (pool_ != nullptr && chunks > 1) {
    pool_->for_each(chunks, run);
  } else {
    for (int i = 0; i < chunks; ++i) run(i);
  }
}

bool VelocityIteration::prepare(const Problem& problem, const CompactRows& rows, const CondSettings& settings,
                                ThreadPool* pool) {
  problem_ = &problem;
  settings_ = settings;
  pool_ = pool;
  if (!sizes_.read(problem, settings)) return false;
  nodes_.build(problem, rows, sizes_.diagonal_blocks());
  sizes_.choose_gains(problem, settings, nodes_);
  if (!sizes_.build(problem, settings, nodes_)) return false;
  if (!coarse_.prepare(problem, nodes_, sizes_, settings.surrogate == CondSurrogate::TwoLevel)) return false;
  laws_.prepare(problem, settings.contact);
  make_parts(problem);
  const std::size_t slots = at(nodes_.virtual_nodes());
  z_ = at(problem.n());
  lag_ = z_ + 3 * slots;
  size_ = lag_ + 3 * slots;
  y_.resize(slots);
  gradient_.resize(z_);
  u_star_.resize(at(nodes_.constraints()));
  lambda_.assign(at(nodes_.constraints()), Vec3{});
  any_alone_ = false;
  for (const int c : nodes_.owners()) any_alone_ = any_alone_ || nodes_.direct().empty(c);
  set_gammas();
  metric_.resize(size_);
  std::copy(sizes_.metric().begin(), sizes_.metric().end(), metric_.begin());
  for (std::size_t s = 0; s < slots; ++s) {
    const double gain = sizes_.gains()[s];
    std::fill_n(metric_.begin() + static_cast<std::ptrdiff_t>(z_ + 3 * s), 3, gain);
    std::fill_n(metric_.begin() + static_cast<std::ptrdiff_t>(lag_ + 3 * s), 3, 1 / gain);
  }
  return true;
}

void VelocityIteration::make_parts(const Problem& problem) {
  parts_.clear();
  const int blocks = static_cast<int>(problem.blocks.size());
  for (int b = 0; b < blocks; ++b) {
    const Block& block = problem.blocks[at(b)];
    if (block.kind == BlockKind::Nodal && !sizes_.has_inverse(b)) {
      const int nodes = block.size / 3;
      for (int i = 0; i < nodes; i += kNodes) parts_.push_back({b, i, std::min(nodes, i + kNodes)});
    } else if (!parts_.empty() && parts_.back().nodal_block < 0 && parts_.back().end == b &&
               b - parts_.back().begin < kBlocks) {
      ++parts_.back().end;
    } else {
      parts_.push_back({-1, b, b + 1});
    }
  }
}

void VelocityIteration::set_gammas() {
  gamma_.resize(at(nodes_.constraints()));
  for (int c = 0; c < nodes_.constraints(); ++c) {
    const int slot = nodes_.slot(c);
    gamma_[at(c)] = sizes_.direct_mobility(nodes_, c) + (slot >= 0 ? 1 / sizes_.gains()[at(slot)] : 0);
  }
}

void VelocityIteration::shorten_steps() {
  sizes_.shrink(0.5);
  set_gammas();
}

void VelocityIteration::start(std::span<const double> v, std::span<const double> lambda, std::span<double> x) const {
  std::copy(v.begin(), v.end(), x.begin());
  const std::span<const int> owners = nodes_.owners();
  for (std::size_t s = 0; s < owners.size(); ++s) {
    const int row = problem_->constraints[at(owners[s])].row;
    const Vec3 given = problem_->dims(owners[s]) == 3 ? Vec3::from(&lambda[at(row)]) : Vec3{0, 0, lambda[at(row)]};
    nodes_.virtual_part().velocity(owners[s], v.data()).store(&x[z_ + 3 * s]);
    (settings_.lag == CondLag::None ? Vec3{} : given).store(&x[lag_ + 3 * s]);
  }
}

void VelocityIteration::step(std::span<const double> x, std::span<double> next) {
  const auto for_constraints = [&](auto method, bool direct) {
    for_each_chunk(nodes_.constraints(), kConstraints,
                   [&](int begin, int end) { (this->*method)(begin, end, direct, x.data(), next.data()); });
  };
  for_each_chunk(nodes_.virtual_nodes(), kConstraints, [&](int begin, int end) { pull(begin, end, x.data()); });
  for_each_chunk(static_cast<int>(parts_.size()), 1, [&](int i, int) { move(parts_[at(i)], x.data(), next.data()); });
  coarse_.correct(sizes_.scale(), gradient_, problem_->b, next.data());
  for_constraints(&VelocityIteration::observe, true);
  for_constraints(&VelocityIteration::respond, true);
  if (!any_alone_) return;
  // Constraints without a direct part see the nodes where the others' impulses have brought them: z = V v holds at the
  // end for the nodes that they share, too.
  for_constraints(&VelocityIteration::observe, false);
  for_constraints(&VelocityIteration::respond, false);
}

/// Virtual nodes [begin, end).
void VelocityIteration::pull(int begin, int end, const double* x) {
  for (int s = begin; s < end; ++s) {
    const Vec3 u = nodes_.virtual_part().velocity(nodes_.owners()[at(s)], x);
    y_[at(s)] = (u - Vec3::from(x + z_ + 3 * at(s))) * sizes_.gains()[at(s)] - Vec3::from(x + lag_ + 3 * at(s));
  }
}

/// The rest of the gradient at dofs with step sizes of their own, whose A v is there, and their step.
void VelocityIteration::finish_row(int first, int count, const double* x, double* next) {
  const std::span<const double> weight = sizes_.weights();
  for (int dof = first; dof < first + count; ++dof) {
    const double g = gradient_[at(dof)] - problem_->b[at(dof)] + nodes_.transposed(dof, y_.data());
    next[dof] = x[dof] - weight[at(dof)] * g;
  }
}

void VelocityIteration::move(const Part& part, const double* x, double* next) {
  if (part.nodal_block < 0) {
    for (int b = part.begin; b < part.end; ++b) move_block(b, x, next);
    return;
  }
  const Block& block = problem_->blocks[at(part.nodal_block)];
  sizes_.product(block.index)
      .multiply(problem_->nodal[at(block.index)], part.begin, part.end, x + block.offset,
                gradient_.data() + block.offset);
  finish_row(block.offset + 3 * part.begin, 3 * (part.end - part.begin), x, next);
}

void VelocityIteration::move_block(int b, const double* x, double* next) {
  const Block& block = problem_->blocks[at(b)];
  double* gradient = gradient_.data() + block.offset;
  if (sizes_.has_dense(b)) {
    sizes_.multiply_dense(b, x + block.offset, gradient);
  } else {
    multiply_block(*problem_, b, x + block.offset, gradient);
  }
  if (!sizes_.has_inverse(b)) return finish_row(block.offset, block.size, x, next);
  for (int i = 0; i < block.size; ++i) {
    const int dof = block.offset + i;
    gradient[i] += nodes_.transposed(dof, y_.data()) - problem_->b[at(dof)];
    next[dof] = x[dof];
  }
  sizes_.step_inverse(b, gradient, next + block.offset);
}

/// Constraints [begin, end) with a direct part, or those without: velocities before their impulses.
void VelocityIteration::observe(int begin, int end, bool with_direct, const double* x, double* next) {
  const RowPieces &direct = nodes_.direct(), &far = nodes_.virtual_part();
  for (int c = begin; c < end; ++c) {
    if (direct.empty(c) == with_direct) continue;
    const int slot = nodes_.slot(c);
    Vec3 u = direct.velocity(c, next);
    if (slot >= 0) {
      // Beside a direct part, the last velocities of nodes that are about to be pushed.
      const Vec3 at_sides = far.velocity(c, with_direct && nodes_.shares_nodes(c) ? x : next);
      const Vec3 free = at_sides - Vec3::from(x + lag_ + 3 * at(slot)) * (1 / sizes_.gains()[at(slot)]);
      free.store(next + z_ + 3 * at(slot));
      u += free;
    }
    u_star_[at(c)] = u;
  }
}

/// Constraints [begin, end): laws, virtual nodes, and the impulses' effect on nodes, which are theirs alone.
void VelocityIteration::respond(int begin, int end, bool with_direct, const double* x, double* next) {
  const RowPieces& direct = nodes_.direct();
  laws_.solve(begin, end, u_star_.data(), gamma_.data(), lambda_.data());
  const std::span<const double> weight = sizes_.weights();
  for (int c = begin; c < end; ++c) {
    if (direct.empty(c) == with_direct) continue;
    const Vec3& lambda = lambda_[at(c)];
    for (std::size_t k = direct.begin(c); k < direct.end(c); ++k) {
      const int dof = direct.column[k];
      next[dof] += weight[at(dof)] * dot(direct.value[k], lambda);
    }
    const int slot = nodes_.slot(c);
    if (slot < 0) continue;
    double *z = next + z_ + 3 * at(slot), *lag = next + lag_ + 3 * at(slot);
    (Vec3::from(z) + lambda * (1 / sizes_.gains()[at(slot)])).store(z);
    (settings_.lag == CondLag::Iterated ? lambda : Vec3::from(x + lag_ + 3 * at(slot))).store(lag);
  }
}

void VelocityIteration::impulses(std::span<double> lambda) const {
  for (std::size_t c = 0; c < lambda_.size(); ++c) {
    const int row = problem_->constraints[c].row;
    if (problem_->dims(static_cast<int>(c)) == 3) {
      lambda_[c].store(&lambda[at(row)]);
    } else {
      lambda[at(row)] = lambda_[c].z();
    }
  }
}

}  // namespace uzawa
