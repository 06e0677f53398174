#include "uzawa/io/compile.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <mutex>

#include "uzawa/base/error.hpp"
#include "uzawa/io/source_check.hpp"

namespace uzawa::mujoco {

namespace {

/// Fatal error inside the engine, carried out of its C code as an exception.
struct EngineError {
  std::string text;
};

std::vector<std::string>* g_warnings = nullptr;  // of the call under way; set under the mutex of MessageScope
std::mutex g_warnings_mutex;                     // the compiler reads meshes on threads of its own

[[noreturn]] void on_error(const char* text) { throw EngineError{text}; }
void on_warning(const char* text) {
  const std::lock_guard lock(g_warnings_mutex);
  if (g_warnings != nullptr) g_warnings->push_back(one_line(text));
}

/// Routes the engine's messages to us (by default it writes a log file into the working directory and exits).
class MessageScope {
 public:
  explicit MessageScope(std::vector<std::string>& warnings)
      : lock_(mutex()), previous_error_(mju_user_error), previous_warning_(mju_user_warning) {
    g_warnings = &warnings;
    mju_user_error = on_error;
    mju_user_warning = on_warning;
  }
  ~MessageScope() {
    mju_user_error = previous_error_;
    mju_user_warning = previous_warning_;
    g_warnings = nullptr;
  }
  MessageScope(const MessageScope&) = delete;
  MessageScope& operator=(const MessageScope&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
  std::lock_guard<std::mutex> lock_;
  void (*previous_error_)(const char*);
  void (*previous_warning_)(const char*);
};

/// Virtual file system of one compilation.
class FileSystem {
 public:
  FileSystem() : vfs_(std::make_unique<mjVFS>()) { mj_defaultVFS(vfs_.get()); }
  ~FileSystem() { mj_deleteVFS(vfs_.get()); }
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;

  void add(const MemoryFile& file) {
    const int size = static_cast<int>(file.content.size());
#if UZAWA_MUJOCO_MODERN
    const bool added = mj_addBufferVFS(vfs_.get(), file.name.c_str(), file.content.data(), size) == 0;
#else
    bool added = mj_makeEmptyFileVFS(vfs_.get(), file.name.c_str(), size) == 0;
    const int index = added ? mj_findFileVFS(vfs_.get(), file.name.c_str()) : -1;
    added = index >= 0;
    if (added) std::memcpy(vfs_->filedata[index], file.content.data(), file.content.size());
#endif
    if (!added) throw InputError(file.name, "", "the compiler does not take this file");
  }
  const mjVFS* get() const { return vfs_.get(); }

