#include "uzawa/solver/gauss_seidel/gauss_seidel.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/gauss_seidel/local_update.hpp"

namespace uzawa {

void SweepOrder::reset(int constraints) {
  order_.resize(at(constraints));
  std::iota(order_.begin(), order_.end(), 0);
  state_ = 0x9e3779b97f4a7c15U;
}

/// Fisher-Yates with a linear congruential generator (Knuth's MMIX constants), whose high bits are good.
void SweepOrder::shuffle() {
  for (std::size_t left = order_.size(); left > 1; --left) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    std::swap(order_[left - 1], order_[((state_ >> 32) * left) >> 32]);
  }
}

void gauss_seidel_sweep(const Problem& problem, const PgsSettings& settings, std::span<const int> order,
                        const CompactRows& rows, const DelassusOperator& delassus,
                        DelassusOperator::Velocities& velocities, std::span<double> impulses) {
  for (const int c : order) {
    double* lambda = &impulses[at(problem.constraints[at(c)].row)];
    const int dims = problem.dims(c);
    double u[3], delta[3];
    delassus.constraint_velocity(rows, c, velocities, u);
    std::copy_n(lambda, dims, delta);
    update_impulse(problem, c, settings.local, delassus.diagonal(c), u, settings.relaxation, lambda);
    for (int d = 0; d < dims; ++d) delta[d] = lambda[d] - delta[d];
    delassus.apply(rows, c, delta, velocities);
  }
}

}  // namespace uzawa
