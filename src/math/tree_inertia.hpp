#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/math/spatial.hpp"
#include "uzawa/math/tree_matrix.hpp"

/// Inertia of a forest of kinematic trees as plain data: topology, motion subspaces, link inertias and a joint-space
/// diagonal. It stands for the matrix
///
///     A = sum over links of J_link^T H_link J_link + diag(d)          ([AL] eq. 41)
///
/// where column j of J_link is the motion subspace S_j for dofs on the path to the link, else zero. H_link is the
/// link's spatial inertia, to which contacts add point masses ([AL] eq. 42 and Appendix A); d is armature plus the
/// contributions of joint rows and implicit gains. Dynamics and contact problem build A from this, by two routes:
/// assemble a TreeMatrix (composite rigid bodies) and factorise, or never form it (articulated bodies, O(n)).
namespace uzawa {

struct TreeInertia {
  std::shared_ptr<const TreeTopology> topology;
  std::vector<Motion> subspace;         ///< S, one per dof: motion of the subtree for unit speed
  std::vector<SpatialInertia> inertia;  ///< H, one per link, about the tree's reference point
  std::vector<double> diagonal;         ///< d, one per dof

  TreeInertia() = default;
  explicit TreeInertia(std::shared_ptr<const TreeTopology> t);
};

/// Composite-rigid-body assembly of A. `composite` is scratch, one per link.
void assemble(const TreeInertia& tree, std::span<SpatialInertia> composite, TreeMatrix& a);

/// Articulated-body factorisation of A: time and memory linear in the number of dofs, whatever the depth, where the
/// TreeMatrix of a chain is quadratic. Factorise once, solve many times ([AL] section VI-C, remark 1).
class ArticulatedFactor {
 public:
  ArticulatedFactor() = default;
  explicit ArticulatedFactor(std::shared_ptr<const TreeTopology> topology);

  /// False where a pivot is not positive; the factor must not be used then.
  [[nodiscard]] bool factorize(const TreeInertia& tree);
  /// x <- A^-1 x for the factorised tree, which must be the same object with unchanged subspaces.
  void solve(const TreeInertia& tree, std::span<double> x);

 private:
  /// 6x6 symmetric inertia in 3x3 blocks: moment = aa w + al v, force = al^T w + ll v.
  struct ArticulatedInertia {
    Mat3 aa, al, ll;
  };
  static ArticulatedInertia expand(const SpatialInertia& inertia);
  static Force times(const ArticulatedInertia& a, const Motion& m);
  static void eliminate(const Force& u, double inverse_pivot, ArticulatedInertia& a);

  std::shared_ptr<const TreeTopology> topology_;
  std::vector<ArticulatedInertia> articulated_;  ///< one per link
  std::vector<Force> gain_;                      ///< U = IA S, one per dof
  std::vector<double> inverse_pivot_;            ///< 1/(S^T U + d), one per dof
  std::vector<Force> bias_;                      ///< scratch of solve, one per link
  std::vector<Motion> acceleration_;             ///< scratch of solve, one per link
};

}  // namespace uzawa
