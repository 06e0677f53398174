#include <algorithm>

#include "uzawa/io/cable.hpp"
#include "uzawa/io/compile.hpp"
#include "uzawa/io/survey.hpp"

namespace uzawa::mujoco {

void Survey::list(std::vector<std::string>& into, const std::string& what, int type, int count,
                  const std::function<bool(int)>& has) const {
  constexpr int kShown = 3;
  std::string names;
  int found = 0;
  for (int i = 0; i < count; ++i) {
    if (!has(i)) continue;
    if (++found <= kShown) names += (names.empty() ? "" : ", ") + element_name(m_, type, i);
  }
  if (found == 0) return;
  if (found > kShown) names += ", and " + std::to_string(found - kShown) + " more";
  into.push_back(what + " (" + names + ")");
}

namespace {

[[maybe_unused]] bool any_nonzero(const mjtNum* values, int count) {
  return std::any_of(values, values + count, [](mjtNum x) { return x != 0; });
}

void survey_actuators(const mjModel* m, const Survey& survey, std::vector<std::string>& errors) {
  const auto actuators = [&](const std::string& what, const std::function<bool(int)>& has) {
    survey.list(errors, what, mjOBJ_ACTUATOR, actuator_count(m), has);
  };
  actuators("actuators on orientations", [&](int a) {
    const int t = m->actuator_trntype[a];
    return t != mjTRN_JOINT && t != mjTRN_JOINTINPARENT && t != mjTRN_TENDON && t != mjTRN_SITE && t != mjTRN_BODY &&
           t != mjTRN_SLIDERCRANK;
  });
  actuators("motor-model, pid or user gains", [&](int a) {
    const int gain = m->actuator_gaintype[a], bias = m->actuator_biastype[a];
    return (gain != mjGAIN_FIXED && gain != mjGAIN_AFFINE && gain != mjGAIN_MUSCLE) ||
           (bias != mjBIAS_NONE && bias != mjBIAS_AFFINE && bias != mjBIAS_MUSCLE);
  });
  actuators("motor-model, pid or user actuator dynamics", [&](int a) {
    const int d = m->actuator_dyntype[a];
    return d != mjDYN_NONE && d != mjDYN_INTEGRATOR && d != mjDYN_FILTER && d != mjDYN_MUSCLE && !is_exact_filter(d);
  });
#if UZAWA_MUJOCO_MODERN
  actuators("actuators with several controls, outputs or activations", [&](int a) {
    return m->actuator_ctrlnum[a] != 1 || m->actuator_outnum[a] != 1 || m->actuator_actnum[a] > 1;
  });
  actuators("actuators with delay", [&](int a) { return m->actuator_delay[a] != 0; });
  actuators("actuators whose activation steps early", [&](int a) { return m->actuator_actearly[a]; });
  actuators("actuator damping or armature", [&](int a) {
    return m->actuator_damping[a] != 0 || m->actuator_armature[a] != 0 ||
           any_nonzero(m->actuator_dampingpoly + mjNPOLY * a, mjNPOLY);
  });
  actuators("disabled actuator groups", [&](int a) {
    const int group = m->actuator_group[a];
    return group >= 0 && group < 31 && (m->opt.disableactuator & (1 << group)) != 0;
  });
#endif
}

void survey_tendons([[maybe_unused]] const mjModel* m, [[maybe_unused]] const Survey& survey,
                    [[maybe_unused]] std::vector<std::string>& errors) {
#if UZAWA_MUJOCO_MODERN
  survey.list(errors, "tendon armature", mjOBJ_TENDON, static_cast<int>(m->ntendon),
              [&](int t) { return m->tendon_armature[t] != 0; });
  survey.list(errors, "nonlinear tendon springs or dampers", mjOBJ_TENDON, static_cast<int>(m->ntendon), [&](int t) {
    return any_nonzero(m->tendon_stiffnesspoly + mjNPOLY * t, mjNPOLY) ||
           any_nonzero(m->tendon_dampingpoly + mjNPOLY * t, mjNPOLY);
  });
#endif
}

void survey_rest(const mjModel* m, const Survey& survey, std::vector<std::string>& errors) {
  const int ngeom = static_cast<int>(m->ngeom);
  if ((m->opt.enableflags & mjENBL_OVERRIDE) != 0) errors.emplace_back("the flag that overrides contact parameters");
  survey.list(errors, "geoms with the ellipsoid fluid model", mjOBJ_GEOM, ngeom,
              [&](int g) { return (m->opt.density > 0 || m->opt.viscosity > 0) && m->geom_fluid[mjNFLUID * g] > 0; });
#if UZAWA_MUJOCO_MODERN
  survey.list(errors, "SDF geoms", mjOBJ_GEOM, ngeom, [&](int g) { return m->geom_type[g] == mjGEOM_SDF; });
  survey.list(errors, "adhesive geoms", mjOBJ_GEOM, ngeom, [&](int g) { return m->geom_adhesion[g] != 0; });
  survey.list(errors, "geoms with surface velocity", mjOBJ_GEOM, ngeom,
              [&](int g) { return any_nonzero(m->geom_surfacevel + 6 * g, 6); });
  survey.list(errors, "nonlinear joint springs or dampers", mjOBJ_JOINT, static_cast<int>(m->njnt), [&](int j) {
    return any_nonzero(m->jnt_stiffnesspoly + mjNPOLY * j, mjNPOLY) ||
           any_nonzero(m->dof_dampingpoly + mjNPOLY * m->jnt_dofadr[j], mjNPOLY);
  });
#endif
  survey.list(errors, "equality constraints on distances", mjOBJ_EQUALITY, static_cast<int>(m->neq),
              [&](int e) { return m->eq_type[e] > mjEQ_TENDON && !equality_on_flex(m, e); });
}

}  // namespace

Unsupported find_unsupported(const Compiled& compiled) {
  const mjModel* m = compiled.model.get();
  Unsupported found;
  const Survey survey(m);
  survey_actuators(m, survey, found.errors);
  survey_tendons(m, survey, found.errors);
  survey_rest(m, survey, found.errors);
  survey_flexes(m, compiled.flexes, found);
  survey_plugins(m, found.errors);
  survey_harmless(m, survey, found.warnings);
  return found;
}

}  // namespace uzawa::mujoco
