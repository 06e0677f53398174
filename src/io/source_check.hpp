#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "uzawa/io/compile.hpp"

namespace uzawa::mujoco {

/// Checks the text of a model file and of its includes for errors that crash the compiler or that it does not report.
/// Internal to this room.
class SourceCheck {
 public:
  /// Throws InputError for excessive sizes, senseless numbers and, with the legacy release, for meshes that crash it.
  explicit SourceCheck(const std::filesystem::path& model);

  /// Notes keyframes that are too short, which the modern compiler completes from the reference without a message.
  /// Throws for keyframes that are too long.
  void check_keyframes(const mjModel* m, std::vector<std::string>& warnings) const;

  /// Files of older releases without the attributes that the compiler no longer knows, to be read in place of those on
  /// disk.
  const std::vector<MemoryFile>& modernized() const { return modernized_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct KeyField {
    std::filesystem::path path;
    int line;
    std::string attribute;
    int count;
  };

  void read(const std::filesystem::path& path);
  /// `copies`: how often the replicates around it repeat an element.
  void visit(const std::filesystem::path& path, const tinyxml2::XMLElement* element, double copies);
  double check_sizes(const std::filesystem::path& path, const tinyxml2::XMLElement& element, double copies) const;
  void check_geometry(const std::filesystem::path& path, const tinyxml2::XMLElement& element) const;
  void note_keyframe(const std::filesystem::path& path, const tinyxml2::XMLElement& key);
  void note_folders(const tinyxml2::XMLElement& compiler);
  void check_mesh(const char* file) const;
  void modernize(const std::filesystem::path& path, tinyxml2::XMLDocument& document);

  std::filesystem::path folder_, mesh_folder_;
  std::set<std::filesystem::path> seen_;
  std::vector<KeyField> key_fields_;
  std::vector<MemoryFile> modernized_;
  std::vector<std::string> notes_;
};

}  // namespace uzawa::mujoco
