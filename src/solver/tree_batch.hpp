#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "uzawa/math/offset.hpp"
#include "uzawa/math/six.hpp"
#include "uzawa/math/tree_inertia.hpp"
#include "uzawa/math/vec3x4.hpp"

namespace uzawa {

struct Motionx4 {
  Vec3x4 angular, linear;

  void set(const Vec3x4& a, const Vec3x4& l) { angular.set(a), linear.set(l); }
  void add_scaled(const Motionx4& b, const Lanes& s) { angular += b.angular * s, linear += b.linear * s; }
};
struct Forcex4 {
  Vec3x4 moment, force;

  void set(const Vec3x4& m, const Vec3x4& f) { moment.set(m), force.set(f); }
  void add(const Forcex4& b) { moment += b.moment, force += b.force; }
  void add_scaled(const Forcex4& b, const Lanes& s) { moment += b.moment * s, force += b.force * s; }
};

/// How the links of up to four trees of one topology move when they are pushed: twists = S A^-1 (b + S^T forces), in
/// one sweep to the root and one back, by articulated bodies ([AL] section VI-C, remark 1). Forces go in and twists
/// come out, so that neither Jacobians nor a joint-space right-hand side are formed; what does not change with the
/// forces is factorised once. Each tree has a lane: spatial vectors of six in lanes of four would need a shuffle for
/// every sum.
class TreeBatch {
 public:
  static constexpr int kLanes = 4;
  /// What belongs to one of the trees. Lanes without one repeat the first.
  template <typename T>
  using PerTree = std::array<T, kLanes>;

  /// To be called before anything else, and again where the trees change.
  void take_topology(const std::shared_ptr<const TreeTopology>& topology);
  /// Which number a dof of the topology has here: joints lie as the sweeps meet them, so that the next one can be
  /// fetched ahead.
  int joint_of(int dof) const { return joint_of_[static_cast<std::size_t>(dof)]; }

  /// Takes over subspaces, inertias and b of `count` trees.
  void prepare(int count, const PerTree<const TreeInertia*>& trees, const PerTree<const double*>& b);
  /// Where the pushes on the links are: that of tree t on link i is sources[t][i]; `zero`: where there is none.
  void place_pushes(const PerTree<const int*>& sources, int zero);

  /// With beta times these point masses and diagonals, the latter as JointLanes has them. `root_speeds`: whether the
  /// speeds of floating roots will be asked for, which takes longer. False where a matrix is not positive definite.
  [[nodiscard]] bool factorize(const PerTree<const SpatialInertia*>& point_masses, const double* diagonals, double beta,
                               bool root_speeds);

  /// Joint-space impulses beside b, and the speeds of the joints. Four numbers a joint, one a tree, so that the sweeps
  /// load and store whole lanes. Impulses come in layers that are added up, for a joint may have more than one.
  struct JointLanes {
    const double* pushes = nullptr;
    int layers = 0;
    std::size_t stride = 0;    ///< from layer to layer
    double* speeds = nullptr;  ///< null: nobody asks
  };
  /// Twists of the links that are pushed anywhere, from `pushes`.
  void solve(const Six* pushes, const JointLanes& joints, const PerTree<Six*>& twists);

 private:
  struct Joint {
    Motionx4 axis;        ///< S
    Forcex4 gain;         ///< U / pivot
    Lanes inverse_pivot;  ///< 1 / (S^T U + d)
    Lanes b;
    Lanes rest;  ///< (b + S^T force) / pivot, from the sweep to the root to the sweep back
  };
  /// What the joint was given and the sweeps do not need.
  struct JointData {
    Lanes diagonal;
  };
  /// Mass, first moment and moment of inertia of a link.
  struct Inertia {
    Lanes mass;
    Vec3x4 first, diagonal, off;
  };
  /// Articulated inertia: moment = aa w + al v, force = al^T w + ll v; aa and ll symmetric.
  struct Articulated {
    Vec3x4 aa_diagonal, aa_off, ll_diagonal, ll_off;
    Mat3x4 al;
  };
  /// A floating root moves freely, so its dofs are taken all at once: twist = rest + response * force.
  struct FloatingRoot {
    Motionx4 rest, response[6];  ///< to unit forces along x, y, z and unit moments about x, y, z
  };
  struct Link {
    int parent = -1;                  ///< here
    int first_joint = 0, joints = 0;  ///< here
    int number = 0;                   ///< in the topology
    int root = -1;                    ///< into roots_
    bool pushed = false;              ///< in any of the trees
    bool leaf = true;                 ///< no other link hangs on it
    bool first = false;               ///< of those that hang on the same link: the first that is swept to the root
    std::array<Offset<Six>, kLanes> push{};  ///< where those of the trees are
  };

  static void expand(const Inertia& inertia, Articulated& out);
  static Forcex4 times(const Articulated& a, const Motionx4& m);
  static void eliminate(const Forcex4& u, const Forcex4& gain, Articulated& a);
  bool eliminate_link(const Link& link, Articulated& a);
  void join_root(Link& link);
  static void push_joint(Joint& joint, Lanes impulse, Forcex4& force);
  static Lanes move_joint(const Joint& joint, Motionx4& motion);
  static Motionx4 move_root(const FloatingRoot& root, const Motionx4& place);
  void sweep_to_roots(const Six* pushes, const JointLanes& lanes);
  void sweep_back(const PerTree<Six*>& twists, double* speeds);

  int count_ = 0;
  std::shared_ptr<const TreeTopology> topology_;
  /// By depth: legs take turns, so that the next one can begin while the last one's sums are under way.
  std::vector<Link> links_;
  std::vector<int> joint_of_;  ///< per dof of the topology
  std::vector<Joint> joints_;
  std::vector<JointData> joint_data_;
  std::vector<Inertia> inertia_;          ///< one per link, without penalties
  std::vector<Articulated> articulated_;  ///< scratch of factorize, one per link
  std::vector<FloatingRoot> roots_;
  std::vector<Motionx4> motion_;  ///< scratch of solve, one per link; until the sweep back, the forces
  std::vector<Six> nobody_;       ///< twists of lanes without a tree, one per link
};

}  // namespace uzawa
