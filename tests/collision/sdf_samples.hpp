#pragma once

#include <functional>
#include <memory>
#include <random>
#include <string>

#include "uzawa/collision/sdf/sdf_shape.hpp"

/// Shapes and points for the tests of signed distances.
namespace uzawa::test {

struct NamedShape {
  std::string name;
  std::shared_ptr<const SignedDistance> shape;
  std::function<Surface(const SurfaceResolution&)> surface;
};
/// One of every analytic kind, dishes and threads of several sizes.
std::vector<NamedShape> analytic_shapes();

ThreadSpec m48_bolt();
ThreadSpec m48_nut();

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine_); }
  int integer(int count) { return std::uniform_int_distribution<>(0, count - 1)(engine_); }
  Vec3 in(const Aabb& box) {
    return {uniform(box.low.x(), box.high.x()), uniform(box.low.y(), box.high.y()), uniform(box.low.z(), box.high.z())};
  }
  Vec3 direction();
  Quat orientation() { return exp_rotation(direction() * uniform(0, M_PI)); }
  std::mt19937& engine() { return engine_; }

 private:
  std::mt19937 engine_;
};

/// A point of the surface, evenly distributed over its faces' numbers, with the face's normal.
struct SurfacePoint {
  Vec3 position, normal;
};
SurfacePoint random_point(const Surface& surface, Random& random);

/// Central differences.
Vec3 numerical_gradient(const SignedDistance& shape, const Vec3& point, double step);

/// A sphere of triangles, each twentieth of an icosahedron in n^2 pieces.
Surface sphere_mesh(double radius, int n);
Surface box_mesh(const Vec3& half_size);
/// Two boxes that make an L in one closed surface: a reentrant edge.
Surface angle_mesh();

}  // namespace uzawa::test
