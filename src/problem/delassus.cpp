#include "uzawa/problem/delassus.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// v += sum of the three rows of `r`, each times its delta. A free body's size is known to the compiler.
template <int kSize>
void add_three(double* v, const double* r, const double* delta) {
  for (int k = 0; k < kSize; ++k) v[k] += r[k] * delta[0] + r[kSize + k] * delta[1] + r[2 * kSize + k] * delta[2];
}
void add_three(double* v, const double* r, const double* delta, int size) {
  for (int k = 0; k < size; ++k) v[k] += r[k] * delta[0] + r[size + k] * delta[1] + r[2 * size + k] * delta[2];
}

/// The simple Q takes such a block as it is.
bool is_whole(const Block& block) { return block.kind == BlockKind::FreeBody || block.kind == BlockKind::Tree; }

}  // namespace

void DelassusOperator::build(const Problem& problem, const BlockFactor& factor, const CompactRows& rows,
                             DelassusForm form) {
  unit_.assign(at(problem.n()), 0.0);
  find_touched(problem);
  build_responses(rows, [&](const Touched& t, std::span<double> x) { factor.solve_block(t.block, x); });
  explicit_ = form == DelassusForm::Explicit;
  if (form == DelassusForm::MatrixFree) return;
  find_constraints_of_blocks(problem);
  if (form == DelassusForm::Automatic) explicit_ = is_explicit_cheaper(rows);
  if (explicit_) build_explicit(problem, rows);
}

void DelassusOperator::find_touched(const Problem& problem) {
  touched_start_.assign(1, 0);
  touched_.clear();
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const auto begin = static_cast<std::ptrdiff_t>(touched_.size());
    for (int a = problem.attachment_start[c]; a < problem.attachment_start[c + 1]; ++a) {
      const int b = problem.attachments[at(a)].block;
      touched_.push_back({b, problem.blocks[at(b)].offset, problem.blocks[at(b)].size});
    }
    std::sort(touched_.begin() + begin, touched_.end(),
              [](const Touched& x, const Touched& y) { return x.block < y.block; });
    const auto last = std::unique(touched_.begin() + begin, touched_.end(),
                                  [](const Touched& x, const Touched& y) { return x.block == y.block; });
    touched_.erase(last, touched_.end());
    touched_start_.push_back(static_cast<int>(touched_.size()));
  }
}

void DelassusOperator::build_simple(const Problem& problem, const BlockFactor& factor, const CompactRows& rows,
                                    std::span<const double> weight) {
  unit_.assign(at(problem.n()), 0.0);
  explicit_ = false;
  find_touched_parts(problem, rows);
  build_responses(rows, [&](const Touched& t, std::span<double> x) {
    if (is_whole(problem.blocks[at(t.block)])) factor.solve_block(t.block, x);
    for (int k = 0; k < t.size; ++k) x[at(k)] /= weight[at(t.offset + k)];
  });
}

/// Whole blocks of bodies and trees; of the others the runs of columns that the constraint has.
void DelassusOperator::find_touched_parts(const Problem& problem, const CompactRows& rows) {
  touched_start_.assign(1, 0);
  touched_.clear();
  for (int c = 0; c < rows.constraints(); ++c) {
    int b = 0, end = 0;  // block of the last column, first dof that is not touched yet
    for (int k = 0; k < rows.width(c); ++k) {
      const int column = rows.columns(c)[k];
      if (column < end) continue;
      while (column >= problem.blocks[at(b)].offset + problem.blocks[at(b)].size) ++b;
      const Block& block = problem.blocks[at(b)];
      if (is_whole(block)) {
        touched_.push_back({b, block.offset, block.size});
      } else if (column == end && at(touched_start_.back()) < touched_.size() && touched_.back().block == b) {
        ++touched_.back().size;
      } else {
        touched_.push_back({b, column, 1});
      }
      end = touched_.back().offset + touched_.back().size;
    }
    touched_start_.push_back(static_cast<int>(touched_.size()));
  }
}

