#include "uzawa/collision/shape_set.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

std::string label(const char* kind, int index, const std::string& name) {
  return std::string(kind) + ' ' + (name.empty() ? '#' + std::to_string(index) : "'" + name + "'");
}

/// How many of a shape's sizes count.
int size_count(ShapeType type) {
  switch (type) {
    case ShapeType::Sphere: return 1;
    case ShapeType::Capsule:
    case ShapeType::Cylinder: return 2;
    case ShapeType::Box:
    case ShapeType::Ellipsoid: return 3;
    default: return 0;
  }
}

Vec3 half_bounds(ShapeType type, const Vec3& size) {
  switch (type) {
    case ShapeType::Sphere: return Vec3{1, 1, 1} * size.x();
    case ShapeType::Capsule: return {size.x(), size.x(), size.x() + size.y()};
    case ShapeType::Cylinder: return {size.x(), size.x(), size.y()};
    default: return size;
  }
}

/// Of a ball about the centre of the bounds.
double bounding_radius(const Shape& shape) {
  switch (shape.type) {
    case ShapeType::Sphere: return shape.size.x();
    case ShapeType::Capsule: return shape.size.x() + shape.size.y();
    case ShapeType::Cylinder: return length(shape.size.x(), shape.size.y());
    case ShapeType::Ellipsoid: return std::max({shape.size.x(), shape.size.y(), shape.size.z()});
    default: return norm(shape.bounds.half());
  }
}

std::vector<Vec3> points_of(const MeshSpec& mesh) {
  std::vector<Vec3> points;
  points.reserve(mesh.vertices.size());
  for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
  return points;
}

/// The faces of a hull, as fans of triangles.
Surface skin_of(const ConvexHull& hull) {
  Surface skin;
  skin.vertices = hull.vertices();
  for (int f = 0; f < hull.faces().size(); ++f) {
    const std::span<const int> face = hull.faces()[f];
    for (std::size_t k = 2; k < face.size(); ++k) skin.faces.push_back({face[0], face[k - 1], face[k]});
  }
  return skin;
}

/// The top of a height field.
Surface skin_of(const HeightField& field) {
  Surface skin;
  for (int row = 0; row < field.rows(); ++row) {
    for (int column = 0; column < field.columns(); ++column) skin.vertices.push_back(field.point(row, column));
  }
  for (int row = 0; row + 1 < field.rows(); ++row) {
    for (int column = 0; column + 1 < field.columns(); ++column) {
      const int corner = row * field.columns() + column, above = corner + field.columns();
      skin.faces.push_back({corner, corner + 1, above + 1});
      skin.faces.push_back({corner, above + 1, above});
    }
  }
  return skin;
}

}  // namespace

ShapeSet::ShapeSet(const Model& model) : filter_(model), enabled_(model.options().contacts) {
  const ModelSpec& spec = model.spec();
  hulls_.resize(spec.meshes.size());
  fields_.resize(spec.height_fields.size());
  geoms_.reserve(spec.geoms.size());
  for (int i = 0; i < static_cast<int>(spec.geoms.size()); ++i) add_geom(model, i);
  for (int i = 0; i < static_cast<int>(spec.contact_pairs.size()); ++i) {
    const ContactPairSpec& pair = spec.contact_pairs[at(i)];
    explicit_pairs_.push_back(
        {pair_key(std::min(pair.geom1, pair.geom2), std::max(pair.geom1, pair.geom2)), pair.margin, i});
  }
  std::stable_sort(explicit_pairs_.begin(), explicit_pairs_.end(),
                   [](const ExplicitPair& a, const ExplicitPair& b) { return a.key < b.key; });
  add_sdf_partners(spec);
  add_skins(model);
}

void ShapeSet::add_geom(const Model& model, int index) {
  const GeomSpec& from = model.spec().geoms[at(index)];
  Geom geom;
  geom.link = model.geom_link(index);
  geom.pose = model.geom_pose(index);
  geom.margin = from.margin;
  geom.shape.type = from.shape;
  geom.shape.size = from.size;
  geom.active = filter_.takes_part(index) && from.shape != ShapeType::Skin;  // skins have no place of their own
  if (geom.active) shape_geom(model, index, geom);
  geoms_.push_back(geom);
}

