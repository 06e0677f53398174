#pragma once

#include "uzawa/assembly/subsystem_block.hpp"

namespace uzawa {

/// A subsystem that is made of links: a side's feature is a link of the Model, and its points move with that link.
class LinkBlock : public SubsystemBlock {
 public:
  LinkBlock(const Model& model, const BlockPlace& place);

  Vec3 attach_point(const DynamicsData& data, const Side& side, const Vec3& point, const Mat3& frame, double sign,
                    Attachment& out) const override;
  bool attach_turn(const Side& side, const Mat3& frame, double sign, Attachment& out) const override;
  Vec3 point_velocity(const DynamicsData& data, const Side& side, const Attachment& attached,
                      std::span<const double> state_v) const override;

 protected:
  const Model& model() const { return model_; }
  const Subsystem& subsystem() const { return subsystem_; }
  const BlockPlace& place() const { return place_; }
  /// Inertia of a link (of the Model) about the reference point, without what nodes that it carries have of its mass.
  SpatialInertia own_inertia(const DynamicsData& data, int link) const;

 private:
  /// Vector from the subsystem's reference point to `point`, m.
  Vec3 arm(const DynamicsData& data, const Vec3& point) const;

  const Model& model_;
  const Subsystem& subsystem_;
  BlockPlace place_;
  int tree_;                               ///< of the Model's topology
  std::vector<const ElasticNode*> nodes_;  ///< that its links carry
};

}  // namespace uzawa
