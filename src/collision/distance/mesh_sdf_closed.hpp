#pragma once

#include <string>

#include "uzawa/collision/distance/surface.hpp"
#include "uzawa/model/spec.hpp"

namespace uzawa {

Surface to_surface(const MeshSpec& mesh);

/// Repairs a mesh to a closed, oriented surface: merges coincident vertices, removes duplicate faces, flips faces that
/// disagree with their neighbours and meshes that are inside out. Throws InputError, naming `name`, where the mesh is
/// open or cannot be oriented. Cavities (an inner surface that faces inwards) are kept.
Surface closed_mesh(const Surface& mesh, const std::string& name);

double signed_volume(const Surface& mesh);

}  // namespace uzawa
