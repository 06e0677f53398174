#include "uzawa/dynamics/ray.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

constexpr double kTiny = 1e-15;

/// The nearest of the hits offered to it.
class NearestHit {
 public:
  void offer(double distance) {
    if (distance >= 0 && (best_ < 0 || distance < best_)) best_ = distance;
  }
  double get() const { return best_; }

 private:
  double best_ = kNoHit;
};

/// Roots of a x^2 + 2 b x + c = 0, ascending.
struct Roots {
  double first = kNoHit, second = kNoHit;
};
Roots roots(double a, double b, double c) {
  const double square = b * b - a * c;
  if (square < kTiny || a < kTiny) return {};
  const double root = std::sqrt(square);
  return {(-b - root) / a, (-b + root) / a};
}

/// Offers the points where the ray crosses a sphere, if accepted.
template <typename Accept>
void hit_sphere(const Ray& ray, const Vec3& centre, double radius, NearestHit& hit, Accept&& accept) {
  const Vec3 d = ray.origin - centre;
  const Roots x = roots(dot(ray.direction, ray.direction), dot(ray.direction, d), dot(d, d) - radius * radius);
  for (const double root : {x.first, x.second}) {
    if (accept(ray.at(root))) hit.offer(root);
  }
}

/// The round side of a cylinder about z.
void hit_round_side(const Ray& ray, double radius, double half, NearestHit& hit) {
  const Vec3 &o = ray.origin, &v = ray.direction;
  const Roots x = roots(v.x() * v.x() + v.y() * v.y(), v.x() * o.x() + v.y() * o.y(),
                        o.x() * o.x() + o.y() * o.y() - radius * radius);
  for (const double root : {x.first, x.second}) {
    if (std::abs(ray.at(root).z()) <= half) hit.offer(root);
  }
}

/// The plane of axis k at `height`; accept says whether the point belongs to the face.
template <typename Accept>
void hit_face(const Ray& ray, int k, double height, NearestHit& hit, Accept&& accept) {
  if (std::abs(ray.direction[k]) < kTiny) return;
  const double x = (height - ray.origin[k]) / ray.direction[k];
  if (x >= 0 && accept(ray.at(x))) hit.offer(x);
}

double hit_plane(const Ray& ray, const Vec3& size) {
  NearestHit hit;
  if (ray.direction.z() > -kTiny) return kNoHit;
  hit_face(ray, 2, 0, hit, [&](const Vec3& p) {
    return (size.x() <= 0 || std::abs(p.x()) <= size.x()) && (size.y() <= 0 || std::abs(p.y()) <= size.y());
  });
  return hit.get();
}

double hit_box(const Ray& ray, const Vec3& size) {
  NearestHit hit;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    for (const double side : {-size[k], size[k]}) {
      hit_face(ray, k, side, hit,
               [&](const Vec3& p) { return std::abs(p[i]) <= size[i] && std::abs(p[j]) <= size[j]; });
    }
  }
  return hit.get();
}

double hit_ellipsoid(const Ray& ray, const Vec3& size) {
  double a = 0, b = 0, c = -1;
  for (int k = 0; k < 3; ++k) {
    const double s = 1 / (size[k] * size[k]);
    a += s * ray.direction[k] * ray.direction[k];
    b += s * ray.direction[k] * ray.origin[k];
    c += s * ray.origin[k] * ray.origin[k];
  }
  NearestHit hit;
  const Roots x = roots(a, b, c);
  hit.offer(x.first);
  hit.offer(x.second);
  return hit.get();
}

double hit_triangle(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, normal = cross(ab, ac);
  const double det = -dot(ray.direction, normal);
  if (std::abs(det) < kTiny * dot(normal, normal)) return kNoHit;
  const Vec3 from = ray.origin - a, turned = cross(from, ray.direction);
  const double u = dot(ac, turned) / det, v = -dot(ab, turned) / det;
  return u >= 0 && v >= 0 && u + v <= 1 ? dot(from, normal) / det : kNoHit;
}

