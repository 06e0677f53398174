#pragma once

#include <array>
#include <cstdint>

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/collision/contacts/manifold.hpp"
#include "uzawa/collision/convex/clipping.hpp"
#include "uzawa/collision/shapes/shape.hpp"

namespace uzawa {

/// A plane that keeps two convex shapes apart. The direction of a contact is one; faces of the two shapes that meet
/// where the shapes are nearest may be others: two boxes that are corner to corner are kept apart by any of six.
struct SeparatingPlane {
  Vec3 normal;             ///< unit, from the first shape to the second, world axes, at the poses of the contact
  Vec3 local;              ///< the same in the frame of its shape; where it turns with it
  Vec3 opposite;           ///< of a face: the point of the other shape that is nearest to its shape, world
  double separation = 0;   ///< m, of the shapes along it
  std::uint64_t face = 0;  ///< the same from step to step; 0: the direction of the contact
  bool of_first = true;    ///< a face of the first shape
  bool turns = false;      ///< with its shape, as a flat face does; curved surfaces turn under their normal
};

/// Two shapes that may be asked for planes: neither a plane itself, nor a height field, nor a signed distance.
bool has_planes(const Shape& a, const Shape& b);

/// All planes that separate a pair to within a tolerance.
class SeparatingPlanes {
 public:
  /// `nearest`: the contact of the pair with the least gap; its direction is the first of the planes. `tolerance`: m of
  /// overlap along a plane up to which it separates.
  void find(const PlacedShape& a, const PlacedShape& b, const Contact& nearest, double tolerance);

  int size() const { return count_; }
  const SeparatingPlane& operator[](int k) const { return planes_[static_cast<std::size_t>(k)]; }

 private:
  void add_faces(const PlacedShape& a, const PlacedShape& b, bool of_first, const Vec3& middle, const Vec3& half,
                 double tolerance);
  void add(const PlacedShape& a, const PlacedShape& b, SeparatingPlane plane, double tolerance);

  static constexpr int kMost = 12;  // two boxes have seven; of a cone's tip a few faces are enough
  std::array<SeparatingPlane, kMost> planes_;
  int count_ = 0;
};

/// Separation of the shapes along a plane at other poses, to which it is carried by its shape, m.
double separation(const SeparatingPlane& plane, const PlacedShape& a, const PlacedShape& b);

/// The part of the other shape that faces a plane which is a face, corner by corner: what must stay beyond it. No
/// further from where the shapes are nearest than the face's own shape may reach.
void add_plane_contacts(const SeparatingPlane& plane, const PlacedShape& a, const PlacedShape& b, Patch& patch,
                        Manifold& out);

}  // namespace uzawa
