#include "uzawa/problem/prepared_problem.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/math/nodal/nodal_solver.hpp"

namespace uzawa {

namespace {

constexpr double kMeasure = 1e-6;  // accuracy of the free velocities, where iterations have to find them

}  // namespace

void PreparedProblem::prepare(const Problem& problem, bool may_iterate) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  prepare_rows(problem);
  factorize(may_iterate);
  seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
}

void PreparedProblem::prepare_rows(const Problem& problem) {
  problem_ = &problem;
  made_ = {};
  seconds_ = 0;
  factorized_ = false;
  constraint_rows(problem, rows_);
}

void PreparedProblem::factorize(bool may_iterate) {
  if (factorized_) return;
  const Problem& problem = *problem_;
  if (!factor_.factorize(problem, may_iterate)) {
    throw InputError(problem.name, "block " + std::to_string(factor_.bad_block()), "A is not positive definite");
  }
  free_velocity_.assign(problem.b.begin(), problem.b.end());
  free_u_.resize(at(problem.rows));
  factor_.set_scale(problem.b);
  factor_.solve({}, kMeasure, free_velocity_);
  last_v_.clear();
  rows_.multiply(free_velocity_, free_u_);
  factorized_ = true;
}

void PreparedProblem::velocity(std::span<const double> lambda, std::span<double> v) const {
  const bool iterates = factor_.iterates(),
             free = std::all_of(lambda.begin(), lambda.end(), [](double impulse) { return impulse == 0; });
  if (free && !iterates) {
    std::copy(free_velocity_.begin(), free_velocity_.end(), v.begin());
    return;
  }
  std::copy(problem_->b.begin(), problem_->b.end(), v.begin());
  if (made_.compact_rows) {  // the faster form
    compact_rows_.add_transposed(lambda.data(), v.data());
  } else {
    rows_.add_transposed(lambda, v);
  }
  if (!iterates) return factor_.solve(v);
  factor_.solve(free ? free_velocity_ : last_v_, NodalSolver::kAccuracy, v);
  last_v_.assign(v.begin(), v.end());
}

void PreparedProblem::constraint_velocity(std::span<const double> v, std::span<double> u) const {
  if (made_.compact_rows) {
    compact_rows_.multiply(v.data(), u.data());
  } else {
    rows_.multiply(v, u);
  }
}

const CompactRows& PreparedProblem::compact_rows() {
  if (!made_.compact_rows) compact_rows_.build(*problem_, rows_);
  made_.compact_rows = true;
  return compact_rows_;
}

const DelassusOperator& PreparedProblem::delassus(DelassusForm form) {
  if (!made_.delassus || made_.form != form) delassus_.build(*problem_, factor_, compact_rows(), form);
  made_.delassus = true;
  made_.form = form;
  return delassus_;
}

double PreparedProblem::mobility_of(int constraint) {
  return mobility_.trace(*problem_, factor_, compact_rows(), constraint);
}

std::span<const double> PreparedProblem::mobility() {
  if (!made_.mobility) mobility_.build(*problem_, factor_, compact_rows());
  made_.mobility = true;
  return mobility_.traces();
}

}  // namespace uzawa
