#include "uzawa/problem/tally.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

namespace {

double count_of(std::size_t constraints) { return std::max(1.0, static_cast<double>(constraints)); }

}  // namespace

void Tally::add(ConstraintKind kind, int constraint, double error) {
  square_[static_cast<std::size_t>(kind)] += error * error;
  if (verdict_.worst_constraint < 0 || is_worse(error, verdict_.worst)) {
    verdict_.worst_constraint = constraint;
    verdict_.worst = error;
  }
  if (listed_ != nullptr && !(error <= least_listed_)) listed_->push_back(constraint);
}

void Tally::add(const Verdict& part, std::span<const int> constraints) {
  for (std::size_t k = 0; k < kConstraintKinds; ++k) {
    const double norm = part.residual_by_kind[k] * count_of(constraints.size());
    square_[k] += norm * norm;
  }
  if (part.worst_constraint >= 0 && (verdict_.worst_constraint < 0 || is_worse(part.worst, verdict_.worst))) {
    verdict_.worst_constraint = constraints[static_cast<std::size_t>(part.worst_constraint)];
    verdict_.worst = part.worst;
  }
  add_penetration(part.penetration);
  add_cone_violation(part.cone_violation);
  add_complementarity(part.complementarity);
  add_dissipation(part.dissipation);
  Verdict::ContactSquares& all = verdict_.contact_squares;
  all.pairs += part.contact_squares.pairs;
  all.natural += part.contact_squares.natural;
  all.free += part.contact_squares.free;
  all.impulse += part.contact_squares.impulse;
  all.velocity += part.contact_squares.velocity;
}

Verdict Tally::finish(std::size_t constraints) {
  const double count = count_of(constraints);
  double sum = 0;
  for (std::size_t k = 0; k < kConstraintKinds; ++k) {
    verdict_.residual_by_kind[k] = std::sqrt(square_[k]) / count;
    sum += square_[k];
  }
  verdict_.residual = std::sqrt(sum) / count;
  const Verdict::ContactSquares& all = verdict_.contact_squares;
  verdict_.fischer_burmeister = std::sqrt(all.pairs);
  const double scale = std::sqrt(std::max({all.free, all.impulse, all.velocity}));
  verdict_.siconos = all.natural == 0 ? 0 : std::sqrt(all.natural) / (scale > 0 ? scale : 1);
  return verdict_;
}

}  // namespace uzawa
