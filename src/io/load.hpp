#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "uzawa/model/model.hpp"

namespace uzawa {

struct LoadOptions {
  /// URDF: where `package://NAME/...` is found. Packages that are not listed are looked for among the folders above
  /// the file and in ROS_PACKAGE_PATH.
  std::map<std::string, std::filesystem::path> packages;
  /// URDF: give the root link a free joint (a URDF does not say; the default is to fix it to the ground).
  bool free_base = false;
};

struct LoadedModel {
  Model model;
  /// Unsupported features of the file without influence on the dynamics; one line each.
  std::vector<std::string> warnings;
};

/// Loads an MJCF or URDF file through the MuJoCo compiler. Throws InputError with file, element and reason where the
/// file is missing or wrong, or has unsupported features that change the dynamics (all of them in one line).
LoadedModel load_model(const std::filesystem::path& path, const LoadOptions& options = {});

/// Content of a file, whether its simulation is supported or not.
struct Inspection {
  int bodies = 0, joints = 0, nq = 0, nv = 0, actuators = 0, tendons = 0, equalities = 0, geoms = 0, meshes = 0,
      sites = 0, keyframes = 0;
  double mass = 0;                       ///< kg
  std::vector<std::string> unsupported;  ///< features that change the dynamics: load_model throws
  std::vector<std::string> warnings;     ///< features without influence on the dynamics
  std::optional<Model> model;            ///< where it is supported
};
Inspection inspect_model(const std::filesystem::path& path, const LoadOptions& options = {});

/// Version of the MuJoCo library in use, as in 3.17.0.
std::string mujoco_version();

}  // namespace uzawa
