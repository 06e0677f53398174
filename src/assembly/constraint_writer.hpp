#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "uzawa/assembly/subsystem_block.hpp"
#include "uzawa/dynamics/forces.hpp"

namespace uzawa {

/// Origin of a constraint in the model; part of its key.
enum class ConstraintSource : std::uint8_t {
  Limit,
  JointFriction,
  TendonLimit,
  TendonFriction,
  Spring,
  Equality,
  NoSlip,
  Tie,
  CarriedNode
};

/// Key of a constraint other than a contact, the same in every step: warm starts are matched by keys. Contacts have
/// contact keys.
std::uint64_t constraint_key(ConstraintSource source, int index, int part = 0);

/// An equality of the problem that holds its rate (held_rate).
struct HeldRow {
  int index = 0;     ///< among the equalities
  double rate = 0;   ///< J v before the step, mocap bodies included
  double given = 0;  ///< what mocap bodies add to J v after it
};

/// A constraint that a mocap body takes part in.
struct DrivenRow {
  int row = 0;    ///< its first of J
  Vec3 velocity;  ///< what the mocap body adds to J v, mean of the step; a scalar row has it in z
};

/// Writes constraints into a Problem: first the attachments of a constraint (hold_...), then its law. A constraint
/// without a moving attachment is left out. All memory is kept from step to step.
class ConstraintWriter {
 public:
  ConstraintWriter(const SubsystemBlocks& blocks, Problem& problem);

  /// Removes all constraints and takes the poses and joint velocities of this step. `asleep`: per subsystem, 1: its
  /// constraints are left out; may be empty. `given`: velocities of the mocap bodies that the laws ask for; empty:
  /// zero.
  void start(const DynamicsData& data, std::span<const double> v, std::span<const char> asleep = {},
             std::span<const Motion> given = {});
  /// Releases entries of the Problem that an earlier, larger step used and this one does not.
  void finish();

  // -- attachments of the next constraint
  /// The point of a side at `point` (world). Columns of `frame`: t1, t2, n; a scalar row takes n.
  void hold_point(const Side& side, const Vec3& point, const Mat3& frame, double sign);
  /// A side as a whole, for moments along the axes of `frame`. False where the side moves and has no rotation.
  [[nodiscard]] bool hold_turn(const Side& side, const Mat3& frame, double sign);
  /// A coordinate; several calls add up.
  void hold_row(const CoordinateRow& row, double factor = 1);
  void hold_dof(int dof, double coefficient);
  /// The angular velocity of a link (-1: the ground) about an axis (world).
  void hold_rotation(int link, const Vec3& axis, double sign);

  /// Discards the attachments collected so far; no constraint is written.
  void let_go();

  /// J v of the attachments so far, for a scalar row or the normal of a contact: at the velocities at the start of this
  /// step, and at given velocities.
  /// With the velocity that mocap bodies have at the start.
  double rate() const { return rate_; }
  double rate_at(std::span<const double> v) const;

  // -- law of the constraint, which completes it; `key` is for warm starts
  /// Problem::mobility_estimate of the contact that comes next.
  void estimate_mobility(double mobility) { mobility_ = mobility; }
  /// False where it holds nothing that moves, and is left out.
  bool contact(std::uint64_t key, const FrictionCone& cone, const Vec3& e);
  /// Of the contact that was written just before; `key` is the contact's.
  void moment(std::uint64_t key, const MomentCone& cone);
  void hard(std::uint64_t key, double e);
  void equality(std::uint64_t key, double e);
  /// An equality that holds its rate, which was `rate`.
  void held_equality(std::uint64_t key, double e, double rate);
  void soft(std::uint64_t key, double e, double k, double damping);
  void limit(std::uint64_t key, double lower, double upper);
  void friction(std::uint64_t key, double bound);

  /// Keys of the problem's constraints, in their order.
  std::span<const std::uint64_t> keys() const { return keys_; }
  std::span<const DrivenRow> driven_rows() const { return driven_rows_; }
  /// Of held_equality, in the order of the equalities.
  std::span<const HeldRow> held_rows() const { return held_rows_; }

 private:
  /// Ends the list of attachments; false where it is empty or belongs to a sleeping subsystem.
  bool close(std::uint64_t key);
  void open();
  bool holds_sleeper() const;
  void add_given(const Mat3& frame, const Vec3& start, const Vec3& end, double sign);
  void add_given_turn(const Mat3& frame, int mocap, double sign);
  void hold_given(int link, const Vec3& point, const Mat3& frame, double sign);
  void attach_rows();
  void attach_row(int block, std::size_t begin, std::size_t end);
  SparseRows& next_rows();

  const Model& model_;
  const SubsystemBlocks& blocks_;
  Problem& problem_;
  const DynamicsData* data_ = nullptr;
  std::span<const double> v_;
  std::span<const char> asleep_;
  std::span<const Motion> given_;
  double mobility_ = 0;
  double rate_ = 0;
  Vec3 given_rate_;   ///< what mocap bodies add to J v in the law, along the frame; scalar rows have it in z
  Vec3 given_start_;  ///< what they add to it, and in z to rate_, at the start of the step
  std::vector<std::uint64_t> keys_;
  std::vector<HeldRow> held_rows_;
  std::vector<DrivenRow> driven_rows_;
  std::vector<Attachment> held_;
  std::vector<Side> held_sides_;        ///< of the points among held_, which come first
  std::vector<double> coefficient_;     ///< per dof of the model; zero between constraints
  std::vector<int> touched_;            ///< dofs whose coefficient is set
  std::size_t rows_used_ = 0;           ///< of problem_.attachment_rows
  std::vector<SparseRows> spare_rows_;  ///< left over from larger steps
};

}  // namespace uzawa