 private:
  std::unique_ptr<mjVFS> vfs_;  // the legacy struct is megabytes large: not on the stack
};

/// Splits the compiler's "reason \n Element 'x', line 7" into our element and reason.
InputError to_input_error(const std::string& source, const std::string& text) {
  std::string reason = text, element;
  for (const char* label : {"\nElement ", "\nObject "}) {  // modern, legacy
    const std::size_t split = text.find(label);
    if (split == std::string::npos) continue;
    reason = text.substr(0, split);
    element = one_line(text.substr(split));
  }
  for (const char* prefix : {"XML Error: ", "Error: "}) {
    if (reason.rfind(prefix, 0) == 0) reason = reason.substr(std::strlen(prefix));
  }
  if (reason.empty()) reason = "the compiler refuses it without a reason";
  return {source, element, one_line(reason)};
}

}  // namespace

void call_engine(const std::string& source, std::vector<std::string>& warnings, const std::function<void()>& call) {
  const MessageScope scope(warnings);
  try {
    call();
  } catch (const EngineError& fatal) {
    throw to_input_error(source, fatal.text);
  } catch (const std::exception& unexpected) {
    throw to_input_error(source, unexpected.what());
  } catch (...) {  // the wheel's own C++ runtime: its exceptions have no type here
    throw to_input_error(source, "MuJoCo fails on it");
  }
}

namespace {

/// Where a mesh's name in memory stands in a text, from `start` on: hand_1 is not part of hand_12.
std::size_t find_name(const std::string& text, const std::string& name, std::size_t start = 0) {
  for (std::size_t at = text.find(name, start); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (end >= text.size() || std::isdigit(static_cast<unsigned char>(text[end])) == 0) return at;
  }
  return std::string::npos;
}

/// Names of meshes in memory mean nothing to the user: his own file's instead.
std::string with_mesh_uris(std::string text, const std::map<std::string, std::string>& uris) {
  for (const auto& [name, uri] : uris) {
    for (const char* ending : {".stl", ".obj", ".msh", ""}) {
      const std::string whole = name + ending;
      for (std::size_t at = find_name(text, whole); at != std::string::npos;
           at = find_name(text, whole, at + uri.size())) {
        text.replace(at, whole.size(), uri);
      }
    }
  }
  return text;
}

/// The visual mesh that a message of the compiler is about; empty: none.
std::string blamed_mesh(const std::string& message, const std::set<std::string>& visual) {
  const auto found = std::find_if(visual.begin(), visual.end(), [&](const std::string& name) {
    return find_name(message, name) != std::string::npos;
  });
  return found == visual.end() ? "" : *found;
}

/// One attempt; null where the compiler refuses the file, with its message.
ModelPtr attempt(const std::filesystem::path& path, const UrdfSource* robot, const SourceCheck& check, Compiled& result,
                 std::string& message) {
  FileSystem files;
  std::string name = path.string();
  if (robot != nullptr) {
    name = "robot.urdf";
    files.add({name, robot->xml});
    for (const MemoryFile& mesh : robot->meshes) files.add(mesh);
  }
  for (const MemoryFile& file : check.modernized()) files.add(file);
  ModelPtr model;
  call_engine(path.string(), result.warnings, [&] { model = compile_file(name, files.get(), result.flexes, message); });
  return model;
}

/// Visual meshes that the compiler refuses are left out one by one.
ModelPtr compile_urdf(const std::filesystem::path& path, const LoadOptions& options, const SourceCheck& check,
                      Compiled& result, std::string& message) {
  std::set<std::string> without;
  for (;;) {
    UrdfSource robot = read_urdf(path, options, without);
    const std::size_t before = result.warnings.size();
    ModelPtr model = attempt(path, &robot, check, result, message);
    const std::string blamed = model ? "" : blamed_mesh(message, robot.visual_meshes);
    if (!blamed.empty() && without.insert(blamed).second) {
      result.warnings.resize(before);
      continue;
    }
    message = with_mesh_uris(message, robot.mesh_uris);
    for (std::string& warning : result.warnings) warning = with_mesh_uris(warning, robot.mesh_uris);
    result.mimics = std::move(robot.mimics);
    result.warnings.insert(result.warnings.begin(), robot.warnings.begin(), robot.warnings.end());
    return model;
  }
}

}  // namespace

Compiled compile(const std::filesystem::path& path, const LoadOptions& options) {
  const std::string source = path.string();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw InputError(source, "", "no such file");
  if (!std::filesystem::is_regular_file(path, ignored)) throw InputError(source, "", "not a file");

  Compiled result;
  const SourceCheck source_check(path);
  std::string message;
  result.model = is_urdf(path) ? compile_urdf(path, options, source_check, result, message)
                               : attempt(path, nullptr, source_check, result, message);
  if (!result.model) throw to_input_error(source, message);
  result.warnings.insert(result.warnings.end(), source_check.notes().begin(), source_check.notes().end());
  if (!message.empty()) result.warnings.push_back(one_line(message));
  source_check.check_keyframes(result.model.get(), result.warnings);
  return result;
}

std::string element_name(const mjModel* m, int type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name != nullptr && name[0] != '\0' ? name : '#' + std::to_string(id);
}

}  // namespace uzawa::mujoco

namespace uzawa {

namespace {

void add_mimics(const std::vector<mujoco::Mimic>& mimics, ModelSpec& spec) {
  const auto find = [&](const std::string& name) {
    for (std::size_t j = 0; j < spec.joints.size(); ++j) {
      if (spec.joints[j].name == name) return static_cast<int>(j);
    }
    throw InputError(spec.source, "mimic", "no such joint: '" + name + "'");
  };
  for (const mujoco::Mimic& mimic : mimics) {
    EqualitySpec equality;
    equality.name = "mimic " + mimic.joint;
    equality.type = EqualityType::Joint;
    equality.first = find(mimic.joint);
    equality.second = find(mimic.other);
    equality.polynomial = {mimic.offset, mimic.multiplier, 0, 0, 0};
    spec.equalities.push_back(equality);
  }
}

/// Something on the ground that can be touched.
bool has_floor(const ModelSpec& spec) {
  return std::any_of(spec.geoms.begin(), spec.geoms.end(), [](const GeomSpec& geom) {
    return geom.body == 0 && (geom.contact_type != 0 || geom.contact_affinity != 0);
  });
}

}  // namespace

LoadedModel load_model(const std::filesystem::path& path, const LoadOptions& options) {
  Inspection inspection = inspect_model(path, options);
  if (inspection.model) return {std::move(*inspection.model), std::move(inspection.warnings)};
  std::string list;
  for (const std::string& what : inspection.unsupported) list += (list.empty() ? "" : "; ") + what;
  throw InputError(path.string(), "not supported yet", list);
}

Inspection inspect_model(const std::filesystem::path& path, const LoadOptions& options) {
  mujoco::Compiled compiled = mujoco::compile(path, options);
  const mjModel* m = compiled.model.get();
  mujoco::Unsupported unsupported = mujoco::find_unsupported(compiled);
  Inspection result;
  result.bodies = static_cast<int>(m->nbody);
  result.joints = static_cast<int>(m->njnt);
  result.nq = static_cast<int>(m->nq);
  result.nv = static_cast<int>(m->nv);
  result.actuators = mujoco::actuator_count(m);
  result.tendons = static_cast<int>(m->ntendon);
  result.equalities = static_cast<int>(m->neq + static_cast<int>(compiled.mimics.size()));
  result.geoms = static_cast<int>(m->ngeom);
  result.meshes = static_cast<int>(m->nmesh);
  result.sites = static_cast<int>(m->nsite);
  result.keyframes = static_cast<int>(m->nkey);
  for (int b = 0; b < result.bodies; ++b) result.mass += m->body_mass[b];
  result.unsupported = std::move(unsupported.errors);
  result.warnings = std::move(compiled.warnings);
  result.warnings.insert(result.warnings.end(), unsupported.warnings.begin(), unsupported.warnings.end());
  if (result.unsupported.empty()) {
    ModelSpec spec = mujoco::convert(compiled, path.string());
    add_mimics(compiled.mimics, spec);
    if (options.free_base && !has_floor(spec)) {
      result.warnings.emplace_back(
          "the base is free and nothing in the file would hold it up: the robot falls for ever");
    }
    result.model.emplace(std::move(spec));
  }
  return result;
}

std::string mujoco_version() { return mj_versionString(); }

}  // namespace uzawa
