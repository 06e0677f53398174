#pragma once

#include <span>

#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/replay_frame.hpp"

/// How the vertices of soft bodies are packed; docs/replay-format.md has the layout.
namespace uzawa {

/// Appends the skins of all frames, body by body. A coordinate has 16 bits above the lowest one of the body in the
/// frame, in steps that are the same for all frames and axes, so that a body which moves on without changing its shape
/// keeps its levels. Stored is by how much a level is off what the frames before or the vertex before let expect.
void put_skins(std::span<const ReplayFrame> frames, ByteWriter& out);

/// `vertices`: of each body. Throws std::runtime_error with the reason where the data are malformed.
void get_skins(ByteReader& in, std::span<const std::uint32_t> vertices, std::span<ReplayFrame> frames);

}  // namespace uzawa
