#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "uzawa/base/thread_pool.hpp"
#include "uzawa/math/offset.hpp"
#include "uzawa/math/six.hpp"
#include "uzawa/math/vec3_lanes.hpp"
#include "uzawa/problem/problem.hpp"
#include "uzawa/solver/admm/admm_subsystems.hpp"
#include "uzawa/solver/admm/joint_scales.hpp"
#include "uzawa/solver/admm/lane_group.hpp"

/// The constraints' half of an ADMM iteration ([AL] eq. 36-40), four contacts or twelve scalar constraints at a time,
/// or twice as many where registers are that wide.
///
/// Slack z and multiplier need not be kept apart: with y = z - lambda/beta for each side, both follow from y,
///
///     lambda = T(-(sum y + e) / sum 1/beta),      z = y + lambda/beta,      g = beta z + lambda = beta y + 2 lambda
///
/// (beta may differ from side to side, as in [SUB] eq. 18), and an iteration with over-relaxation alpha is y <- y +
/// alpha (J v - z) (Douglas-Rachford). y is the complete state of the iteration: its change vanishes at the solution,
/// and acceleration works on y.
namespace uzawa {

/// Penalty and relaxation of an iteration.
struct AdmmStep {
  double beta = 1, relaxation = 1;
  bool measured = false;    ///< residuals() will be asked for
  bool looks_back = false;  ///< previous_state() will be asked for
};

/// Squared residuals by which penalty and relaxation are chosen, summed over all sides. Angular velocities are
/// converted to m/s by the length scale of their weight (joint_scales.hpp).
struct AdmmResiduals {
  double primal = 0;  ///< z - J v after the step, m/s
  double dual = 0;    ///< change of z times the constraint's weight, m/s
  double speed = 0;   ///< J v
  double change = 0;  ///< of y

  AdmmResiduals& operator+=(const AdmmResiduals& b) {
    return primal += b.primal, dual += b.dual, speed += b.speed, change += b.change, *this;
  }
};

class ConstraintStep {
 public:
  /// Groups the constraints of `subsystems` (and adds spare slots to it for lanes without a constraint).
  /// `mobility`: of the constraints (PreparedProblem), where there are moments. `penalties`: weights of beta block by
  /// block ([SUB] eq. 23), so that the sides of a constraint have different ones; empty: all sides of a constraint have
  /// the same.
  void prepare(const Problem& problem, AdmmSubsystems& subsystems, std::span<const double> mobility,
               std::span<const double> penalties = {});

  /// y from impulses and from the velocities of `subsystems`: z = J v. To be followed by project().
  void start(const Problem& problem, const AdmmSubsystems& subsystems, std::span<const double> lambda, double beta);
  /// Changes the penalty; z and impulses stay. Constraints without impulse get a small share of it, so that they do not
  /// slow down motion that they need not prevent; their y does not change, because with lambda = 0 it does not depend
  /// on the penalty. True where any penalty changed; then the matrices have to be factorised again. Not for penalties
  /// block by block, which stay.
  [[nodiscard]] bool change_penalty(AdmmSubsystems& subsystems, double from, double to);
  /// The constraints' half of one iteration: y, impulses and slots from the velocities of `subsystems`.
  void step(const Problem& problem, AdmmSubsystems& subsystems, const AdmmStep& step, ThreadPool* pool);
  /// Residuals of the last step, which must have been measured.
  AdmmResiduals residuals() const;
  /// [SUB] eq. 22: sum of the squares of the change of beta y in the last step, N^2 s^2; previous_state() must be
  /// there.
  double theta() const;
  /// Impulses and slots from y, where y was changed.
  void project(const Problem& problem, AdmmSubsystems& subsystems, double beta, ThreadPool* pool);

  /// y, and y before the last step.
  std::span<Vec3Wide> state() { return y_; }
  std::span<Vec3Wide> previous_state() { return previous_; }

  /// Impulses by the rows of the problem; rows of constraints without attachments are not written.
  void impulses(const Problem& problem, std::span<double> lambda) const;
  /// Squares of impulses and of velocities J v by the rows of the problem, like AdmmResiduals.
  double impulse_square() const;
  double speed_square(const Problem& problem, std::span<const double> u) const;

 private:
  using Group = LaneGroup;
  /// One side of a group's constraints, for sides that are points. Their y is in world axes, so that the frame is
  /// applied once a constraint and not once a side.
  struct PointSide {
    Vec3Wide lever;  ///< the point, times its sign
    Offset<Six> link[Group::kLanes];
    Offset<Six> slot[Group::kLanes];
    WideLanes sign{};
  };
  /// The same for joints.
  struct JointSide {
    Vec3Wide coefficient;
    int place[Group::kPlaces], slot[Group::kPlaces];
  };
  struct Shape {
    Group::Law law;
    Group::Hold hold;
    int sides;
    bool plain;
    bool operator==(const Shape&) const = default;
  };

