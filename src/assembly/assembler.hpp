#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "uzawa/assembly/constraint_writer.hpp"
#include "uzawa/assembly/held_work.hpp"
#include "uzawa/assembly/plan.hpp"
#include "uzawa/assembly/rate_damping.hpp"
#include "uzawa/assembly/settings.hpp"
#include "uzawa/assembly/ties.hpp"
#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/dynamics/stiff_dampers.hpp"

namespace uzawa {

/// The only bridge from bodies to Problems: A, b and the constraints of one step ([AL] section III). Owns the problem,
/// whose memory is used again in every step. The model must outlive it.
///
/// The unknown is v_{k+1}: [AL] eq. 2 with vhat written out and multiplied by 1 - theta,
///
///     (M + (1-theta) G) v_{k+1} = M v_k + h tau + J^T lambda,        G: springs and dampers
///
/// because all laws are for the velocity at the end of the step. For vhat they would make impacts elastic and let
/// sticking points and joints reverse at theta > 0. In vhat the law of a contact would need the offset
/// e_n = ((1-theta) rho - theta) J_n v_k + (1-theta) gap/h; dry friction has no place for such an offset.
class Assembler {
 public:
  explicit Assembler(std::shared_ptr<const AssemblyPlan> plan, AssemblySettings settings = {});
  explicit Assembler(const Model& model, AssemblySettings settings = {});
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;

  /// After start_step: `middle`, `start_v`, `data` and `impulse` as it left them, but for data.velocity, which is that
  /// of start_v: rows are written for the velocities that impulses act on. Joint springs, dampers and servos go to the
  /// diagonal of A; those along several dofs become soft rows. `later`: contacts that were found at the end of the
  /// step.
  void assemble(const State& middle, std::span<const double> start_v, std::span<const double> control,
                const ThetaRule& rule, const DynamicsData& data, std::span<const double> impulse,
                std::span<const Contact> contacts, std::span<const Contact> later = {});

  /// Constraints in addition to the model's, from the next `assemble` on. Throws InputError for invalid ties.
  void set_ties(Ties ties);
  const Ties& ties() const { return ties_; }
  /// Sleeping subsystems from the next `assemble` on, 1 each: their velocity is zero and their constraints are left
  /// out. Empty: none. The memory must stay valid.
  void set_asleep(std::span<const char> asleep) { asleep_ = asleep; }

  /// From the next `assemble` on `impulse` is M v_s of SmoothEnd: of springs and dampers only these act at the end.
  void leave_to_end(const StiffDampers& dampers) { left_to_end_ = &dampers; }

  /// Writes the problem of this step's impacts, without forces: A = M, b = M v, and the contacts with an impact.
  /// `workspace`: as start_step has left it; its forces speed up an approach. Returns the number of impacts; where it
  /// is 0 there is no problem to solve. Writes data.mass, data.mass_factor and data.force.
  int assemble_impacts(const MiddleWorkspace& workspace, std::span<const double> control,
                       std::span<const double> external, const ThetaRule& rule, DynamicsData& data,
                       std::span<const Contact> contacts);

  /// Adds joint limits that were too far away to be part of the problem, but that v_{k+1} passes, to the next
  /// `assemble` of this step; true where there are any.
  [[nodiscard]] bool add_passed_limits(const State& middle, const ThetaRule& rule, std::span<const double> v);
  /// Lessens held rates by which the constraints of an island would give energy, from the next `assemble` of this step
  /// on; true where there are any. `start_v`, `data` as for the last one; v, lambda: its solution.
  [[nodiscard]] bool let_rates_give_way(std::span<const double> start_v, const DynamicsData& data,
                                        std::span<const double> v, std::span<const double> lambda);
  /// At the start of a new step: forgets what these have found in the last one.
  void forget_findings();

  /// Work of springs, dampers and servos that the last `assemble` has left to the end of the step, J: what v_{k+1} =
  /// `after` adds to their forces in the middle, along `mean`. The other arguments as for `assemble`.
  struct EndWork {
    double passive = 0, servos = 0;
  };
  EndWork end_work(const State& middle, std::span<const double> control, const ThetaRule& rule,
                   const DynamicsData& data, std::span<const double> mean, std::span<const double> after) const;

  const Problem& problem() const { return problem_; }
  /// J, that mocap bodies do on everything else by these impulses.
  double mocap_work(std::span<const double> lambda) const;
  /// Keys of the problem's constraints, in their order; a constraint has the same key in every step.
  std::span<const std::uint64_t> keys() const { return writer_.keys(); }
  /// Keys of limits that are at their upper bound along a curved path and held like equalities.
  std::span<const std::uint64_t> taut() const { return taut_; }
  /// Joint velocities of a solution v.
  void joint_velocity(const DynamicsData& data, std::span<const double> v, std::span<double> joint_v) const {
    for (const auto& block : plan_->blocks.all()) block->read_velocity(data, v, joint_v);
  }
  /// The other way round, into memory of the problem's size; `data` holds the links' velocities for them.
  void problem_velocity(const DynamicsData& data, std::span<const double> joint_v, std::span<double> v) const {
    for (const auto& block : plan_->blocks.all()) block->write_velocity(data, joint_v, v);
  }
  const AssemblySettings& settings() const { return settings_; }

 private:
  void write_springs(const State& middle, std::span<const double> control, const ThetaRule& rule,
                     const DynamicsData& data);
  void look_ahead(std::span<const double> q, std::span<const double> v, const DynamicsData& data, double h);
  void find_kick(const MiddleWorkspace& workspace, std::span<const double> control, std::span<const double> external,
                 const ThetaRule& rule, DynamicsData& data);

  bool is_servo(const SpringDamper& element) const;
  bool is_soft_row(const SpringDamper& element) const;
  double end_gain(const SpringDamper& element, const ThetaRule& rule) const;
  void update_blocks(const BlockInput& in);

  std::shared_ptr<const AssemblyPlan> plan_;
  const Model& model_;
  AssemblySettings settings_;
  Problem problem_;
  ConstraintWriter writer_;
  RateDamping damping_;
  HeldWork held_work_;
  std::vector<double> start_velocity_;  ///< start_v as the problem has it
  Ties ties_;
  std::span<const char> asleep_;
  const StiffDampers* left_to_end_ = nullptr;
  std::vector<double> diagonal_, impulse_;  ///< per dof
  /// Impulses of springs and dampers, and those of servos, beyond those in the middle: start - gain v_{k+1}, per dof;
  /// without the gain of those that are soft rows.
  struct EndImpulse {
    std::vector<double> start, gain;
    void reset(std::size_t dofs) { start.assign(dofs, 0.0), gain.assign(dofs, 0.0); }
    double work(std::span<const double> mean, std::span<const double> after) const;
  };
  EndImpulse end_passive_, end_servos_;
  bool has_soft_springs_ = false;          ///< in this step
  std::vector<double> kick_;               ///< per dof: what the forces of the step add to the velocities, for impacts
  bool curved_ = false;                    ///< some constraint or tie is not linear in q
  std::optional<DynamicsData> ahead_;      ///< poses and tendons where the velocities lead; where curved
  std::vector<double> ahead_q_, ahead_v_;  ///< and q and v of it
  std::vector<PathBend> bends_;            ///< per link, where paths are bent
  std::vector<Motion> link_scratch_;
  std::vector<std::uint64_t> taut_;
  std::vector<double> body_mobility_;  ///< per body, for soft methods
  std::vector<char> limit_active_;     ///< per joint: its limit is part of the problem
  std::vector<char> limit_asked_;      ///< per joint: its limit was added by add_passed_limits
};

}  // namespace uzawa
