#include "uzawa/solver/delassus.hpp"

#include <algorithm>

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The blocks of A that a constraint is attached to, each once, in order.
std::vector<int> attached_blocks(const Problem& problem, int c) {
  std::vector<int> blocks;
  for (int a = problem.attachment_start[at(c)]; a < problem.attachment_start[at(c) + 1]; ++a) {
    blocks.push_back(problem.attachments[at(a)].block);
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

}  // namespace

void DelassusOperator::build_responses(const Problem& problem, const Judge& judge, const CompactRows& rows) {
  response_start_.assign(1, 0);
  response_column_.clear();
  response_value_start_.clear();
  response_.clear();
  diagonal_.assign(9 * at(rows.constraints()), 0.0);
  std::vector<double> x(at(problem.n()), 0.0);
  for (int c = 0; c < rows.constraints(); ++c) {
    const std::vector<int> blocks = attached_blocks(problem, c);
    const std::size_t begin = response_column_.size();
    for (const int b : blocks) {
      const Block& block = problem.blocks[at(b)];
      for (int k = 0; k < block.size; ++k) response_column_.push_back(block.offset + k);
    }
    response_start_.push_back(static_cast<int>(response_column_.size()));
    response_value_start_.push_back(response_.size());
    const int* column = rows.columns(c);
    for (int d = 0; d < rows.dims(c); ++d) {
      for (int k = 0; k < rows.width(c); ++k) x[at(column[k])] = rows.row(c, d)[k];
      for (const int b : blocks) {
        const Block& block = problem.blocks[at(b)];
        judge.factor().solve_block(b, {x.data() + block.offset, at(block.size)});
      }
      for (int e = 0; e < rows.dims(c); ++e) {
        double sum = 0;
        for (int k = 0; k < rows.width(c); ++k) sum += rows.row(c, e)[k] * x[at(column[k])];
        diagonal_[9 * at(c) + at(e * rows.dims(c) + d)] = sum;
      }
      for (std::size_t k = begin; k < response_column_.size(); ++k) {
        response_.push_back(x[at(response_column_[k])]);
        x[at(response_column_[k])] = 0;
      }
    }
  }
}

void DelassusOperator::build_explicit(const Problem& problem, const CompactRows& rows) {
  // Constraints by dof: whoever has a column where a response is not zero feels it.
  std::vector<std::vector<int>> touching(at(problem.n()));
  for (int c = 0; c < rows.constraints(); ++c) {
    for (int k = 0; k < rows.width(c); ++k) touching[at(rows.columns(c)[k])].push_back(c);
  }
  neighbour_start_.assign(1, 0);
  neighbour_.clear();
  coupling_start_.clear();
  coupling_.clear();
  std::vector<double> x(at(problem.n()), 0.0);
  std::vector<int> felt;
  for (int c = 0; c < rows.constraints(); ++c) {
    const int begin = response_start_[at(c)], width = response_start_[at(c) + 1] - begin;
    felt.clear();
    for (int k = 0; k < width; ++k) {
      const int column = response_column_[at(begin + k)];
      felt.insert(felt.end(), touching[at(column)].begin(), touching[at(column)].end());
    }
    std::sort(felt.begin(), felt.end());
    felt.erase(std::unique(felt.begin(), felt.end()), felt.end());
    coupling_start_.push_back(coupling_.size());
    for (const int j : felt) {
      const std::size_t start = coupling_.size();
      coupling_.resize(start + at(rows.dims(j) * rows.dims(c)), 0.0);
      bool nonzero = false;
      for (int d = 0; d < rows.dims(c); ++d) {
        const double* response = response_.data() + response_value_start_[at(c)] + at(d * width);
        for (int k = 0; k < width; ++k) x[at(response_column_[at(begin + k)])] = response[k];
        for (int e = 0; e < rows.dims(j); ++e) {
          double sum = 0;
          for (int k = 0; k < rows.width(j); ++k) sum += rows.row(j, e)[k] * x[at(rows.columns(j)[k])];
          coupling_[start + at(e * rows.dims(c) + d)] = sum;
          nonzero = nonzero || sum != 0;
        }
        for (int k = 0; k < width; ++k) x[at(response_column_[at(begin + k)])] = 0;
      }
      if (nonzero) {
        neighbour_.push_back(j);
      } else {
        coupling_.resize(start);
      }
    }
    neighbour_start_.push_back(static_cast<int>(neighbour_.size()));
  }
}

void DelassusOperator::prepare(const Problem& problem, const Judge& judge, const CompactRows& rows, Form form) {
  build_responses(problem, judge, rows);
  v_.resize(at(problem.n()));
  u_.resize(at(problem.rows));
  explicit_ = form == Form::Explicit;
  if (form == Form::MatrixFree) return;
  build_explicit(problem, rows);
  // Numbers read in one sweep decide: J and responses, or the couplings.
  std::size_t matrix_free = response_.size();
  for (int c = 0; c < rows.constraints(); ++c) matrix_free += at(rows.dims(c) * rows.width(c));
  if (form == Form::Automatic) explicit_ = coupling_.size() < matrix_free;
}

void DelassusOperator::reset(const Problem& problem, const Judge& judge, const CompactRows& rows,
                             std::span<const double> lambda) {
  std::copy(problem.b.begin(), problem.b.end(), v_.begin());
  rows.add_transposed(lambda.data(), v_.data());
  judge.factor().solve(v_);
  rows.multiply(v_.data(), u_.data());
}

void DelassusOperator::constraint_velocity(const CompactRows& rows, int c, double* u) const {
  const int dims = rows.dims(c), first = rows.first_row(c);
  if (explicit_) {
    for (int d = 0; d < dims; ++d) u[d] = u_[at(first + d)];
    return;
  }
  const int* column = rows.columns(c);
  for (int d = 0; d < dims; ++d) {
    const double* entries = rows.row(c, d);
    double sum = 0;
    for (int k = 0; k < rows.width(c); ++k) sum += entries[k] * v_[at(column[k])];
    u[d] = sum;
  }
}

void DelassusOperator::apply(const CompactRows& rows, int c, const double* delta) {
  const int dims = rows.dims(c);
  if (!explicit_) {
    const int begin = response_start_[at(c)], width = response_start_[at(c) + 1] - begin;
    for (int d = 0; d < dims; ++d) {
      const double* response = response_.data() + response_value_start_[at(c)] + at(d * width);
      for (int k = 0; k < width; ++k) v_[at(response_column_[at(begin + k)])] += response[k] * delta[d];
    }
    return;
  }
  const double* block = coupling_.data() + coupling_start_[at(c)];
  for (int k = neighbour_start_[at(c)]; k < neighbour_start_[at(c) + 1]; ++k) {
    const int j = neighbour_[at(k)], dims_j = rows.dims(j), first = rows.first_row(j);
    for (int e = 0; e < dims_j; ++e, block += dims) {
      double sum = 0;
      for (int d = 0; d < dims; ++d) sum += block[d] * delta[d];
      u_[at(first + e)] += sum;
    }
  }
}

}  // namespace uzawa
