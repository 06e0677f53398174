#include "uzawa/io/convert.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/io/cable.hpp"
#include "uzawa/io/compile.hpp"

namespace uzawa::mujoco {

namespace {

/// Without springs and dampers MuJoCo computes no passive force at all, drag and gravity compensation included.
bool passive_off(const mjModel* m) { return springs_off(m) && dampers_off(m); }

OptionsSpec convert_options(const mjModel* m) {
  OptionsSpec o;
  o.gravity = disabled(m, mjDSBL_GRAVITY) ? Vec3{} : Vec3::from(m->opt.gravity);
  o.timestep = m->opt.timestep;
  o.fluid_density = passive_off(m) ? 0 : m->opt.density;
  o.fluid_viscosity = passive_off(m) ? 0 : m->opt.viscosity;
  o.wind = Vec3::from(m->opt.wind);
  o.magnetic = Vec3::from(m->opt.magnetic);
  const bool constraints = !disabled(m, mjDSBL_CONSTRAINT);
  o.contacts = constraints && !disabled(m, mjDSBL_CONTACT);
  o.limits = constraints && !disabled(m, mjDSBL_LIMIT);
  o.friction_loss = constraints && !disabled(m, mjDSBL_FRICTIONLOSS);
  o.equalities = constraints && !disabled(m, mjDSBL_EQUALITY);
  o.actuation = !disabled(m, mjDSBL_ACTUATION);
  o.filter_parent = !disabled(m, mjDSBL_FILTERPARENT);
  return o;
}

BodySpec convert_body(const mjModel* m, int b) {
  BodySpec body;
  body.name = name_of(m, mjOBJ_BODY, b);
  body.parent = m->body_parentid[b];
  body.position = Vec3::from(m->body_pos + 3 * b);
  body.orientation = Quat::from(m->body_quat + 4 * b);
  body.mass = m->body_mass[b];
  body.com = Vec3::from(m->body_ipos + 3 * b);
  body.inertia_orientation = Quat::from(m->body_iquat + 4 * b);
  body.principal_inertia = Vec3::from(m->body_inertia + 3 * b);
  body.gravity_compensation = passive_off(m) ? 0 : gravity_compensation(m, b);
  body.mocap = m->body_mocapid[b] >= 0;
  return body;
}

JointType joint_type(int type) {
  switch (type) {
    case mjJNT_FREE: return JointType::Free;
    case mjJNT_BALL: return JointType::Ball;
    case mjJNT_SLIDE: return JointType::Slide;
    default: return JointType::Hinge;
  }
}

JointSpec convert_joint(const mjModel* m, int j) {
  const int dof = m->jnt_dofadr[j];
  JointSpec joint;
  joint.name = name_of(m, mjOBJ_JOINT, j);
  joint.type = joint_type(m->jnt_type[j]);
  joint.body = m->jnt_bodyid[j];
  joint.position = Vec3::from(m->jnt_pos + 3 * j);
  joint.axis = Vec3::from(m->jnt_axis + 3 * j);
  joint.armature = m->dof_armature[dof];
  joint.damping = dampers_off(m) ? 0 : m->dof_damping[dof];
  joint.stiffness = springs_off(m) ? 0 : m->jnt_stiffness[j];
  joint.friction_loss = m->dof_frictionloss[dof];
  joint.range = range_if(m->jnt_limited[j] != 0, m->jnt_range + 2 * j);
  joint.limit_margin = m->jnt_margin[j];
  const JointExtras extras = joint_extras(m, j);
  if (extras.force_limited) joint.actuator_force_range = Range{extras.force_lower, extras.force_upper};
  joint.gravity_compensation_by_actuators = extras.gravity_by_actuators;
  return joint;
}

ShapeType shape_type(int type) {
  switch (type) {
    case mjGEOM_PLANE: return ShapeType::Plane;
    case mjGEOM_HFIELD: return ShapeType::HeightField;
    case mjGEOM_SPHERE: return ShapeType::Sphere;
    case mjGEOM_CAPSULE: return ShapeType::Capsule;
    case mjGEOM_ELLIPSOID: return ShapeType::Ellipsoid;
    case mjGEOM_CYLINDER: return ShapeType::Cylinder;
    case mjGEOM_BOX: return ShapeType::Box;
    default: return ShapeType::Mesh;
  }
}

GeomSpec convert_geom(const mjModel* m, int g) {
  GeomSpec geom;
  geom.name = name_of(m, mjOBJ_GEOM, g);
  geom.body = m->geom_bodyid[g];
  geom.shape = shape_type(m->geom_type[g]);
  geom.size = Vec3::from(m->geom_size + 3 * g);
  geom.asset = m->geom_dataid[g];
  geom.position = Vec3::from(m->geom_pos + 3 * g);
  geom.orientation = Quat::from(m->geom_quat + 4 * g);
  geom.contact_type = m->geom_contype[g];
  geom.contact_affinity = m->geom_conaffinity[g];
  geom.contact_dimension = m->geom_condim[g];
  geom.priority = m->geom_priority[g];
  std::copy_n(m->geom_friction + 3 * g, 3, geom.friction.begin());
  geom.margin = m->geom_margin[g];
  geom.gap = m->geom_gap[g];
  geom.group = m->geom_group[g];
  geom.material = m->geom_matid[g];
  // A material colours the geom unless the geom says a colour of its own (grey is MuJoCo's "not said").
  std::copy_n(m->geom_rgba + 4 * g, 4, geom.rgba.begin());
  if (m->geom_matid[g] >= 0 && geom.rgba == GeomSpec{}.rgba) {
    std::copy_n(m->mat_rgba + 4 * m->geom_matid[g], 4, geom.rgba.begin());
  }
  return geom;
}

MeshSpec convert_mesh(const mjModel* m, int id) {
  MeshSpec mesh;
  mesh.name = name_of(m, mjOBJ_MESH, id);
  mesh.vertices.resize(at(m->mesh_vertnum[id]));
  for (int k = 0; k < m->mesh_vertnum[id]; ++k) {
    std::copy_n(m->mesh_vert + 3 * (m->mesh_vertadr[id] + k), 3, mesh.vertices[at(k)].begin());
  }
  mesh.faces.resize(at(m->mesh_facenum[id]));
  for (int k = 0; k < m->mesh_facenum[id]; ++k) {
    std::copy_n(m->mesh_face + 3 * (m->mesh_faceadr[id] + k), 3, mesh.faces[at(k)].begin());
  }
  mesh.texture_places = convert_texture_places(m, id);
  return mesh;
}

HeightFieldSpec convert_height_field(const mjModel* m, int id) {
  HeightFieldSpec field;
  field.name = name_of(m, mjOBJ_HFIELD, id);
  std::copy_n(m->hfield_size + 4 * id, 4, field.size.begin());
  field.rows = m->hfield_nrow[id];
  field.columns = m->hfield_ncol[id];
  const float* data = m->hfield_data + m->hfield_adr[id];
  field.elevation.assign(data, data + at(field.rows) * at(field.columns));
  return field;
}

SiteSpec convert_site(const mjModel* m, int s) {
  return {name_of(m, mjOBJ_SITE, s), m->site_bodyid[s], Vec3::from(m->site_pos + 3 * s),
          Quat::from(m->site_quat + 4 * s)};
}

TendonSpec convert_tendon(const mjModel* m, int t) {
  TendonSpec tendon;
  tendon.name = name_of(m, mjOBJ_TENDON, t);
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; ++w) {
    switch (m->wrap_type[w]) {
      case mjWRAP_JOINT:
        tendon.joints.push_back(m->wrap_objid[w]);
        tendon.coefficients.push_back(m->wrap_prm[w]);
        break;
      case mjWRAP_SITE: tendon.path.push_back({.site = m->wrap_objid[w]}); break;
      case mjWRAP_SPHERE:
      case mjWRAP_CYLINDER:
        tendon.path.push_back({.geom = m->wrap_objid[w], .side_site = static_cast<int>(std::lround(m->wrap_prm[w]))});
        break;
      default: tendon.path.push_back({.divisor = m->wrap_prm[w]}); break;  // pulley
    }
  }
  tendon.stiffness = springs_off(m) ? 0 : m->tendon_stiffness[t];
  tendon.damping = dampers_off(m) ? 0 : m->tendon_damping[t];
  tendon.friction_loss = m->tendon_frictionloss[t];
  tendon.spring_length = {spring_length(m, t, 0), spring_length(m, t, 1)};
  tendon.range = range_if(m->tendon_limited[t] != 0, m->tendon_range + 2 * t);
  tendon.limit_margin = m->tendon_margin[t];
  if (tendon_force_limited(m, t)) tendon.actuator_force_range = range_of(tendon_force_range(m, t));
  return tendon;
}

/// Connect and weld between sites say it in site frames; we keep body frames.
void equality_between_sites(const mjModel* m, int e, EqualitySpec& eq) {
  const int s1 = m->eq_obj1id[e], s2 = m->eq_obj2id[e];
  eq.first = m->site_bodyid[s1];
  eq.second = m->site_bodyid[s2];
  eq.first_anchor = Vec3::from(m->site_pos + 3 * s1);
  eq.second_anchor = Vec3::from(m->site_pos + 3 * s2);
  eq.relative_orientation =
      normalized(Quat::from(m->site_quat + 4 * s1)) * conjugate(normalized(Quat::from(m->site_quat + 4 * s2)));
}

EqualitySpec convert_equality(const mjModel* m, int e) {
  const mjtNum* data = m->eq_data + mjNEQDATA * e;
  EqualitySpec eq;
  eq.name = name_of(m, mjOBJ_EQUALITY, e);
  eq.active = equality_active(m, e);
  eq.first = m->eq_obj1id[e];
  eq.second = m->eq_obj2id[e];
  switch (m->eq_type[e]) {
    case mjEQ_CONNECT:
      eq.type = EqualityType::Connect;
      eq.first_anchor = Vec3::from(data);
      eq.second_anchor = Vec3::from(data + 3);
      break;
    case mjEQ_WELD:
      eq.type = EqualityType::Weld;
      eq.second_anchor = Vec3::from(data);
      eq.first_anchor = Vec3::from(data + 3);
      eq.relative_orientation = Quat::from(data + 6);
      eq.torque_scale = data[10];
      break;
    default:
      eq.type = m->eq_type[e] == mjEQ_JOINT ? EqualityType::Joint : EqualityType::Tendon;
      std::copy_n(data, 5, eq.polynomial.begin());
      break;
  }
  if (equality_on_sites(m, e)) equality_between_sites(m, e, eq);
  return eq;
}

ContactPairSpec convert_pair(const mjModel* m, int p) {
  ContactPairSpec pair;
  pair.name = name_of(m, mjOBJ_PAIR, p);
  pair.geom1 = m->pair_geom1[p];
  pair.geom2 = m->pair_geom2[p];
  pair.dimension = m->pair_dim[p];
  // MuJoCo's first tangent is our second (contact_frame).
  const mjtNum* friction = m->pair_friction + 5 * p;
  pair.friction = {friction[1], friction[0], friction[2], friction[4], friction[3]};
  pair.margin = m->pair_margin[p];
  pair.gap = m->pair_gap[p];
  return pair;
}

KeyframeSpec convert_keyframe(const mjModel* m, int k) {
  const auto slice = [k](const mjtNum* values, auto count) {
    return std::vector<double>(values + count * k, values + count * (k + 1));
  };
  KeyframeSpec key{name_of(m, mjOBJ_KEY, k),  m->key_time[k],           slice(m->key_qpos, m->nq),
                   slice(m->key_qvel, m->nv), slice(m->key_act, m->na), slice(m->key_ctrl, m->nu)};
  for (int b = 0; b < m->nmocap; ++b) {
    const long place = static_cast<long>(m->nmocap) * k + b;
    key.mocap.insert(key.mocap.end(), m->key_mpos + 3 * place, m->key_mpos + 3 * place + 3);
    key.mocap.insert(key.mocap.end(), m->key_mquat + 4 * place, m->key_mquat + 4 * place + 4);
  }
  return key;
}

template <typename Spec, typename Convert>
std::vector<Spec> convert_all(const mjModel* m, long count, Convert&& convert_one) {
  std::vector<Spec> specs;
  specs.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < static_cast<int>(count); ++i) specs.push_back(convert_one(m, i));
  return specs;
}

}  // namespace