template <typename Solve>
void DelassusOperator::build_responses(const CompactRows& rows, Solve&& solve) {
  std::size_t size = 0;
  response_start_.clear();
  for (int c = 0; c < rows.constraints(); ++c) {
    response_start_.push_back(size);
    for (const Touched& t : touched(c)) size += at(rows.dims(c) * t.size);
  }
  response_.resize(size);
  diagonal_.assign(9 * at(rows.constraints()), 0.0);
  const std::span<double> x = unit_;
  for (int c = 0; c < rows.constraints(); ++c) {
    const int dims = rows.dims(c), width = rows.width(c);
    const int* column = rows.columns(c);
    for (int d = 0; d < dims; ++d) {
      for (int k = 0; k < width; ++k) x[at(column[k])] = rows.row(c, d)[k];
      for (const Touched& t : touched(c)) solve(t, x.subspan(at(t.offset), at(t.size)));
      for (int e = 0; e < dims; ++e) {
        double sum = 0;
        for (int k = 0; k < width; ++k) sum += rows.row(c, e)[k] * x[at(column[k])];
        diagonal_[9 * at(c) + at(e * dims + d)] = sum;
      }
      double* out = response_.data() + response_start_[at(c)];
      for (const Touched& t : touched(c)) {
        double* from = x.data() + t.offset;
        std::copy_n(from, t.size, out + d * t.size);
        std::fill_n(from, t.size, 0.0);
        out += dims * t.size;
      }
    }
  }
}

void DelassusOperator::find_constraints_of_blocks(const Problem& problem) {
  block_start_.assign(problem.blocks.size() + 1, 0);
  for (const Touched& t : touched_) ++block_start_[at(t.block) + 1];
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) block_start_[b + 1] += block_start_[b];
  next_.assign(block_start_.begin(), block_start_.end());
  block_constraint_.resize(touched_.size());
  const int constraints = static_cast<int>(problem.constraints.size());
  for (int c = 0; c < constraints; ++c) {
    for (const Touched& t : touched(c)) block_constraint_[at(next_[at(t.block)]++)] = c;
  }
  mark_.assign(at(constraints), -1);
}

/// Constraints that share a block with c, itself among them: felt_.
void DelassusOperator::find_neighbours(int c) {
  felt_.clear();
  for (const Touched& t : touched(c)) {
    for (int k = block_start_[at(t.block)]; k < block_start_[at(t.block) + 1]; ++k) {
      const int j = block_constraint_[at(k)];
      if (mark_[at(j)] == c) continue;
      mark_[at(j)] = c;
      felt_.push_back(j);
    }
  }
}

/// Numbers read in one sweep decide: J and the responses, or the couplings.
bool DelassusOperator::is_explicit_cheaper(const CompactRows& rows) {
  std::size_t matrix_free = response_.size(), couplings = 0;
  for (int c = 0; c < rows.constraints(); ++c) matrix_free += at(rows.dims(c) * rows.width(c));
  for (int c = 0; c < rows.constraints() && couplings < matrix_free; ++c) {
    find_neighbours(c);
    for (const int j : felt_) couplings += at(rows.dims(j) * rows.dims(c));
  }
  std::fill(mark_.begin(), mark_.end(), -1);
  return couplings < matrix_free;
}

