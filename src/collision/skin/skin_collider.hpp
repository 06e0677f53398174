#pragma once

#include <span>
#include <vector>

#include "uzawa/base/thread_pool.hpp"
#include "uzawa/collision/contacts/speculation.hpp"
#include "uzawa/collision/skin/rigid_contacts.hpp"
#include "uzawa/collision/skin/soft_contacts.hpp"

namespace uzawa {

/// Contacts of soft bodies' skins: with rigid geoms, with each other, with themselves. Distances are those of the
/// current shape. The result depends on poses and velocities alone, and is the same for any number of threads; no
/// memory is allocated once the largest scene has been met. There is no cap on the number of contacts: a skin that lies
/// on a plane touches it by every vertex.
class SkinCollider {
 public:
  explicit SkinCollider(const SkinSet& skins);

  /// Rigid geoms, per geom of the Model, as Collider has placed them.
  struct Rigid {
    std::span<const PlacedShape> placed;
    std::span<const Aabb> boxes;  ///< grown by margin and look-ahead; planes: unused
    std::span<const Vec3> velocity;
    std::span<const double> spin;
  };
  void run(std::span<const Pose> link_poses, const Rigid& rigid, const Speculation& speculation, ThreadPool* pool);

  /// Only pairs that are asked for, ascending, without look-ahead.
  void clear();
  void ask(int geom1, int geom2, int explicit_pair);
  void run_asked(std::span<const Pose> link_poses, std::span<const PlacedShape> placed, ThreadPool* pool);

  /// Of the last run: ascending by geom1, then geom2.
  std::span<const Contact> contacts() const { return contacts_; }
  int candidates() const { return static_cast<int>(candidates_.size()); }
  int touching() const { return touching_; }

 private:
  struct Candidate {
    const SkinPair* pair = nullptr;
    MovingShape other;  ///< where it is rigid
    SkinReach reach;
  };
  /// Memory and results of one thread.
  struct Lane {
    SkinRigidContacts rigid;
    SkinSkinContacts soft;
    std::vector<Contact> contacts;
    int touching = 0;
  };

  bool is_near(const SkinPair& pair, const Rigid& rigid, const SkinReach& reach) const;
  bool is_among(const SkinPair& pair, const Speculation& speculation) const;
  void collide(ThreadPool* pool);
  void run_part(int part, int parts);

  const SkinSet& set_;
  std::vector<PlacedSkin> skins_;
  std::vector<Candidate> candidates_;  ///< ascending by their geoms
  std::vector<Lane> lanes_;
  std::vector<Contact> contacts_;
  int touching_ = 0;
};

}  // namespace uzawa
