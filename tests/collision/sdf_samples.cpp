#include "sdf_samples.hpp"

#include "uzawa/collision/distance/revolved.hpp"
#include "uzawa/collision/distance/screw_thread.hpp"
#include "uzawa/collision/distance/sdf_primitives.hpp"
#include "uzawa/collision/distance/sdf_union.hpp"

namespace uzawa::test {

namespace {

template <typename Sdf, typename Spec>
NamedShape named(std::string name, const Spec& spec) {
  auto shape = std::make_shared<const Sdf>(spec);
  return {std::move(name), shape, [shape](const SurfaceResolution& r) { return surface_of(*shape, r); }};
}

NamedShape rounded_box() {
  auto shape = std::make_shared<const BoxSdf>(Vec3{0.03, 0.02, 0.05}, 0.004);
  return {"rounded box", shape, [shape](const SurfaceResolution& r) { return surface_of(*shape, r); }};
}

NamedShape union_of_boxes() {
  const auto first = std::make_shared<const BoxSdf>(Vec3{0.03, 0.02, 0.05}, 0.004);
  const auto second = std::make_shared<const BoxSdf>(Vec3{0.02, 0.05, 0.02}, 0.0);
  auto shape = std::make_shared<const UnionSdf>(std::vector<UnionSdf::Member>{
      {first, {}}, {second, Pose::from({0.02, 0.01, 0.0}, exp_rotation({0.2, 0.4, -0.3}))}});
  return {
      "union", shape, [=](const SurfaceResolution& r) {
        return surface_of(*shape, std::vector<Surface>{surface_of(*first, r), surface_of(*second, r)}, r.chord_error);
      }};
}

}  // namespace

ThreadSpec m48_bolt() {
  return {.diameter = 0.048, .pitch = 0.005, .length = 0.1, .clearance = 2e-4, .width = 0.075, .head_height = 0.03};
}
ThreadSpec m48_nut() {
  return {.internal = true, .diameter = 0.048, .pitch = 0.005, .length = 0.038, .clearance = 2e-4, .width = 0.075};
}

std::vector<NamedShape> analytic_shapes() {
  return {
      named<RevolvedSdf>("dish", dish(0.1, 0.03, 0.05, 0.004)),
      named<RevolvedSdf>("plate", plate(0.12, 0.02, 0.004)),
      named<RevolvedSdf>("bowl", bowl(0.08, 0.05, 0.004)),
      named<RevolvedSdf>("pot", pot(0.1, 0.1, 0.004)),
      named<RevolvedSdf>("bottle", bottle(0.04, 0.2, 0.015, 0.05, 0.003)),
      named<RevolvedSdf>("ring", RevolvedSpec{{{0.05, 0, 1}, {0.05, 0.02, 1}, {0.05, 0}}, 0.005, 0}),
      named<ThreadSdf>("M48 bolt", m48_bolt()),
      named<ThreadSdf>("M48 nut", m48_nut()),
      named<ThreadSdf>("M6 bolt", ThreadSpec{.diameter = 0.006, .pitch = 0.001, .length = 0.02}),
      named<ThreadSdf>(
          "coarse nut",
          ThreadSpec{.internal = true, .diameter = 0.02, .pitch = 0.006, .length = 0.02, .chamfer = 0, .width = 0.04}),
      rounded_box(),
      union_of_boxes()};
}

Vec3 Random::direction() {
  std::normal_distribution<> normal;
  for (;;) {
    const Vec3 v{normal(engine_), normal(engine_), normal(engine_)};
    if (const double size = norm(v); size > 1e-3) return v * (1 / size);
  }
}

SurfacePoint random_point(const Surface& surface, Random& random) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto& face = surface.faces[at(random.integer(static_cast<int>(surface.faces.size())))];
  double u = random.uniform(0, 1), v = random.uniform(0, 1);
  if (u + v > 1) u = 1 - u, v = 1 - v;
  const Vec3 &a = surface.vertices[at(face[0])], ab = surface.vertices[at(face[1])] - a,
             ac = surface.vertices[at(face[2])] - a;
  const Vec3 normal = cross(ab, ac);
  return {a + u * ab + v * ac, normal * (1 / norm(normal))};
}

Vec3 numerical_gradient(const SignedDistance& shape, const Vec3& point, double step) {
  Vec3 gradient;
  for (int k = 0; k < 3; ++k) {
    const Vec3 e = Vec3::unit(k) * step;
    gradient.set(k, (shape.evaluate(point + e).distance - shape.evaluate(point - e).distance) / (2 * step));
  }
  return gradient;
}

Surface sphere_mesh(double radius, int n) {
  const double g = (1 + std::sqrt(5.)) / 2;
  const Vec3 v[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                      {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  const int f[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                        {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                        {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  Surface surface;
  for (const auto& face : f) {
    const Vec3 &a = v[face[0]], &b = v[face[1]], &c = v[face[2]];
    const auto vertex = [&](int i, int j) {
      const Vec3 p = a + (b - a) * (static_cast<double>(i) / n) + (c - a) * (static_cast<double>(j) / n);
      surface.vertices.push_back(p * (radius / norm(p)));
      return static_cast<int>(surface.vertices.size()) - 1;
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) {
        surface.faces.push_back({vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)});
        if (i + j + 1 < n) surface.faces.push_back({vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
      }
    }
  }
  return welded(surface, 1e-9 * radius);
}

Surface box_mesh(const Vec3& half_size) { return surface_of(BoxSdf(half_size), {.longest_edge = 1e3}); }

Surface angle_mesh() {
  // The outline of an L in the x-y plane, from -0.02 to 0.02 in z.
  const double outline[6][2] = {{0, 0}, {0.1, 0}, {0.1, 0.04}, {0.04, 0.04}, {0.04, 0.1}, {0, 0.1}};
  Surface surface;
  for (const double z : {-0.02, 0.02}) {
    for (const auto& p : outline) surface.vertices.emplace_back(p[0], p[1], z);
  }
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    surface.faces.push_back({i, j, j + 6});
    surface.faces.push_back({i, j + 6, i + 6});
  }
  for (const auto& f : {std::array{0, 1, 3}, std::array{1, 2, 3}, std::array{0, 3, 4}, std::array{0, 4, 5}}) {
    surface.faces.push_back({f[0] + 6, f[1] + 6, f[2] + 6});
    surface.faces.push_back({f[0], f[2], f[1]});
  }
  return surface;
}

}  // namespace uzawa::test
