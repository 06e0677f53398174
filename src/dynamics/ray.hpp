#pragma once

#include <span>

#include "uzawa/dynamics/data.hpp"

/// Rays against shapes, for range finders and zones of touch sensors.
namespace uzawa {

struct Ray {
  Vec3 origin, direction;  ///< unit
  Vec3 at(double distance) const { return origin + direction * distance; }
};

constexpr double kNoHit = -1;

/// Distance to a simple shape in its own frame, m, kNoHit: none. From inside, to where the ray leaves. Planes are hit
/// from above only.
double ray_distance(const Ray& local, ShapeType shape, const Vec3& size);

/// Distance to the nearest geom of the model, m, kNoHit: none. Geoms of the body `but` and invisible ones don't count.
/// Needs forward_kinematics.
double cast_ray(const Model& model, const DynamicsData& data, const Ray& world, int but);

}  // namespace uzawa
