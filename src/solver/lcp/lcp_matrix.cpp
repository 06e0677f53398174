#include "uzawa/solver/lcp/lcp_matrix.hpp"

#include <algorithm>
#include <cassert>

#include "uzawa/base/at.hpp"

namespace uzawa {

void DenseLcpMatrix::assign(std::span<const double> entries, int size) {
  size_ = size;
  columns_.resize(entries.size());
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) columns_[at(j) * at(size) + at(i)] = entries[at(i) * at(size) + at(j)];
  }
}

void DenseLcpMatrix::add_product(std::span<const int> columns, std::span<const double> z, std::span<double> w) const {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const double* column = columns_.data() + at(columns[k]) * at(size_);
    for (std::size_t i = 0; i < at(size_); ++i) w[i] += z[k] * column[i];
  }
}

void ContactLcpMatrix::reset(std::span<const double> delassus, int rows) {
  delassus_ = delassus;
  rows_ = rows;
  largest_basis_ = rows;  // the rank of W at most, and what is added to G^T W G
  generators_.clear();
  slips_.clear();
  slip_of_.clear();
  impulse_.assign(at(rows), 0.0);
  velocity_.resize(at(rows));
}

int ContactLcpMatrix::add_variable(const Generator& generator) {
  generators_.push_back(generator);
  if (generator.compliance > 0) ++largest_basis_;
  slip_of_.push_back(-1);
  return size() - 1;
}

int ContactLcpMatrix::add_slip(int normal, double mu) {
  const int variable = add_variable({});
  slip_of_.back() = static_cast<int>(slips_.size());
  slips_.push_back({variable, normal, mu, variable + 1, 0});
  largest_basis_ += 2;  // a row and a column of P
  return variable;
}

int ContactLcpMatrix::add_side(const Generator& generator) {
  assert(!slips_.empty());
  ++slips_.back().sides;
  const int variable = add_variable(generator);
  generators_.back().slip = slips_.back().variable;
  return variable;
}

double ContactLcpMatrix::entry(int i, int j) const {
  const Generator &a = generators_[at(i)], &b = generators_[at(j)];
  double sum = i == j ? a.compliance : 0;
  for (int r = 0; r < a.dims; ++r) {
    const double* w = delassus_.data() + at(a.row + r) * at(rows_) + at(b.row);
    double part = 0;
    for (int s = 0; s < b.dims; ++s) part += w[s] * b.impulse[s];
    sum += a.impulse[r] * part;
  }
  if (a.slip == j) sum += 1;
  if (b.slip == i) sum -= 1;
  if (a.dims == 0) {
    const Slip& slip = slips_[at(slip_of_[at(i)])];
    if (slip.normal == j) sum += slip.mu;
  }
  return sum;
}

void ContactLcpMatrix::add_product(std::span<const int> columns, std::span<const double> z, std::span<double> w) const {
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const int j = columns[k];
    const Generator& g = generators_[at(j)];
    for (int d = 0; d < g.dims; ++d) impulse_[at(g.row + d)] += g.impulse[d] * z[k];
    w[at(j)] += g.compliance * z[k];
    if (g.slip >= 0) w[at(g.slip)] -= z[k];
    if (g.dims > 0) continue;
    const Slip& slip = slips_[at(slip_of_[at(j)])];
    for (int s = 0; s < slip.sides; ++s) w[at(slip.first_side + s)] += z[k];
  }
  // mu a of each contact: the normal impulse of these columns alone.
  for (const Slip& slip : slips_) {
    if (slip.normal < 0) continue;
    const Generator& normal = generators_[at(slip.normal)];
    w[at(slip.variable)] += slip.mu * impulse_[at(normal.row + 2)] / normal.impulse[2];
  }
  apply_delassus(impulse_, velocity_);
  for (std::size_t i = 0; i < generators_.size(); ++i) {
    const Generator& g = generators_[i];
    for (int d = 0; d < g.dims; ++d) w[i] += g.impulse[d] * velocity_[at(g.row + d)];
  }
}

void ContactLcpMatrix::impulses(std::span<const double> z, std::span<double> lambda) const {
  std::fill(lambda.begin(), lambda.end(), 0.0);
  for (std::size_t j = 0; j < generators_.size(); ++j) {
    const Generator& g = generators_[j];
    for (int d = 0; d < g.dims; ++d) lambda[at(g.row + d)] += g.impulse[d] * z[j];
  }
}

void ContactLcpMatrix::apply_delassus(std::span<const double> lambda, std::span<double> u) const {
  std::fill(u.begin(), u.end(), 0.0);
  for (std::size_t r = 0; r < lambda.size(); ++r) {
    if (lambda[r] == 0) continue;
    const double* column = delassus_.data() + r * at(rows_);
    for (std::size_t i = 0; i < lambda.size(); ++i) u[i] += lambda[r] * column[i];
  }
}

}  // namespace uzawa
