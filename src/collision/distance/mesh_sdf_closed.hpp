#pragma once

#include <string>

#include "uzawa/collision/distance/surface.hpp"
#include "uzawa/model/spec.hpp"

namespace uzawa {

Surface to_surface(const MeshSpec& mesh);

/// A mesh made fit to have an inside: vertices in one place become one, doubled faces go, faces that disagree with
/// their neighbours and meshes that are inside out are turned. Throws InputError, naming `name`, where the mesh is open
/// or no choice of sides is consistent. Cavities (an inner surface that faces inwards) are kept.
Surface closed_mesh(const Surface& mesh, const std::string& name);

double signed_volume(const Surface& mesh);

}  // namespace uzawa
