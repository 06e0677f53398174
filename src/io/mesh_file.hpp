#pragma once

#include <filesystem>
#include <string>

namespace uzawa::mujoco {

/// A mesh file in a format of the MuJoCo compiler: MSH and binary STL are unchanged, OBJ is but for the names of its
/// objects; other formats of assimp (Collada, ASCII STL, PLY, ...) are converted to binary STL.
struct MeshFile {
  std::string content;
  std::string extension;  ///< of the content: ".stl", ".obj", ".msh"
};

/// Throws InputError that names the mesh file.
MeshFile read_mesh_file(const std::filesystem::path& path);

/// The whole file. Throws InputError.
std::string read_file(const std::filesystem::path& path);

}  // namespace uzawa::mujoco
