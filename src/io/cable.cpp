#include "uzawa/io/cable.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "uzawa/base/at.hpp"
#include "uzawa/io/compile.hpp"

namespace uzawa::mujoco {

#if UZAWA_MUJOCO_MODERN

namespace {

constexpr const char* kCablePlugin = "mujoco.elasticity.cable";
constexpr const char* kAttributes[] = {"twist", "bend", "flat", "vmax"};
constexpr const char* kPidAttributes[] = {"kp", "ki", "kd", "slewmax", "imax"};

std::string plugin_name(const mjModel* m, int instance) { return mjp_getPluginAtSlot(m->plugin[instance])->name; }

std::string config(const mjModel* m, int instance, const char* key) {
  const char* value = mj_getPluginConfig(m, instance, key);
  return value == nullptr ? "" : value;
}
double modulus(const mjModel* m, int instance, const char* key) {
  return std::strtod(config(m, instance, key).c_str(), nullptr);
}
bool rests_flat(const mjModel* m, int instance) { return config(m, instance, "flat") == "true"; }

/// Bodies of a cable, from its first to its last.
std::vector<int> cable_bodies(const mjModel* m, int instance) {
  std::vector<int> bodies;
  for (int b = 1; b < static_cast<int>(m->nbody); ++b) {
    if (m->body_plugin[b] == instance) bodies.push_back(b);
  }
  return bodies;
}

/// Stiffness against twist about x and bending about y and z of a stretch of 1 m, N m^2/rad: the cross-section is that
/// of the body's first geom, with x along the cable. Torsion constant of a rectangle: Young and Budynas, Roark's
/// formulas.
Vec3 section_stiffness(const mjModel* m, int body, double twist, double bend) {
  if (m->body_geomnum[body] == 0) return {};
  const int g = m->body_geomadr[body];
  const mjtNum* size = m->geom_size + 3 * g;
  if (m->geom_type[g] == mjGEOM_CAPSULE || m->geom_type[g] == mjGEOM_CYLINDER) {
    const double radius_4 = size[0] * size[0] * size[0] * size[0];
    return {twist * M_PI * radius_4 / 2, bend * M_PI * radius_4 / 4, bend * M_PI * radius_4 / 4};
  }
  if (m->geom_type[g] != mjGEOM_BOX) return {};
  const double y = size[1], z = size[2], longer = std::max(y, z), shorter = std::min(y, z), ratio = shorter / longer;
  const double torsion =
      longer * shorter * shorter * shorter * (16.0 / 3 - 3.36 * ratio * (1 - ratio * ratio * ratio * ratio / 12));
  return {twist * torsion, bend * 4 / 3 * y * z * z * z, bend * 4 / 3 * z * y * y * y};
}

/// Every body but the first is on one ball joint of its own on the body before.
bool is_chain(const mjModel* m, const std::vector<int>& bodies) {
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const int b = bodies[i];
    const bool ball = m->body_jntnum[b] == 1 && m->jnt_type[m->body_jntadr[b]] == mjJNT_BALL;
    if (!ball || m->body_parentid[b] != bodies[i - 1]) return false;
  }
  return true;
}

/// Springs of the file's own rest as drawn, the cable straight.
bool has_two_rest_shapes(const mjModel* m, int instance, const std::vector<int>& bodies) {
  return rests_flat(m, instance) && std::any_of(bodies.begin(), bodies.end(), [&](int b) {
           return m->body_jntnum[b] > 0 && m->jnt_stiffness[m->body_jntadr[b]] != 0;
         });
}

}  // namespace

namespace {

void register_plugin(const char* name, int capability, std::span<const char* const> attributes) {
  int slot = 0;
  if (mjp_getPlugin(name, &slot) != nullptr) return;
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = name;
  plugin.nattribute = static_cast<int>(attributes.size());
  plugin.attributes = attributes.data();
  plugin.capabilityflags = capability;
  plugin.nstate = [](const mjModel*, int) { return 0; };
  plugin.init = [](const mjModel*, mjData*, int) { return 0; };
  plugin.reset = [](const mjModel*, mjtNum*, void*, int) {};
  plugin.compute = [](const mjModel*, mjData*, int, int) {};
  mjp_registerPlugin(&plugin);
}

}  // namespace

void register_plugins() {
  register_plugin(kCablePlugin, mjPLUGIN_PASSIVE, kAttributes);
  register_plugin("mujoco.pid", mjPLUGIN_ACTUATOR, kPidAttributes);
}

void add_cables(const mjModel* m, ModelSpec& spec) {
  if (springs_off(m) && dampers_off(m)) return;  // plugins are passive forces
  for (int instance = 0; instance < static_cast<int>(m->nplugin); ++instance) {
    const std::vector<int> bodies = cable_bodies(m, instance);
    const double twist = modulus(m, instance, "twist"), bend = modulus(m, instance, "bend");
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      const int b = bodies[i], j = m->body_jntadr[b];
      const double length = norm(Vec3::from(m->body_pos + 3 * b));  // between the joints
      if (length == 0) continue;
      spec.joints[at(j)].ball_stiffness = section_stiffness(m, b, twist, bend) * (1 / length);
      if (rests_flat(m, instance)) {
        conjugate(normalized(Quat::from(m->body_quat + 4 * b))).store(&spec.spring_q[at(m->jnt_qposadr[j])]);
      }
    }
  }
}

void survey_plugins(const mjModel* m, std::vector<std::string>& errors) {
  for (int instance = 0; instance < static_cast<int>(m->nplugin); ++instance) {
    const std::string name = plugin_name(m, instance);
    const std::vector<int> bodies = cable_bodies(m, instance);
    if (name != kCablePlugin) {
      errors.push_back("plugins (" + name + ")");
    } else if (!is_chain(m, bodies)) {
      errors.push_back("cables that are no chains of ball joints (" + element_name(m, mjOBJ_BODY, bodies[0]) + ")");
    } else if (has_two_rest_shapes(m, instance, bodies)) {
      errors.push_back("flat cables with joint springs (" + element_name(m, mjOBJ_BODY, bodies[0]) + ")");
    }
  }
}

#else

void add_cables(const mjModel* /*m*/, ModelSpec& /*spec*/) {}
void survey_plugins(const mjModel* /*m*/, std::vector<std::string>& /*errors*/) {}

#endif

}  // namespace uzawa::mujoco
