#include "uzawa/collision/sdf/sdf_shape.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/error.hpp"
#include "uzawa/collision/distance/grid_sdf.hpp"
#include "uzawa/collision/distance/mesh_sdf_closed.hpp"
#include "uzawa/collision/distance/revolved.hpp"
#include "uzawa/collision/distance/screw_thread.hpp"
#include "uzawa/collision/distance/sdf_primitives.hpp"
#include "uzawa/collision/distance/sdf_union.hpp"

namespace uzawa {

namespace {

/// A shape of the spec with its surface.
struct Built {
  std::shared_ptr<const SignedDistance> distance;
  Surface surface;
};

template <typename Sdf, typename Spec>
Built built_from(const Spec& spec, const SurfaceResolution& resolution) {
  auto shape = std::make_shared<const Sdf>(spec);
  Surface surface = surface_of(*shape, resolution);
  return {std::move(shape), std::move(surface)};
}

Built build(const RevolvedSpec& spec, const SurfaceResolution& resolution, const MeshSpec*, const std::string&) {
  return built_from<RevolvedSdf>(spec, resolution);
}
Built build(const ThreadSpec& spec, const SurfaceResolution& resolution, const MeshSpec*, const std::string&) {
  return built_from<ThreadSdf>(spec, resolution);
}
Built build(const RoundedBoxSpec& spec, const SurfaceResolution& resolution, const MeshSpec*, const std::string&) {
  auto shape = std::make_shared<const BoxSdf>(spec.half_size, spec.rounding);
  Surface surface = surface_of(*shape, resolution);
  return {std::move(shape), std::move(surface)};
}
Built build(const BakedMeshSpec& spec, const SurfaceResolution& resolution, const MeshSpec* mesh,
            const std::string& name) {
  if (mesh == nullptr) throw InputError("", name, "sdf: there is no mesh to bake");
  const Surface given = to_surface(*mesh);
  auto shape = std::make_shared<const GridSdf>(baked_grid(given, spec.cell, mesh->name));
  return {std::move(shape), refined(closed_mesh(given, mesh->name), resolution.longest_edge)};
}

bool is_identity(const Pose& pose) {
  return norm(pose.position) == 0 && pose.rotation(0, 0) == 1 && pose.rotation(1, 1) == 1 && pose.rotation(2, 2) == 1;
}

}  // namespace

SdfShape SdfShape::from_spec(const SdfSpec& spec, const MeshSpec* mesh, const std::string& name) {
  if (const std::string reason = defect(spec); !reason.empty()) throw InputError("", name, "sdf: " + reason);
  const SurfaceResolution resolution{spec.chord_error, spec.longest_edge};
  const Pose frame = Pose::from(spec.position, normalized(spec.orientation));
  std::vector<UnionSdf::Member> members;
  std::vector<Surface> surfaces;
  for (const SdfPart& part : spec.parts) {
    Built built = std::visit([&](const auto& shape) { return build(shape, resolution, mesh, name); }, part.shape);
    members.push_back({built.distance, frame * Pose::from(part.position, normalized(part.orientation))});
    surfaces.push_back(std::move(built.surface));
  }
  SdfShape shape;
  if (members.size() == 1 && is_identity(members.front().pose)) {
    shape.distance_ = members.front().shape;
    shape.surface_ = SurfaceTree(std::move(surfaces.front()));
  } else {
    auto joined = std::make_shared<const UnionSdf>(std::move(members));
    shape.surface_ = SurfaceTree(surface_of(*joined, surfaces, spec.chord_error));
    shape.distance_ = std::move(joined);
  }
  return shape;
}

SdfShape SdfShape::from_primitive(ShapeType type, const Vec3& size) {
  SdfShape shape;
  switch (type) {
    case ShapeType::Plane: shape.distance_ = std::make_shared<const PlaneSdf>(); break;
    case ShapeType::Sphere:
      shape.distance_ = std::make_shared<const CapsuleSdf>(size.x(), 0);
      shape.ball_radius_ = size.x();
      break;
    case ShapeType::Capsule: shape.distance_ = std::make_shared<const CapsuleSdf>(size.x(), size.y()); break;
    case ShapeType::Ellipsoid: shape.distance_ = std::make_shared<const EllipsoidSdf>(size); break;
    case ShapeType::Cylinder: shape.distance_ = std::make_shared<const CylinderSdf>(size.x(), size.y()); break;
    case ShapeType::Box: shape.distance_ = std::make_shared<const BoxSdf>(size); break;
    default: break;
  }
  return shape;
}

SdfShape SdfShape::from_surface(const Surface& surface, double longest_edge) {
  SdfShape shape;
  shape.surface_ = SurfaceTree(refined(surface, longest_edge));
  return shape;
}

Aabb SdfShape::bounds() const { return distance_ ? distance_->bounds() : bounds_of(surface_.surface()); }

bool can_touch(const SdfShape& a, const SdfShape& b) {
  const auto samples = [](const SdfShape& s) { return s.surface() != nullptr || s.ball_radius() >= 0; };
  return (samples(a) && b.distance() != nullptr) || (samples(b) && a.distance() != nullptr);
}

void collide_sdf(const SdfShape& a, const Pose& pose_a, const SdfShape& b, const Pose& pose_b,
                 const SurfaceSearch& search, SdfContactFinder& finder, Manifold& out) {
  const auto rank = [](const SdfShape& sampled, const SdfShape& other) {  // the lower one samples
    if (other.distance() == nullptr) return 1e30;
    if (sampled.ball_radius() >= 0) return -1.;
    if (sampled.surface() == nullptr) return 1e30;
    return sampled.surface()->nodes().front().radius;
  };
  const double rank_a = rank(a, b), rank_b = rank(b, a);
  if (std::min(rank_a, rank_b) >= 1e30) return;
  const bool a_samples = rank_a <= rank_b;
  const SdfShape &sampled = a_samples ? a : b, &other = a_samples ? b : a;
  const Pose &pose = a_samples ? pose_a : pose_b, &other_pose = a_samples ? pose_b : pose_a;
  const PlacedDistance against{other.distance(), other_pose};
  const auto found = sampled.ball_radius() >= 0 ? finder.find_ball(sampled.ball_radius(), pose, against, search.margin)
                                                : finder.find(*sampled.surface(), pose, against, search);
  out.left_out += finder.stats().left_out;
  for (const SurfaceContact& contact : found) {
    const Vec3 middle = contact.point - (contact.gap / 2) * contact.normal;
    // The distance's gradient points at the sampled shape.
    if (a_samples) {
      out.add(middle, -contact.normal, contact.gap, feature::corner1(contact.feature));
    } else {
      out.add(middle, contact.normal, contact.gap, feature::corner2(contact.feature));
    }
  }
}

Surface refined(const Surface& surface, double longest_edge) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  Surface result;
  result.vertices = surface.vertices;
  std::vector<std::array<int, 3>> todo = surface.faces;
  while (!todo.empty()) {
    const std::array<int, 3> face = todo.back();
    todo.pop_back();
    std::size_t longest = 0;
    double square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 side = result.vertices[at(face[(k + 1) % 3])] - result.vertices[at(face[k])];
      if (dot(side, side) > square * (1 + 1e-12)) {
        square = dot(side, side);
        longest = k;
      }
    }
    if (square <= longest_edge * longest_edge || result.faces.size() + todo.size() > 4'000'000) {
      result.faces.push_back(face);
      continue;
    }
    // Halved at the middle of its longest side; the neighbour does the same, and welding joins them.
    const int a = face[longest], b = face[(longest + 1) % 3], c = face[(longest + 2) % 3];
    const int middle = static_cast<int>(result.vertices.size());
    result.vertices.push_back(0.5 * (result.vertices[at(a)] + result.vertices[at(b)]));
    todo.push_back({a, middle, c});
    todo.push_back({middle, b, c});
  }
  return welded(result, 1e-9);
}

}  // namespace uzawa
