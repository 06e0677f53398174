#include <cmath>
#include <initializer_list>

#include "uzawa/model/element_check.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {

namespace {

void check_bodies(const ModelSpec& spec) {
  if (spec.bodies.empty()) throw InputError(spec.source, "model", "has no ground body");
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    const BodySpec& body = spec.bodies[i];
    const ElementCheck e(spec, "body", i, body.name);
    if (i > 0) e.require(body.parent >= 0 && body.parent < static_cast<int>(i), "its parent must come before it");
    e.finite("position", body.position);
    e.finite("orientation", body.orientation);
    e.finite("centre of mass", body.com);
    e.finite("inertia orientation", body.inertia_orientation);
    e.finite("gravity compensation", body.gravity_compensation);
    e.not_negative("mass", body.mass);
    for (int k = 0; k < 3; ++k) e.not_negative("inertia", body.principal_inertia[k]);
    e.require(!body.mocap || body.parent == 0, "a mocap body must be on the ground");
  }
}

void check_joint_order(const ModelSpec& spec, std::size_t i, const ElementCheck& e) {
  const JointSpec& joint = spec.joints[i];
  if (i > 0) e.require(spec.joints[i - 1].body <= joint.body, "joints must be ordered by body");
  const bool alone = (i == 0 || spec.joints[i - 1].body != joint.body) &&
                     (i + 1 == spec.joints.size() || spec.joints[i + 1].body != joint.body);
  const bool rotates = joint.type == JointType::Ball || joint.type == JointType::Hinge;
  for (std::size_t k = i; rotates && k-- > 0 && spec.joints[k].body == joint.body;) {
    e.require(spec.joints[k].type != JointType::Ball, "rotates a body that a ball joint already rotates");
  }
  if (joint.type == JointType::Free) {
    e.require(alone, "a free joint must be the only joint of its body");
    e.require(spec.bodies[static_cast<std::size_t>(joint.body)].parent == 0, "a free joint needs a body on the ground");
  }
}

void check_joints(const ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.joints.size(); ++i) {
    const JointSpec& joint = spec.joints[i];
    const ElementCheck e(spec, "joint", i, joint.name);
    e.index("body", joint.body, spec.bodies.size(), 1);
    check_joint_order(spec, i, e);
    e.finite("position", joint.position);
    e.finite("axis", joint.axis);
    if (joint.type == JointType::Slide || joint.type == JointType::Hinge) {
      e.require(norm(joint.axis) > 1e-9, "axis has no direction");
    }
    e.not_negative("armature", joint.armature);
    e.not_negative("damping", joint.damping);
    e.finite("stiffness", joint.stiffness);  // negative is unusual (a toggle spring), not wrong
    for (int k = 0; k < 3; ++k) e.not_negative("ball stiffness", joint.ball_stiffness[k]);
    e.require(joint.type == JointType::Ball || norm(joint.ball_stiffness) == 0, "has ball stiffness but is no ball");
    e.not_negative("friction loss", joint.friction_loss);
    e.finite("limit margin", joint.limit_margin);
    e.ordered("range", joint.range);
    e.ordered("actuator force range", joint.actuator_force_range);
  }
}

