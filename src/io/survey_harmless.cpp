#include <algorithm>
#include <cmath>

#include "uzawa/io/convert.hpp"
#include "uzawa/io/survey.hpp"

/// What a file asks for and does not get, or gets otherwise than in MuJoCo, without which it still runs.
namespace uzawa::mujoco {

namespace {

bool collides(const mjModel* m, int g) { return m->geom_contype[g] != 0 || m->geom_conaffinity[g] != 0; }

/// A spring and damper that leaves an impact with a good part of its speed: solref is (time constant, damping ratio),
/// or, negative, (-stiffness, -damping) of a unit mass.
bool bounces(const mjtNum* solref) {
  constexpr double kDamped = 0.9;
  if (solref[0] > 0) return solref[1] < kDamped;
  return -solref[1] < kDamped * 2 * std::sqrt(std::max(0.0, -solref[0]));
}

double tetrahedron(const float* vertices, const int* face) {
  const auto at = [&](int k) {
    const float* v = vertices + 3 * face[k];
    return Vec3{v[0], v[1], v[2]};
  };
  return dot(at(0), cross(at(1), at(2))) / 6;
}

/// Whether a mesh fills clearly less than its convex hull, which MuJoCo keeps as a graph: counts of vertices and faces,
/// then per vertex an address and a number, then edges, then the faces.
bool is_concave(const mjModel* m, int mesh) {
  constexpr double kFull = 0.95;
  if (mesh < 0 || m->mesh_graphadr[mesh] < 0) return false;
  const float* vertices = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
  const int vertex_count = graph[0], face_count = graph[1];
  const int* hull_faces = graph + 2 + 3 * vertex_count + 3 * face_count;
  double hull = 0, own = 0;
  for (int f = 0; f < face_count; ++f) hull += tetrahedron(vertices, hull_faces + 3 * f);
  for (int f = 0; f < m->mesh_facenum[mesh]; ++f) {
    own += tetrahedron(vertices, m->mesh_face + 3 * (m->mesh_faceadr[mesh] + f));
  }
  return std::abs(own) < kFull * std::abs(hull);
}

void survey_sensors(const mjModel* m, const Survey& survey, std::vector<std::string>& warnings) {
  const int count = static_cast<int>(m->nsensor);
  survey.list(warnings, "user sensors are not computed: the file does not say what they measure", mjOBJ_SENSOR, count,
              [&](int s) { return m->sensor_type[s] == mjSENS_USER; });
  survey.list(warnings, "sensors of this kind, on a moving camera or with a delay are not computed yet", mjOBJ_SENSOR,
              count, [&](int s) { return m->sensor_type[s] != mjSENS_USER && !sensor_type(m, s); });
}

void survey_contacts(const mjModel* m, const Survey& survey, std::vector<std::string>& warnings) {
  const auto geoms = [&](const std::string& what, const std::function<bool(int)>& has) {
    survey.list(warnings, what, mjOBJ_GEOM, static_cast<int>(m->ngeom),
                [&](int g) { return collides(m, g) && has(g); });
  };
  geoms("contacts push where surfaces meet, not from margin - gap on as in MuJoCo",
        [&](int g) { return m->geom_margin[g] - m->geom_gap[g] > 0; });
  geoms("solref bounces in MuJoCo, here contacts do not: see the numeric uzawa.restitution",
        [&](int g) { return bounces(m->geom_solref + mjNREF * g); });
  geoms("concave meshes collide as their convex hulls, as in MuJoCo: see the text uzawa.sdf",
        [&](int g) { return m->geom_type[g] == mjGEOM_MESH && is_concave(m, m->geom_dataid[g]); });
  const auto aligned = [&](int p) {  // MuJoCo's collider takes the capsule's axis for a tangent
    const int a = m->geom_type[m->pair_geom1[p]], b = m->geom_type[m->pair_geom2[p]];
    return (a == mjGEOM_PLANE && b == mjGEOM_CAPSULE) || (a == mjGEOM_CAPSULE && b == mjGEOM_PLANE);
  };
  survey.list(warnings, "the two friction coefficients of a capsule on a plane do not turn with the capsule",
              mjOBJ_PAIR, static_cast<int>(m->npair), [&](int p) {
                const mjtNum* friction = m->pair_friction + 5 * p;
                return m->pair_dim[p] > 1 && aligned(p) && (friction[0] != friction[1] || friction[3] != friction[4]);
              });
}

}  // namespace

void survey_harmless(const mjModel* m, const Survey& survey, std::vector<std::string>& warnings) {
  survey_contacts(m, survey, warnings);
  survey_sensors(m, survey, warnings);
  survey.list(warnings, "skins are ignored", mjOBJ_SKIN, static_cast<int>(m->nskin), [](int) { return true; });
}

}  // namespace uzawa::mujoco
