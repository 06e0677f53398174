#pragma once

#include <array>
#include <cmath>
#include <string>

#include "uzawa/model/spec.hpp"

/// Pieces that scenes and tests are made of. Each adds to a spec, which may be changed before a Model is made of it.
namespace uzawa::scenarios {

inline constexpr double kGravity = 9.81;
inline constexpr double kDegree = M_PI / 180;  ///< rad

/// An empty world with a ground plane whose friction is `mu`; tilted about y by `angle` (rad): x points downhill.
ModelSpec ground(double mu, double angle = 0);

struct BoxOptions {
  std::string name = "box";
  Vec3 half{0.05, 0.05, 0.05};  ///< m
  double mass = 1;              ///< kg
  Vec3 position;                ///< m, of the centre
  Quat orientation;
  double mu = 0;  ///< combines with the other geom's by the larger
};
/// A box with a free joint; returns its body.
int add_box(ModelSpec& spec, const BoxOptions& options);
/// A box that is part of the ground; its mass counts for nothing.
void add_wall(ModelSpec& spec, const BoxOptions& options);
/// A ball with a free joint; returns its body.
int add_ball(ModelSpec& spec, const std::string& name, double radius, double mass, const Vec3& position, double mu = 0);
/// A solid cylinder about its z axis with a free joint; returns its body.
struct DiscOptions {
  std::string name = "disc";
  double radius = 0.05, half_height = 0.005;  ///< m
  double mass = 1;                            ///< kg
  Vec3 position;                              ///< m, of the centre
  Quat orientation;
  double mu = 0;
};
int add_disc(ModelSpec& spec, const DiscOptions& options);
/// A ball that hangs at `anchor` by a massless rod of length `rod` and swings about y; returns its body.
int add_hanging_ball(ModelSpec& spec, const std::string& name, double radius, double mass, const Vec3& anchor,
                     double rod);
/// A box on a slide along `axis` with a motor of gear 1; returns its body.
int add_finger(ModelSpec& spec, const std::string& name, const Vec3& half, const Vec3& position, const Vec3& axis,
               double mu);

/// A body that collides as a signed distance (docs/sdf-shapes.md); the shape's frame is the body's.
struct SdfOptions {
  std::string name;
  SdfSpec shape;
  double radius = 0,
         half_height = 0;  ///< m, of a cylinder about z that stands for it where only simple shapes are drawn
  double mass = 1;         ///< kg
  Vec3 com, inertia;       ///< m; kg m^2 about the centre of mass, along the axes of the body
  Vec3 position;           ///< m, of the frame
  Quat orientation;
  double mu = 0;
  std::array<float, 4> rgba{0.7F, 0.7F, 0.72F, 1};
};
/// With a free joint; returns its body.
int add_sdf_body(ModelSpec& spec, const SdfOptions& options);
/// Part of the ground; its mass counts for nothing.
void add_sdf_wall(ModelSpec& spec, const SdfOptions& options);

/// A copy of all that `other` holds but its ground's geoms, its keyframes and its options, moved to `position` and
/// `orientation`; every name gets the prefix. To be called after the other pieces are there: it writes down the
/// reference configuration. Throws InputError where the model has explicit contact pairs or height fields.
void add_model(ModelSpec& spec, const ModelSpec& other, const std::string& prefix, const Vec3& position,
               const Quat& orientation = {});

/// The same, with what stands on the other's ground fixed to `body`, which must be part of the last tree of the spec.
void mount_model(ModelSpec& spec, const ModelSpec& other, const std::string& prefix, int body, const Vec3& position,
                 const Quat& orientation = {});

}  // namespace uzawa::scenarios
