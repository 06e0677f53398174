#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "uzawa/assembly/constraint_writer.hpp"
#include "uzawa/assembly/plan.hpp"
#include "uzawa/assembly/settings.hpp"
#include "uzawa/assembly/ties.hpp"
#include "uzawa/collision/contacts/contact.hpp"

namespace uzawa {

/// Errors of position at the end of a step as a Problem: A = M, b = 0, and a row for each equality, point tie, limit
/// that is near or passed, and contact (frictionless, hard), so that J x + error is the error after a move x.
class PositionProblem {
 public:
  explicit PositionProblem(std::shared_ptr<const AssemblyPlan> plan);
  PositionProblem(const PositionProblem&) = delete;
  PositionProblem& operator=(const PositionProblem&) = delete;

  /// `data`: poses and tendons of `state`. `gaps`: of the contacts at these poses. `asleep`: per subsystem, or empty.
  /// `h`: s, the step, by which stiffness weighs as mass.
  /// `taut`: keys of limits whose upper bound is written with both sides: a string that swings keeps its full length.
  void assemble(const State& state, const DynamicsData& data, const AssemblySettings& settings, const Ties& ties,
                std::span<const Contact> contacts, std::span<const double> gaps, std::span<const std::uint64_t> taut,
                std::span<const char> asleep, double h);
  const Problem& problem() const { return problem_; }
  /// The move of the state's coordinates, per dof, that x stands for.
  void read_move(const DynamicsData& data, std::span<const double> x, std::span<double> move) const;

 private:
  void hold_limits(std::span<const std::uint64_t> taut);

  std::shared_ptr<const AssemblyPlan> plan_;
  Problem problem_;
  ConstraintWriter writer_;
  std::vector<double> zeros_;  ///< per dof
  std::vector<char> limit_active_;
};

}  // namespace uzawa