ModelSpec convert(const Compiled& compiled, const std::string& source) {
  const mjModel* m = compiled.model.get();
  ModelSpec spec;
  spec.name = m->names == nullptr ? "" : m->names;  // the model's own name comes first
  spec.source = source;
  spec.options = convert_options(m);
  spec.bodies = convert_all<BodySpec>(m, m->nbody, convert_body);
  spec.joints = convert_all<JointSpec>(m, m->njnt, convert_joint);
  spec.geoms = convert_all<GeomSpec>(m, m->ngeom, convert_geom);
  spec.sites = convert_all<SiteSpec>(m, m->nsite, convert_site);
  spec.meshes = convert_all<MeshSpec>(m, m->nmesh, convert_mesh);
  read_sdf_texts(m, spec);
  spec.height_fields = convert_all<HeightFieldSpec>(m, m->nhfield, convert_height_field);
  spec.tendons = convert_all<TendonSpec>(m, m->ntendon, convert_tendon);
  spec.actuators = convert_all<ActuatorSpec>(m, actuator_count(m), convert_actuator);
  for (int e = 0; e < static_cast<int>(m->neq); ++e) {
    if (!equality_on_flex(m, e)) spec.equalities.push_back(convert_equality(m, e));
  }
  spec.contact_pairs = convert_all<ContactPairSpec>(m, m->npair, convert_pair);
  spec.contact_excludes = convert_all<ContactExcludeSpec>(m, m->nexclude, [](const mjModel* mm, int e) {
    return ContactExcludeSpec{exclude_body(mm, e, 0), exclude_body(mm, e, 1)};
  });
  read_restitution(m, spec);
  spec.sensors = convert_sensors(m);
  spec.appearance = convert_appearance(m);
  spec.keyframes = convert_all<KeyframeSpec>(m, m->nkey, convert_keyframe);
  spec.reference_q.assign(m->qpos0, m->qpos0 + m->nq);
  spec.spring_q.assign(m->qpos_spring, m->qpos_spring + m->nq);
  add_flexes(m, compiled.flexes, spec);
  read_pieces(m, spec);
  add_cables(m, spec);
  return spec;
}

}  // namespace uzawa::mujoco
