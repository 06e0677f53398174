#include "uzawa/math/nodal/nodal_sweeps.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/block_rows.hpp"

namespace uzawa {

namespace {

constexpr std::size_t kColumns = 3 * NodalSweeps::kStride;

/// Columns of four numbers times a vector; its fourth number is not looked at.
inline Lanes times(const double* columns, const Lanes& x) {
  return load_lanes(columns) * x[0] + load_lanes(columns + 4) * x[1] + load_lanes(columns + 8) * x[2];
}

/// Inverse by cofactors; false where the determinant is no number or lost in rounding.
bool invert(const double* m, double* out) {
  const auto entry = [&](int r, int c) { return m[4 * c + r]; };
  double cofactor[3][3], size = 0;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      cofactor[r][c] = entry(r1, c1) * entry(r2, c2) - entry(r1, c2) * entry(r2, c1);
      size = std::max(size, std::abs(entry(r, c)));
    }
  }
  const double determinant = entry(0, 0) * cofactor[0][0] + entry(0, 1) * cofactor[0][1] + entry(0, 2) * cofactor[0][2];
  constexpr double kLost = 1e-30;  // of the cube of the largest entry: a penalty of 1e10 along two axes is none of it
  if (!(std::abs(determinant) > kLost * size * size * size) || !std::isfinite(determinant)) return false;
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) out[4 * c + r] = cofactor[c][r] / determinant;
    out[4 * c + 3] = 0;
  }
  return true;
}

}  // namespace

void NodalSweeps::start(const NodalPattern& pattern, const double* lower, const double* upper) {
  pattern_ = &pattern;
  lower_ = lower;
  upper_ = upper;
  diagonal_.resize(kColumns * at(nodes()));
  inverse_.resize(diagonal_.size());
  for (int node = 0; node < nodes(); ++node) {
    const double* block = lower + 9 * pattern.diagonal(node);
    double* to = &diagonal_[kColumns * at(node)];
    for (int c = 0; c < 3; ++c, to += kStride) to[0] = block[c], to[1] = block[3 + c], to[2] = block[6 + c], to[3] = 0;
  }
}

void NodalSweeps::add_to_diagonal(int node, std::span<const double, 9> added) {
  double* to = &diagonal_[kColumns * at(node)];
  for (std::size_t c = 0; c < 3; ++c, to += kStride) {
    for (std::size_t r = 0; r < 3; ++r) to[r] += added[3 * r + c];
  }
}

bool NodalSweeps::finish() {
  bool fine = true;
  for (std::size_t k = 0; k < diagonal_.size(); k += kColumns) fine = invert(&diagonal_[k], &inverse_[k]) && fine;
  return fine;
}

/// By rows of the lower triangle, from the last: what a node's t adds to U t of the nodes before it is scattered, so
/// that U t is complete when it is their turn.
void NodalSweeps::backward(const double* p, double* t, double* ut) const {
  std::fill_n(ut, size(), 0.0);
  for (int i = nodes() - 1; i >= 0; --i) {
    const Lanes ti =
        times(&inverse_[kColumns * at(i)], load_lanes(p + kStride * at(i)) - load_lanes(ut + kStride * at(i)));
    store_lanes(ti, t + kStride * at(i));
    const int first = pattern_->start[at(i)], end = pattern_->start[at(i) + 1] - 1;
    const double* block = upper_ + 9 * at(first);
    for (int k = first; k < end; ++k, block += 9) {
      const BlockRows b(block);
      double* to = ut + kStride * at(pattern_->column[at(k)]);
      store_lanes(load_lanes(to) + (b.row[0] * ti[0] + b.row[1] * ti[1] + b.row[2] * ti[2]), to);
    }
  }
}

void NodalSweeps::forward(const double* q, double* y) const {
  const double* block = lower_;
  for (int i = 0; i < nodes(); ++i, block += 9) {
    Lanes y0{}, y1{}, y2{};
    const int end = pattern_->start[at(i) + 1] - 1;
    for (int k = pattern_->start[at(i)]; k < end; ++k, block += 9) {
      const BlockRows b(block);
      const Lanes x = load_lanes(y + kStride * at(pattern_->column[at(k)]));
      y0 += b.row[0] * x, y1 += b.row[1] * x, y2 += b.row[2] * x;
    }
    const Lanes rest = load_lanes(q + kStride * at(i)) - Lanes{sum3(y0), sum3(y1), sum3(y2), 0};
    store_lanes(times(&inverse_[kColumns * at(i)], rest), y + kStride * at(i));
  }
}

void NodalSweeps::multiply_diagonal(const double* x, double* y) const {
  for (std::size_t i = 0; i < at(nodes()); ++i) {
    store_lanes(times(&diagonal_[kColumns * i], load_lanes(x + kStride * i)), y + kStride * i);
  }
}

void NodalSweeps::multiply(const double* x, double* y) const {
  std::fill_n(y, size(), 0.0);
  std::size_t place = 0;
  for (int i = 0; i < nodes(); ++i, ++place) {
    const Lanes xi = load_lanes(x + kStride * at(i));
    Lanes y0{}, y1{}, y2{};
    for (const std::size_t end = pattern_->diagonal(i); place < end; ++place) {
      const std::size_t j = kStride * at(pattern_->column[place]);
      const BlockRows l(lower_ + 9 * place), u(upper_ + 9 * place);
      const Lanes xj = load_lanes(x + j);
      y0 += l.row[0] * xj, y1 += l.row[1] * xj, y2 += l.row[2] * xj;
      const Lanes added = u.row[0] * xi[0] + u.row[1] * xi[1] + u.row[2] * xi[2];
      store_lanes(load_lanes(y + j) + Lanes{added[0], added[1], added[2], 0}, y + j);
    }
    const Lanes own = times(&diagonal_[kColumns * at(i)], xi) + Lanes{sum3(y0), sum3(y1), sum3(y2), 0};
    store_lanes(load_lanes(y + kStride * at(i)) + own, y + kStride * at(i));
  }
}

double NodalSweeps::inverse_form(int node, std::span<const double, 3> x) const {
  const Lanes own{x[0], x[1], x[2], 0};
  return sum3(own * times(&inverse_[kColumns * at(node)], own));
}

void NodalSweeps::pad(std::span<const double> plain, double* padded) const {
  for (std::size_t i = 0; i < at(nodes()); ++i) {
    store_lanes(Lanes{plain[3 * i], plain[3 * i + 1], plain[3 * i + 2], 0}, padded + kStride * i);
  }
}

void NodalSweeps::strip(const double* padded, std::span<double> plain) const {
  for (std::size_t i = 0; i < at(nodes()); ++i) std::copy_n(padded + kStride * i, 3, &plain[3 * i]);
}

}  // namespace uzawa
