#include "uzawa/log/replay_appearance.hpp"

#include <algorithm>
#include <map>

#include "uzawa/base/at.hpp"
#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/png.hpp"

namespace uzawa {

namespace {

using nlohmann::json;

/// Of all textures of a replay, which a page should not wait for: larger ones are halved.
constexpr std::size_t kMostTextureBytes = 1'500'000;

json to_json(const Vec3& x) { return {x.x(), x.y(), x.z()}; }
json to_json(const Quat& q) { return {q.w, q.v.x(), q.v.y(), q.v.z()}; }

/// Half as wide and high; each pixel is the mean of four.
TextureSpec halved(const TextureSpec& texture) {
  TextureSpec out = texture;
  out.width = std::max(1, texture.width / 2);
  // Squares of a cube stay squares.
  out.height = texture.kind == TextureSpec::Kind::Flat ? std::max(1, texture.height / 2) : 6 * out.width;
  out.rgb.resize(3 * at(out.width) * at(out.height));
  const auto pixel = [&](int x, int y, int k) -> int {
    const int row = std::min(y, texture.height - 1), column = std::min(x, texture.width - 1);
    return texture.rgb[3 * (at(row) * at(texture.width) + at(column)) + at(k)];
  };
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      for (int k = 0; k < 3; ++k) {
        const int sum = pixel(2 * x, 2 * y, k) + pixel(2 * x + 1, 2 * y, k) + pixel(2 * x, 2 * y + 1, k) +
                        pixel(2 * x + 1, 2 * y + 1, k);
        out.rgb[3 * (at(y) * at(out.width) + at(x)) + at(k)] = static_cast<unsigned char>((sum + 2) / 4);
      }
    }
  }
  return out;
}

const char* name_of(TextureSpec::Kind kind) {
  switch (kind) {
    case TextureSpec::Kind::Cube: return "cube";
    case TextureSpec::Kind::Sky: return "sky";
    case TextureSpec::Kind::Flat: break;
  }
  return "flat";
}

/// Textures that something is drawn with: those of materials of geoms, and the first sky.
std::vector<int> used_textures(const ModelSpec& spec) {
  const AppearanceSpec& look = spec.appearance;
  std::vector<char> used(look.textures.size(), 0);
  for (const GeomSpec& geom : spec.geoms) {
    const int texture = geom.material < 0 ? -1 : look.materials[at(geom.material)].texture;
    if (texture >= 0) used[at(texture)] = 1;
  }
  std::vector<int> out;
  bool sky = false;
  for (std::size_t t = 0; t < used.size(); ++t) {
    const bool is_sky = look.textures[t].kind == TextureSpec::Kind::Sky;
    if (used[t] != 0 || (is_sky && !sky)) out.push_back(static_cast<int>(t));
    sky = sky || is_sky;
  }
  return out;
}

json textures_json(const AppearanceSpec& look, const std::vector<int>& used) {
  std::vector<TextureSpec> drawn;
  std::vector<std::string> pngs;
  std::size_t bytes = 0;
  for (const int t : used) {
    drawn.push_back(look.textures[at(t)]);
    pngs.push_back(to_png(drawn.back().width, drawn.back().height, drawn.back().rgb));
    bytes += pngs.back().size();
  }
  while (bytes > kMostTextureBytes) {
    const auto largest =
        std::max_element(pngs.begin(), pngs.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    TextureSpec& texture = drawn[static_cast<std::size_t>(largest - pngs.begin())];
    if (texture.width == 1) break;
    bytes -= largest->size();
    texture = halved(texture);
    *largest = to_png(texture.width, texture.height, texture.rgb);
    bytes += largest->size();
  }
  json out = json::array();
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    out.push_back({{"name", drawn[i].name},
                   {"kind", name_of(drawn[i].kind)},
                   {"width", drawn[i].width},
                   {"height", drawn[i].height},
                   {"png", to_base64(pngs[i])}});
  }
  return out;
}

json materials_json(const AppearanceSpec& look, const std::vector<int>& used) {
  std::vector<int> place(look.textures.size(), -1);
  for (std::size_t i = 0; i < used.size(); ++i) place[at(used[i])] = static_cast<int>(i);
  json out = json::array();
  for (const MaterialSpec& material : look.materials) {
    out.push_back({{"texture", material.texture < 0 ? -1 : place[at(material.texture)]},
                   {"repeat", material.repeat},
                   {"uniform", material.uniform}});
  }
  return out;
}

/// Points of links that cameras and lights track or look at.
class Points {
 public:
  Points(const Model& model, const ReplayLayout& layout) : model_(model), layout_(layout) {}

  int link(int body) const {
    const int link = model_.body_link(body);
    return link < 0 ? -1 : layout_.place[at(link)];
  }
  json origin(int body) const { return json::array({point(link(body), 1, model_.body_pose(body).position)}); }

