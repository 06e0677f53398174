#include "uzawa/solver/cond/anderson_window.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr double kLargestGrowth = 2;                                   // of the step by an extrapolation
constexpr double kRegularization = 1e-12;                              // of the Gram matrix, relative
constexpr double kProgress = 0.9;                                      // of steps that counts as such
constexpr int kPatience = 300, kFirstPause = 20, kLongestPause = 200;  // steps
constexpr double kWildWeights = 1e4;  // sum of weights that no sensible extrapolation has

}  // namespace

void AndersonWindow::prepare(std::span<const double> metric, int depth, ThreadPool* pool) {
  metric_ = metric;
  depth_ = std::min(depth, kMaxDepth);
  chunks_.prepare(metric.size(), pool);
  g_.resize(metric.size());
  f_.resize(metric.size());
  for (int i = 0; i < depth_; ++i) {
    dg_[i].resize(metric.size());
    df_[i].resize(metric.size());
  }
  shortest_ = HUGE_VAL;
  idle_ = rest_ = 0;
  pause_ = kFirstPause;
  restart();
}

void AndersonWindow::restart() {
  known_ = 0;
  newest_ = -1;
  extrapolated_ = false;
}

/// Whether this is a plain step.
bool AndersonWindow::rests(double step) {
  if (step < kProgress * shortest_) {
    shortest_ = step;
    idle_ = 0;
  } else if (++idle_ > kPatience) {
    restart();
    rest_ = pause_;
    pause_ = std::min(2 * pause_, kLongestPause);
    idle_ = 0;
    shortest_ = step;
  }
  return rest_ > 0 && rest_-- > 0;
}

void AndersonWindow::advance(std::span<double> x, std::span<const double> g, double step) {
  if (rests(step)) {
    std::copy(g.begin(), g.end(), x.begin());
    return;
  }
  if (extrapolated_ && !(step <= kLargestGrowth * last_step_)) {
    std::copy(g_.begin(), g_.end(), x.begin());
    restart();
    return;
  }
  remember(x, g);
  last_step_ = step;
  extrapolated_ = combine(x, g);
  if (!extrapolated_) std::copy(g.begin(), g.end(), x.begin());
}

/// Adds the newest differences to the window. newest_ = -1: there is no point before.
void AndersonWindow::remember(std::span<const double> x, std::span<const double> g) {
  const bool first = newest_ < 0;
  newest_ = (newest_ + 1) % depth_;
  if (!first) known_ = std::min(depth_, known_ + 1);
  if (first) newest_ = depth_ - 1;  // the next one goes to place 0
  std::vector<double>&dg = dg_[newest_], &df = df_[newest_];
  chunks_.for_each([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double f = g[i] - x[i];
      if (!first) {
        dg[i] = g[i] - g_[i];
        df[i] = f - f_[i];
      }
      g_[i] = g[i];
      f_[i] = f;
    }
  });
  if (first) return;
  for (int k = 0; k < known_; ++k) {
    const std::vector<double>& other = df_[k];
    const double product = chunks_.sum([&](std::size_t i) { return metric_[i] * df[i] * other[i]; });
    gram_[at(newest_)][at(k)] = gram_[at(k)][at(newest_)] = product;
  }
}

bool AndersonWindow::combine(std::span<double> x, std::span<const double> g) {
  if (known_ == 0) return false;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxDepth, kMaxDepth>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxDepth, 1>;
  Matrix gram(known_, known_);
  Vector weight(known_);
  for (int i = 0; i < known_; ++i) {
    for (int k = 0; k < known_; ++k) gram(i, k) = gram_[at(i)][at(k)];
    const std::vector<double>& df = df_[i];
    weight(i) = chunks_.sum([&](std::size_t j) { return metric_[j] * df[j] * f_[j]; });
  }
  gram.diagonal() *= 1 + kRegularization;
  gram.diagonal().array() += kRegularization * gram.trace();
  const Eigen::LDLT<Matrix> factor(gram);
  if (factor.info() != Eigen::Success || !factor.isPositive()) return false;
  weight = factor.solve(weight).eval();
  if (!(weight.cwiseAbs().sum() < kWildWeights)) return false;
  chunks_.for_each([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) x[i] = g[i];
    for (int k = 0; k < known_; ++k) {
      for (std::size_t i = begin; i < end; ++i) x[i] -= weight(k) * dg_[k][i];
    }
  });
  return true;
}

}  // namespace uzawa
