#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <optional>

/// The differences between the two supported MuJoCo releases. Other code reads fields that both have, or calls one of
/// these functions; flexes and plugins, which the legacy release does not know, have files of their own.
namespace uzawa::mujoco {

/// Modern: the pinned release of the Python wheel. Legacy: Debian's libmujoco-dev 2.2.2.
#if mjVERSION_HEADER >= 3000000
#define UZAWA_MUJOCO_MODERN 1
#elif mjVERSION_HEADER == 222
#define UZAWA_MUJOCO_MODERN 0
#else
#error "Unknown MuJoCo release: scripts/setup.sh installs the supported one"
#endif

struct JointExtras {
  bool force_limited = false;
  double force_lower = 0, force_upper = 0;
  bool gravity_by_actuators = false;
};

/// Original pose of a mesh that the compiler has moved: x_file = orientation * x_compiled + position.
struct MeshFrame {
  const mjtNum *position, *orientation;
};

inline bool disabled(const mjModel* m, int flag) { return (m->opt.disableflags & flag) != 0; }

#if UZAWA_MUJOCO_MODERN

inline int actuator_count(const mjModel* m) { return static_cast<int>(m->nactuator); }
inline double gravity_compensation(const mjModel* m, int body) { return m->body_gravcomp[body]; }
inline JointExtras joint_extras(const mjModel* m, int j) {
  return {m->jnt_actfrclimited[j], m->jnt_actfrcrange[2 * j], m->jnt_actfrcrange[2 * j + 1], m->jnt_actgravcomp[j]};
}
inline bool tendon_force_limited(const mjModel* m, int t) { return m->tendon_actfrclimited[t]; }
inline const mjtNum* tendon_force_range(const mjModel* m, int t) { return m->tendon_actfrcrange + 2 * t; }
inline double spring_length(const mjModel* m, int t, int side) { return m->tendon_lengthspring[2 * t + side]; }
inline bool equality_active(const mjModel* m, int e) { return m->eq_active0[e]; }
inline bool equality_on_sites(const mjModel* m, int e) { return m->eq_objtype[e] == mjOBJ_SITE; }
inline int exclude_body(const mjModel* m, int e, int side) {
  return side == 0 ? m->exclude_signature[e] >> 16 : m->exclude_signature[e] & 0xFFFF;
}
/// An equality that holds edges, vertices or strains of a flex.
inline bool equality_on_flex(const mjModel* m, int e) {
  return m->eq_type[e] == mjEQ_FLEX || m->eq_type[e] == mjEQ_FLEXVERT || m->eq_type[e] == mjEQ_FLEXSTRAIN;
}
inline bool is_exact_filter(int dynamics) { return dynamics == mjDYN_FILTEREXACT; }
inline bool springs_off(const mjModel* m) { return disabled(m, mjDSBL_SPRING); }
inline bool dampers_off(const mjModel* m) { return disabled(m, mjDSBL_DAMPER); }
inline std::optional<MeshFrame> mesh_frame(const mjModel* m, int mesh) {
  return MeshFrame{m->mesh_pos + 3 * mesh, m->mesh_quat + 4 * mesh};
}
inline void full_mass_matrix(const mjModel* m, const mjData* d, mjtNum* dense) { mj_fullM(m, d, dense); }
inline void make_mass_matrix(const mjModel* m, mjData* d) { mj_makeM(m, d); }
inline void remove_flex_forces(mjModel* m) {
  std::fill_n(m->flex_stiffness, m->nflexstiffness, 0.0);
  std::fill_n(m->flex_bending, m->nflexbending, 0.0);
  std::fill_n(m->flex_edgestiffness, m->nflex, 0.0);
  std::fill_n(m->flex_edgedamping, m->nflex, 0.0);
}

#else

inline int actuator_count(const mjModel* m) { return m->nu; }
inline double gravity_compensation(const mjModel* /*m*/, int /*body*/) { return 0; }
inline JointExtras joint_extras(const mjModel* /*m*/, int /*j*/) { return {}; }
inline bool tendon_force_limited(const mjModel* /*m*/, int /*t*/) { return false; }
inline const mjtNum* tendon_force_range(const mjModel* /*m*/, int /*t*/) { return nullptr; }
inline double spring_length(const mjModel* m, int t, int /*side*/) { return m->tendon_lengthspring[t]; }
inline bool equality_active(const mjModel* m, int e) { return m->eq_active[e] != 0; }
inline bool equality_on_sites(const mjModel* /*m*/, int /*e*/) { return false; }
inline int exclude_body(const mjModel* m, int e, int side) {
  return (side == 0 ? m->exclude_signature[e] >> 16 : m->exclude_signature[e] & 0xFFFF) - 1;
}
inline bool equality_on_flex(const mjModel* /*m*/, int /*e*/) { return false; }
inline bool is_exact_filter(int /*dynamics*/) { return false; }
inline bool springs_off(const mjModel* m) { return disabled(m, mjDSBL_PASSIVE); }
inline bool dampers_off(const mjModel* m) { return disabled(m, mjDSBL_PASSIVE); }
inline std::optional<MeshFrame> mesh_frame(const mjModel* /*m*/, int /*mesh*/) { return std::nullopt; }
inline void full_mass_matrix(const mjModel* m, const mjData* d, mjtNum* dense) { mj_fullM(m, dense, d->qM); }
inline void make_mass_matrix(const mjModel* m, mjData* d) { mj_crb(m, d); }
inline void remove_flex_forces(mjModel* /*m*/) {}

#endif

}  // namespace uzawa::mujoco
