#include "uzawa/base/error.hpp"
#include "uzawa/model/model.hpp"
#include "uzawa/scenarios/builders.hpp"

namespace uzawa::scenarios {

namespace {

int count(const auto& list) { return static_cast<int>(list.size()); }

/// Numbers of the first copied elements.
struct Offsets {
  int ground;  ///< the body that stands for the other's ground
  int body, joint, geom, site, mesh, tendon, texture, material;
};

int moved_body(int body, const Offsets& at) { return body == 0 ? at.ground : body + at.body; }
int moved(int index, int offset) { return index < 0 ? index : index + offset; }

/// Where the other's ground is in the frame of the body that stands for it.
struct Place {
  Vec3 position;
  Quat orientation;

  Vec3 of(const Vec3& point) const { return position + rotate(orientation, point); }
  Quat of(const Quat& turn) const { return orientation * turn; }
};

void copy_bodies(ModelSpec& spec, const ModelSpec& other, const std::string& prefix, const Offsets& at,
                 const Place& place) {
  for (int b = 1; b < count(other.bodies); ++b) {
    BodySpec body = other.bodies[static_cast<std::size_t>(b)];
    body.name = prefix + body.name;
    if (body.parent == 0) {
      body.position = place.of(body.position);
      body.orientation = place.of(body.orientation);
    }
    body.parent = moved_body(body.parent, at);
    spec.bodies.push_back(std::move(body));
  }
  for (JointSpec joint : other.joints) {
    joint.name = prefix + joint.name;
    joint.body += at.body;
    spec.joints.push_back(std::move(joint));
  }
}

void copy_shapes(ModelSpec& spec, const ModelSpec& other, const std::string& prefix, const Offsets& at,
                 const Place& place) {
  for (MeshSpec mesh : other.meshes) {
    mesh.name = prefix + mesh.name;
    spec.meshes.push_back(std::move(mesh));
  }
  for (GeomSpec geom : other.geoms) {
    if (geom.body == 0) continue;
    geom.name = geom.name.empty() ? "" : prefix + geom.name;
    geom.body += at.body;
    if (geom.shape == ShapeType::Mesh) geom.asset += at.mesh;
    geom.material = moved(geom.material, at.material);
    spec.geoms.push_back(std::move(geom));
  }
  for (SiteSpec site : other.sites) {
    site.name = prefix + site.name;
    if (site.body == 0) {
      site.position = place.of(site.position);
      site.orientation = place.of(site.orientation);
    }
    site.body = moved_body(site.body, at);
    spec.sites.push_back(std::move(site));
  }
  for (const ContactExcludeSpec& exclude : other.contact_excludes) {
    spec.contact_excludes.push_back({moved_body(exclude.body1, at), moved_body(exclude.body2, at)});
  }
}

/// Light is the scene's.
void copy_appearance(ModelSpec& spec, const ModelSpec& other, const std::string& prefix, const Offsets& at) {
  AppearanceSpec& own = spec.appearance;
  const AppearanceSpec& added = other.appearance;
  own.textures.insert(own.textures.end(), added.textures.begin(), added.textures.end());
  for (MaterialSpec material : added.materials) {
    material.texture = moved(material.texture, at.texture);
    own.materials.push_back(std::move(material));
  }
  for (CameraSpec camera : added.cameras) {
    if (camera.mount.body == 0) continue;
    camera.name = prefix + camera.name;
    camera.mount.body += at.body;
    camera.mount.target = moved_body(camera.mount.target, at);
    own.cameras.push_back(std::move(camera));
  }
}

void copy_drives(ModelSpec& spec, const ModelSpec& other, const std::string& prefix, const Offsets& at) {
  for (TendonSpec tendon : other.tendons) {
    tendon.name = prefix + tendon.name;
    for (int& joint : tendon.joints) joint += at.joint;
    for (TendonPoint& point : tendon.path) {
      point.site = moved(point.site, at.site);
      point.geom = moved(point.geom, at.geom);
      point.side_site = moved(point.side_site, at.site);
    }
    spec.tendons.push_back(std::move(tendon));
  }
  for (ActuatorSpec actuator : other.actuators) {
    actuator.name = prefix + actuator.name;
    switch (actuator.transmission) {
      case Transmission::Joint:
      case Transmission::JointInParent: actuator.target += at.joint; break;
      case Transmission::Tendon: actuator.target += at.tendon; break;
      case Transmission::Body: actuator.target = moved_body(actuator.target, at); break;
      case Transmission::Site:
      case Transmission::SliderCrank: actuator.target += at.site; break;
    }
    actuator.reference = moved(actuator.reference, at.site);
    spec.actuators.push_back(std::move(actuator));
  }
}

/// Anchors and turns of ties to the other's ground, which are in the frame of that ground.
void move_ground(EqualitySpec& equality, const Place& place) {
  if (equality.first == 0) {
    equality.first_anchor = place.of(equality.first_anchor);
    equality.relative_orientation = place.of(equality.relative_orientation);
  }
  if (equality.second == 0) {
    equality.second_anchor = place.of(equality.second_anchor);
    equality.relative_orientation = equality.relative_orientation * conjugate(place.orientation);
  }
}

void copy_equalities(ModelSpec& spec, const ModelSpec& other, const std::string& prefix, const Offsets& at,
                     const Place& place) {
  for (EqualitySpec equality : other.equalities) {
    equality.name = prefix + equality.name;
    const bool of_bodies = equality.type == EqualityType::Connect || equality.type == EqualityType::Weld;
    if (of_bodies) move_ground(equality, place);
    const int offset = equality.type == EqualityType::Joint ? at.joint : at.tendon;
    const auto moved = [&](int element) {
      if (of_bodies) return moved_body(element, at);
      return element < 0 ? element : element + offset;
    };
    equality.first = moved(equality.first);
    equality.second = moved(equality.second);
    spec.equalities.push_back(std::move(equality));
  }
}

/// The reference configuration of a model, or its springs', with its free bodies moved.
void append_moved(std::vector<double>& q, const ModelSpec& other, const std::vector<double>& given,
                  const Place& place) {
  const std::vector<double> own = given.empty() ? default_reference(other) : given;
  std::size_t start = q.size();
  q.insert(q.end(), own.begin(), own.end());
  for (const JointSpec& joint : other.joints) {
    if (joint.type == JointType::Free) {
      place.of(Vec3::from(&q[start])).store(&q[start]);
      place.of(Quat::from(&q[start + 3])).store(&q[start + 3]);
    }
    start += static_cast<std::size_t>(q_size(joint.type));
  }
}

}  // namespace

void add_model(ModelSpec& spec, const ModelSpec& other, const std::string& prefix, const Vec3& position,
               const Quat& orientation) {
  mount_model(spec, other, prefix, 0, position, orientation);
}

void mount_model(ModelSpec& spec, const ModelSpec& other, const std::string& prefix, int body, const Vec3& position,
                 const Quat& orientation) {
  if (!other.contact_pairs.empty() || !other.height_fields.empty()) {
    throw InputError(other.source, "", "explicit contact pairs and height fields can't be copied into a scene");
  }
  if (spec.reference_q.empty()) spec.reference_q = default_reference(spec);
  if (spec.spring_q.empty()) spec.spring_q = spec.reference_q;
  const Offsets at{body,
                   count(spec.bodies) - 1,
                   count(spec.joints),
                   count(spec.geoms),
                   count(spec.sites),
                   count(spec.meshes),
                   count(spec.tendons),
                   count(spec.appearance.textures),
                   count(spec.appearance.materials)};
  const Place place{position, orientation};
  copy_bodies(spec, other, prefix, at, place);
  copy_shapes(spec, other, prefix, at, place);
  copy_appearance(spec, other, prefix, at);
  copy_drives(spec, other, prefix, at);
  copy_equalities(spec, other, prefix, at, place);
  append_moved(spec.reference_q, other, other.reference_q, place);
  append_moved(spec.spring_q, other, other.spring_q.empty() ? other.reference_q : other.spring_q, place);
}

}  // namespace uzawa::scenarios
