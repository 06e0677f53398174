#pragma once

#include <filesystem>
#include <string>

namespace uzawa::mujoco {

/// A mesh file as something the MuJoCo compiler reads: OBJ, MSH and binary STL pass as they are; whatever else assimp
/// knows (Collada, ASCII STL, PLY, ...) becomes binary STL.
struct MeshFile {
  std::string content;
  std::string extension;  ///< of the content: ".stl", ".obj", ".msh"
};

/// Throws InputError that names the mesh file.
MeshFile read_mesh_file(const std::filesystem::path& path);

/// The whole file. Throws InputError.
std::string read_file(const std::filesystem::path& path);

}  // namespace uzawa::mujoco