  /// Of a body and all that hangs on it: its links with their masses. Nodes of soft bodies, which no frame places, are
  /// left out.
  json centre_of_mass(int body) const {
    const std::vector<BodySpec>& bodies = model_.spec().bodies;
    struct Weighed {
      double mass = 0;
      Vec3 sum;
    };
    std::map<int, Weighed> parts;
    std::vector<char> hangs(bodies.size(), 0);
    for (int b = body; b < static_cast<int>(bodies.size()); ++b) {
      hangs[at(b)] = static_cast<char>(b == body || (b > body && hangs[at(bodies[at(b)].parent)] != 0));
      const bool is_there = model_.body_link(b) < 0 || link(b) >= 0;
      if (hangs[at(b)] == 0 || bodies[at(b)].mass <= 0 || !is_there) continue;
      Weighed& part = parts[link(b)];
      part.mass += bodies[at(b)].mass;
      part.sum += bodies[at(b)].mass * (model_.body_pose(b) * bodies[at(b)].com);
    }
    json out = json::array();
    for (const auto& [number, part] : parts) out.push_back(point(number, part.mass, part.sum * (1 / part.mass)));
    return out.empty() ? origin(body) : out;
  }

 private:
  static json point(int link, double weight, const Vec3& at) {
    return {{"link", link}, {"weight", weight}, {"at", to_json(at)}};
  }

  const Model& model_;
  const ReplayLayout& layout_;
};

/// Where a camera or light is: `link`, `position` and, unless it tracks, in the frame of that.
json mount_json(const Model& model, const Points& points, const MountSpec& mount) {
  const Pose& body = model.body_pose(mount.body);
  json out;
  const auto place = [&](const char* mode, const Vec3& position, const Vec3& direction) {
    out["mode"] = mode;
    out["link"] = points.link(mount.body);
    out["position"] = to_json(position);
    out["direction"] = to_json(direction);
  };
  switch (mount.mounting) {
    case Mounting::Track:
    case Mounting::TrackCom:
      place("track", mount.position, mount.direction);
      out["about"] = mount.mounting == Mounting::Track ? points.origin(mount.body) : points.centre_of_mass(mount.body);
      break;
    case Mounting::Target:
    case Mounting::TargetCom:
      place("target", body * mount.position, body.rotation * mount.direction);
      out["about"] =
          mount.mounting == Mounting::Target ? points.origin(mount.target) : points.centre_of_mass(mount.target);
      break;
    case Mounting::Fixed: place("fixed", body * mount.position, body.rotation * mount.direction); break;
  }
  return out;
}

json camera_json(const Model& model, const Points& points, const CameraSpec& camera) {
  json out = mount_json(model, points, camera.mount);
  out.erase("direction");
  const bool tracks = out["mode"] == "track";
  const Mat3 turn = to_matrix(normalized(camera.orientation));
  out["orientation"] = to_json(to_quaternion(tracks ? turn : model.body_pose(camera.mount.body).rotation * turn));
  out["name"] = camera.name;
  out["fovy"] = camera.field_of_view;
  out["orthographic"] = camera.orthographic;
  return out;
}

json light_json(json mount, const LightSpec& light) {
  mount.update({{"name", light.name},
                {"directional", light.directional},
                {"shadow", light.casts_shadow},
                {"ambient", light.ambient},
                {"diffuse", light.diffuse},
                {"attenuation", light.attenuation},
                {"cutoff", light.cutoff}});
  return mount;
}

}  // namespace

bool places_texture(const ModelSpec& spec, const GeomSpec& geom) {
  const bool is_skin = geom.shape == ShapeType::Skin;
  if ((geom.shape != ShapeType::Mesh && !is_skin) || geom.material < 0) return false;
  const int texture = spec.appearance.materials[at(geom.material)].texture;
  return texture >= 0 && spec.appearance.textures[at(texture)].kind == TextureSpec::Kind::Flat &&
         !(is_skin ? spec.soft_bodies[at(geom.asset)].texture_places : spec.meshes[at(geom.asset)].texture_places)
              .empty();
}

json appearance_json(const Model& model, const ReplayLayout& layout) {
  const AppearanceSpec& look = model.spec().appearance;
  const Points points(model, layout);
  const std::vector<int> used = used_textures(model.spec());
  json cameras = json::array(), lights = json::array();
  for (const CameraSpec& camera : look.cameras) {
    if (!camera.orthographic) cameras.push_back(camera_json(model, points, camera));
  }
  for (const LightSpec& light : look.lights) {
    if (light.active) lights.push_back(light_json(mount_json(model, points, light.mount), light));
  }
  json out = {{"textures", textures_json(look, used)},
              {"materials", materials_json(look, used)},
              {"cameras", std::move(cameras)},
              {"lights", std::move(lights)}};
  if (look.headlight.active && !look.lights.empty())
    out["headlight"] = light_json({{"mode", "camera"}}, look.headlight);
  return out;
}

}  // namespace uzawa
