#include "uzawa/solver/first_order/splitting.hpp"

#include <algorithm>
#include <cstdint>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr int kProbes = 2;  // of the estimate of A^-1; each averages over all nodes that are held

}  // namespace

void ConstraintSplitting::prepare(PreparedProblem& prepared) {
  prepared_ = &prepared;
  const Problem& problem = prepared.problem();
  find_scales();
  weight_.resize(scale_.size());
  place_.assign(problem.blocks.size(), -1);
  nodes_.blocks.clear();
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    if (!is_node_block(problem.blocks[b])) continue;
    place_[b] = static_cast<int>(nodes_.blocks.size());
    nodes_.blocks.push_back(problem.blocks[b]);
  }
}

/// A contact holds all three dofs of a node with one mass: it does not matter how its frame is turned.
void ConstraintSplitting::find_scales() {
  const Problem& problem = prepared_->problem();
  const CompactRows& rows = prepared_->compact_rows();
  scale_.resize(at(problem.n()));
  weight_.assign(at(problem.n()), 0.0);
  couples_ = !std::all_of(problem.blocks.begin(), problem.blocks.end(),
                          [&](const Block& block) { return is_node_block(block); });
  for (const int column : rows.pattern().columns) {
    couples_ = couples_ || weight_[at(column)] != 0;
    weight_[at(column)] = 1;
  }
  diagonal(problem, prepared_->factor(), scale_);
  for (int b = 0; b < std::ssize(problem.blocks); ++b) {
    const Block& block = problem.blocks[at(b)];
    if (!is_node_block(block)) continue;
    double *scale = &scale_[at(block.offset)], *held = &weight_[at(block.offset)];
    if (block.kind == BlockKind::Nodal) {
      for (int i = 0; i < block.size; i += 3) {
        const double mean = (scale[i] + scale[i + 1] + scale[i + 2]) / 3;
        const bool any = held[i] + held[i + 1] + held[i + 2] > 0;
        std::fill_n(scale + i, 3, any ? mean : 0.0);
      }
    } else {
      for (int i = 0; i < block.size; ++i) scale[i] *= held[i];
    }
    const double softer = yielding(b);
    for (int i = 0; i < block.size; ++i) scale[i] /= softer;
  }
}

/// How much more the held nodes of a block yield than their diagonal of A says: the ratio of the sums over the
/// diagonals of A^-1 and of diag(A)^-1, the former by Hutchinson's estimate z^T A^-1 z with random signs z. The draws
/// are the same in every solve.
double ConstraintSplitting::yielding(int block) {
  const Block& b = prepared_->problem().blocks[at(block)];
  const double* scale = &scale_[at(b.offset)];
  std::uint64_t state = 0x9e3779b97f4a7c15U;
  double inverse = 0, plain = 0;
  std::vector<double>& x = probe_;
  for (int probe = 0; probe < kProbes; ++probe) {
    x.assign(at(b.size), 0.0);
    const auto sign_of = [](std::uint64_t s) { return (s >> 63U) != 0 ? 1.0 : -1.0; };
    const auto next = [&] { return state = state * 6364136223846793005U + 1442695040888963407U; };
    const std::uint64_t start = state;
    for (int i = 0; i < b.size; ++i) x[at(i)] = scale[i] > 0 ? sign_of(next()) : 0;
    prepared_->factor().solve_block(block, x);
    state = start;
    for (int i = 0; i < b.size; ++i) {
      if (!(scale[i] > 0)) continue;
      inverse += sign_of(next()) * x[at(i)];
      plain += 1 / scale[i];
    }
  }
  return plain > 0 ? inverse / plain : 1;
}

bool ConstraintSplitting::set_penalty(double penalty) {
  penalty_ = penalty;
  const Problem& problem = prepared_->problem();
  for (const Block& block : problem.blocks) {
    for (int i = block.offset; i < block.offset + block.size; ++i) {
      weight_[at(i)] = is_node_block(block) ? penalty * scale_[at(i)] : penalty;
    }
  }
  nodes_.nodal = problem.nodal;
  nodes_.sparse = problem.sparse;
  for (const Block& block : nodes_.blocks) {
    const double* weight = &weight_[at(block.offset)];
    if (block.kind == BlockKind::Nodal) {
      NodalMatrix& matrix = nodes_.nodal[at(block.index)];
      for (int node = 0; node < matrix.nodes(); ++node) matrix.add_to_diagonal(node, weight[3 * node]);
    } else {
      SparseRows& lower = nodes_.sparse[at(block.index)].lower;
      for (int r = 0; r < lower.rows(); ++r) lower.value[lower.end(r) - 1] += weight[r];
    }
  }
  return factor_.factorize(nodes_);
}

void ConstraintSplitting::solve(std::span<const double> z, std::span<double> v) const {
  const Problem& problem = prepared_->problem();
  for (int b = 0; b < std::ssize(problem.blocks); ++b) {
    const Block& block = problem.blocks[at(b)];
    const std::span<double> part = v.subspan(at(block.offset), at(block.size));
    const double* zb = &z[at(block.offset)];
    if (is_node_block(block)) {
      for (std::size_t i = 0; i < part.size(); ++i) part[i] += weight_[at(block.offset) + i] * zb[i];
      factor_.solve_block(place_[at(b)], part);
    } else {  // (1 + penalty) A v = right side + penalty A z
      prepared_->factor().solve_block(b, part);
      for (std::size_t i = 0; i < part.size(); ++i) part[i] = (part[i] + penalty_ * zb[i]) / (1 + penalty_);
    }
  }
}

}  // namespace uzawa
