#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/io/compile.hpp"
#include "uzawa/io/survey.hpp"

namespace uzawa::mujoco {

#if UZAWA_MUJOCO_MODERN

namespace {

bool all_slides(const mjModel* m, int body) {
  const int* types = m->jnt_type + m->body_jntadr[body];
  return m->body_jntnum[body] > 0 &&
         std::all_of(types, types + m->body_jntnum[body], [](int type) { return type == mjJNT_SLIDE; });
}

/// Three orthogonal slides without springs, dampers, friction or limits.
bool slides_freely(const mjModel* m, int body) {
  if (m->body_jntnum[body] != 3 || !all_slides(m, body)) return false;
  for (int k = 0; k < 3; ++k) {
    constexpr double kRightAngle = 1e-9;
    const int j = m->body_jntadr[body] + k, next = m->body_jntadr[body] + (k + 1) % 3, dof = m->jnt_dofadr[j];
    const Vec3 axis = Vec3::from(m->jnt_axis + 3 * j), other = Vec3::from(m->jnt_axis + 3 * next);
    if (std::abs(dot(axis, other)) > kRightAngle || m->jnt_stiffness[j] != 0 || m->jnt_limited[j] ||
        m->dof_damping[dof] != 0 || m->dof_frictionloss[dof] != 0) {
      return false;
    }
  }
  return true;
}

/// Calls visit(body) for the body of each vertex.
template <typename Visit>
void for_each_vertex_body(const mjModel* m, int f, Visit&& visit) {
  for (int v = 0; v < m->flex_vertnum[f]; ++v) visit(m->flex_vertbodyid[m->flex_vertadr[f] + v]);
}

bool hangs_on_moving_parent(const mjModel* m, int body) {
  const bool moving_parent = body > 0 && m->body_weldid[m->body_parentid[body]] != 0;
  return moving_parent && m->body_geomnum[body] == 0 && slides_freely(m, body) &&
         std::find(m->body_parentid, m->body_parentid + m->nbody, body) == m->body_parentid + m->nbody;  // a leaf
}

/// A vertex that flexcomp gave fewer than three slides. It is known by the name: a pin may sit on any body.
bool has_fewer_slides(const mjModel* m, int f) {
  bool found = false;
  const std::string prefix = element_name(m, mjOBJ_FLEX, f) + '_';
  for_each_vertex_body(m, f, [&](int body) {
    found = found || (m->body_jntnum[body] < 3 && m->body_geomnum[body] == 0 && all_slides(m, body) &&
                      element_name(m, mjOBJ_BODY, body).rfind(prefix, 0) == 0);
  });
  return found;
}

bool has_equality(const mjModel* m, int f, int type) {
  for (int e = 0; e < static_cast<int>(m->neq); ++e) {
    if (m->eq_type[e] == type && m->eq_obj1id[e] == f) return true;
  }
  return false;
}

/// Says a solver parameter of its own.
bool has_own_softness(const mjModel* m, int f) {
  constexpr mjtNum kReference[] = {0.02, 1}, kImpedance[] = {0.9, 0.95, 0.001, 0.5, 2};
  return !std::equal(std::begin(kReference), std::end(kReference), m->flex_solref + mjNREF * f) ||
         !std::equal(std::begin(kImpedance), std::end(kImpedance), m->flex_solimp + mjNIMP * f);
}

}  // namespace

bool has_elasticity(const mjModel* m, int f, const FlexSource& source) {
  return source.young > 0 && !m->flex_rigid[f] && !springs_off(m);
}

std::vector<int> vertex_bodies_on_moving_parents(const mjModel* m) {
  std::vector<int> bodies;
  for (int f = 0; f < static_cast<int>(m->nflex); ++f) {
    for_each_vertex_body(m, f, [&](int body) {
      if (hangs_on_moving_parent(m, body)) bodies.push_back(body);
    });
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

void survey_flexes(const mjModel* m, const std::vector<FlexSource>& sources, Unsupported& found) {
  const Survey survey(m);
  const auto list = [&](std::vector<std::string>& into, const std::string& what, const std::function<bool(int)>& has) {
    survey.list(into, what, mjOBJ_FLEX, static_cast<int>(m->nflex), has);
  };
  list(found.errors, "flexes with dof trilinear or quadratic", [&](int f) { return m->flex_interp[f] != 0; });
  list(found.errors, "flexes with dof radial or 2d", [&](int f) { return has_fewer_slides(m, f); });
  list(found.errors, "flexes with an equality on vertices or strains",
       [&](int f) { return has_equality(m, f, mjEQ_FLEXVERT) || has_equality(m, f, mjEQ_FLEXSTRAIN); });
  list(found.errors, "flexes of dim 1 with elasticity (young): they resist bending",
       [&](int f) { return m->flex_dim[f] == 1 && has_elasticity(m, f, sources[at(f)]); });
  list(found.warnings, "free vertices below a moving body are displaced from the world, not from that body",
       [&](int f) {
         bool moved = false;
         for_each_vertex_body(m, f, [&](int body) { moved = moved || hangs_on_moving_parent(m, body); });
         return moved;
       });
  list(found.warnings, "solids without elasticity (young) are touched from both sides of their surface",
       [&](int f) { return m->flex_dim[f] == 3 && !m->flex_rigid[f] && !has_elasticity(m, f, sources[at(f)]); });
  list(found.warnings, "torsional and rolling friction is left out, contacts slide only",
       [&](int f) { return m->flex_condim[f] > 3; });
  list(found.warnings, "passive contacts of flexes are contacts like all others",
       [&](int f) { return sources[at(f)].passive_contacts; });
  list(found.warnings, "solref and solimp of flexes are ignored, contacts are hard",
       [&](int f) { return has_own_softness(m, f); });
}

#else

void survey_flexes(const mjModel* /*m*/, const std::vector<FlexSource>& /*sources*/, Unsupported& /*found*/) {}

#endif

}  // namespace uzawa::mujoco
