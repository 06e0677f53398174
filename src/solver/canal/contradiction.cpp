#include "uzawa/solver/canal/contradiction.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

// Found by these: all contradictions among the hard problems of the tests, and none of 629 problems with a solution.
constexpr int kRounds = 2;            // in which the violation stays the same
constexpr double kSameLength = 0.02;  // relative change from round to round
constexpr double kSameDirection = 0.99;
constexpr double kPull = 1e-3;          // of the largest change of an impulse: what counts as none
constexpr double kMovesNothing = 1e-6;  // what dlambda moves, over what the compliance yields to it, as energies

/// e . d, with bounds of limits as errors.
double asked(const Problem& problem, std::span<const double> d) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.contacts.row.size(); ++i) {
    sum += dot(problem.contacts.e[i], Vec3::from(&d[at(problem.contacts.row[i])]));
  }
  for (std::size_t i = 0; i < problem.moments.row.size(); ++i) {
    sum += dot(problem.moments.e[i], Vec3::from(&d[at(problem.moments.row[i])]));
  }
  for (std::size_t i = 0; i < problem.hard.row.size(); ++i) sum += problem.hard.e[i] * d[at(problem.hard.row[i])];
  for (std::size_t i = 0; i < problem.equality.row.size(); ++i) {
    sum += problem.equality.e[i] * d[at(problem.equality.row[i])];
  }
  for (std::size_t i = 0; i < problem.limits.row.size(); ++i) {
    const double x = d[at(problem.limits.row[i])];
    if (x != 0) sum -= x * (x > 0 ? problem.limits.lower[i] : problem.limits.upper[i]);
  }
  return sum;
}

/// Impulses may grow along d without end: a hard row never pulls, and no contact leaves its cone.
bool stays_within_laws(const Problem& problem, std::span<const double> d) {
  double largest = 0;
  for (const double x : d) largest = std::max(largest, std::abs(x));
  const double least = -kPull * largest;
  for (std::size_t i = 0; i < problem.contacts.row.size(); ++i) {
    const Vec3 impulse = Vec3::from(&d[at(problem.contacts.row[i])]);
    if (norm(impulse - project_strict(problem.contacts.cone[i], impulse)) > -least) return false;
  }
  for (std::size_t i = 0; i < problem.moments.row.size(); ++i) {
    const Vec3 moment = Vec3::from(&d[at(problem.moments.row[i])]);
    const double n = d[at(problem.contacts.row[at(problem.moments.contact[i])] + 2)];
    if (norm(moment - project_moment(problem.moments.cone[i], moment, n)) > -least) return false;
  }
  return std::all_of(problem.hard.row.begin(), problem.hard.row.end(), [&](int row) { return d[at(row)] >= least; });
}

}  // namespace

bool Contradiction::add(const Problem& problem, const Round& round, double least) {
  violation_.resize(round.d_lambda.size());
  double moved = 0, yielded = 0, square = 0, last_square = 0, product = 0;
  for (std::size_t k = 0; k < violation_.size(); ++k) {
    const double d = round.d_lambda[k], violation = round.kappa / round.rho[k] * d;
    moved += d * round.d_u[k];
    yielded += d * violation;
    square += violation * violation;
    product += violation * violation_[k];
    last_square += violation_[k] * violation_[k];
    violation_[k] = violation;
  }
  const double length = std::sqrt(square), last = std::sqrt(last_square);
  const bool same =
      rounds_ >= 0 && product >= kSameDirection * length * last && std::abs(length - last) <= kSameLength * length;
  const bool counts = length > least && moved < kMovesNothing * yielded && asked(problem, round.d_lambda) < 0 &&
                      stays_within_laws(problem, round.d_lambda);
  rounds_ = same && counts ? rounds_ + 1 : 0;
  return rounds_ >= kRounds;
}

}  // namespace uzawa
