#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "uzawa/math/offset.hpp"
#include "uzawa/math/six.hpp"
#include "uzawa/math/tree_inertia.hpp"
#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

struct MotionWide {
  Vec3Wide angular, linear;

  void set(const Vec3Wide& a, const Vec3Wide& l) { angular.set(a), linear.set(l); }
  void add_scaled(const MotionWide& b, const WideLanes& s) { angular += b.angular * s, linear += b.linear * s; }
};
struct ForceWide {
  Vec3Wide moment, force;

  void set(const Vec3Wide& m, const Vec3Wide& f) { moment.set(m), force.set(f); }
  void add_scaled(const ForceWide& b, const WideLanes& s) { moment += b.moment * s, force += b.force * s; }
};

/// Response of the links of up to four (or eight) trees of one topology to impulses: twists = S A^-1 (b + S^T forces),
/// in one sweep to the root and one back, by articulated bodies ([AL] section VI-C, remark 1). Forces go in and twists
/// come out, so that neither Jacobians nor a joint-space right-hand side are formed; all terms that do not depend on
/// the forces are factorised once. Each tree has a lane: spatial vectors of six in lanes of four would need a shuffle
/// for every sum.
class TreeBatch {
 public:
  class Scratch;
  static constexpr int kLanes = kWide;
  /// One value per tree. Lanes without a tree repeat the first one.
  template <typename T>
  using PerTree = std::array<T, kLanes>;

  /// To be called before anything else, and again where the trees change.
  void take_topology(const std::shared_ptr<const TreeTopology>& topology);
  /// Index in the batch of a dof of the topology: joints are stored in the order of the sweeps, for prefetching.
  int joint_of(int dof) const { return joint_of_[static_cast<std::size_t>(dof)]; }

  /// Takes over subspaces, inertias and b of `count` trees.
  void prepare(int count, const PerTree<const TreeInertia*>& trees, const PerTree<const double*>& b);
  // Arrays over links have the links of all trees interleaved: the entry of tree t and link i is at kLanes * i + t.

  /// Indices of the impulses (pushes) on the links; `zero`: index for links without one.
  void place_pushes(const int* sources, int zero);

  /// Factorises with beta times these point masses and diagonals added; the diagonals have the layout of JointLanes.
  /// `root_speeds`: whether joint speeds of floating roots will be needed, which takes longer. False where a matrix is
  /// not positive definite.
  [[nodiscard]] bool factorize(const SpatialInertia* point_masses, const double* diagonals, double beta,
                               bool root_speeds, Scratch& scratch);

  /// Joint-space impulses beside b, and the speeds of the joints. As many numbers a joint as there are lanes, so that
  /// the sweeps load and store whole lanes. Impulses come in layers that are added up, for a joint may have more than
  /// one.
  struct JointLanes {
    const double* pushes = nullptr;
    int layers = 0;
    std::size_t stride = 0;    ///< from layer to layer
    double* speeds = nullptr;  ///< null: not needed
  };
  /// Computes, from `pushes`, the twists of the links that have pushes in any tree.
  void solve(const Six* pushes, const JointLanes& joints, Six* twists, Scratch& scratch);

 private:
  struct Joint {
    MotionWide axis;          ///< S
    ForceWide gain;           ///< U / pivot
    WideLanes inverse_pivot;  ///< 1 / (S^T U + d)
    WideLanes b;
  };
  /// Input of a joint that the sweeps do not read.
  struct JointData {
    WideLanes diagonal;
  };
  /// Mass, first moment and moment of inertia of a link.
  struct Inertia {
    WideLanes mass;
    Vec3Wide first, diagonal, off;
  };
  /// Articulated inertia: moment = aa w + al v, force = al^T w + ll v; aa and ll symmetric.
  struct Articulated {
    Vec3Wide aa_diagonal, aa_off, ll_diagonal, ll_off;
    Mat3Wide al;
  };
  /// A floating root moves freely, so its dofs are taken all at once: twist = rest + response * force.
  struct FloatingRoot {
    MotionWide rest, response[6];  ///< to unit forces along x, y, z and unit moments about x, y, z
  };
  struct Link {
    int parent = -1;                  ///< here
    int first_joint = 0, joints = 0;  ///< here
    int number = 0;                   ///< in the topology
    int root = -1;                    ///< into roots_
    bool pushed = false;              ///< in any of the trees
    bool leaf = true;                 ///< no other link hangs on it
    bool first = false;               ///< of those that hang on the same link: the first that is swept to the root
    std::array<Offset<Six>, kLanes> push{};  ///< per tree: its push
  };

  static void expand(const Inertia& inertia, const SpatialInertia* points, double beta, Articulated& out);
  static void multiply(const Articulated& a, const MotionWide& m, ForceWide& out);
  static void eliminate(const ForceWide& u, const ForceWide& gain, Articulated& a);
  void eliminate_link(const Link& link, const WideLanes* diagonals, Articulated& a, WideLanes& good);
  void join_root(Link& link, WideLanes* rest);
  static WideLanes push_joint(const Joint& joint, WideLanes impulse, ForceWide& force);
  static WideLanes move_joint(const Joint& joint, const WideLanes& rest, MotionWide& motion);
  static MotionWide move_root(const FloatingRoot& root, const MotionWide& place);
  void sweep_to_roots(const Six* pushes, const JointLanes& lanes, Scratch& scratch) const;
  void sweep_back(Six* twists, double* speeds, Scratch& scratch) const;

  int count_ = 0;
  std::shared_ptr<const TreeTopology> topology_;
  /// Sorted by depth: consecutive links belong to different limbs and are independent, which hides the latency of the
  /// sums.
  std::vector<Link> links_;
  std::vector<int> joint_of_;  ///< per dof of the topology
  std::vector<Joint> joints_;
  std::vector<JointData> joint_data_;
  std::vector<Inertia> inertia_;  ///< one per link, without penalties
  std::vector<FloatingRoot> roots_;
};

/// Intermediate results of the sweeps. Batches that are solved one after the other share it, so that it stays in the
/// cache.
class TreeBatch::Scratch {
 public:
  void make_room_for(const TreeBatch& batch) {
    articulated_.resize(std::max(articulated_.size(), batch.links_.size()));
    motion_.resize(articulated_.size());
    rest_.resize(std::max(rest_.size(), batch.joints_.size()));
  }

 private:
  friend class TreeBatch;
  std::vector<Articulated> articulated_;  ///< per link
  std::vector<MotionWide> motion_;        ///< per link; until the sweep back, the forces
  std::vector<WideLanes> rest_;  ///< per joint: (b + S^T force) / pivot; in factorize, the diagonal with its penalty
};

}  // namespace uzawa