void check_geoms(const ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.geoms.size(); ++i) {
    const GeomSpec& geom = spec.geoms[i];
    const ElementCheck e(spec, "geom", i, geom.name);
    e.index("body", geom.body, spec.bodies.size());
    e.finite("position", geom.position);
    e.finite("orientation", geom.orientation);
    e.finite("size", geom.size);
    e.finite("margin", geom.margin);
    e.finite("gap", geom.gap);
    for (const double mu : geom.friction) e.not_negative("friction", mu);
    e.index("material", geom.material, spec.appearance.materials.size(), -1);
    if (geom.shape == ShapeType::Mesh) e.index("mesh", geom.asset, spec.meshes.size());
    if (geom.shape == ShapeType::HeightField) e.index("height field", geom.asset, spec.height_fields.size());
    if (geom.shape == ShapeType::Skin) {
      e.index("soft body", geom.asset, spec.soft_bodies.size());
      e.require(geom.body == 0, "a skin belongs to the ground body: its place is that of its nodes");
      e.not_negative("size", geom.size.x());
    }
    if (!geom.sdf) continue;
    const std::string reason = defect(*geom.sdf);
    e.require(reason.empty(), "sdf: " + reason);
    for (const SdfPart& part : geom.sdf->parts) {
      const bool baked = std::holds_alternative<BakedMeshSpec>(part.shape);
      e.require(!baked || geom.shape == ShapeType::Mesh, "sdf: 'mesh' needs a mesh geom");
    }
  }
  for (std::size_t i = 0; i < spec.sites.size(); ++i) {
    const SiteSpec& site = spec.sites[i];
    const ElementCheck e(spec, "site", i, site.name);
    e.index("body", site.body, spec.bodies.size());
    e.finite("position", site.position);
    e.finite("orientation", site.orientation);
  }
}

void check_assets(const ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.meshes.size(); ++i) {
    const MeshSpec& mesh = spec.meshes[i];
    const ElementCheck e(spec, "mesh", i, mesh.name);
    for (const auto& vertex : mesh.vertices) e.all_finite_in("vertex", vertex);
    for (const auto& face : mesh.faces) {
      for (const int vertex : face) e.index("vertex", vertex, mesh.vertices.size());
    }
    e.require(mesh.texture_places.empty() || mesh.texture_places.size() == 3 * mesh.faces.size(),
              "texture places are not three a face");
  }
  for (std::size_t i = 0; i < spec.height_fields.size(); ++i) {
    const HeightFieldSpec& field = spec.height_fields[i];
    const ElementCheck e(spec, "height field", i, field.name);
    e.all_finite_in("size", field.size);
    e.all_finite_in("elevation", field.elevation);
    e.require(field.rows > 1 && field.columns > 1, "needs at least 2 x 2 elevations");
    e.require(field.elevation.size() == static_cast<std::size_t>(field.rows) * static_cast<std::size_t>(field.columns),
              "number of elevations is not rows x columns");
  }
}

bool is_scalar(const JointSpec& joint) { return joint.type == JointType::Slide || joint.type == JointType::Hinge; }

void check_obstacles(const ModelSpec& spec, const TendonSpec& tendon, const ElementCheck& e) {
  const std::vector<TendonPoint>& path = tendon.path;
  for (std::size_t k = 0; k < path.size(); ++k) {
    if (path[k].geom < 0) continue;
    const ShapeType shape = spec.geoms[static_cast<std::size_t>(path[k].geom)].shape;
    e.require(shape == ShapeType::Sphere || shape == ShapeType::Cylinder,
              "wraps around a geom that is no sphere or cylinder");
    e.require(k > 0 && k + 1 < path.size() && path[k - 1].site >= 0 && path[k + 1].site >= 0,
              "wraps around a geom that is not between two sites");
  }
}

void check_tendons(const ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.tendons.size(); ++i) {
    const TendonSpec& tendon = spec.tendons[i];
    const ElementCheck e(spec, "tendon", i, tendon.name);
    e.require(tendon.joints.size() == tendon.coefficients.size(), "joints and coefficients differ in number");
    for (const int joint : tendon.joints) {
      e.index("joint", joint, spec.joints.size());
      e.require(is_scalar(spec.joints[static_cast<std::size_t>(joint)]), "joins a joint that is not a hinge or slide");
    }
    e.all_finite_in("coefficient", tendon.coefficients);
    e.require(tendon.joints.empty() || tendon.path.empty(), "has both joints and a path");
    for (const TendonPoint& point : tendon.path) {
      e.index("site", point.site, spec.sites.size(), -1);
      e.index("geom", point.geom, spec.geoms.size(), -1);
      e.index("side site", point.side_site, spec.sites.size(), -1);
      e.require(!point.is_pulley() || point.divisor > 0, "has a pulley whose divisor is not positive");
    }
    check_obstacles(spec, tendon, e);
    e.finite("stiffness", tendon.stiffness);
    e.not_negative("damping", tendon.damping);
    e.not_negative("friction loss", tendon.friction_loss);
    e.ordered("spring length", tendon.spring_length);
    e.ordered("range", tendon.range);
    e.ordered("actuator force range", tendon.actuator_force_range);
  }
}

