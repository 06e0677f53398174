#include "uzawa/solver/first_order/constraint_velocity.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

void ConstraintVelocity::prepare(PreparedProblem& prepared, DelassusForm form) {
  prepared_ = &prepared;
  rows_ = &prepared.compact_rows();
  delassus_ = form == DelassusForm::Explicit ? &prepared.delassus(form) : nullptr;
  v_.resize(at(prepared.problem().n()));
}

void ConstraintVelocity::evaluate(std::span<const double> lambda, std::vector<double>& u) {
  u.resize(lambda.size());
  if (delassus_ == nullptr) {
    prepared_->velocity(lambda, v_);
    rows_->multiply(v_.data(), u.data());
    return;
  }
  const std::span<const double> free = prepared_->free_constraint_velocity();
  velocities_.u.assign(free.begin(), free.end());
  for (int c = 0; c < rows_->constraints(); ++c) {
    delassus_->apply(*rows_, c, &lambda[at(rows_->first_row(c))], velocities_);
  }
  u.swap(velocities_.u);
}

void estimate_masses(PreparedProblem& prepared, std::vector<double>& diagonal, std::vector<double>& masses) {
  const Problem& problem = prepared.problem();
  const CompactRows& rows = prepared.compact_rows();
  diagonal.resize(at(problem.n()));
  masses.resize(at(problem.rows));
  uzawa::diagonal(problem, prepared.factor(), diagonal);
  for (int c = 0; c < rows.constraints(); ++c) {
    double trace = 0;
    for (int d = 0; d < rows.dims(c); ++d) {
      for (int k = 0; k < rows.width(c); ++k) {
        const double entry = rows.row(c, d)[k];
        trace += entry * entry / diagonal[at(rows.columns(c)[k])];
      }
    }
    std::fill_n(masses.begin() + rows.first_row(c), rows.dims(c), trace > 0 ? rows.dims(c) / trace : 1.0);
  }
}

}  // namespace uzawa
