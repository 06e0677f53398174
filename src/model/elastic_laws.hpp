#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "uzawa/elastic/edge_elasticity.hpp"
#include "uzawa/elastic/rod_elasticity.hpp"
#include "uzawa/elastic/shell_elasticity.hpp"
#include "uzawa/elastic/tet_elasticity.hpp"
#include "uzawa/math/nodal/nodal_pieces.hpp"
#include "uzawa/math/pose.hpp"
#include "uzawa/model/elastic_system.hpp"

namespace uzawa {

class Model;
struct RodSpec;
struct SoftBodySpec;

/// Energy, forces and stiffness of an elastic system as functions of the poses of its links. Immutable.
class ElasticLaws {
 public:
  /// Throws InputError that names the soft body and the element: without volume, or held by rigid bodies alone.
  ElasticLaws(const Model& model, const ElasticSystem& system);

  const std::shared_ptr<const NodalPattern>& pattern() const { return pattern_; }
  /// Pieces that the model wants the system to be cut into; null: it is whole.
  const std::shared_ptr<const NodalPieceLayout>& pieces() const { return pieces_; }
  /// All parts are damped in the same proportion to their stiffness, `damping()`, and nothing is damped otherwise.
  bool has_one_damping() const { return one_damping_; }
  double damping() const { return damping_; }

  /// Memory of an evaluation, used again in the next.
  struct Scratch {
    std::vector<Vec3> position, force;
    std::vector<Pose> links;
    /// Per soft part: copies, because they have scratch of their own.
    std::vector<std::optional<TetElasticity>> tets;
    std::vector<std::optional<ShellElasticity>> shells;
    NodalMatrix part;     ///< of one part, where they are damped in different proportions
    double rod_turn = 0;  ///< rad, the largest rotation between two links of a rod that share a joint
  };
  /// Stiffness and damping of the pieces, in a system that is cut.
  struct Parts {
    NodalPieces stiffness, damping;
  };
  /// `force` (three numbers a node, N or N m), `stiffness` and its parts are set; `damping`, N s/m, where
  /// has_one_damping() is false.
  void evaluate(std::span<const Pose> link_pose, std::span<const Vec3> link_com, Scratch& scratch,
                std::span<double> force, NodalMatrix& stiffness, NodalMatrix& damping, Parts& parts) const;
  /// J
  double energy(std::span<const Pose> link_pose, std::span<const Vec3> link_com, Scratch& scratch) const;

 private:
  /// A soft body, or a piece of it.
  struct SoftPart {
    std::vector<SoftNode> nodes;  ///< whose numbers the elements have
    double damping = 0;           ///< s
    std::size_t piece = 0;        ///< of the system
    std::optional<TetElasticity> tets;
    std::optional<ShellElasticity> shell;
    std::optional<EdgeElasticity> edges;
  };
  /// A rod, or a piece of it.
  struct RodPart {
    std::vector<int> links;  ///< of the Model
    double damping = 0;      ///< s
    std::size_t piece = 0;   ///< of the system
    RodElasticity law;
    std::vector<int> node_of;  ///< two nodes of the system a link
  };
  void add_soft_body(const Model& model, int soft_body);
  void add_rod(const Model& model, const ElasticSystem& system, const RodSpec& rod);
  void find_damping();
  void place_parts(std::size_t nodes, bool cut);
  template <typename Part, typename Visit>
  static void for_each_law(Part& part, Visit&& visit);
  static std::vector<int> node_map(const SoftPart& part);
  static const std::vector<int>& node_map(const RodPart& part) { return part.node_of; }
  void copy_laws(Scratch& scratch) const;

  std::vector<SoftPart> soft_;
  std::vector<RodPart> rods_;
  std::shared_ptr<const NodalPattern> pattern_;
  std::shared_ptr<const NodalPieceLayout> pieces_;
  bool one_damping_ = true;
  double damping_ = 0;
};

}  // namespace uzawa
