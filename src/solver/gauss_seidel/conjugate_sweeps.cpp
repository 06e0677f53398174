#include "uzawa/solver/gauss_seidel/conjugate_sweeps.hpp"

namespace uzawa {

void ConjugateSweeps::Track::start(std::span<double> x, bool moves) {
  for (std::size_t i = 0; moves && i < x.size(); ++i) x[i] += move[i];
  before.assign(x.begin(), x.end());
}

void ConjugateSweeps::Track::finish(std::span<const double> x, double factor) {
  direction.resize(x.size());
  move.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    move[i] = factor == 0 ? 0 : factor * direction[i];
    direction[i] = move[i] + (x[i] - before[i]);
  }
}

void ConjugateSweeps::before_sweep(std::span<double> lambda, DelassusOperator::Velocities& velocities) {
  lambda_.start(lambda, moves_);
  v_.start(velocities.v, moves_);
  u_.start(velocities.u, moves_);
}

void ConjugateSweeps::after_sweep(std::span<const double> lambda, const DelassusOperator::Velocities& velocities) {
  double square = 0;
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    const double change = lambda[i] - lambda_.before[i];
    square += change * change;
  }
  const double factor = last_square_ > 0 && square <= last_square_ ? square / last_square_ : 0;
  last_square_ = square;
  moves_ = factor > 0;
  lambda_.finish(lambda, factor);
  v_.finish(velocities.v, factor);
  u_.finish(velocities.u, factor);
}

}  // namespace uzawa
