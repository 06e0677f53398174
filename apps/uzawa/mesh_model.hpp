#pragma once

#include <filesystem>

#include "uzawa/io/load.hpp"

namespace uzawa::cli {

/// load_model and inspect_model for what the program takes as a model: MJCF, URDF, or a mesh of tetrahedra (Gmsh .msh,
/// legacy .vtk). A mesh becomes a soft body of the default material, in metres and 1000 kg/m^3, a tenth of its height
/// above a floor. Throw InputError.
LoadedModel load_subject(const std::filesystem::path& path, const LoadOptions& options);
Inspection inspect_subject(const std::filesystem::path& path, const LoadOptions& options);

/// Told by the name.
bool is_tet_file(const std::filesystem::path& path);

}  // namespace uzawa::cli
