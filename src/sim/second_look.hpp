#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/collision/collider.hpp"
#include "uzawa/dynamics/data.hpp"
#include "uzawa/dynamics/integrators.hpp"

namespace uzawa {

/// What a step as it has been solved would lead into. Contacts are looked for at the start of a step, with the
/// velocities that bodies have then, and each is a plane for the length of the step. But an impact flings limbs onto
/// neighbours that were out of reach, and what turns fast, or slides down the wall of a vessel to its floor, meets with
/// other features than those that were near. So shapes are looked at once more, where the step would end; what overlaps
/// there becomes a contact of this step.
class SecondLook {
 public:
  /// `look_ahead`: how far beyond the velocities the first look reached; `allowance`: how much deeper than at its start
  /// a pair may be at the end of a step; less where a shape is small; m.
  SecondLook(const Model& model, std::shared_ptr<const ShapeSet> shapes, const CollisionSettings& settings,
             double look_ahead, double allowance);

  /// Whether a step of h with joint velocities v may end in overlaps that the first look did not see coming: false
  /// where nothing turns fast or was hit, and that costs next to nothing. `now`: poses and velocities that the first
  /// look was made with, `found`: its contacts.
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
