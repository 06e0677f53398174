/// Textures, materials, cameras and lights of a file.
#include <gtest/gtest.h>

#include "agreement.hpp"
#include "temp_folder.hpp"
#include "uzawa/io/load.hpp"

namespace uzawa::test {
namespace {

using Pixel = std::array<int, 3>;

Pixel pixel(const TextureSpec& texture, int x, int y) {
  const std::size_t at =
      3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(texture.width) + static_cast<std::size_t>(x));
  return {texture.rgb[at], texture.rgb[at + 1], texture.rgb[at + 2]};
}

void expect_near(const Pixel& found, const Pixel& expected) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], 1);
}

/// A square of two triangles, with places of its corners in a texture.
constexpr const char* kMesh = R"(v -1 -1 0
v 1 -1 0
v 1 1 0
v -1 1 0.5
vt 0 0
vt 0.25 0
vt 0.25 0.5
vt 0 0.5
f 1/1 2/2 3/3
f 1/1 3/3 4/4
f 1/1 4/4 2/2
f 2/2 4/4 3/3
)";

constexpr const char* kLook = R"(<mujoco>
  <visual><headlight ambient=".2 .3 .4" diffuse=".1 .2 .3"/></visual>
  <asset>
    <texture name="checks" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="8" height="8"/>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 0" width="16" height="96"/>
    <texture name="green" type="cube" builtin="flat" rgb1="0 1 0" width="4" height="4"/>
    <material name="tiled" texture="checks" texrepeat="3 4" texuniform="true"/>
    <material name="plain" rgba="0.1 0.2 0.3 1"/>
    <mesh name="square" file="square.obj"/>
  </asset>
  <worldbody>
    <light pos="1 2 3" dir="0 0 -1" directional="true" diffuse=".5 .6 .7"/>
    <light pos="0 0 3" mode="targetbody" target="arm" cutoff="30" castshadow="false"/>
    <camera name="still" pos="1 2 3" fovy="50"/>
    <camera name="watch" pos="0 0 2" mode="targetbodycom" target="arm"/>
    <geom type="plane" size="1 1 1" material="tiled"/>
    <body name="arm" pos="0 0 1"><joint/><geom size=".1" material="plain"/><geom type="mesh" mesh="square"/>
      <camera name="beside" pos="0 -1 0" xyaxes="1 0 0 0 0 1" mode="track"/>
    </body>
  </worldbody>
</mujoco>)";

