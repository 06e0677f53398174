#pragma once

#include <string>
#include <vector>

#include "sim/scenes.hpp"

/// Floors made of tiles, and what slides over them.
namespace uzawa::test {

/// A slider of about 10 cm, resting on z = 0 at the origin.
struct Slider {
  const char* name = "";
  ShapeType shape = ShapeType::Box;
  Vec3 size;
  Quat lies;          ///< how it rests on the floor, before its yaw
  double height = 0;  ///< m, of its centre
  double spin = 0;    ///< rad/s about y for each m/s, where it rolls
};
const std::vector<Slider>& sliders();

enum class Tile { Box, Mesh, Sdf };

constexpr double kTile = 0.2;  ///< m, length of a tile along x
constexpr double kFriction = 0.3;

struct Floor {
  Tile kind = Tile::Box;
  int count = 14;
  double length = kTile;  ///< m, of a tile
  double mu = kFriction;
};
/// Tiles that are flush at z = 0, from x = -0.1 on.
ModelSpec tiled_floor(const Floor& floor = {});
/// One tile of the same size.
inline Floor in_one_piece(Floor floor) {
  floor.length *= floor.count;
  floor.count = 1;
  return floor;
}
/// A mesh in the form of a box; returns the asset's number.
int add_box_mesh(ModelSpec& spec, const Vec3& half);
/// A free body of 1 kg without friction of its own, the last one of the state. `height`: of its lowest point, m.
void add_slider(ModelSpec& spec, const Slider& slider, double yaw = 0, double height = 0);
/// Sets the last free body in motion along x.
void push_off(World& world, const Slider& slider, double speed);

/// Where the last free body is, and the extremes of its height on the way, beyond that at the start, m.
struct Slide {
  Vec3 end;
  double highest = 0, lowest = 0;
};
Slide slide(World& world, double time);

}  // namespace uzawa::test
