#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "uzawa/math/vec3.hpp"
#include "uzawa/model/model.hpp"

/// Output of the collision room: points where two shapes touch or may touch within the step.
namespace uzawa {

struct Contact {
  int geom1 = 0, geom2 = 0;  ///< geom1 < geom2, of the Model
  int pair = -1;             ///< the explicit contact pair of the Model that asked for it; -1: found by the masks
  Vec3 position;             ///< midway between the two surfaces, world axes, m
  Vec3 normal;               ///< unit, from geom1 towards geom2, world axes
  double gap = 0;            ///< distance of the surfaces along the normal, m; negative: penetration
  /// The same features of the same pair have the same key from step to step. Warm starts are matched by it.
  std::uint64_t key = 0;
  /// Skins: face of the skin (Model::skin) that side 1 or 2 is on, and its weights of the face's nodes but the last,
  /// which has the rest of 1. -1: the geom is rigid.
  int face1 = -1, face2 = -1;
  std::array<double, 2> weights1{}, weights2{};
  bool on_skin() const { return face1 >= 0 || face2 >= 0; }
  double bend = 0;  ///< m/s, at most 0: rate at which rolling brings the surfaces nearer than the points that touch
};

/// The two sides that a contact acts on: first that of geom1, then that of geom2.
std::array<Side, 2> contact_sides(const Model& model, const Contact& contact);

/// Columns t1, t2, n for a unit normal: a continuous function of it but for one direction.
Mat3 contact_frame(const Vec3& normal);
/// The same; but tangents that the friction of the contact's explicit pair tells apart are MuJoCo's: the second is
/// world y, or z where the normal is nearer to y than 60 degrees, without its part along the normal.
Mat3 contact_frame(const Model& model, const Contact& contact);

}  // namespace uzawa
