#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/base/thread_pool.hpp"
#include "uzawa/collision/broad/broad_phase.hpp"
#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/collision/contacts/reduction.hpp"
#include "uzawa/collision/contacts/speculation.hpp"
#include "uzawa/collision/pairs/narrow_phase.hpp"
#include "uzawa/collision/shape_set.hpp"
#include "uzawa/collision/skin/skin_collider.hpp"

namespace uzawa {

struct CollisionSettings {
  /// m; two convex shapes have this many points at the most; other pairs `reduction.cap`.
  int convex_cap = 8;
  ReductionSettings reduction;
};

struct CollisionStats {
  int candidates = 0;  ///< pairs with overlapping boxes: the input of the narrow phase
  int touching = 0;    ///< pairs with contacts
  int dropped = 0;     ///< points, and faces near enough to be searched, that a cap left out
  BroadPhase::Stats broad;
};

/// Contacts of a model at a pose. Caches data for the next step, and allocates no memory once it has met the largest
/// scene. The result depends on the poses alone, not on earlier steps.
class Collider {
 public:
  explicit Collider(const Model& model, const CollisionSettings& settings = {});
  explicit Collider(std::shared_ptr<const ShapeSet> shapes, const CollisionSettings& settings = {});

  /// `link_poses`: as in DynamicsData::link_pose. With a pool, pairs are shared out among its threads; the contacts are
  /// the same for any number of them.
  void run(std::span<const Pose> link_poses, const Speculation& speculation = {}, ThreadPool* pool = nullptr);

  /// Only these pairs, ascending and each once, without look-ahead; other geoms are neither placed nor searched.
  struct Pair {
    int geom1 = 0, geom2 = 0;
    int explicit_pair = -1;  ///< of the Model; -1: none
  };
  void run_pairs(std::span<const Pose> link_poses, std::span<const Pair> pairs, ThreadPool* pool = nullptr);

  /// Of the last run: ascending by geom1, then geom2, then as the shapes list their features.
  std::span<const Contact> contacts() const { return contacts_; }
  const CollisionStats& stats() const { return stats_; }
  const ShapeSet& shapes() const { return *shapes_; }
  const std::shared_ptr<const ShapeSet>& shared_shapes() const { return shapes_; }

 private:
  struct FixedPair {
    PairKey key = 0;
    int explicit_pair = -1;  ///< of the Model; -1: a plane and a geom that may touch it
    double margin = 0;       ///< m
  };

  void list_fixed_pairs();
  void place(std::span<const Pose> link_poses, const Speculation& speculation);
  void place_geom(int geom, std::span<const Pose> link_poses);
  double look_ahead(int geom1, int geom2, const Speculation& speculation) const;
  /// A pair for the narrow phase.
  struct Candidate {
    int geom1 = 0, geom2 = 0;
    double margin = 0;
    int explicit_pair = -1;
    Vec3 far_normal;  ///< NarrowWorkspace::far_normal
  };
  /// Memory and results of one thread.
  struct Lane {
    NarrowWorkspace workspace;
    Manifold manifold;
    Reducer reducer;
    std::vector<Contact> contacts;
    int touching = 0, dropped = 0;
  };

  void list_candidates(const Speculation& speculation);
  void recall_far_normals();
  void collide_candidates(ThreadPool* pool);
  void run_candidates(int part, int parts);
  void run_pair(Candidate& pair, Lane& lane) const;
  void merge_skins();

  std::shared_ptr<const ShapeSet> shapes_;
  CollisionSettings settings_;
  std::vector<PlacedShape> placed_;  ///< per geom
  std::vector<Aabb> boxes_;          ///< per geom, grown by margin and look-ahead; planes: unused
  std::vector<Vec3> velocity_;       ///< per geom: of the centre of its bounds, m/s
  std::vector<double> spin_;         ///< per geom: speed of its points about that centre at the most, m/s
  std::vector<FixedPair> fixed_;     ///< ascending: pairs that the tree does not find
  BroadPhase broad_;
  std::vector<Candidate> candidates_, last_candidates_;  ///< ascending; of this run and the one before
  std::vector<Lane> lanes_;
  SkinCollider skins_;
  std::vector<Contact> contacts_, merged_;
  CollisionStats stats_;
};

}  // namespace uzawa
