#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/assembly/phase.hpp"
#include "uzawa/dynamics/data.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

class ConstraintWriter;

/// What a block of A and b is made of.
struct BlockInput {
  const DynamicsData& data;
  const ThetaRule& rule;
  std::span<const double> diagonal;  ///< per dof of the Model: A has M + diag(diagonal)
  std::span<const double> b;         ///< per dof of the Model
  std::span<const double> v;         ///< joint velocities at which the forces in b are taken
  Phase phase = Phase::Velocity;
};

/// How one subsystem of a Model takes part in a Problem: its block of A and b, the attachments of constraints to it,
/// and the state's velocities for a solution v. One derived class a kind of subsystem (`make_block`); a new kind of
/// body is a new class, and no other file of this room changes. Immutable.
class SubsystemBlock {
 public:
  virtual ~SubsystemBlock() = default;

  /// Dofs of the block.
  virtual int size() const = 0;
  /// Adds the block with its sizes and topology; `update` fills it in. Blocks are added in the order of the Model's
  /// subsystems.
  virtual void add_to(Problem& problem) const = 0;
  /// A and b of a step.
  virtual void update(const BlockInput& in, Problem& problem) const = 0;
  /// Writes the state's velocities of the subsystem, from a solution v of the whole Problem.
  virtual void read_velocity(const DynamicsData& data, std::span<const double> v, std::span<double> state_v) const = 0;
  /// The other way round: the subsystem's part of v for velocities of the state.
  virtual void write_velocity(const DynamicsData& data, std::span<const double> state_v, std::span<double> v) const = 0;

  /// Attaches to the material point of a side that is at `point` (world, m). Columns of `frame`: t1, t2, n. Returns the
  /// point's velocity at the velocities that `data` holds, m/s.
  virtual Vec3 attach_point(const DynamicsData& data, const Side& side, const Vec3& point, const Mat3& frame,
                            double sign, Attachment& out) const = 0;
  /// Attaches to the angular velocity of a side along the axes of `frame`; false where the side has none.
  virtual bool attach_turn(const Side& side, const Mat3& frame, double sign, Attachment& out) const = 0;
  /// Velocity of an attached point at any velocities of the state, m/s.
  virtual Vec3 point_velocity(const DynamicsData& data, const Side& side, const Attachment& attached,
                              std::span<const double> state_v) const = 0;
  /// Constraints that the block needs whatever touches it: carried nodes are tied to their links.
  virtual void write_ties(const DynamicsData&, ConstraintWriter&) const {}
  /// Whether the block's dofs are the state's own, so that a coefficient on one of them is a Coordinate and a spring
  /// along it is an entry of the diagonal.
  virtual bool has_state_dofs() const = 0;
  /// One row of J: `coefficients` (per dof of the Model) of these dofs of the subsystem, ascending, along the block's
  /// own dofs instead.
  virtual void write_row(const DynamicsData& data, std::span<const int> dofs, std::span<const double> coefficients,
                         SparseRows& out) const = 0;
};

/// The blocks of all subsystems of a model, in their order: block k of the Problem is subsystem k of the Model.
/// Immutable, shared by any number of Assemblers. The model must outlive it.
class SubsystemBlocks {
 public:
  explicit SubsystemBlocks(const Model& model);

  const Model& model() const { return model_; }
  const SubsystemBlock& operator[](int subsystem) const { return *blocks_[static_cast<std::size_t>(subsystem)]; }
  std::span<const std::unique_ptr<const SubsystemBlock>> all() const { return blocks_; }

 private:
  const Model& model_;
  std::vector<std::unique_ptr<const SubsystemBlock>> blocks_;
};

/// Place of a subsystem among the blocks of a Problem: `index` among its kind, `offset` of its first dof in v.
struct BlockPlace {
  int block = 0, index = 0, offset = 0;
};
std::unique_ptr<const SubsystemBlock> make_elastic_block(const Model& model, const BlockPlace& place);
std::unique_ptr<const SubsystemBlock> make_free_body_block(const Model& model, const BlockPlace& place);
/// `topology`: of the subsystem's links. Trees of equal topology share one object, by which SubADMM recognises trees
/// that it can solve in one batch.
std::unique_ptr<const SubsystemBlock> make_tree_block(const Model& model, const BlockPlace& place,
                                                      std::shared_ptr<const TreeTopology> topology);

}  // namespace uzawa
