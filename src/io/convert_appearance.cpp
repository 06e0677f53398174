#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/io/convert.hpp"

/// How a compiled model looks. Textures come as the compiler has made or read them.
namespace uzawa::mujoco {

namespace {

TextureSpec::Kind texture_kind(int type) {
  switch (type) {
    case mjTEXTURE_CUBE: return TextureSpec::Kind::Cube;
    case mjTEXTURE_SKYBOX: return TextureSpec::Kind::Sky;
    default: return TextureSpec::Kind::Flat;
  }
}

/// A cube that is given by one picture has it on all of its sides.
void repeat_on_sides(TextureSpec& texture) {
  if (texture.kind == TextureSpec::Kind::Flat || texture.height != texture.width) return;
  const std::size_t side = texture.rgb.size();
  texture.height *= 6;
  texture.rgb.resize(6 * side);
  for (std::size_t k = side; k < texture.rgb.size(); ++k) texture.rgb[k] = texture.rgb[k - side];
}

TextureSpec convert_texture(const mjModel* m, int t) {
  TextureSpec texture;
  texture.name = name_of(m, mjOBJ_TEXTURE, t);
  texture.kind = texture_kind(m->tex_type[t]);
  texture.width = m->tex_width[t];
  texture.height = m->tex_height[t];
  const auto [bytes, channels] = texture_data(m, t);
  const std::size_t pixels = at(texture.width) * at(texture.height);
  texture.rgb.resize(3 * pixels);
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    for (int k = 0; k < 3; ++k) {
      texture.rgb[3 * pixel + at(k)] = bytes[pixel * at(channels) + at(channels < 3 ? 0 : k)];  // grey: one channel
    }
  }
  repeat_on_sides(texture);
  return texture;
}

MaterialSpec convert_material(const mjModel* m, int id) {
  MaterialSpec material;
  material.name = name_of(m, mjOBJ_MATERIAL, id);
  material.texture = material_texture(m, id);
  std::copy_n(m->mat_texrepeat + 2 * id, 2, material.repeat.begin());
  material.uniform = m->mat_texuniform[id] != 0;
  return material;
}

Mounting mounting(int mode) {
  switch (mode) {
    case mjCAMLIGHT_TRACK: return Mounting::Track;
    case mjCAMLIGHT_TRACKCOM: return Mounting::TrackCom;
    case mjCAMLIGHT_TARGETBODY: return Mounting::Target;
    case mjCAMLIGHT_TARGETBODYCOM: return Mounting::TargetCom;
    default: return Mounting::Fixed;
  }
}

/// Positions of a camera or light: in the frame of the body; at the reference configuration from the body's origin and
/// from its centre of mass.
struct Positions {
  const mjtNum *local, *from_body, *from_com;
};

MountSpec convert_mount(int body, int mode, int target, const Positions& at) {
  MountSpec mount;
  mount.body = body;
  mount.mounting = mounting(mode);
  mount.target = std::max(0, target);
  // Without a target, the mode is fixed in MuJoCo, too.
  if (target < 0 && (mount.mounting == Mounting::Target || mount.mounting == Mounting::TargetCom)) {
    mount.mounting = Mounting::Fixed;
  }
  mount.position = Vec3::from(mount.mounting == Mounting::Track      ? at.from_body
                              : mount.mounting == Mounting::TrackCom ? at.from_com
                                                                     : at.local);
  return mount;
}

bool tracks(const MountSpec& mount) {
  return mount.mounting == Mounting::Track || mount.mounting == Mounting::TrackCom;
}

CameraSpec convert_camera(const mjModel* m, int c) {
  CameraSpec camera;
  camera.name = name_of(m, mjOBJ_CAMERA, c);
  camera.mount = convert_mount(m->cam_bodyid[c], m->cam_mode[c], m->cam_targetbodyid[c],
                               {m->cam_pos + 3 * c, m->cam_pos0 + 3 * c, m->cam_poscom0 + 3 * c});
  mjtNum turn[4];
  std::copy_n(m->cam_quat + 4 * c, 4, turn);
  if (tracks(camera.mount)) mju_mat2Quat(turn, m->cam_mat0 + 9 * c);
  camera.orientation = Quat::from(turn);
  camera.field_of_view = m->cam_fovy[c];
  camera.orthographic = is_orthographic(m, c);
  return camera;
}

LightSpec convert_light(const mjModel* m, int l) {
  LightSpec light;
  light.name = name_of(m, mjOBJ_LIGHT, l);
  light.mount = convert_mount(m->light_bodyid[l], m->light_mode[l], m->light_targetbodyid[l],
                              {m->light_pos + 3 * l, m->light_pos0 + 3 * l, m->light_poscom0 + 3 * l});
  light.mount.direction = Vec3::from((tracks(light.mount) ? m->light_dir0 : m->light_dir) + 3 * l);
  light.active = m->light_active[l] != 0;
  light.directional = is_directional(m, l);
  light.casts_shadow = m->light_castshadow[l] != 0;
  std::copy_n(m->light_ambient + 3 * l, 3, light.ambient.begin());
  std::copy_n(m->light_diffuse + 3 * l, 3, light.diffuse.begin());
  std::copy_n(m->light_attenuation + 3 * l, 3, light.attenuation.begin());
  light.cutoff = m->light_cutoff[l];
  return light;
}

LightSpec convert_headlight(const mjModel* m) {
  const auto& given = m->vis.headlight;
  LightSpec light;
  light.name = "headlight";
  light.active = given.active != 0;
  light.directional = true;
  light.casts_shadow = false;
  std::copy_n(given.ambient, 3, light.ambient.begin());
  std::copy_n(given.diffuse, 3, light.diffuse.begin());
  return light;
}

}  // namespace

std::vector<std::array<float, 2>> convert_texture_places(const mjModel* m, int mesh) {
  std::vector<std::array<float, 2>> out;
  if (m->mesh_texcoordadr[mesh] < 0) return out;
  const float* places = m->mesh_texcoord + 2 * m->mesh_texcoordadr[mesh];
  for (int f = m->mesh_faceadr[mesh]; f < m->mesh_faceadr[mesh] + m->mesh_facenum[mesh]; ++f) {
    for (int k = 0; k < 3; ++k) {
      const float* place = places + 2 * face_texture_places(m, f)[k];
      out.push_back({place[0], place[1]});
    }
  }
  return out;
}

AppearanceSpec convert_appearance(const mjModel* m) {
  AppearanceSpec out;
  for (int t = 0; t < static_cast<int>(m->ntex); ++t) out.textures.push_back(convert_texture(m, t));
  for (int id = 0; id < static_cast<int>(m->nmat); ++id) out.materials.push_back(convert_material(m, id));
  for (int c = 0; c < static_cast<int>(m->ncam); ++c) out.cameras.push_back(convert_camera(m, c));
  for (int l = 0; l < static_cast<int>(m->nlight); ++l) out.lights.push_back(convert_light(m, l));
  out.headlight = convert_headlight(m);
  return out;
}

}  // namespace uzawa::mujoco
