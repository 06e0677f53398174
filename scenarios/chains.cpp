#include "uzawa/scenarios/chains.hpp"

#include <cmath>

namespace uzawa::scenarios {

namespace {

/// The rotation that turns z into a direction.
Quat from_z_to(const Vec3& direction) {
  const Vec3 axis = cross({0, 0, 1}, direction);
  const double sine = norm(axis), angle = std::atan2(sine, direction.z());
  if (sine > 0) return exp_rotation(axis * (angle / sine));
  return direction.z() > 0 ? Quat{} : exp_rotation({M_PI, 0, 0});
}

}  // namespace

GeomSpec capsule_between(int body, const Vec3& a, const Vec3& b, double radius) {
  GeomSpec geom;
  geom.body = body;
  geom.shape = ShapeType::Capsule;
  geom.size = {radius, norm(b - a) / 2, 0};
  geom.position = (a + b) * 0.5;
  geom.orientation = from_z_to((b - a) * (1 / norm(b - a)));
  return geom;
}

void set_slender_inertia(BodySpec& body, const Vec3& a, const Vec3& b, double radius) {
  const double length = norm(b - a), across = body.mass * (radius * radius / 4 + length * length / 12);
  body.com = (a + b) * 0.5;
  body.inertia_orientation = from_z_to((b - a) * (1 / length));
  body.principal_inertia = {across, across, body.mass * radius * radius / 2};
}

int add_link(ModelSpec& spec, const LinkOptions& o) {
  const int index = static_cast<int>(spec.bodies.size());
  BodySpec body;
  body.name = o.name;
  body.parent = o.parent;
  body.position = o.joint - o.parent_place;
  body.mass = o.mass;
  JointSpec joint;
  joint.name = o.name;
  joint.type = o.type;
  joint.body = index;
  joint.damping = o.damping;
  spec.bodies.push_back(std::move(body));
  spec.joints.push_back(std::move(joint));
  return index;
}

int add_chain(ModelSpec& spec, const std::vector<Vec3>& points, const ChainOptions& o) {
  const int first = static_cast<int>(spec.bodies.size());
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const bool root = i == 0;
    const int body = add_link(spec, {.name = o.name + std::to_string(i),
                                     .parent = root ? 0 : first + static_cast<int>(i) - 1,
                                     .parent_place = root ? Vec3{} : points[i - 1],
                                     .joint = points[i],
                                     .type = root ? o.first : JointType::Ball,
                                     .mass = o.mass,
                                     .damping = root && o.first == JointType::Free ? 0 : o.damping});
    const Vec3 end = points[i + 1] - points[i];
    set_slender_inertia(spec.bodies.back(), {}, end, o.radius);
    GeomSpec geom = capsule_between(body, {}, end, o.radius);
    geom.name = o.name + std::to_string(i);
    geom.friction = {o.mu, 0, 0};
    geom.contact_type = o.contact_type;
    geom.contact_affinity = o.affinity;
    geom.rgba = o.rgba;
    spec.geoms.push_back(std::move(geom));
  }
  return first;
}

}  // namespace uzawa::scenarios
