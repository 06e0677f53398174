#include "uzawa/solver/cond/coarse_correction.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/panel.hpp"

namespace uzawa {

namespace {

constexpr int kAggregates = 64;  // of a body, about: their dense inverse costs no more than a product with A
constexpr int kLeastNodes = 8;   // of an aggregate. Bodies that have fewer free nodes converge as fast without

using Dense = Eigen::Map<Eigen::MatrixXd>;

}  // namespace

bool CoarseCorrection::prepare(const Problem& problem, const Nodalization& nodes, const StepSizes& sizes, bool asked) {
  bodies_.clear();
  if (!asked) return true;
  mark_touched(nodes, problem.n());
  int count = 0;
  for (const Block& block : problem.blocks) count += block.kind == BlockKind::Nodal ? block.size / 3 : 0;
  aggregate_.assign(at(count), -1);
  std::size_t coarse = 0, entries = 0;
  bool good = true;
  int first_node = 0;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    if (block.kind != BlockKind::Nodal || sizes.has_inverse(static_cast<int>(b))) continue;
    const NodalMatrix& matrix = problem.nodal[at(block.index)];
    Body body{block.offset, matrix.nodes(), first_node, 0, coarse, entries};
    first_node += body.nodes;
    aggregate(*matrix.pattern, body);
    if (body.aggregates == 0) continue;
    const std::size_t size = at(3 * body.aggregates);
    coarse += size;
    entries += size * size;
    inverse_.resize(std::max(inverse_.size(), entries));
    good = factorize(matrix, body) && good;
    bodies_.push_back(body);
  }
  force_.resize(coarse);
  motion_.resize(coarse);
  return good;
}

void CoarseCorrection::mark_touched(const Nodalization& nodes, int dofs) {
  touched_.assign(at(dofs), 0);
  for (const RowPieces* part : {&nodes.direct(), &nodes.virtual_part()}) {
    for (const int dof : part->column) touched_[at(dof)] = 1;
  }
}

/// Grows aggregates breadth first, each to its share of the free nodes; what is left between them joins a neighbour.
void CoarseCorrection::aggregate(const NodalPattern& pattern, Body& body) {
  const auto is_free = [&](int node) {
    const char* t = &touched_[at(body.offset + 3 * node)];
    return t[0] == 0 && t[1] == 0 && t[2] == 0;
  };
  start_.assign(at(body.nodes) + 1, 0);
  const auto for_each_pair = [&](auto&& visit) {
    for (int i = 0; i < body.nodes; ++i) {
      for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1]; ++k) {
        const int j = pattern.column[at(k)];
        if (j != i) visit(i, j), visit(j, i);
      }
    }
  };
  for_each_pair([&](int i, int) { ++start_[at(i) + 1]; });
  for (int i = 0; i < body.nodes; ++i) start_[at(i) + 1] += start_[at(i)];
  around_.resize(at(start_.back()));
  for_each_pair([&](int i, int j) { around_[at(start_[at(i)]++)] = j; });
  for (int i = body.nodes; i > 0; --i) start_[at(i)] = start_[at(i) - 1];
  start_[0] = 0;
  int free = 0;
  for (int i = 0; i < body.nodes; ++i) free += is_free(i) ? 1 : 0;
  if (free < kAggregates * kLeastNodes) return;
  const int size = (free + kAggregates - 1) / kAggregates;
  int* of = aggregate_.data() + body.first_node;
  for (int seed = 0; seed < body.nodes; ++seed) {
    if (of[seed] >= 0 || !is_free(seed)) continue;
    const int own = body.aggregates;
    int neighbour = -1;
    queue_.assign(1, seed);
    of[seed] = own;
    for (std::size_t k = 0; k < queue_.size(); ++k) {
      for (int e = start_[at(queue_[k])]; e < start_[at(queue_[k]) + 1]; ++e) {
        const int other = around_[at(e)];
        if (of[other] >= 0 && of[other] != own) neighbour = of[other];
        if (of[other] >= 0 || !is_free(other) || static_cast<int>(queue_.size()) >= size) continue;
        of[other] = own;
        queue_.push_back(other);
      }
    }
    if (neighbour >= 0 && 2 * static_cast<int>(queue_.size()) < size) {
      for (const int node : queue_) of[node] = neighbour;
    } else {
      ++body.aggregates;
    }
  }
}

bool CoarseCorrection::factorize(const NodalMatrix& matrix, const Body& body) {
  const int size = 3 * body.aggregates;
  Dense coarse(inverse_.data() + body.place, size, size);
  coarse.setZero();
  const NodalPattern& pattern = *matrix.pattern;
  const int* of = aggregate_.data() + body.first_node;
  for (int i = 0; i < body.nodes; ++i) {
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1]; ++k) {
      const int j = pattern.column[at(k)];
      if (of[i] < 0 || of[j] < 0) continue;
      const double* a = matrix.block(at(k));
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          coarse(3 * of[i] + r, 3 * of[j] + c) += a[3 * r + c];
          if (i != j) coarse(3 * of[j] + c, 3 * of[i] + r) += a[3 * r + c];
        }
      }
    }
  }
  return invert(coarse.data(), size);
}

/// In place, by our own kernels: Eigen's take memory for matrices of this size.
bool CoarseCorrection::invert(double* matrix, int size) {
  const int stride = triangle_stride(size);
  factor_.assign(at(stride) * at(size), 0.0);
  column_.resize(at(kPanelRows) * at(padded_rows(size) + kPanelRows));
  for (int j = 0; j < size; ++j) std::copy_n(matrix + at(size) * at(j), size, &factor_[at(stride) * at(j)]);
  const Matrix triangle{factor_.data(), stride};
  if (!factorize_panel(triangle, size, {}, 0)) return false;
  for (int first = 0; first < size; first += kPanelRows) {
    const int count = std::min(kPanelRows, size - first);
    std::fill(column_.begin(), column_.end(), 0.0);
    for (int k = 0; k < count; ++k) column_[at(kPanelRows * (first + k) + k)] = 1;
    panel_forward_many(triangle, size, {}, 0, column_.data(), nullptr);
    panel_backward_many(triangle, size, {}, 0, column_.data(), nullptr);
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < size; ++i) matrix[at(size) * at(first + k) + at(i)] = column_[at(kPanelRows * i + k)];
    }
  }
  return true;
}

void CoarseCorrection::correct(double scale, std::span<const double> product, std::span<const double> b, double* v) {
  std::fill(force_.begin(), force_.end(), 0.0);
  for (const Body& body : bodies_) {
    const int* of = aggregate_.data() + body.first_node;
    double* force = force_.data() + body.first;
    for (int i = 0; i < body.nodes; ++i) {
      if (of[i] < 0) continue;
      const std::size_t dof = at(body.offset + 3 * i);
      for (std::size_t d = 0; d < 3; ++d) force[at(3 * of[i]) + d] += product[dof + d] - b[dof + d];
    }
    const int size = 3 * body.aggregates;
    Eigen::Map<Eigen::VectorXd>(motion_.data() + body.first, size).noalias() =
        Eigen::Map<const Eigen::MatrixXd>(inverse_.data() + body.place, size, size) *
        Eigen::Map<const Eigen::VectorXd>(force, size);
    const double* motion = motion_.data() + body.first;
    for (int i = 0; i < body.nodes; ++i) {
      if (of[i] < 0) continue;
      for (int d = 0; d < 3; ++d) v[body.offset + 3 * i + d] -= scale * motion[3 * of[i] + d];
    }
  }
}

}  // namespace uzawa
