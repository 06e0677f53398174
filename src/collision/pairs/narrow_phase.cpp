#include "uzawa/collision/pairs/narrow_phase.hpp"

#include "uzawa/collision/pairs/contact_functions.hpp"

namespace uzawa {

namespace {

using ContactFunction = void (*)(const PlacedShape&, const PlacedShape&, double, NarrowWorkspace&, Manifold&);

constexpr int kTypes = 8;  // all but skins, which SkinCollider meets
static_assert(static_cast<int>(ShapeType::Mesh) == kTypes - 1);

/// Row: first type; column: second. Only the upper triangle: the first type is not after the second.
constexpr ContactFunction kFunctions[kTypes][kTypes] = {
    // Plane
    {nullptr, nullptr, contacts::plane_sphere, contacts::plane_capsule, contacts::plane_ellipsoid,
     contacts::plane_cylinder, contacts::plane_box, contacts::plane_mesh},
    // HeightField
    {nullptr, nullptr, contacts::field_convex, contacts::field_convex, contacts::field_convex, contacts::field_convex,
     contacts::field_convex, contacts::field_convex},
    // Sphere
    {nullptr, nullptr, contacts::sphere_sphere, contacts::sphere_capsule, contacts::sphere_ellipsoid,
     contacts::sphere_cylinder, contacts::sphere_box, contacts::convex_convex},
    // Capsule
    {nullptr, nullptr, nullptr, contacts::capsule_capsule, contacts::convex_convex, contacts::convex_convex,
     contacts::convex_convex, contacts::convex_convex},
    // Ellipsoid
    {nullptr, nullptr, nullptr, nullptr, contacts::convex_convex, contacts::convex_convex, contacts::convex_convex,
     contacts::convex_convex},
    // Cylinder
    {nullptr, nullptr, nullptr, nullptr, nullptr, contacts::convex_convex, contacts::convex_convex,
     contacts::convex_convex},
    // Box
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, contacts::box_box, contacts::convex_convex},
    // Mesh
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, contacts::convex_convex},
};

ContactFunction function_of(ShapeType a, ShapeType b) { return kFunctions[static_cast<int>(a)][static_cast<int>(b)]; }

/// The feature with the two shapes exchanged.
std::uint64_t swapped(std::uint64_t f) {
  switch (f >> 62) {
    case 1: return feature::corner2(f & ~(3ULL << 62));
    case 2: return feature::corner1(f & ~(3ULL << 62));
    case 3: return feature::edges(f & 0x7FFFFFFF, (f >> 31) & 0x7FFFFFFF);
    default: return f;
  }
}

}  // namespace

bool collides(const Shape& a, const Shape& b) {
  if (a.collides_as_sdf || b.collides_as_sdf) return a.sdf != nullptr && b.sdf != nullptr && can_touch(*a.sdf, *b.sdf);
  return (a.type <= b.type ? function_of(a.type, b.type) : function_of(b.type, a.type)) != nullptr;
}

void collide(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& workspace, Manifold& out) {
  if (a.shape->collides_as_sdf || b.shape->collides_as_sdf) {
    if (collides(*a.shape, *b.shape)) {
      const SurfaceSearch search{.margin = margin, .facing_only = true, .most_contacts = workspace.most_contacts};
      collide_sdf(*a.shape->sdf, a.pose, *b.shape->sdf, b.pose, search, workspace.sdf, out);
    }
    return;
  }
  const ShapeType type_a = a.shape->type, type_b = b.shape->type;
  if (type_a <= type_b) {
    if (const ContactFunction function = function_of(type_a, type_b)) function(a, b, margin, workspace, out);
    return;
  }
  const ContactFunction function = function_of(type_b, type_a);
  if (function == nullptr) return;
  const std::size_t before = out.points.size();
  function(b, a, margin, workspace, out);
  for (std::size_t i = before; i < out.points.size(); ++i) {
    out.points[i].normal = -out.points[i].normal;
    out.points[i].feature = swapped(out.points[i].feature);
  }
}

}  // namespace uzawa
