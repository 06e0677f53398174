#include "mesh_model.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "uzawa/io/tet_file.hpp"
#include "uzawa/model/soft_builder.hpp"

namespace uzawa::cli {

namespace {

GeomSpec floor_geom() {
  GeomSpec floor;
  floor.name = "floor";
  floor.shape = ShapeType::Plane;
  return floor;
}

LoadedModel model_of_mesh(const std::filesystem::path& path) {
  TetFile file = read_tet_file(path);
  double low = std::numeric_limits<double>::max(), high = -low;
  for (const Vec3& node : file.mesh.nodes) {
    low = std::min(low, node.z());
    high = std::max(high, node.z());
  }
  ModelSpec spec;
  spec.name = path.stem().string();
  spec.source = path.string();
  spec.geoms.push_back(floor_geom());
  SoftBodyOptions options;
  options.name = spec.name;
  options.position = {0, 0, 0.1 * (high - low) - low};
  add_soft_body(spec, file.mesh, options);
  return {Model(std::move(spec)), std::move(file.notes)};
}

}  // namespace

bool is_tet_file(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".msh" || ending == ".vtk";
}

LoadedModel load_subject(const std::filesystem::path& path, const LoadOptions& options) {
  return is_tet_file(path) ? model_of_mesh(path) : load_model(path, options);
}

Inspection inspect_subject(const std::filesystem::path& path, const LoadOptions& options) {
  if (!is_tet_file(path)) return inspect_model(path, options);
  LoadedModel loaded = model_of_mesh(path);
  const ModelSpec& spec = loaded.model.spec();
  Inspection out;
  out.bodies = static_cast<int>(spec.bodies.size());
  out.joints = static_cast<int>(spec.joints.size());
  out.nq = loaded.model.nq();
  out.nv = loaded.model.nv();
  out.geoms = static_cast<int>(spec.geoms.size());
  out.mass = loaded.model.total_mass();
  out.warnings = std::move(loaded.warnings);
  out.model = std::move(loaded.model);
  return out;
}

}  // namespace uzawa::cli
