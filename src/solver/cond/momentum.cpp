#include "uzawa/solver/cond/momentum.hpp"

#include <cmath>

namespace uzawa {

void IterateMomentum::prepare(std::span<const double> metric, const CondSettings& settings, ThreadPool* pool) {
  settings_ = settings;
  metric_ = metric;
  chunks_.prepare(metric.size(), pool);
  before_.resize(metric.size());
  restart();
}

void IterateMomentum::restart() {
  steps_ = 0;
  nu_ = t_ = 1;
  last_step_ = 0;
}

void IterateMomentum::advance(std::span<double> x, std::span<const double> g, double step) {
  if (settings_.acceleration == CondAcceleration::Chebyshev) {
    chebyshev(x, g, step);
  } else if (settings_.acceleration != CondAcceleration::None) {
    nesterov(x, g);
  } else {
    chunks_.for_each([&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) x[i] = g[i];
    });
  }
  ++steps_;
}

/// [COND] eq. 38-39 and Alg. 3, x+ = nu (u (g - x) + x - x-) + x-: the under-relaxation u, which the paper mentions but
/// does not print, belongs to the step, else its fixed points are not those of F.
void IterateMomentum::chebyshev(std::span<double> x, std::span<const double> g, double step) {
  const double rho = last_step_ > 0 ? std::min(step / last_step_, 1.0) : 1;
  const int start = settings_.chebyshev_start;
  nu_ = steps_ < start ? 1 : steps_ == start ? 2 / (2 - rho * rho) : 4 / (4 - rho * rho * nu_);
  last_step_ = step;
  const double nu = nu_, u = settings_.under_relaxation;
  chunks_.for_each([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double old = steps_ == 0 ? x[i] : before_[i];
      before_[i] = x[i];
      x[i] = nu * (u * (g[i] - x[i]) + x[i] - old) + old;
    }
  });
}

/// Momentum that points uphill is dropped (O'Donoghue and Candes 2015, the gradient scheme).
void IterateMomentum::nesterov(std::span<double> x, std::span<const double> g) {
  if (steps_ > 0) {
    const double uphill = chunks_.sum([&](std::size_t i) { return metric_[i] * (x[i] - g[i]) * (g[i] - before_[i]); });
    if (uphill > 0) t_ = 1;
  }
  const double t = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_)), beta = steps_ == 0 ? 0 : (t_ - 1) / t;
  t_ = t;
  chunks_.for_each([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      x[i] = steps_ == 0 ? g[i] : g[i] + beta * (g[i] - before_[i]);
      before_[i] = g[i];
    }
  });
}

}  // namespace uzawa