void ShapeSet::shape_geom(const Model& model, int index, Geom& geom) {
  const ModelSpec& spec = model.spec();
  const GeomSpec& from = spec.geoms[at(index)];
  Shape& shape = geom.shape;
  if (from.sdf) {
    const MeshSpec* mesh = from.shape == ShapeType::Mesh ? &spec.meshes[at(from.asset)] : nullptr;
    sdfs_.push_back(std::make_unique<SdfShape>(SdfShape::from_spec(*from.sdf, mesh, label("geom", index, from.name))));
    shape.collides_as_sdf = true;
    shape.sdf = sdfs_.back().get();
    shape.bounds = shape.sdf->bounds();
    shape.radius = norm(shape.bounds.half());
    return;
  }
  for (int k = 0; k < size_count(from.shape); ++k) {
    if (from.size[k] > 0) continue;
    throw InputError(spec.source, label("geom", index, from.name), "has no size, so it cannot touch anything");
  }
  if (from.shape == ShapeType::Mesh) {
    shape.hull = hull_of(spec, from.asset);
    shape.bounds = shape.hull->bounds();
  } else if (from.shape == ShapeType::HeightField) {
    shape.field = field_of(spec, from.asset);
    shape.bounds = shape.field->bounds();
  } else {
    const Vec3 half = half_bounds(from.shape, from.size);
    shape.bounds = {-half, half};
  }
  shape.radius = bounding_radius(shape);
}

const ConvexHull* ShapeSet::hull_of(const ModelSpec& spec, int mesh) {
  std::unique_ptr<ConvexHull>& hull = hulls_[at(mesh)];
  const MeshSpec& from = spec.meshes[at(mesh)];
  if (!hull) hull = std::make_unique<ConvexHull>(points_of(from), spec.source, label("mesh", mesh, from.name));
  return hull.get();
}

const HeightField* ShapeSet::field_of(const ModelSpec& spec, int field) {
  const HeightFieldSpec& from = spec.height_fields[at(field)];
  if (!(from.size[0] > 0 && from.size[1] > 0)) {
    throw InputError(spec.source, label("height field", field, from.name), "has no extent");
  }
  std::unique_ptr<HeightField>& shared = fields_[at(field)];
  if (!shared) shared = std::make_unique<HeightField>(from);
  return shared.get();
}

void ShapeSet::add_skins(const Model& model) {
  for (int i = 0; i < static_cast<int>(geoms_.size()); ++i) {
    if (geoms_[at(i)].shape.type == ShapeType::Skin && filter_.takes_part(i)) skins_.add(model, i);
  }
  const auto is_skin = [&](int geom) { return skins_.skin_of(geom) >= 0; };
  for (const SkinShape& skin : skins_.skins()) {
    if (skin.self_contact) skins_.add_pair(model, {skin.geom, skin.geom, -1, margin(skin.geom, skin.geom)});
    for (int other = 0; other < static_cast<int>(geoms_.size()); ++other) {
      const int low = std::min(skin.geom, other), high = std::max(skin.geom, other);
      if (is_skin(other) ? other <= skin.geom : !geoms_[at(other)].active) continue;
      if (filter_.may_touch(low, high)) skins_.add_pair(model, {low, high, -1, margin(low, high)});
    }
  }
  for (const ExplicitPair& pair : explicit_pairs_) {
    const int low = first_geom(pair.key), high = second_geom(pair.key);
    if (low != high && (is_skin(low) || is_skin(high))) skins_.add_pair(model, {low, high, pair.index, pair.margin});
  }
  skins_.sort_pairs();
}

/// Geoms that may meet a signed distance need a face for it.
void ShapeSet::add_sdf_partners(const ModelSpec& spec) {
  std::vector<int> distances;
  double edge = 1e300;  // m, as fine as the finest
  for (int i = 0; i < static_cast<int>(geoms_.size()); ++i) {
    if (!geoms_[at(i)].shape.collides_as_sdf) continue;
    distances.push_back(i);
    edge = std::min(edge, spec.geoms[at(i)].sdf->longest_edge);
  }
  const auto in_explicit_pair = [&](int a, int b) {
    const PairKey key = pair_key(std::min(a, b), std::max(a, b));
    return std::any_of(explicit_pairs_.begin(), explicit_pairs_.end(),
                       [&](const ExplicitPair& p) { return p.key == key; });
  };
  for (int i = 0; i < static_cast<int>(geoms_.size()); ++i) {
    Shape& shape = geoms_[at(i)].shape;
    if (!geoms_[at(i)].active || shape.collides_as_sdf) continue;
    const bool meets = std::any_of(distances.begin(), distances.end(), [&](int d) {
      return filter_.may_touch(std::min(i, d), std::max(i, d)) || in_explicit_pair(i, d);
    });
    if (!meets) continue;
    sdfs_.push_back(
        std::make_unique<SdfShape>(shape.hull != nullptr    ? SdfShape::from_surface(skin_of(*shape.hull), edge)
                                   : shape.field != nullptr ? SdfShape::from_surface(skin_of(*shape.field), edge)
                                                            : SdfShape::from_primitive(shape.type, shape.size)));
    shape.sdf = sdfs_.back().get();
  }
}

}  // namespace uzawa
