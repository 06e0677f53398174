#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "uzawa/io/flex.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/io/mujoco_compat.hpp"

/// C++ interface to the MuJoCo compiler. Internal to this room.
namespace uzawa::mujoco {

struct ModelDeleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DataDeleter {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using ModelPtr = std::unique_ptr<mjModel, ModelDeleter>;
using DataPtr = std::unique_ptr<mjData, DataDeleter>;

/// A file in memory that the compiler finds by name.
struct MemoryFile {
  std::string name, content;
};

/// Two joints coupled by a URDF `<mimic>`: joint = offset + multiplier * other.
struct Mimic {
  std::string joint, other;
  double multiplier = 1, offset = 0;
};

struct Compiled {
  ModelPtr model;
  std::vector<std::string> warnings;
  std::vector<Mimic> mimics;
  std::vector<FlexSource> flexes;  ///< one for each flex of the model
};

/// A model from its file, which may be in `files`. Null where the compiler refuses it: `message` then says why; else it
/// may hold a warning.
ModelPtr compile_file(const std::string& name, const mjVFS* files, std::vector<FlexSource>& flexes,
                      std::string& message);

/// Runs a call into MuJoCo that may fail: its warnings are collected, its fatal errors become InputErrors (by default
/// it writes MUJOCO_LOG.TXT and ends the process). One such call at a time in a process: the handlers are global.
void call_engine(const std::string& source, std::vector<std::string>& warnings, const std::function<void()>& call);

/// Compiles an MJCF or URDF file. Throws InputError.
Compiled compile(const std::filesystem::path& path, const LoadOptions& options);

/// A URDF file prepared for the compiler: meshes resolved and read, fixed links kept, mimic joints recorded.
struct UrdfSource {
  std::string xml;
  std::vector<MemoryFile> meshes;
  std::map<std::string, std::string> mesh_uris;  ///< of the file, by the mesh's name in memory without its ending
  std::set<std::string> visual_meshes;           ///< such names of meshes that only visual shapes use
  std::vector<Mimic> mimics;
  std::vector<std::string> warnings;
};
bool is_urdf(const std::filesystem::path& path);
/// `without`: names of visual meshes that the compiler does not take; their shapes are left out.
UrdfSource read_urdf(const std::filesystem::path& path, const LoadOptions& options,
                     const std::set<std::string>& without = {});

/// Converts a compiled model in which find_unsupported found no error.
ModelSpec convert(const Compiled& compiled, const std::string& source);

/// Gives every geom that a `<custom><text name="uzawa.sdf:GEOM"/>` names its signed distance. Throws InputError.
void read_sdf_texts(const mjModel* m, ModelSpec& spec);

/// Unsupported features of a compiled model.
struct Unsupported {
  std::vector<std::string> errors;    ///< would change the dynamics
  std::vector<std::string> warnings;  ///< would not
};
Unsupported find_unsupported(const Compiled& compiled);

/// Name of an element as MuJoCo knows it, or "#id".
std::string element_name(const mjModel* m, int type, int id);

}  // namespace uzawa::mujoco
