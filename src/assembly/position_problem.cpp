#include "uzawa/assembly/position_problem.hpp"

#include <algorithm>
#include <utility>

#include "uzawa/assembly/row_writers.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {

PositionProblem::PositionProblem(std::shared_ptr<const AssemblyPlan> plan)
    : plan_(std::move(plan)),
      writer_(plan_->blocks, problem_),
      zeros_(at(plan_->model.nv())),
      limit_active_(plan_->model.spec().joints.size()) {
  problem_.name = plan_->model.spec().name;
  for (const auto& block : plan_->blocks.all()) block->add_to(problem_);
}

void PositionProblem::assemble(const State& state, const DynamicsData& data, const AssemblySettings& settings,
                               const Ties& ties, std::span<const Contact> contacts, std::span<const double> gaps,
                               std::span<const std::uint64_t> taut, std::span<const char> asleep, double h) {
  const ThetaRule rule{h, 0};
  const StepView view{plan_->model, state, state.v, data, state.q, data, rule, settings, {}, Phase::Position};
  std::fill(limit_active_.begin(), limit_active_.end(), 0);
  writer_.start(data, zeros_, asleep);
  write_equalities(view, plan_->tendon_rest_length, writer_);
  write_point_ties(view, ties.points, writer_);
  write_joint_limits(view, limit_active_, writer_);
  write_tendon_limits(view, writer_);
  for (const auto& block : plan_->blocks.all()) block->write_ties(data, writer_);
  write_penetrations(view, contacts, gaps, writer_);
  writer_.finish();
  hold_limits(taut);
  const BlockInput in{data, rule, zeros_, zeros_, zeros_, Phase::Position};
  for (const auto& block : plan_->blocks.all()) block->update(in, problem_);
}

void PositionProblem::hold_limits(std::span<const std::uint64_t> taut) {
  if (taut.empty()) return;
  LimitRows& limits = problem_.limits;
  for (std::size_t i = 0; i < limits.row.size(); ++i) {
    const std::uint64_t key = writer_.keys()[at(limits.constraint[i])];
    if (std::find(taut.begin(), taut.end(), key) != taut.end()) limits.lower[i] = limits.upper[i];
  }
}

void PositionProblem::read_move(const DynamicsData& data, std::span<const double> x, std::span<double> move) const {
  for (const auto& block : plan_->blocks.all()) block->read_velocity(data, x, move);
}

}  // namespace uzawa
