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

/// A part of a ray, by distances from its origin; empty where the last is before the first.
struct Span {
  double first, last;
  /// To where axis k is between low and high.
  void clip(const Ray& ray, int k, double low, double high) {
    const double v = ray.direction[k], from = ray.origin[k];
    if (std::abs(v) < kTiny) {
      if (from < low || from > high) last = -HUGE_VAL;
      return;
    }
    const double a = (low - from) / v, b = (high - from) / v;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  }
};

/// Corners of a height field's ground: rows along y, columns along x.
class Ground {
 public:
  explicit Ground(const HeightFieldSpec& field) : field_(field) {}

  /// Cells along axis 0 (columns) or 1 (rows), and where they begin.
  int cells(int axis) const { return (axis == 0 ? field_.columns : field_.rows) - 1; }
  double edge(int axis, int cell) const { return field_.size[at(axis)] * (2.0 * cell / cells(axis) - 1); }
  /// The cell at x; off the field the first or the last one.
  int cell(int axis, double x) const {
    const double place = (x / field_.size[at(axis)] + 1) / 2 * cells(axis);
    return static_cast<int>(std::clamp(std::floor(place), 0.0, cells(axis) - 1.0));
  }
  double height(int row, int column) const {
    return field_.size[2] * field_.elevation[at(row) * at(field_.columns) + at(column)];
  }
  /// Below the ground's rim the field is closed by walls; `axis`: the one across, `last`: whether it is the far wall.
  double rim_height(int axis, bool last, double along) const {
    const int other = 1 - axis, from = cell(other, along), end = last ? cells(axis) : 0;
    const double share = (along - edge(other, from)) / (edge(other, from + 1) - edge(other, from));
    const auto corner_height = [&](int k) { return axis == 0 ? height(k, end) : height(end, k); };
    return corner_height(from) * (1 - share) + corner_height(from + 1) * share;
  }
  void hit_walls(const Ray& ray, NearestHit& hit) const {
    for (const int axis : {0, 1}) {
      for (const bool last : {false, true}) {
        const double half = field_.size[at(axis)], other = field_.size[at(1 - axis)];
        hit_face(ray, axis, last ? half : -half, hit, [&](const Vec3& p) {
          const double along = p[1 - axis];
          return std::abs(along) <= other && p.z() >= 0 && p.z() <= rim_height(axis, last, along);
        });
      }
    }
  }
  void hit_cell(const Ray& ray, int row, int column, NearestHit& hit) const {
    const Vec3 a = corner(row, column), b = corner(row, column + 1), d = corner(row + 1, column),
               e = corner(row + 1, column + 1);
    hit.offer(hit_triangle(ray, a, e, d));
    hit.offer(hit_triangle(ray, a, b, e));
  }

 private:
  Vec3 corner(int row, int column) const { return {edge(0, column), edge(1, row), height(row, column)}; }
  const HeightFieldSpec& field_;
};

/// The cells below a ray, strip by strip along x; of a strip, those between the y where the ray enters and leaves it.
void hit_ground(const Ray& ray, const HeightFieldSpec& field, NearestHit& hit) {
  constexpr double kRim = 1e-9;  // of the field: what rounding may put on the other side of an edge
  const Ground ground(field);
  const double rim[2] = {kRim * field.size[0], kRim * field.size[1]};
  Span whole{0, HUGE_VAL};
  for (int k = 0; k < 2; ++k) whole.clip(ray, k, -field.size[at(k)] - rim[k], field.size[at(k)] + rim[k]);
  whole.clip(ray, 2, -kRim * field.size[2], (1 + kRim) * field.size[2]);
  if (!(whole.first <= whole.last)) return;
  const auto [left, right] = std::minmax({ray.at(whole.first).x(), ray.at(whole.last).x()});
  const int last = ground.cell(0, right + rim[0]);
  for (int c = ground.cell(0, left - rim[0]); c <= last; ++c) {
    Span strip = whole;
    strip.clip(ray, 0, ground.edge(0, c) - rim[0], ground.edge(0, c + 1) + rim[0]);
    if (!(strip.first <= strip.last)) continue;
    const auto [low, high] = std::minmax({ray.at(strip.first).y(), ray.at(strip.last).y()});
    const int top = ground.cell(1, high + rim[1]);
    for (int r = ground.cell(1, low - rim[1]); r <= top; ++r) ground.hit_cell(ray, r, c, hit);
  }
}

/// The ground of a height field, the walls below its rim and the slab at its foot.
double hit_height_field(const Ray& ray, const HeightFieldSpec& field) {
  NearestHit hit;
  const Vec3 slab{field.size[0], field.size[1], field.size[3] / 2};
  hit.offer(ray_distance({ray.origin + Vec3{0, 0, slab.z()}, ray.direction}, ShapeType::Box, slab));
  hit_ground(ray, field, hit);
  Ground(field).hit_walls(ray, hit);
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
