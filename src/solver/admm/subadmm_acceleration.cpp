#include "uzawa/solver/admm/subadmm_acceleration.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr int kCycle = 5;             // plain steps from one extrapolation to the next
constexpr double kLargestGrowth = 2;  // of the plain step by an extrapolation; more, and it is taken back
constexpr double kRegularization = 1e-10;
constexpr double kWildWeights = 1e4;          // sum of weights that no sensible extrapolation has
constexpr std::size_t kChunk = 1024 / kWide;  // entries that one thread takes at once
constexpr int kChunksWorthSharing = 6;

/// Calls work(chunk, begin, end) for chunks that depend on the size alone, so that sums over them do, too.
template <typename Work>
void for_each_chunk(std::size_t size, ThreadPool* pool, Work&& work) {
  const int chunks = static_cast<int>((size + kChunk - 1) / kChunk);
  const auto task = [&](int i) { work(at(i), at(i) * kChunk, std::min(size, at(i + 1) * kChunk)); };
  if (pool != nullptr && chunks >= kChunksWorthSharing) {
    pool->for_each(chunks, task);
  } else {
    for (int i = 0; i < chunks; ++i) task(i);
  }
}

/// Dot products of `a` with `b` and with `c`, for which `a` has to come from memory but once.
void two_dots(const Vec3Wide* a, const Vec3Wide* b, const Vec3Wide* c, std::size_t count, double& ab, double& ac) {
  Vec3Wide with_b, with_c;
  for (std::size_t i = 0; i < count; ++i) {
    with_b += scaled(a[i], b[i]);
    with_c += scaled(a[i], c[i]);
  }
  ab = sum(with_b.x + with_b.y + with_b.z);
  ac = sum(with_c.x + with_c.y + with_c.z);
}

/// x <- A^-1 x by Cholesky, in place; false where A is not positive definite.
template <int kMax>
bool solve_symmetric(double (&a)[kMax][kMax], double (&x)[kMax], int n) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k <= i; ++k) {
      double value = a[i][k];
      for (int j = 0; j < k; ++j) value -= a[i][j] * a[k][j];
      if (i == k && !(value > 0)) return false;
      a[i][k] = i == k ? std::sqrt(value) : value / a[k][k];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
  }
  return true;
}

}  // namespace

void SubAdmmAcceleration::prepare(std::size_t size, int depth) {
  depth_ = std::clamp(depth, 0, kMaxDepth);
  if (depth_ == 0) return;
  origin_.resize(size);
  g_.resize(size);
  f_.resize(size);
  for (int i = 0; i < depth_; ++i) {
    dg_[i].resize(size);
    df_[i].resize(size);
  }
  partial_.resize((size + kChunk - 1) / kChunk);
  forget();
}

void SubAdmmAcceleration::forget() {
  pairs_ = steps_ = 0;
  trial_ = false;
}

int SubAdmmAcceleration::known() const { return std::min(depth_, pairs_ - 1); }

bool SubAdmmAcceleration::looks_back() const { return depth_ > 0 && (steps_ == 0 || trial_ || steps_ + 1 == kCycle); }

bool SubAdmmAcceleration::improve(std::span<const Vec3Wide> previous, std::span<Vec3Wide> y, ThreadPool* pool) {
  if (depth_ == 0) return false;
  if (steps_ == 0) std::copy(previous.begin(), previous.end(), origin_.begin());
  ++steps_;
  if (trial_) {
    trial_ = false;
    const double step = distance_square(previous, y, pool);
    if (!(step <= kLargestGrowth * kLargestGrowth * last_step_)) {
      std::copy(g_.begin(), g_.end(), y.begin());
      forget();
      return true;
    }
  }
  if (steps_ < kCycle) return false;
  steps_ = 0;
  add_pair(y, pool);
  last_step_ = distance_square(previous, y, pool);
  trial_ = extrapolate(y, pool);
  return trial_;
}

void SubAdmmAcceleration::add_pair(std::span<const Vec3Wide> g, ThreadPool* pool) {
  const int newest = pairs_ == 0 ? -1 : (pairs_ - 1) % depth_;  // the oldest difference gives way
  ++pairs_;
  for_each_chunk(g.size(), pool, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    partial_[chunk] = add_chunk(g, newest, begin, end);
  });
  std::fill_n(right_, kMaxDepth, 0.0);
  double row[kMaxDepth] = {};
  for (const Products& part : partial_) {
    for (int k = 0; k < known(); ++k) {
      row[k] += part.with_newest[k];
      right_[k] += part.with_residual[k];
    }
  }
  for (int k = 0; k < known(); ++k) gram_[newest][k] = gram_[k][newest] = row[k];
}

SubAdmmAcceleration::Products SubAdmmAcceleration::add_chunk(std::span<const Vec3Wide> g, int newest, std::size_t begin,
                                                             std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const Vec3Wide f = g[i] - origin_[i];
    if (newest >= 0) {
      dg_[newest][i].set(g[i] - g_[i]);
      df_[newest][i].set(f - f_[i]);
    }
    g_[i].set(g[i]);
    f_[i].set(f);
  }
  Products out;
  for (int k = 0; k < known(); ++k) {
    two_dots(&df_[k][begin], &df_[newest][begin], &f_[begin], end - begin, out.with_newest[k], out.with_residual[k]);
  }
  return out;
}

bool SubAdmmAcceleration::extrapolate(std::span<Vec3Wide> out, ThreadPool* pool) const {
  const int count = known();
  if (count < 1) return false;
  double a[kMaxDepth][kMaxDepth], weight[kMaxDepth], trace = 0, size = 0;
  for (int i = 0; i < count; ++i) trace += gram_[i][i];
  for (int i = 0; i < count; ++i) {
    std::copy_n(gram_[i], count, a[i]);
    a[i][i] += kRegularization * trace;
    weight[i] = right_[i];
  }
  if (!solve_symmetric(a, weight, count)) return false;
  for (int i = 0; i < count; ++i) size += std::abs(weight[i]);
  if (!(size < kWildWeights)) return false;
  for_each_chunk(out.size(), pool, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      Vec3Wide point = g_[s];
      for (int i = 0; i < count; ++i) point -= dg_[i][s] * weight[i];
      out[s].set(point);
    }
  });
  return true;
}

double SubAdmmAcceleration::distance_square(std::span<const Vec3Wide> a, std::span<const Vec3Wide> b,
                                            ThreadPool* pool) {
  for_each_chunk(a.size(), pool, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    WideLanes total{};
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3Wide d = b[i] - a[i];
      total += dot(d, d);
    }
    partial_[chunk].square = sum(total);
  });
  double total = 0;
  for (const Products& part : partial_) total += part.square;
  return total;
}

}  // namespace uzawa
