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

/// Pixels row by row.
struct TextureData {
  const mjtByte* bytes;
  int channels;
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
inline TextureData texture_data(const mjModel* m, int t) { return {m->tex_data + m->tex_adr[t], m->tex_nchannel[t]}; }
inline int material_texture(const mjModel* m, int material) {
  const int* textures = m->mat_texid + mjNTEXROLE * material;
  return textures[mjTEXROLE_RGB] >= 0 ? textures[mjTEXROLE_RGB] : textures[mjTEXROLE_RGBA];
}
inline bool is_directional(const mjModel* m, int light) { return m->light_type[light] == mjLIGHT_DIRECTIONAL; }
inline bool is_orthographic(const mjModel* m, int camera) { return m->cam_projection[camera] == mjPROJ_ORTHOGRAPHIC; }
/// Numbers of the texture coordinates of a face's corners, which follow those of the mesh's vertices in the file.
inline const int* face_texture_places(const mjModel* m, int face) { return m->mesh_facetexcoord + 3 * face; }
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
inline TextureData texture_data(const mjModel* m, int t) { return {m->tex_rgb + m->tex_adr[t], 3}; }
inline int material_texture(const mjModel* m, int material) { return m->mat_texid[material]; }
inline bool is_directional(const mjModel* m, int light) { return m->light_directional[light] != 0; }
inline bool is_orthographic(const mjModel* /*m*/, int /*camera*/) { return false; }
inline const int* face_texture_places(const mjModel* m, int face) { return m->mesh_face + 3 * face; }
inline void remove_flex_forces(mjModel* /*m*/) {}

#endif

}  // namespace uzawa::mujoco
