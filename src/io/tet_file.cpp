#include "uzawa/io/tet_file.hpp"

#include "uzawa/base/error.hpp"
#include "uzawa/io/mesh_file.hpp"
#include "uzawa/io/tet_formats.hpp"
#include "uzawa/model/mesh_check.hpp"

namespace uzawa {

TetFile read_tet_file(const std::filesystem::path& path) {
  return parse_tet_file(mujoco::read_file(path), path.string());
}

TetFile parse_tet_file(std::string_view content, const std::string& name) {
  MeshCursor cursor(name, content);
  const bool gmsh = content.starts_with("$"), vtk = content.starts_with("# vtk");
  if (!gmsh && !vtk) {
    throw InputError(name, "", "is neither a Gmsh file ($MeshFormat) nor a legacy VTK file (# vtk DataFile)");
  }
  RawTets raw = gmsh ? read_gmsh(cursor) : read_vtk(cursor);
  TetFile file{.mesh = std::move(raw.mesh), .notes = {}};
  if (raw.higher_order > 0) {
    file.notes.push_back(std::to_string(raw.higher_order) + " tetrahedra of higher order: their corners are taken");
  }
  for (std::string& note : check_mesh(file.mesh, name).notes()) file.notes.push_back(std::move(note));
  return file;
}

}  // namespace uzawa
