#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "uzawa/assembly/assembler.hpp"
#include "uzawa/assembly/position_problem.hpp"
#include "uzawa/problem/condensation.hpp"
#include "uzawa/problem/islands.hpp"
#include "uzawa/sim/shared_model.hpp"
#include "uzawa/sim/step_data.hpp"
#include "uzawa/solver/projection/elastic_projection.hpp"

namespace uzawa {

/// Phase two of a step: penetrations, passed limits and drift of equalities are corrected by moving q, and v stays: a
/// correction never becomes momentum. The move is the smallest one in the metric of M, with elastic slack where errors
/// contradict each other (ElasticProjection). Islands without errors are left alone, and a step without any costs
/// nothing but a look at its contacts.
class PositionProjection {
 public:
  explicit PositionProjection(std::shared_ptr<const SharedModel> shared);

  struct Outcome {
    int moves = 0;         ///< of the positions; 0: there was nothing to correct
    double error = 0;      ///< m or rad, the largest before
    double remainder = 0;  ///< and after: of errors that contradict each other
    double potential = 0;  ///< J, of gravity, springs and soft bodies: by how much the moves have raised it
  };
  /// After a step has been integrated: `state` is its end, `step` how it came about, `momentum` what it hands on;
  /// `assembler` has written the problem that was solved. `asleep`: per subsystem, or empty.
  Outcome project(const StepData& step, const Assembler& assembler, double h, const AssemblySettings& settings,
                  const Ties& ties, std::span<const char> asleep, State& state, CarriedMomentum& momentum);

 private:
  Vec3 relative_velocity(const DynamicsData& data, const Contact& contact) const;
  void predict_gaps(const StepData& step, double h);
  void place_contacts(const StepData& step);
  void write_problem(const State& state, const AssemblySettings& settings, const Ties& ties,
                     std::span<const char> asleep, double h);
  void list_taut(const Assembler& assembler, std::span<const double> lambda);
  bool limits_are_passed(const State& state) const;
  void move_islands(State& state, CarriedMomentum& momentum);

  std::shared_ptr<const SharedModel> shared_;
  const Model& model_;
  std::optional<DynamicsData> end_;  ///< poses at the end of the step; made when it is needed
  std::optional<PositionProblem> problem_;
  std::vector<Motion> velocity_;   ///< per link, of v_{k+1} at the poses of the step
  std::vector<double> gaps_;       ///< per contact, m, at the end
  std::vector<Contact> contacts_;  ///< moved to the end
  std::vector<Contact> near_;      ///< those of them that a move may reach
  std::vector<double> near_gaps_;
  std::vector<std::uint64_t> taut_;  ///< limits that have held in the step like equalities
  IslandSplit split_;
  struct Slot {
    Condensation condensation;
    PreparedProblem prepared;
    ElasticProjection solver;
    std::vector<double> condensed;
    std::vector<double> x;
  };
  std::vector<Slot> slots_;  ///< per island
  std::vector<double> x_, move_;
};

}  // namespace uzawa
