#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/base/aligned_vector.hpp"
#include "uzawa/base/thread_pool.hpp"
#include "uzawa/problem/problem.hpp"
#include "uzawa/solver/admm/body_response.hpp"
#include "uzawa/solver/admm/matrix_subsystem.hpp"
#include "uzawa/solver/admm/push_sums.hpp"
#include "uzawa/solver/admm/tree_batch.hpp"

/// The problem as ADMM sees it ([AL] section VI): the sides of the constraints, one slack a side, and the subsystem
/// matrices A_j + beta sum J_ij^T J_ij.
///
///     velocities (twists of links, speeds of dofs)  --J_ij-->  constraints (constraint_step.hpp)
///          ^                                                        |
///          +------- solve, subsystem by subsystem <-----J_ij^T------+  impulses, left in slots
///
/// Where the sides are split by bodies, a side on a link is a point mass beta there and a side on a joint is beta on
/// the diagonal (and one on a link's rotation a moment of inertia), so that the matrices keep the sparsity of A_j ([AL]
/// eq. 41-42 and Appendix A).
namespace uzawa {

enum class Splitting {
  Bodies,      ///< a slack for each body or joint that a constraint acts on ([AL] eq. 31-32): SubADMM
  Subsystems,  ///< a slack for each subsystem ([SUB] eq. 9): "No Body" in [AL] Table III
  None         ///< a slack for each constraint ([AL] eq. 29): "No Sub" in [AL] Table III
};

enum class AdmmSideKind {
  Point,  ///< a point of a free body or of a link. All three directions take part, also where the constraint is scalar:
          ///< free tangents make its penalty a point mass, too
  Turn,   ///< the angular velocity of a free body or of a link
  Joint,  ///< a dof of a tree
  Rows    ///< explicit rows on a matrix subsystem
};

struct AdmmSide {
  AdmmSideKind kind = AdmmSideKind::Rows;
  int constraint = 0;
  int target = 0;     ///< Point, Turn: link among all twists; Joint: place among the joints; Rows: matrix subsystem
  int slot = 0;       ///< index of its impulse among the slots of its kind
  double weight = 1;  ///< its penalty is this times beta
  const Attachment* from = nullptr;  ///< point, frame and sign, or coefficient: they stay in the problem
};

class AdmmSubsystems {
 public:
  /// `j`: the problem's J. Pointers into the problem are kept: it must not move or change until the next prepare.
  void prepare(const Problem& problem, const SparseRows& j, Splitting splitting);
  /// Penalty weight of side `index`; takes effect at the next factorisation.
  void set_weight(int index, double weight);
  /// False where a matrix is not positive definite.
  [[nodiscard]] bool factorize(const Problem& problem, double beta, ThreadPool* pool);

  std::span<const AdmmSide> sides() const { return sides_; }
  /// Sides of constraint c: [side_start(c), side_start(c + 1)).
  int side_start(int c) const { return side_start_[static_cast<std::size_t>(c)]; }

  /// Velocities from the impulses in the slots, v_j = (A_j + beta ...)^-1 (b_j + sum J_ij^T g_ij) ([AL] eq. 35).
  void solve(const Problem& problem, ThreadPool* pool);
  /// Sets velocities that were not computed by solve, as at the start.
  void set_velocity(const Problem& problem, std::span<const double> v);

  /// J_ij v_j in the constraint's frame.
  Vec3 velocity(const AdmmSide& side) const;
  /// Puts g_ij into the side's slot.
  void push(const AdmmSide& side, const Vec3& g);

  /// Raw arrays for loops over many points at a time. The last link and the spare slots are dummies for lanes without a
  /// constraint.
  const Six* twists() const { return twist_.data(); }
  Six* pushes() { return pushes_.slots(); }
  int spare_link() const { return static_cast<int>(twist_.size()) - 1; }
  int add_spare_slot() { return pushes_.add_spare_slot(); }
  /// The same for joints: speeds by place, impulses by slot.
  const double* joint_speeds() const { return joint_speed_.data(); }
  double* joint_pushes() { return joint_push_.data(); }
  int add_spare_joint_slot();

 private:
  struct FreeBody {
    int block = 0, link = 0;
    BodyResponse response;
  };
  /// Trees of one topology, which are solved together.
  struct Trees {
    int count = 0, block[TreeBatch::kLanes] = {};
    int first_link = 0;                            ///< of the first tree; the next link of a tree is kLanes further on
    int first_joint = 0;                           ///< place of the first tree's first dof among the joints
    bool joint_sides = false, root_sides = false;  ///< constraints on joints, and on joints of a root
    TreeBatch batch;
  };
  /// A range of subsystems of one kind that one thread processes at once.
  struct Task {
    BlockKind kind;
    int begin, end;
    int sums;     ///< part of pushes_; -1: none
    int scratch;  ///< -1: none
  };

  void place_blocks(const Problem& problem, Splitting splitting);
  void add_tree(const Problem& problem, int block);
  void prepare_trees(const Problem& problem);
  void add_block(const Problem& problem, int block, bool as_matrix);
  void collect_sides(const Problem& problem, const SparseRows& j);
  void add_side(const Problem& problem, const SparseRows& j, int constraint, const Attachment& from);
  void place_slots();
  void add_penalty(const AdmmSide& side, double weight);
  void make_tasks(const Problem& problem);
  void add_links(const Problem& problem, int block);
  bool factorize_trees(Trees& trees, double beta, TreeBatch::Scratch& scratch);
  void solve_bodies(int begin, int end);
  void solve_trees(Trees& trees, TreeBatch::Scratch& scratch);
  template <typename Work>
  void for_each_task(ThreadPool* pool, Work&& work);

  std::vector<FreeBody> bodies_;
  std::vector<Trees> trees_;
  std::vector<std::unique_ptr<MatrixSubsystem>> matrices_;
  std::size_t tree_count_ = 0, matrix_count_ = 0;  ///< in use; the others keep their memory for a later problem
  std::vector<int> link_start_;                    ///< per block: its first link; -1: the block is in a matrix
  std::vector<int> subsystem_;                     ///< per block: among its kind
  std::vector<int> joint_start_;                   ///< per tree block: place of its first dof among the joints
  int joints_ = 0;                                 ///< places: a lane for each dof of each tree of a batch
  std::vector<Task> tasks_;
  std::vector<int> links_;  ///< scratch of make_tasks: of a task
  std::vector<char> good_;  ///< per task
  std::vector<TreeBatch::Scratch> scratch_;
  bool worth_sharing_ = false;

  std::vector<AdmmSide> sides_;
  std::vector<int> side_start_;
  std::vector<SpatialInertia> point_masses_;  ///< per link: of its points, at beta = 1
  AlignedVector<double> joint_masses_;        ///< per joint place: of its sides, at beta = 1

  std::vector<int> push_start_, row_start_;  ///< slots of a link, a matrix
  std::vector<int> next_;                    ///< scratch of place_slots: layers of a joint
  PushSums pushes_;
  AlignedVector<double> joint_push_;  ///< layers of one for each place: a joint's k-th side has the k-th layer
  int joint_layers_ = 0;
  std::vector<Vec3> row_push_;
  std::vector<Six> twist_;
  AlignedVector<double> joint_speed_;  ///< per joint place
  std::vector<double> v_;              ///< of the matrix subsystems
};

}  // namespace uzawa
