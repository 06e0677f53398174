#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "uzawa/math/quaternion.hpp"

/// Frames of a replay and how a block of them is packed; docs/replay-format.md has the layout. The page reads the same
/// blocks (viewer/src/block.ts); a live server sends blocks of one frame.
namespace uzawa {

/// Numbers a frame, in the order in which they are stored. Of the first four: the largest since the frame before.
enum class ReplaySeries { Contacts, Residual, StepTime, Penetration, Kinetic, Potential };
inline constexpr std::size_t kReplaySeries = 6;

struct Placement {
  Vec3 position;  ///< m, world
  Quat orientation;
};

/// A contact that pushes or penetrates.
struct ReplayContact {
  int geom1 = 0, geom2 = 0;
  Vec3 position;  ///< m, world
  Vec3 force;     ///< N, on geom2
  Vec3 normal;    ///< from geom1 to geom2, world; zero: of a block before version 3
};

struct ReplayFrame {
  double time = 0;                          ///< s
  std::array<float, kReplaySeries> series;  ///< SI units
  std::vector<Placement> placements;        ///< of ReplayLayout::links
  std::vector<double> joints;               ///< rad or m, of ReplayLayout::joints
  std::vector<std::vector<Vec3>> skins;     ///< m, world: of each soft body the vertices of its skin
  std::vector<ReplayContact> contacts;
};

// Largest errors caused by packing.
inline constexpr double kReplayPositionError =
    1.0 / 131070;  ///< of the range that a link covers along an axis in a block
inline constexpr double kReplaySkinError =
    1.0 / 131070;  ///< of the largest extent that a soft body has in a block along any axis, along each axis
inline constexpr double kReplayAngleError = 6.2e-5;        ///< rad
inline constexpr double kReplayForceError = 1.0 / 256;     ///< of each component of a force
inline constexpr double kReplayNormalError = 1e-4;         ///< rad
inline constexpr double kReplayJointError = 1.0 / 131070;  ///< of the range that a joint covers in a block

/// Frames, which all have the same links and skins, as bytes (compressed). Positions are stored with 16 bits in the
/// range that a link covers in the block: a block of one frame has them exactly.
std::string pack_block(std::span<const ReplayFrame> frames);

/// Reads blocks of versions 1 and 2, too, which have no joints and normals, and no skins (1). Throws InputError with
/// `source` and `element` where the bytes are damaged.
std::vector<ReplayFrame> unpack_block(const std::string& bytes, const std::string& source, const std::string& element);

}  // namespace uzawa
