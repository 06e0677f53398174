#include "uzawa/io/flex.hpp"

#include <algorithm>
#include <map>

#include "uzawa/base/at.hpp"
#include "uzawa/io/compile.hpp"
#include "uzawa/model/soft_skin.hpp"

namespace uzawa::mujoco {

#if UZAWA_MUJOCO_MODERN

namespace {

/// Poses of the bodies in the world at the reference configuration.
struct ReferencePoses {
  std::vector<Vec3> position;
  std::vector<Quat> orientation;

  explicit ReferencePoses(const ModelSpec& spec) {
    for (const BodySpec& body : spec.bodies) {
      const bool ground = position.empty();
      const Quat parent = ground ? Quat{} : orientation[at(body.parent)];
      position.push_back(ground ? Vec3{} : position[at(body.parent)] + rotate(parent, body.position));
      orientation.push_back(normalized(parent * body.orientation));
    }
  }
  Vec3 point(int body, const Vec3& offset) const { return position[at(body)] + rotate(orientation[at(body)], offset); }
};

/// Coordinates of the moved vertices in keyframes: displacements and velocities in the world.
void convert_keyframes(const mjModel* m, const std::vector<int>& bodies, const ReferencePoses& reference,
                       ModelSpec& spec) {
  const DataPtr data(mj_makeData(m));
  mjData* d = data.get();
  for (KeyframeSpec& key : spec.keyframes) {
    std::copy(key.q.begin(), key.q.end(), d->qpos);
    std::copy(key.v.begin(), key.v.end(), d->qvel);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_comVel(m, d);
    for (const int b : bodies) {
      const Vec3 moved = Vec3::from(d->xpos + 3 * b) - reference.position[at(b)];
      mjtNum velocity[6];  // angular, linear
      mj_objectVelocity(m, d, mjOBJ_XBODY, b, velocity, 0);
      for (int k = 0; k < 3; ++k) {
        const int j = m->body_jntadr[b] + k;
        key.q[at(m->jnt_qposadr[j])] = m->qpos0[m->jnt_qposadr[j]] + moved[k];
        key.v[at(m->jnt_dofadr[j])] = velocity[3 + k];
      }
    }
  }
}

/// Makes the bodies children of the ground where they are, with slides along the axes of the world.
void move_to_ground(const mjModel* m, const std::vector<int>& bodies, ModelSpec& spec) {
  const ReferencePoses reference(spec);
  for (const int b : bodies) {
    BodySpec& body = spec.bodies[at(b)];
    body.parent = 0;
    body.position = reference.position[at(b)];
    body.orientation = reference.orientation[at(b)];
    for (int k = 0; k < 3; ++k) {
      Vec3 axis;
      axis.set(k, 1);
      spec.joints[at(m->body_jntadr[b] + k)].axis = rotate(conjugate(body.orientation), axis);
    }
  }
  if (bodies.empty() || spec.keyframes.empty()) return;
  std::vector<std::string> ignored;
  call_engine(spec.source, ignored, [&] { convert_keyframes(m, bodies, reference, spec); });
}

template <std::size_t kNodes>
std::vector<std::array<int, kNodes>> read_elements(const int* data, int count) {
  std::vector<std::array<int, kNodes>> elements(at(count));
  for (std::size_t i = 0; i < elements.size(); ++i) std::copy_n(data + kNodes * i, kNodes, elements[i].begin());
  return elements;
}

/// Swaps two nodes where the volume is negative.
void orient(const ReferencePoses& reference, const SoftBodySpec& soft, std::vector<std::array<int, 4>>& tets) {
  const auto place = [&](int node) { return reference.point(soft.bodies[at(node)], soft.offsets[at(node)]); };
  for (std::array<int, 4>& tet : tets) {
    const Vec3 a = place(tet[0]);
    if (dot(cross(place(tet[1]) - a, place(tet[2]) - a), place(tet[3]) - a) < 0) std::swap(tet[2], tet[3]);
  }
}

SoftMaterial convert_material(const mjModel* m, int f, const FlexSource& source) {
  SoftMaterial material;
  const bool elastic = has_elasticity(m, f, source);
  if (elastic) {
    material.young = source.young;
    material.poisson = source.poisson;
    material.damping = dampers_off(m) ? 0 : source.damping;
  }
  material.thickness = std::max(0.0, source.thickness);
  material.stretching = elastic && source.stretching;
  material.bending = elastic && source.bending;
  material.edge_stiffness = springs_off(m) ? 0 : m->flex_edgestiffness[f];
  material.edge_damping = dampers_off(m) ? 0 : m->flex_edgedamping[f];
  return material;
}

/// Where in a texture the corners of faces are, each three vertices of an element; empty: the file does not say.
std::vector<std::array<float, 2>> texture_places(const mjModel* m, int f,
                                                 const std::vector<std::array<int, 3>>& faces) {
  const int corners = m->flex_dim[f] + 1;
  if (m->flex_texcoordadr[f] < 0 || corners < 3) return {};
  const float* places = m->flex_texcoord + 2 * m->flex_texcoordadr[f];
  // By the vertices of a face, ascending: the first corner of an element that has them. Faces of the skin have but one.
  std::map<std::array<int, 3>, int> element_of;
  const int first = m->flex_elemdataadr[f], end = first + corners * m->flex_elemnum[f];
  for (int element = first; element < end; element += corners) {
    for (int omitted = corners == 3 ? 3 : 0; omitted < 4; ++omitted) {
      std::array<int, 3> face{};
      for (int k = 0, to = 0; k < corners; ++k) {
        if (k != omitted) face[at(to++)] = m->flex_elem[element + k];
      }
      std::sort(face.begin(), face.end());
      element_of[face] = element;
    }
  }
  std::vector<std::array<float, 2>> out;
  for (const std::array<int, 3>& face : faces) {
    std::array<int, 3> sorted = face;
    std::sort(sorted.begin(), sorted.end());
    const int element = element_of.at(sorted);
    for (const int vertex : face) {
      const int* nodes = m->flex_elem + element;
      const int* place = m->flex_elemtexcoord + element + (std::find(nodes, nodes + corners, vertex) - nodes);
      out.push_back({places[2 * *place], places[2 * *place + 1]});
    }
  }
  return out;
}

SoftBodySpec convert_flex(const mjModel* m, int f, const FlexSource& source, const ReferencePoses& reference) {
  SoftBodySpec soft;
  soft.name = mj_id2name(m, mjOBJ_FLEX, f) == nullptr ? "" : mj_id2name(m, mjOBJ_FLEX, f);
  const int first = m->flex_vertadr[f], nodes = m->flex_vertnum[f];
  soft.bodies.assign(m->flex_vertbodyid + first, m->flex_vertbodyid + first + nodes);
  for (int v = first; v < first + nodes; ++v) {
    soft.offsets.push_back(m->flex_centered[f] ? Vec3{} : Vec3::from(m->flex_vert + 3 * v));
  }
  soft.material = convert_material(m, f, source);
  const int* elements = m->flex_elem + m->flex_elemdataadr[f];
  const int dimension = m->flex_dim[f], count = m->flex_elemnum[f];
  const SoftMaterial& material = soft.material;
  bool needs_edges = dimension == 1 || material.edge_stiffness > 0 || material.edge_damping > 0;
  if (dimension == 2) soft.triangles = read_elements<3>(elements, count);
  if (dimension == 3) {
    soft.tets = read_elements<4>(elements, count);
    orient(reference, soft, soft.tets);
    if (!m->flex_rigid[f] && !has_elasticity(m, f, source)) {  // every tetrahedron is elastic: its faces need not be
      soft.triangles = make_skin(soft).faces;
      soft.tets.clear();
      needs_edges = true;  // or else inner nodes would belong to no element
    }
  }
  soft.texture_places = texture_places(m, f, make_skin(soft).faces);
  if (needs_edges) soft.edges = read_elements<2>(m->flex_edge + 2 * m->flex_edgeadr[f], m->flex_edgenum[f]);
  soft.self_contact = !m->flex_rigid[f] && m->flex_selfcollide[f] != mjFLEXSELF_NONE &&
                      (m->flex_contype[f] & m->flex_conaffinity[f]) != 0;
  return soft;
}

GeomSpec convert_skin(const mjModel* m, int f, const std::string& name) {
  GeomSpec geom;
  geom.name = name;
  geom.shape = ShapeType::Skin;
  geom.size = {m->flex_radius[f], 0, 0};
  geom.asset = f;
  geom.contact_type = m->flex_contype[f];
  geom.contact_affinity = m->flex_conaffinity[f];
  geom.contact_dimension = m->flex_condim[f];
  geom.priority = m->flex_priority[f];
  std::copy_n(m->flex_friction + 3 * f, 3, geom.friction.begin());
  geom.margin = m->flex_margin[f];
  geom.gap = m->flex_gap[f];
  geom.group = m->flex_group[f];
  geom.material = m->flex_matid[f];
  std::copy_n(geom.material >= 0 ? m->mat_rgba + 4 * geom.material : m->flex_rgba + 4 * f, 4, geom.rgba.begin());
  return geom;
}

/// One length equality for each edge between bodies that can move against each other.
void hold_edges(const mjModel* m, int e, ModelSpec& spec) {
  const int f = m->eq_obj1id[e];
  const SoftBodySpec& soft = spec.soft_bodies[at(f)];
  const int first_site = static_cast<int>(spec.sites.size());
  for (std::size_t v = 0; v < soft.bodies.size(); ++v) {
    spec.sites.push_back({soft.name + " vertex " + std::to_string(v), soft.bodies[v], soft.offsets[v], Quat{}});
  }
  for (int k = 0; k < m->flex_edgenum[f]; ++k) {
    const int* edge = m->flex_edge + 2 * (m->flex_edgeadr[f] + k);
    if (m->body_weldid[soft.bodies[at(edge[0])]] == m->body_weldid[soft.bodies[at(edge[1])]]) continue;
    TendonSpec tendon;
    tendon.name = soft.name + " edge " + std::to_string(k);
    tendon.path = {{first_site + edge[0], 1}, {first_site + edge[1], 1}};
    EqualitySpec length;
    length.name = tendon.name;
    length.type = EqualityType::Tendon;
    length.active = equality_active(m, e);
    length.first = static_cast<int>(spec.tendons.size());
    spec.tendons.push_back(tendon);
    spec.equalities.push_back(length);
  }
}

}  // namespace

void add_flexes(const mjModel* m, const std::vector<FlexSource>& sources, ModelSpec& spec) {
  move_to_ground(m, vertex_bodies_on_moving_parents(m), spec);
  const ReferencePoses reference(spec);
  for (int f = 0; f < static_cast<int>(m->nflex); ++f) {
    spec.soft_bodies.push_back(convert_flex(m, f, sources[at(f)], reference));
    spec.geoms.push_back(convert_skin(m, f, spec.soft_bodies.back().name));
  }
  for (int e = 0; e < static_cast<int>(m->neq); ++e) {
    if (m->eq_type[e] == mjEQ_FLEX) hold_edges(m, e, spec);
  }
}

#else

void add_flexes(const mjModel* /*m*/, const std::vector<FlexSource>& /*sources*/, ModelSpec& /*spec*/) {}

#endif

}  // namespace uzawa::mujoco
