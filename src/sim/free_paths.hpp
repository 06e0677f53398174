#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/collision/shape_set.hpp"

namespace uzawa {

/// Which speculative contacts with a signed distance are obstacles. Such a contact is the plane between a point of one
/// surface and the other shape at the start of the step. The plane goes on for ever, the shape does not: the edge of a
/// tile that a box slides towards is before the front of the box, and passes below it.
///
/// The rule of PlaneChoice, for points: a contact whose plane would be passed at the velocities looked at, though the
/// points of both surfaces find their paths through the other's distance free, is deferred, without a row. After each
/// solve the paths are looked at again, and where one is not free any more the contact gets the tangent plane at the
/// deepest place of the path.
class FreePaths {
 public:
  explicit FreePaths(std::shared_ptr<const ShapeSet> shapes) : shapes_(std::move(shapes)) {}

  void clear() { deferred_.clear(); }
  bool has_deferred() const { return !deferred_.empty(); }
  /// Appends the contacts of a pair that are obstacles to `out`. `now`, `end`: link poses at the start and the end of
  /// the step. `tolerance`, `touch`: m of overlap on the path that is passed as if it were none, and that is none.
  void choose(std::span<const Contact> pair, std::span<const Pose> now, std::span<const Pose> end, double tolerance,
              double touch, std::vector<Contact>& out);
  /// Appends what has become an obstacle with the poses that a solution leads to.
  void look_again(std::span<const Pose> now, std::span<const Pose> end, std::vector<Contact>& out);

 private:
  struct Deferred {
    Contact contact;
    double touch = 0;  ///< m
  };
  /// What the two points of a contact meet on their paths.
  struct Meeting {
    bool is_plane_right = false;  ///< it says of the end of the step what the shapes say; then nothing else is known
    bool is_crossed = false;      ///< a path leads out of a shape on the other side
    double depth = 0;             ///< m, of the deepest overlap; 0: both paths are free
    Contact at_deepest;           ///< with the tangent plane there
  };
  class Motion;
  class Path;

  Motion motion(int geom, std::span<const Pose> now, std::span<const Pose> end) const;
  static Meeting meet(const Contact& contact, const Motion& first, const Motion& second, double touch);

  std::shared_ptr<const ShapeSet> shapes_;
  std::vector<Deferred> deferred_;
};

}  // namespace uzawa
