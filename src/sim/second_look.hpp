#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/collision/collider.hpp"
#include "uzawa/dynamics/data.hpp"
#include "uzawa/dynamics/integrators.hpp"

namespace uzawa {

/// Contacts at the end of a step. Collision detection runs at the start of a step, with the velocities of that moment,
/// and each contact is a plane for the length of the step. Three kinds of motion lead into penetrations that it can not
/// foresee: an impact throws a limb onto a neighbour that was out of reach; a body that turns fast meets another with
/// features that were not near; a body that slides down the wall of a vessel meets its floor. So collision runs once
/// more at the poses where the step as solved would end, and penetrations there become contacts of this step.
class SecondLook {
 public:
  /// `look_ahead`: how far beyond the velocities the first look reached; `allowance`: how much deeper than at its start
  /// a pair may be at the end of a step; less where a shape is small; m.
  SecondLook(const Model& model, std::shared_ptr<const ShapeSet> shapes, const CollisionSettings& settings,
             double look_ahead, double allowance);

  /// Whether a step of h with joint velocities v may end in penetrations that the first look did not foresee. A cheap
  /// test: false where no body turns fast or was hit. `now`: poses and velocities of the first look, `found`: its
  /// contacts.
  [[nodiscard]] bool is_called_for(const DynamicsData& now, double h, std::span<const double> v,
                                   std::span<const Contact> found);
  /// After that, and of the same step, from the positions of `middle`. True where there are `contacts` to be added.
  [[nodiscard]] bool look(const State& middle, const DynamicsData& now, double h, std::span<const double> v,
                          std::span<const Contact> found, ThreadPool* pool);

  /// As write_later_contacts wants them: planes of the end of the step, with the gap that bodies which move by h J v
  /// have to the plane now.
  std::span<const Contact> contacts() const { return contacts_; }

 private:
  void measure_shapes();
  void list_flung(const DynamicsData& now, double h);
  void list_turned(const DynamicsData& now, double h, std::span<const Contact> found);
  double allowance(int geom1, int geom2) const;
  double turn(int geom) const;
  double bend(int geom) const;
  bool is_flung(int geom) const;
  Vec3 way(int geom, const DynamicsData& now, double h) const;
  const Shape& shape(int geom) const;
  void keep_overlaps(const DynamicsData& now, double h, std::span<const Contact> found);
  Contact at_present(const Contact& contact, const DynamicsData& now, double h) const;

  const Model& model_;
  Collider collider_;
  double look_ahead_, allowance_;
  double least_allowance_;          ///< m, of any geom
  std::vector<double> reach_;       ///< per link, m from its centre of mass to its farthest point
  std::vector<double> size_;        ///< per geom, m from its centre to what turning moves; 0: a sphere
  std::vector<double> allowances_;  ///< per geom, m: less than `allowance_` for small ones
  std::vector<Motion> velocity_;    ///< per link, of v at the present poses
  std::vector<double> angle2_;      ///< per link, rad^2: of the turn in the step
  bool any_flung_ = false;
  std::vector<char> flung_;             ///< per link: pairs may meet that were out of reach of the first look
  std::vector<Collider::Pair> turned_;  ///< pairs that may meet with other features than the first look saw
  DynamicsData end_;
  std::vector<double> end_q_;
  std::vector<Contact> contacts_;
};

}  // namespace uzawa
