#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "uzawa/io/compile.hpp"

/// Parts of convert(). Internal to this room.
namespace uzawa::mujoco {

inline std::string name_of(const mjModel* m, int type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name == nullptr ? "" : name;
}
inline Range range_of(const mjtNum* r) { return {r[0], r[1]}; }
inline std::optional<Range> range_if(bool limited, const mjtNum* r) {
  return limited ? std::optional<Range>(range_of(r)) : std::nullopt;
}

ActuatorSpec convert_actuator(const mjModel* m, int a);

/// The sensors that we know; find_unsupported names the others.
std::vector<SensorSpec> convert_sensors(const mjModel* m);
/// What we measure with a sensor; none: it is not supported.
std::optional<SensorType> sensor_type(const mjModel* m, int sensor);

AppearanceSpec convert_appearance(const mjModel* m);
/// Of the corners of a mesh's faces, three a face; empty: the file does not say.
std::vector<std::array<float, 2>> convert_texture_places(const mjModel* m, int mesh);

/// Restitution, which MuJoCo does not have: `<custom><numeric name="uzawa.restitution" data="0.5"/>` of all contacts,
/// or of one `<pair>` by "uzawa.restitution:PAIR". Throws InputError.
void read_restitution(const mjModel* m, ModelSpec& spec);

/// Pieces that a flex is cut into, by `<custom><numeric name="uzawa.pieces:FLEX" data="20"/>`: their number (0: as many
/// as suit SubADMM), or the piece of each vertex. Throws InputError.
void read_pieces(const mjModel* m, ModelSpec& spec);

}  // namespace uzawa::mujoco