void check_actuators(const ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.actuators.size(); ++i) {
    const ActuatorSpec& actuator = spec.actuators[i];
    const ElementCheck e(spec, "actuator", i, actuator.name);
    switch (actuator.transmission) {
      case Transmission::Joint:
      case Transmission::JointInParent: e.index("joint", actuator.target, spec.joints.size()); break;
      case Transmission::Tendon: e.index("tendon", actuator.target, spec.tendons.size()); break;
      case Transmission::Body: e.index("body", actuator.target, spec.bodies.size()); break;
      case Transmission::Site:
        e.index("site", actuator.target, spec.sites.size());
        e.index("reference site", actuator.reference, spec.sites.size(), -1);
        break;
      case Transmission::SliderCrank:
        e.index("crank site", actuator.target, spec.sites.size());
        e.index("slider site", actuator.reference, spec.sites.size());
        e.not_negative("rod length", actuator.rod_length);
        break;
    }
    e.all_finite_in("gear", actuator.gear);
    e.all_finite_in("gain", actuator.gain);
    e.all_finite_in("bias", actuator.bias);
    e.finite("time constant", actuator.time_constant);
    e.ordered("control range", actuator.control_range);
    e.ordered("force range", actuator.force_range);
    e.ordered("activation range", actuator.activation_range);
  }
}

void check_sensors(const ModelSpec& spec) {
  const auto size_of_objects = [&](SensorType type) -> std::size_t {
    using enum SensorType;
    if (type <= BallAngularVelocity) return spec.joints.size();
    if (type <= TendonLimitForce) return spec.tendons.size();
    if (type <= ActuatorForce) return spec.actuators.size();
    return spec.bodies.size();
  };
  for (std::size_t i = 0; i < spec.sensors.size(); ++i) {
    const SensorSpec& sensor = spec.sensors[i];
    const ElementCheck e(spec, "sensor", i, sensor.name);
    const bool has_object =
        sensor.type <= SensorType::ActuatorForce ||
        (sensor.type >= SensorType::SubtreeCom && sensor.type <= SensorType::SubtreeAngularMomentum);
    e.index("object", sensor.object, size_of_objects(sensor.type), has_object ? 0 : -1);
    for (const BodyFrame* frame : {&sensor.frame, sensor.reference ? &*sensor.reference : &sensor.frame}) {
      e.index("body", frame->body, spec.bodies.size());
      e.finite("position", frame->position);
      e.finite("orientation", frame->orientation);
    }
    e.not_negative("cutoff", sensor.cutoff);
  }
}

void check_equalities(const ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.equalities.size(); ++i) {
    const EqualitySpec& eq = spec.equalities[i];
    const ElementCheck e(spec, "equality", i, eq.name);
    switch (eq.type) {
      case EqualityType::Connect:
      case EqualityType::Weld:
        e.index("body", eq.first, spec.bodies.size());
        e.index("body", eq.second, spec.bodies.size());
        break;
      case EqualityType::Joint:
        e.index("joint", eq.first, spec.joints.size());
        e.index("joint", eq.second, spec.joints.size(), -1);
        e.require(is_scalar(spec.joints[static_cast<std::size_t>(eq.first)]),
                  "couples a joint that is not a hinge or slide");
        break;
      case EqualityType::Tendon:
        e.index("tendon", eq.first, spec.tendons.size());
        e.index("tendon", eq.second, spec.tendons.size(), -1);
        break;
    }
    e.finite("anchor", eq.first_anchor);
    e.finite("anchor", eq.second_anchor);
    e.finite("relative orientation", eq.relative_orientation);
    e.finite("torque scale", eq.torque_scale);
    e.all_finite_in("polynomial", eq.polynomial);
  }
}