double hit_mesh(const Ray& ray, const MeshSpec& mesh) {
  NearestHit hit;
  const auto vertex = [&](int k) {
    const auto& v = mesh.vertices[at(k)];
    return Vec3{v[0], v[1], v[2]};
  };
  for (const auto& face : mesh.faces) hit.offer(hit_triangle(ray, vertex(face[0]), vertex(face[1]), vertex(face[2])));
  return hit.get();
}

/// The ground of a height field and the slab below it.
double hit_height_field(const Ray& ray, const HeightFieldSpec& field) {
  NearestHit hit;
  const Vec3 slab{field.size[0], field.size[1], field.size[3] / 2};
  hit.offer(ray_distance({ray.origin + Vec3{0, 0, slab.z()}, ray.direction}, ShapeType::Box, slab));
  const auto corner = [&](int row, int column) {
    return Vec3{field.size[0] * (2.0 * column / (field.columns - 1) - 1),
                field.size[1] * (2.0 * row / (field.rows - 1) - 1),
                field.size[2] * field.elevation[at(row) * at(field.columns) + at(column)]};
  };
  for (int r = 0; r + 1 < field.rows; ++r) {
    for (int c = 0; c + 1 < field.columns; ++c) {
      const Vec3 a = corner(r, c), b = corner(r, c + 1), d = corner(r + 1, c), e = corner(r + 1, c + 1);
      hit.offer(hit_triangle(ray, a, e, d));
      hit.offer(hit_triangle(ray, a, b, e));
    }
  }
  return hit.get();
}

double hit_geom(const Model& model, const Ray& local, const GeomSpec& geom) {
  switch (geom.shape) {
    case ShapeType::Mesh: return hit_mesh(local, model.spec().meshes[at(geom.asset)]);
    case ShapeType::HeightField: return hit_height_field(local, model.spec().height_fields[at(geom.asset)]);
    case ShapeType::Skin: return kNoHit;
    default: return ray_distance(local, geom.shape, geom.size);
  }
}

}  // namespace

double ray_distance(const Ray& ray, ShapeType shape, const Vec3& size) {
  NearestHit hit;
  const double half = size.y();
  switch (shape) {
    case ShapeType::Plane: return hit_plane(ray, size);
    case ShapeType::Box: return hit_box(ray, size);
    case ShapeType::Ellipsoid: return hit_ellipsoid(ray, size);
    case ShapeType::Sphere: hit_sphere(ray, {}, size.x(), hit, [](const Vec3&) { return true; }); break;
    case ShapeType::Capsule:
      hit_round_side(ray, size.x(), half, hit);
      hit_sphere(ray, {0, 0, half}, size.x(), hit, [&](const Vec3& p) { return p.z() >= half; });
      hit_sphere(ray, {0, 0, -half}, size.x(), hit, [&](const Vec3& p) { return p.z() <= -half; });
      break;
    case ShapeType::Cylinder:
      hit_round_side(ray, size.x(), half, hit);
      for (const double side : {-half, half}) {
        hit_face(ray, 2, side, hit,
                 [&](const Vec3& p) { return p.x() * p.x() + p.y() * p.y() <= size.x() * size.x(); });
      }
      break;
    default: break;  // meshes, height fields, skins are no simple shapes
  }
  return hit.get();
}

double cast_ray(const Model& model, const DynamicsData& data, const Ray& world, int but) {
  NearestHit hit;
  for (int g = 0; g < static_cast<int>(model.spec().geoms.size()); ++g) {
    const GeomSpec& geom = model.spec().geoms[at(g)];
    if (geom.body == but || geom.rgba[3] == 0) continue;
    const Pose pose = geom_pose(model, data, g);
    const Ray local{transpose_times(pose.rotation, world.origin - pose.position),
                    transpose_times(pose.rotation, world.direction)};
    hit.offer(hit_geom(model, local, geom));
  }
  return hit.get();
}

}  // namespace uzawa
