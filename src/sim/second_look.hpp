#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/collision/collider.hpp"
#include "uzawa/dynamics/data.hpp"
#include "uzawa/sim/step_end.hpp"

namespace uzawa {

/// Contacts at the end of a step. Collision detection runs at the start of a step, with the velocities of that moment,
/// and each contact is a plane for the length of the step. Four kinds of motion lead to penetrations that it cannot
/// predict: an impact accelerates a limb towards a neighbour outside the look-ahead distance; a body that rotates fast
/// touches another with features that were not near; a body that slides down the wall of a vessel reaches its floor; a
/// face or edge of cloth slides on, or rolls over, what it touches. So collision detection runs a second time at the
/// poses at the end of the step as solved, and penetrations found there become contacts of this step.
class SecondLook {
 public:
  /// `look_ahead`: margin of the first collision detection beyond the distance covered at the initial velocities, m.
  /// `allowance`: largest tolerated increase of a pair's penetration in a step, m; less for small shapes.
  SecondLook(const Model& model, std::shared_ptr<const ShapeSet> shapes, const CollisionSettings& settings,
             double look_ahead, double allowance);

  /// Whether a step of h with joint velocities v may end in penetrations that the first collision detection did not
  /// predict. A cheap test: false where no body rotates fast or changes its velocity much. `now`: poses and velocities
  /// at the first detection; `found`: its contacts, with what was dropped since: overlaps that no joint can answer are
  /// not new at the end.
  [[nodiscard]] bool is_called_for(const DynamicsData& now, double h, std::span<const double> v,
                                   std::span<const Contact> found);
  /// Runs collision detection at the end of the step; to be called after is_called_for with the same step. `contacts()`
  /// are to be added.
  void look(StepEnd& end, const DynamicsData& now, double h, std::span<const Contact> found, ThreadPool* pool);

  /// For write_later_contacts: contact planes at the end of the step. Their gaps are extrapolated back to the present
  /// poses by -h J v, so that gap + h J v is the gap at the end of the step.
  std::span<const Contact> contacts() const { return contacts_; }

 private:
  void measure_shapes();
  void list_flung(const DynamicsData& now, double h);
  void list_turned(const DynamicsData& now, double h, std::span<const Contact> found);
  double allowance(int geom1, int geom2) const;
  double turn(int geom) const;
  double bend(int geom) const;
  bool is_flung(int geom) const;
  double slide(const Contact& contact, const DynamicsData& now, double h) const;
  Vec3 way(int geom, const DynamicsData& now, double h) const;
  const Shape& shape(int geom) const;
  void keep_overlaps(const DynamicsData& now, double h, std::span<const Contact> found);
  Contact at_present(const Contact& contact, const DynamicsData& now, double h) const;

  const Model& model_;
  Collider collider_;
  double look_ahead_, allowance_;
  double least_allowance_;          ///< m, of any geom
  std::vector<double> reach_;       ///< per link, m from its centre of mass to its farthest point
  std::vector<double> size_;        ///< per geom, m: lever arm of a rotation, its radius; 0: a sphere
  std::vector<double> allowances_;  ///< per geom, m: less than `allowance_` for small ones
  std::vector<Motion> velocity_;    ///< per link: spatial velocity for v at the present poses
  std::vector<double> angle2_;      ///< per link, rad^2: squared rotation angle of the step
  bool any_flung_ = false;
  std::vector<char> flung_;  ///< per link, 1: large change of velocity; may touch geoms outside the first look-ahead
  std::vector<Collider::Pair> turned_;  ///< pairs that may touch with features not near at the first detection
  std::span<const Pose> end_;           ///< per link, of the look under way
  std::vector<Contact> contacts_;
};

}  // namespace uzawa