void DelassusOperator::build_explicit(const Problem& problem, const CompactRows& rows) {
  neighbour_start_.assign(1, 0);
  neighbour_.clear();
  coupling_start_.clear();
  coupling_.clear();
  const std::size_t n = at(problem.n());
  spread_.assign(3 * n, 0.0);
  for (int c = 0; c < rows.constraints(); ++c) {
    const int dims = rows.dims(c);
    const double* response = response_.data() + response_start_[at(c)];
    for (const Touched& t : touched(c)) {
      for (int d = 0; d < dims; ++d, response += t.size)
        std::copy_n(response, t.size, &spread_[at(d) * n + at(t.offset)]);
    }
    find_neighbours(c);
    std::sort(felt_.begin(), felt_.end());
    coupling_start_.push_back(coupling_.size());
    for (const int j : felt_) {
      const std::size_t start = coupling_.size();
      bool nonzero = false;
      for (int e = 0; e < rows.dims(j); ++e) {
        for (int d = 0; d < dims; ++d) {
          double sum = 0;
          for (int k = 0; k < rows.width(j); ++k)
            sum += rows.row(j, e)[k] * spread_[at(d) * n + at(rows.columns(j)[k])];
          coupling_.push_back(sum);
          nonzero = nonzero || sum != 0;
        }
      }
      // Trees of one block that only the ground joins do not feel each other.
      if (nonzero) {
        neighbour_.push_back(j);
      } else {
        coupling_.resize(start);
      }
    }
    neighbour_start_.push_back(static_cast<int>(neighbour_.size()));
    for (const Touched& t : touched(c)) {
      for (int d = 0; d < dims; ++d) std::fill_n(&spread_[at(d) * n + at(t.offset)], t.size, 0.0);
    }
  }
}

void DelassusOperator::reset(const Problem& problem, const BlockFactor& factor, const CompactRows& rows,
                             std::span<const double> lambda, Velocities& velocities) {
  auto& [v, u] = velocities;
  v.assign(problem.b.begin(), problem.b.end());
  u.resize(at(problem.rows));
  rows.add_transposed(lambda.data(), v.data());
  factor.solve(v);
  rows.multiply(v.data(), u.data());
}

void DelassusOperator::constraint_velocity(const CompactRows& rows, int c, const Velocities& velocities,
                                           double* u) const {
  const int dims = rows.dims(c), width = rows.width(c);
  if (explicit_) {
    std::copy_n(&velocities.u[at(rows.first_row(c))], dims, u);
    return;
  }
  const int* column = rows.columns(c);
  const double* row = rows.row(c, 0);
  const double* v = velocities.v.data();
  if (dims == 1) {
    double sum = 0;
    for (int k = 0; k < width; ++k) sum += row[k] * v[column[k]];
    u[0] = sum;
    return;
  }
  // Three sums at a time hide each other's latency.
  double x = 0, y = 0, z = 0;
  for (int k = 0; k < width; ++k) {
    const double value = v[column[k]];
    x += row[k] * value;
    y += row[width + k] * value;
    z += row[2 * width + k] * value;
  }
  u[0] = x;
  u[1] = y;
  u[2] = z;
}

void DelassusOperator::apply(const CompactRows& rows, int c, const double* delta, Velocities& velocities) const {
  const int dims = rows.dims(c);
  if (!explicit_) {
    const double* response = response_.data() + response_start_[at(c)];
    for (const Touched& t : touched(c)) {
      double* v = velocities.v.data() + t.offset;
      if (dims == 1) {
        for (int k = 0; k < t.size; ++k) v[k] += response[k] * delta[0];
      } else if (t.size == 6) {
        add_three<6>(v, response, delta);
      } else {
        add_three(v, response, delta, t.size);
      }
      response += dims * t.size;
    }
    return;
  }
  const double* block = coupling_.data() + coupling_start_[at(c)];
  for (int k = neighbour_start_[at(c)]; k < neighbour_start_[at(c) + 1]; ++k) {
    const int j = neighbour_[at(k)], dims_j = rows.dims(j);
    double* u = &velocities.u[at(rows.first_row(j))];
    if (dims == 3) {
      for (int e = 0; e < dims_j; ++e, block += 3)
        u[e] += block[0] * delta[0] + block[1] * delta[1] + block[2] * delta[2];
    } else {
      for (int e = 0; e < dims_j; ++e, ++block) u[e] += block[0] * delta[0];
    }
  }
}

}  // namespace uzawa
