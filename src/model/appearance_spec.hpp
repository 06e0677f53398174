#pragma once

#include <array>
#include <string>
#include <vector>

#include "uzawa/math/quaternion.hpp"

/// How a model is to look: textures, materials, cameras and lights of its file. None of it acts on the motion.
namespace uzawa {

/// Rows from the top. Flat: one picture. Cube and Sky: six squares below each other, +x, -x, +y, -y, +z, -z, as OpenGL
/// has them; a sky is seen along (x, z, -y).
struct TextureSpec {
  enum class Kind { Flat, Cube, Sky };

  std::string name;
  Kind kind = Kind::Flat;
  int width = 0, height = 0;       ///< px
  std::vector<unsigned char> rgb;  ///< 3 a pixel
};

struct MaterialSpec {
  std::string name;
  int texture = -1;                    ///< -1: none
  std::array<double, 2> repeat{1, 1};  ///< of a flat texture, over two half sizes of a geom, or over 2 m where uniform
  bool uniform = false;                ///< the texture is as large on large geoms as on small ones
};

/// What a camera or light does while bodies move. Fixed: stays in the frame of its body. Track: keeps its distance,
/// along the axes of the world, from the origin of its body, TrackCom: from the centre of mass of that body and all
/// that hangs on it. Target, TargetCom: stays in the frame of its body and looks at the origin of another one, or at
/// the centre of mass of that and all that hangs on it.
enum class Mounting { Fixed, Track, TrackCom, Target, TargetCom };

struct MountSpec {
  int body = 0;
  Mounting mounting = Mounting::Fixed;
  int target = 0;  ///< body
  Vec3 position;   ///< m, in the body frame; Track and TrackCom: from what it tracks, along the world's axes
  Vec3 direction;  ///< of light: unit vector, in the same frame; unused by Target and TargetCom
};

/// Looks along its -z axis, y is up.
struct CameraSpec {
  std::string name;
  MountSpec mount;
  Quat orientation;           ///< in the body frame; Track and TrackCom: in the world
  double field_of_view = 45;  ///< degrees, of the height; orthographic: m
  bool orthographic = false;
};

/// Colours are red, green, blue, 0 to 1.
struct LightSpec {
  using Color = std::array<float, 3>;

  std::string name;
  MountSpec mount;
  bool active = true, directional = false, casts_shadow = true;
  Color ambient{}, diffuse{0.7F, 0.7F, 0.7F};
  std::array<double, 3> attenuation{1, 0, 0};  ///< 1 / (a0 + a1 d + a2 d^2) at a distance of d m
  double cutoff = 45;                          ///< degrees, half the angle of a spot
};

struct AppearanceSpec {
  std::vector<TextureSpec> textures;
  std::vector<MaterialSpec> materials;
  std::vector<CameraSpec> cameras;
  std::vector<LightSpec> lights;
  LightSpec headlight;  ///< at the camera, along its view
};

}  // namespace uzawa
