#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "uzawa/elastic/edge_elasticity.hpp"
#include "uzawa/elastic/rod_elasticity.hpp"
#include "uzawa/elastic/shell_elasticity.hpp"
#include "uzawa/elastic/tet_elasticity.hpp"
#include "uzawa/math/pose.hpp"

namespace uzawa {

class Model;
struct ElasticSystem;

/// Energy, forces and stiffness of an elastic system as functions of the poses of its links. Immutable.
class ElasticLaws {
 public:
  /// Throws InputError that names the soft body and the element: without volume, or held by rigid bodies alone.
  ElasticLaws(const Model& model, const ElasticSystem& system);

  const std::shared_ptr<const NodalPattern>& pattern() const { return pattern_; }
  /// All parts are damped in the same proportion to their stiffness, `damping()`, and nothing is damped otherwise.
  bool has_one_damping() const { return one_damping_; }
  double damping() const { return damping_; }

  /// Memory of an evaluation, used again in the next.
  struct Scratch {
    std::vector<Vec3> position, force;
    std::vector<Pose> links;
    /// Per soft body: copies, because they have scratch of their own.
    std::vector<std::optional<TetElasticity>> tets;
    std::vector<std::optional<ShellElasticity>> shells;
    NodalMatrix part;  ///< of one part, where they are damped in different proportions
  };
  /// `force` (three numbers a node, N or N m) and `stiffness` are set; `damping`, N s/m, where has_one_damping() is
  /// false.
  void evaluate(const Model& model, std::span<const Pose> link_pose, std::span<const Vec3> link_com, Scratch& scratch,
                std::span<double> force, NodalMatrix& stiffness, NodalMatrix& damping) const;
  /// J
  double energy(const Model& model, std::span<const Pose> link_pose, std::span<const Vec3> link_com,
                Scratch& scratch) const;

 private:
  struct SoftPart {
    int soft_body = 0;
    double damping = 0;  ///< s
    std::optional<TetElasticity> tets;
    std::optional<ShellElasticity> shell;
    std::optional<EdgeElasticity> edges;
  };
  struct RodPart {
    int rod = 0;
    double damping = 0;  ///< s
    RodElasticity law;
    std::vector<int> node_of;  ///< two nodes of the system a link
  };
  void make_parts(const Model& model, const ElasticSystem& system);
  void copy_laws(Scratch& scratch) const;
  void place_parts(const Model& model, std::size_t nodes);

  std::vector<SoftPart> soft_;
  std::vector<RodPart> rods_;
  std::shared_ptr<const NodalPattern> pattern_;
  bool one_damping_ = true;
  double damping_ = 0;
};

}  // namespace uzawa