/// A PNG of 2 x 2 pixels: red, green; blue, white.
constexpr unsigned char kFourPixels[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xfd, 0xd4, 0x9a, 0x73, 0x00, 0x00, 0x00, 0x12, 0x49,
    0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xc0, 0x00, 0xc2, 0x0c, 0xff, 0x81, 0x00, 0x00, 0x1f, 0xee,
    0x05, 0xfb, 0x0b, 0xd9, 0x68, 0x8b, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

TEST(Appearance, CubeOfOnePictureHasItOnAllSides) {
  const TempFolder folder;
  folder.write("four.png", std::string(std::begin(kFourPixels), std::end(kFourPixels)));
  const LoadedModel loaded = load_model(folder.write("look.xml", R"(<mujoco>
    <asset><texture name="four" type="cube" file="four.png"/><material name="m" texture="four"/></asset>
    <worldbody><body><joint/><geom size=".1" material="m"/></body></worldbody></mujoco>)"));
  const TextureSpec& texture = loaded.model.spec().appearance.textures.at(0);
  ASSERT_EQ(texture.width, 2);
  ASSERT_EQ(texture.height, 12);
  for (int side = 0; side < 6; ++side) {
    expect_near(pixel(texture, 0, 2 * side), pixel(texture, 0, 0));
    expect_near(pixel(texture, 1, 2 * side + 1), pixel(texture, 1, 1));
  }
  EXPECT_NE(pixel(texture, 0, 0), pixel(texture, 1, 1));
}

TEST(Appearance, IsThatOfTheFile) {
  const TempFolder folder;
  folder.write("square.obj", kMesh);
  const LoadedModel loaded = load_model(folder.write("look.xml", kLook));
  const ModelSpec& spec = loaded.model.spec();
  const AppearanceSpec& look = spec.appearance;
  ASSERT_EQ(look.textures.size(), 3U);
  // A checker has two by two squares.
  const Pixel corner = pixel(look.textures[0], 1, 1), beside = pixel(look.textures[0], 6, 1);
  expect_near(pixel(look.textures[0], 6, 6), corner);
  expect_near(pixel(look.textures[0], 1, 6), beside);
  const bool red_first = corner[0] > 128;
  expect_near(red_first ? corner : beside, {255, 0, 0});
  expect_near(red_first ? beside : corner, {0, 0, 255});
  EXPECT_EQ(look.textures[1].kind, TextureSpec::Kind::Sky);
  EXPECT_EQ(look.textures[2].kind, TextureSpec::Kind::Cube);
  EXPECT_EQ(look.textures[2].height, 6 * look.textures[2].width);
  // Of a flat cube all faces but the bottom (the fourth) have the first colour; the second is a half of each by
  // default.
  for (const int face : {0, 1, 2, 4, 5}) expect_near(pixel(look.textures[2], 2, 4 * face + 1), {0, 255, 0});
  expect_near(pixel(look.textures[2], 2, 13), {127, 127, 127});

  ASSERT_EQ(look.materials.size(), 2U);
  EXPECT_EQ(look.materials[0].texture, 0);
  EXPECT_EQ(look.materials[0].repeat, (std::array<double, 2>{3, 4}));
  EXPECT_TRUE(look.materials[0].uniform);
  EXPECT_EQ(look.materials[1].texture, -1);
  EXPECT_EQ(spec.geoms[0].material, 0);
  EXPECT_EQ(spec.geoms[1].material, 1);
  EXPECT_EQ(spec.geoms[2].material, -1);
}

TEST(Appearance, CamerasAndLights) {
  const TempFolder folder;
  folder.write("square.obj", kMesh);
  const LoadedModel loaded = load_model(folder.write("look.xml", kLook));
  const AppearanceSpec& look = loaded.model.spec().appearance;
  ASSERT_EQ(look.cameras.size(), 3U);
  EXPECT_EQ(look.cameras[0].field_of_view, 50);
  EXPECT_EQ(look.cameras[1].mount.mounting, Mounting::TargetCom);
  EXPECT_EQ(look.cameras[1].mount.target, 1);
  EXPECT_EQ(look.cameras[2].mount.mounting, Mounting::Track);
  EXPECT_NEAR(look.cameras[2].mount.position.y(), -1, 1e-12);
  ASSERT_EQ(look.lights.size(), 2U);
  EXPECT_TRUE(look.lights[0].directional);
  EXPECT_FLOAT_EQ(look.lights[0].diffuse[2], 0.7F);
  EXPECT_FALSE(look.lights[1].casts_shadow);
  EXPECT_EQ(look.lights[1].cutoff, 30);
  EXPECT_FLOAT_EQ(look.headlight.ambient[1], 0.3F);
}

/// Each corner of a face has the place that the file gives the vertex there (x from 0 to 1/4 for vertices from -1 to
/// 1).
TEST(Appearance, MeshesKeepTheirPlaces) {
  const TempFolder folder;
  folder.write("square.obj", kMesh);
  const LoadedModel loaded = load_model(folder.write("look.xml", kLook));
  const MeshSpec& mesh = loaded.model.spec().meshes[0];
  ASSERT_EQ(mesh.texture_places.size(), 3 * mesh.faces.size());
  const GeomSpec& geom = loaded.model.spec().geoms[2];
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& v = mesh.vertices[static_cast<std::size_t>(mesh.faces[f][k])];
      const Vec3 place = geom.position + rotate(geom.orientation, Vec3(v[0], v[1], v[2]));
      EXPECT_NEAR(mesh.texture_places[3 * f + k][0], (place.x() + 1) / 8, 1e-5);
    }
  }
}

/// Each corner of a face of the skin has the place in the texture that the file gives its vertex.
TEST(Appearance, CornersOfASkinHaveTheirPlacesInATexture) {
  if (is_legacy_mujoco()) GTEST_SKIP() << "flexes came later";
  const TempFolder folder;
  for (const int dimension : {2, 3}) {
    const int count = dimension == 2 ? 9 : 27;
    std::string places;
    for (int v = 0; v < count; ++v) places += std::to_string(v / 32.0) + " " + std::to_string(v % 3) + " ";
    const LoadedModel loaded = load_model(folder.write(
        "flex.xml", R"(<mujoco><worldbody><flexcomp name="jelly" type="grid" dim=")" + std::to_string(dimension) +
                        R"(" count="3 3 )" + (dimension == 2 ? "1" : "3") +
                        R"(" spacing=".1 .1 .1" mass="1" radius=".004" texcoord=")" + places +
                        R"("><elasticity young="2e4" poisson=".4" thickness=".01"/></flexcomp></worldbody></mujoco>)"));
    const SoftBodySpec& soft = loaded.model.spec().soft_bodies[0];
    const auto& faces = loaded.model.skin(0).faces;
    ASSERT_EQ(soft.texture_places.size(), 3 * faces.size());
    for (std::size_t corner = 0; corner < soft.texture_places.size(); ++corner) {
      const int vertex = faces[corner / 3][corner % 3];
      EXPECT_FLOAT_EQ(soft.texture_places[corner][0], static_cast<float>(vertex) / 32) << corner;
      EXPECT_FLOAT_EQ(soft.texture_places[corner][1], static_cast<float>(vertex % 3)) << corner;
    }
  }
}

}  // namespace
}  // namespace uzawa::test
