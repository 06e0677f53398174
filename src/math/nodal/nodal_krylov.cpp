#include "uzawa/math/nodal/nodal_krylov.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/math/eight.hpp"

namespace uzawa {

namespace {

double dot(const AlignedVector<double>& a, const AlignedVector<double>& b) {
  Eight sums[2];
  std::size_t k = 0;
  for (; k + 16 <= a.size(); k += 16) {
    sums[0] += Eight::load(&a[k]) * Eight::load(&b[k]);
    sums[1] += Eight::load(&a[k + 8]) * Eight::load(&b[k + 8]);
  }
  double rest = 0;
  for (; k < a.size(); ++k) rest += a[k] * b[k];
  return sum(sums[0] + sums[1]) + rest;
}

/// y += s x
void add(AlignedVector<double>& y, double s, const AlignedVector<double>& x) {
  std::size_t k = 0;
  for (; k + 8 <= y.size(); k += 8) (Eight::load(&y[k]) + Eight::load(&x[k]) * s).store(&y[k]);
  for (; k < y.size(); ++k) y[k] += s * x[k];
}

/// y = x + s y
void update(AlignedVector<double>& y, double s, const AlignedVector<double>& x) {
  std::size_t k = 0;
  for (; k + 8 <= y.size(); k += 8) (Eight::load(&x[k]) + Eight::load(&y[k]) * s).store(&y[k]);
  for (; k < y.size(); ++k) y[k] = x[k] + s * y[k];
}

}  // namespace

void NodalKrylov::resize(const NodalSweeps& h) {
  for (auto* vector : {&b_, &x_, &residual_, &direction_, &t_, &ut_, &product_, &scaled_}) vector->resize(h.size());
}

double NodalKrylov::energy_size(const NodalSweeps& h, std::span<const double> r) {
  resize(h);
  h.pad(r, b_.data());
  h.forward(b_.data(), residual_.data());
  h.multiply_diagonal(residual_.data(), scaled_.data());
  return std::sqrt(dot(residual_, scaled_));
}

void NodalKrylov::multiply(const NodalSweeps& h, const double* p, double* out) {
  h.backward(p, t_.data(), ut_.data());
  h.forward(ut_.data(), out);
  for (std::size_t k = 0; k < t_.size(); ++k) out[k] += t_[k];
}

void NodalKrylov::begin(const NodalSweeps& h, std::span<double> x) {
  const bool guessed = std::any_of(x.begin(), x.end(), [](double number) { return number != 0; });
  const double zero_size = dot(b_, b_);
  if (guessed) {
    h.pad(x, x_.data());
    h.multiply(x_.data(), product_.data());
    for (std::size_t k = 0; k < b_.size(); ++k) product_[k] = b_[k] - product_[k];
    if (dot(product_, product_) < zero_size) {
      h.forward(product_.data(), residual_.data());
      return;
    }
  }
  std::fill(x_.begin(), x_.end(), 0.0);
  h.forward(b_.data(), residual_.data());
}

KrylovOutcome NodalKrylov::solve_symmetric(const NodalSweeps& h, std::span<const double> b, double goal, double share,
                                           int most, std::span<double> x) {
  resize(h);
  h.pad(b, b_.data());
  begin(h, x);
  h.multiply_diagonal(residual_.data(), scaled_.data());
  double square = dot(residual_, scaled_);
  direction_ = scaled_;
  const double least = std::max(goal * goal, share * share * square);
  KrylovOutcome outcome;
  while (true) {
    outcome.solved = square >= 0 && square <= least;  // negative: D is not positive definite
    if (outcome.solved || outcome.iterations >= most || deadline_.has_passed()) break;
    multiply(h, direction_.data(), product_.data());
    const double curvature = dot(direction_, product_);
    if (!(curvature > 0) || !(square >= 0) || !std::isfinite(square)) break;  // not positive definite, or no numbers
    const double alpha = square / curvature;
    add(x_, alpha, t_);
    add(residual_, -alpha, product_);
    h.multiply_diagonal(residual_.data(), scaled_.data());
    const double next = dot(residual_, scaled_);
    update(direction_, next / square, scaled_);
    square = next;
    ++outcome.iterations;
  }
  h.strip(x_.data(), x);
  return outcome;
}

/// Of the next basis vector against all before it, twice where much is lost; rotates its column of the Hessenberg
/// matrix to a triangle.
void NodalKrylov::orthogonalize(std::size_t k) {
  double* column = hessenberg_[k];
  AlignedVector<double>& next = basis_[k + 1];
  for (std::size_t i = 0; i <= k; ++i) {
    column[i] = dot(basis_[i], next);
    add(next, -column[i], basis_[i]);
  }
  column[k + 1] = std::sqrt(dot(next, next));
  if (column[k + 1] > 0) {
    for (double& number : next) number /= column[k + 1];
  }
  for (std::size_t i = 0; i < k; ++i) {
    const double upper = column[i], lower = column[i + 1];
    column[i] = cosine_[i] * upper + sine_[i] * lower;
    column[i + 1] = cosine_[i] * lower - sine_[i] * upper;
  }
  const double length = std::hypot(column[k], column[k + 1]);
  cosine_[k] = length > 0 ? column[k] / length : 1;
  sine_[k] = length > 0 ? column[k + 1] / length : 0;
  column[k] = length;
  right_[k + 1] = -sine_[k] * right_[k];
  right_[k] *= cosine_[k];
}

/// x += (D + U)^-1 sum of basis vectors.
void NodalKrylov::add_combination(const NodalSweeps& h, std::size_t count) {
  std::fill(direction_.begin(), direction_.end(), 0.0);
  double y[kRestart];
  for (std::size_t i = count; i-- > 0;) {
    y[i] = right_[i];
    for (std::size_t k = i + 1; k < count; ++k) y[i] -= hessenberg_[k][i] * y[k];
    y[i] = hessenberg_[i][i] != 0 ? y[i] / hessenberg_[i][i] : 0;
    add(direction_, y[i], basis_[i]);
  }
  h.backward(direction_.data(), t_.data(), ut_.data());
  add(x_, 1, t_);
}

int NodalKrylov::cycle(const NodalSweeps& h, double goal, int most) {
  const double size = std::sqrt(dot(residual_, residual_));
  if (!(size > 0) || !std::isfinite(size)) return 0;
  right_[0] = size;
  basis_[0] = residual_;
  for (double& number : basis_[0]) number /= size;
  std::size_t k = 0;
  while (k < kRestart && k < at(most) && std::abs(right_[k]) > goal * size && !deadline_.has_passed()) {
    multiply(h, basis_[k].data(), product_.data());
    h.multiply_diagonal(product_.data(), basis_[k + 1].data());
    orthogonalize(k++);
  }
  add_combination(h, k);
  return static_cast<int>(k);
}

/// In impulses, with D (D + L)^-1 r for residuals: where penalties make some D a million times larger than others,
/// residuals in velocities would say nothing about the impulses there. The size of D (D + L)^-1 r is about that of r;
/// what counts is r itself, which is looked at after each cycle.
KrylovOutcome NodalKrylov::solve_general(const NodalSweeps& h, std::span<const double> b, double goal, int most,
                                         std::span<double> x) {
  resize(h);
  if (basis_.size() <= kRestart) basis_.resize(kRestart + 1);
  for (AlignedVector<double>& vector : basis_) vector.resize(h.size());
  h.pad(b, b_.data());
  std::fill(x_.begin(), x_.end(), 0.0);
  product_ = b_;
  KrylovOutcome outcome;
  while (true) {
    const double size = std::sqrt(dot(product_, product_));
    outcome.solved = size <= goal;
    if (outcome.solved || outcome.iterations >= most || !std::isfinite(size)) break;
    h.forward(product_.data(), scaled_.data());
    h.multiply_diagonal(scaled_.data(), residual_.data());
    const int done = cycle(h, 0.5 * goal / size, most - outcome.iterations);
    outcome.iterations += done;
    if (done == 0) break;
    h.multiply(x_.data(), product_.data());
    for (std::size_t k = 0; k < b_.size(); ++k) product_[k] = b_[k] - product_[k];
  }
  h.strip(x_.data(), x);
  return outcome;
}

}  // namespace uzawa