void check_contacts(const ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.contact_pairs.size(); ++i) {
    const ContactPairSpec& pair = spec.contact_pairs[i];
    const ElementCheck e(spec, "contact pair", i, pair.name);
    e.index("geom", pair.geom1, spec.geoms.size());
    e.index("geom", pair.geom2, spec.geoms.size());
    e.finite("margin", pair.margin);
    e.finite("gap", pair.gap);
    for (const double mu : pair.friction) e.not_negative("friction", mu);
    const double restitution = pair.restitution.value_or(0);
    e.require(restitution >= 0 && restitution <= 1, "restitution is not between 0 and 1");
  }
  for (std::size_t i = 0; i < spec.contact_excludes.size(); ++i) {
    const ElementCheck e(spec, "contact exclude", i, "");
    e.index("body", spec.contact_excludes[i].body1, spec.bodies.size());
    e.index("body", spec.contact_excludes[i].body2, spec.bodies.size());
  }
}

void check_configurations(const ModelSpec& spec) {
  std::size_t nq = 0, nv = 0, na = 0;
  for (const JointSpec& joint : spec.joints) {
    nq += static_cast<std::size_t>(q_size(joint.type));
    nv += static_cast<std::size_t>(v_size(joint.type));
  }
  for (const ActuatorSpec& actuator : spec.actuators) na += actuator.dynamics == ActuatorDynamics::None ? 0 : 1;
  const ElementCheck model(spec, "model", 0, spec.name);
  model.require(spec.reference_q.size() == nq, "reference configuration has the wrong size");
  model.require(spec.spring_q.size() == nq, "spring reference has the wrong size");
  model.all_finite_in("reference configuration", spec.reference_q);
  model.all_finite_in("spring reference", spec.spring_q);
  model.finite("gravity", spec.options.gravity);
  model.finite("wind", spec.options.wind);
  model.finite("magnetic flux", spec.options.magnetic);
  model.require(spec.options.restitution >= 0 && spec.options.restitution <= 1, "restitution is not between 0 and 1");
  model.not_negative("fluid density", spec.options.fluid_density);
  model.not_negative("fluid viscosity", spec.options.fluid_viscosity);
  model.require(std::isfinite(spec.options.timestep) && spec.options.timestep > 0, "time step is not positive");
  for (std::size_t i = 0; i < spec.keyframes.size(); ++i) {
    const KeyframeSpec& key = spec.keyframes[i];
    const ElementCheck e(spec, "keyframe", i, key.name);
    e.finite("time", key.time);
    const std::initializer_list<std::pair<const std::vector<double>*, std::size_t>> fields = {
        {&key.q, nq}, {&key.v, nv}, {&key.activation, na}, {&key.control, spec.actuators.size()}};
    for (const auto& [values, size] : fields) {
      e.require(values->size() == size,
                "has " + std::to_string(values->size()) + " values where the model needs " + std::to_string(size));
      e.all_finite_in("a value", *values);
    }
  }
}

}  // namespace

void validate(const ModelSpec& spec) {
  check_bodies(spec);
  check_joints(spec);
  check_assets(spec);
  check_geoms(spec);
  check_tendons(spec);
  check_actuators(spec);
  check_sensors(spec);
  check_equalities(spec);
  check_contacts(spec);
  check_soft_bodies(spec);
  check_rods(spec);
  check_appearance(spec);
  check_configurations(spec);
}

}  // namespace uzawa
