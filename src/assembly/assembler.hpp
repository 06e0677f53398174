#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "uzawa/assembly/constraint_writer.hpp"
#include "uzawa/assembly/settings.hpp"
#include "uzawa/assembly/system_map.hpp"
#include "uzawa/collision/contact.hpp"
#include "uzawa/dynamics/integrators.hpp"

namespace uzawa {

/// The only bridge from bodies to Problems: A, b and the constraints of one step ([AL] section III). Owns the problem,
/// whose memory is used again in every step. The model must outlive it.
class Assembler {
 public:
  explicit Assembler(const Model& model, const AssemblySettings& settings = {});
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;

  /// After start_step at the same state: `data` as it left it, `impulse` its b. Joint springs, dampers and servos go to
  /// the diagonal of A; those along several dofs become soft rows.
  void assemble(const State& state, std::span<const double> control, const ThetaRule& rule, const DynamicsData& data,
                std::span<const double> impulse, std::span<const Contact> contacts);

  /// Joint limits that were too far away to be part of the problem and that vhat passes all the same are to be part of
  /// the next `assemble` of this step; true where there are any.
  [[nodiscard]] bool add_passed_limits(const State& state, const ThetaRule& rule, std::span<const double> vhat);
  /// All such additions are forgotten: a new step.
  void forget_passed_limits();

  const Problem& problem() const { return problem_; }
  /// Of the problem's constraints: the same from step to step.
  std::span<const std::uint64_t> keys() const { return writer_.keys(); }
  /// Joint velocities of a solution v.
  void joint_velocity(const DynamicsData& data, std::span<const double> v, std::span<double> joint_v) const {
    map_.joint_velocity(data, v, joint_v);
  }
  const AssemblySettings& settings() const { return settings_; }

 private:
  void write_springs(const State& state, std::span<const double> control, const ThetaRule& rule,
                     const DynamicsData& data);

  const Model& model_;
  AssemblySettings settings_;
  SystemMap map_;
  Problem problem_;
  ConstraintWriter writer_;
  std::vector<double> diagonal_, impulse_;  ///< per dof
  std::vector<double> rest_length_;         ///< of the tendons at the reference configuration, m
  std::vector<char> limit_active_;          ///< per joint: its limit is part of the problem
  std::vector<char> limit_asked_;           ///< per joint: it must be
};

}  // namespace uzawa