  static bool is_plain(std::span<const AdmmSide> sides);
  Shape shape_of(const Problem& problem, const AdmmSubsystems& subsystems, int constraint) const;
  /// Twelve in a group, not four.
  static bool is_packed(const Shape& shape);
  void fill_groups(const Problem& problem, AdmmSubsystems& subsystems, std::size_t shape);
  void fill_group(const Problem& problem, AdmmSubsystems& subsystems, const Shape& shape, std::span<const int> members);
  /// AdmmSide k of constraint i.
  static const AdmmSide& side_of(const AdmmSubsystems& subsystems, const Group& group, int i, int k) {
    return subsystems.sides()[static_cast<std::size_t>(subsystems.side_start(group.constraint[i]) + k)];
  }
  static void fill_points(AdmmSubsystems& subsystems, int k, Group& group, PointSide& out);
  static void fill_joints(AdmmSubsystems& subsystems, const Group& group, int k, JointSide& out);

  /// Of side k of a plain contact.
  static constexpr double plain_sign(int k) { return k == 0 ? 1 : -1; }
  template <typename Sign>
  static Vec3Wide point_velocities(const Six* twists, const PointSide& side, const Sign& sign);
  template <typename Sign>
  static void push_points(Six* pushes, const PointSide& side, const Sign& sign, const Vec3Wide& g);
  static Vec3Wide joint_velocities(const double* speeds, const JointSide& side);
  static void push_joints(double* pushes, const JointSide& side, const Vec3Wide& g);
  template <Group::Hold kHold>
  using Constant = std::integral_constant<Group::Hold, kHold>;
  template <typename Work>
  static void with_hold(const Group& group, Work&& work);
  template <typename Work>
  static void with_sides(const Group& group, Work&& work);
  template <Group::Hold kHold>
  Vec3Wide velocities(const AdmmSubsystems& subsystems, const Group& group, int k) const;
  template <Group::Hold kHold>
  void push(AdmmSubsystems& subsystems, const Group& group, int k, const Vec3Wide& g) const;
  template <Group::Hold kHold>
  void step_group(const Problem& problem, AdmmSubsystems& subsystems, const AdmmStep& step, Group& group);
  template <Group::Hold kHold>
  void project_group(const Problem& problem, AdmmSubsystems& subsystems, double beta, Group& group,
                     const Vec3Wide& sum);
  template <int kSides>
  void step_contacts(AdmmSubsystems& subsystems, const AdmmStep& step, std::span<Group> groups);
  template <int kSides>
  static void argue(double beta, const Vec3Wide& sum, Group& group);
  template <int kSides>
  void project_contacts(AdmmSubsystems& subsystems, double beta, std::span<Group> groups);
  /// Weight of side k's penalty.
  const Vec3Wide& weight_of(const Group& group, int k) const {
    return side_weight_.empty() ? group.weight : side_weight_[static_cast<std::size_t>(group.first_side + k)];
  }
  const Vec3Wide& inverse_weight_of(const Group& group, int k) const {
    return side_weight_.empty() ? group.inverse_weight
                                : inverse_side_weight_[static_cast<std::size_t>(group.first_side + k)];
  }
  Vec3Wide effective_penalty(const Group& group, double beta) const;
  void take_penalties(AdmmSubsystems& subsystems, const Group& group);
  static bool set_weights(AdmmSubsystems& subsystems, const Vec3Wide& weight, Group& group);
  void place_moments(const Problem& problem, AdmmSubsystems& subsystems, std::span<const double> mobility);
  /// Calls work(groups) for all groups, moments after their contacts.
  template <typename Work>
  void for_each_run(ThreadPool* pool, Work&& work);
  template <typename Work>
  void for_each_run(ThreadPool* pool, std::size_t begin, std::size_t end, Work&& work);
  void bound_moments();

  JointScales scales_;
  std::vector<Group> groups_;
  std::vector<PointSide> points_;
  std::vector<JointSide> joints_;
  /// Group of a contact, and its place there.
  struct Place {
    std::size_t group = 0;
    int lane = 0;
  };
  std::size_t first_moment_ = 0;      ///< among the groups: moments come last
  std::vector<Place> contact_place_;  ///< per constraint, where there are moments
  int side_count_ = 0;
  std::span<const double> penalties_;                        ///< of prepare
  std::vector<Vec3Wide> side_weight_, inverse_side_weight_;  ///< per side; empty: those of its group
  std::vector<Vec3Wide> y_, previous_;
  const Vec3Wide* from_ = nullptr;          ///< y before the step under way
  std::vector<Vec3Wide> previous_impulse_;  ///< per group
  AdmmStep last_;                           ///< penalty and relaxation of the last step
  std::vector<Shape> shapes_;               ///< scratch of prepare
  std::vector<int> shape_start_, ordered_;
};

}  // namespace uzawa
