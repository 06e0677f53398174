#include "uzawa/model/element_check.hpp"

namespace uzawa {

namespace {

void check_texture(const TextureSpec& texture, const ElementCheck& e) {
  e.require(texture.width > 0 && texture.height > 0, "has no pixels");
  const auto pixels = static_cast<std::size_t>(texture.width) * static_cast<std::size_t>(texture.height);
  e.require(texture.rgb.size() == 3 * pixels, "number of bytes is not 3 x width x height");
  e.require(texture.kind == TextureSpec::Kind::Flat || texture.height == 6 * texture.width, "is not six squares");
}

void check_mount(const MountSpec& mount, const ModelSpec& spec, const ElementCheck& e) {
  e.index("body", mount.body, spec.bodies.size());
  e.index("target", mount.target, spec.bodies.size());
  e.finite("position", mount.position);
  e.finite("direction", mount.direction);
}

}  // namespace

void check_appearance(const ModelSpec& spec) {
  const auto& [textures, materials, cameras, lights, headlight] = spec.appearance;  // a headlight can't be wrong
  for (std::size_t i = 0; i < textures.size(); ++i) {
    check_texture(textures[i], {spec, "texture", i, textures[i].name});
  }
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const ElementCheck e(spec, "material", i, materials[i].name);
    e.index("texture", materials[i].texture, textures.size(), -1);
    e.all_finite_in("repeat", materials[i].repeat);
  }
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    const ElementCheck e(spec, "camera", i, cameras[i].name);
    check_mount(cameras[i].mount, spec, e);
    e.finite("orientation", cameras[i].orientation);
    e.require(cameras[i].field_of_view > 0, "field of view is not positive");
  }
  for (std::size_t i = 0; i < lights.size(); ++i) {
    check_mount(lights[i].mount, spec, {spec, "light", i, lights[i].name});
  }
}

}  // namespace uzawa
