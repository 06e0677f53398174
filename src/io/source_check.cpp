#include "uzawa/io/source_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string_view>

#include "uzawa/base/error.hpp"
#include "uzawa/io/mesh_file.hpp"
#include "uzawa/io/xml_error.hpp"

namespace uzawa::mujoco {

namespace {

/// Numbers in a file that the compiler takes at their word: it then allocates for minutes, or ends the process.
struct SizeLimit {
  const char *element, *attribute;
  double largest;  ///< far above any real robot
};
constexpr double kMostElements = 10000, kMostReplicas = 20000, kMostCells = 16384;
constexpr SizeLimit kSizeLimits[] = {
    {"replicate", "count", kMostReplicas},     {"composite", "count", kMostReplicas},
    {"flexcomp", "count", kMostReplicas},      {"flexcomp", "cellcount", kMostReplicas},
    {"texture", "width", kMostCells},          {"texture", "height", kMostCells},
    {"hfield", "nrow", kMostCells / 2},        {"hfield", "ncol", kMostCells / 2},
    {"size", "nkey", kMostElements},           {"size", "nuserdata", 1e8},
    {"size", "nuser_body", kMostElements},     {"size", "nuser_jnt", kMostElements},
    {"size", "nuser_geom", kMostElements},     {"size", "nuser_site", kMostElements},
    {"size", "nuser_cam", kMostElements},      {"size", "nuser_tendon", kMostElements},
    {"size", "nuser_actuator", kMostElements}, {"size", "nuser_sensor", kMostElements}};

/// Attributes that say where things are and how large and heavy: with 1e39 or NaN in them compilers loop for ever, or
/// take NaN for "not said".
constexpr const char* kGeometry[] = {"pos",         "quat",   "euler", "axisangle", "xyaxes",  "zaxis",
                                     "size",        "fromto", "scale", "mass",      "density", "diaginertia",
                                     "fullinertia", "xyz",    "rpy",   "radius",    "length",  "value",
                                     "ixx",         "iyy",    "izz"};  // the second line is URDF
constexpr double kLargestGeometry = 1e15;                              // m, kg, kg m^2

InputError at(const std::filesystem::path& path, const tinyxml2::XMLElement& element, const std::string& reason) {
  return {path.string(), '<' + std::string(element.Name()) + ">, line " + std::to_string(element.GetLineNum()), reason};
}

/// Removes `internal` from the contacts of flexes, which MuJoCo dropped with the collisions that it switched. Returns
/// how many of them there were.
int drop_internal_collisions(tinyxml2::XMLElement* element, std::vector<std::string>& notes) {
  int dropped = 0;
  for (; element != nullptr; element = element->NextSiblingElement()) {
    const std::string_view name = element->Name();
    tinyxml2::XMLElement* contact = element->FirstChildElement("contact");
    const bool of_flex = (name == "flexcomp" || name == "flex") && contact != nullptr;
    if (const char* internal = of_flex ? contact->Attribute("internal") : nullptr) {
      if (std::string_view(internal) == "true") {
        notes.push_back("internal collisions of flexes are ignored (line " + std::to_string(contact->GetLineNum()) +
                        ")");
      }
      contact->DeleteAttribute("internal");
      ++dropped;
    }
    dropped += drop_internal_collisions(element->FirstChildElement(), notes);
  }
  return dropped;
}

/// The end of the tag or comment that begins at `begin`, past its last character; a '>' in quotes is no end.
std::size_t end_of_tag(std::string_view text, std::size_t begin) {
  if (text.substr(begin).starts_with("<!--")) return std::min(text.find("-->", begin), text.size() - 3) + 3;
  char quote = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '>') {
      return i + 1;
    }
  }
  return text.size();
}

/// The same elements with those of a body beside it and not inside: the parser gives up a hundred elements deep, which
/// the chains of long ropes are; MuJoCo's own goes on.
std::string without_nested_bodies(std::string_view text) {
  std::string flat;
  for (std::size_t begin = 0; begin < text.size();) {
    const bool opens = text[begin] == '<';
    const std::size_t end = opens ? end_of_tag(text, begin) : std::min(text.find('<', begin), text.size());
    const std::string_view piece = text.substr(begin, end - begin);
    begin = end;
    if (piece == "</body>") continue;
    flat += piece;
    const bool body = piece.size() > 5 && piece.starts_with("<body") &&
                      std::string_view(" \t\r\n>").find(piece[5]) != std::string::npos;
    if (body && piece.ends_with('>') && !piece.ends_with("/>")) flat.insert(flat.size() - 1, "/");
  }
  return flat;
}

double product(const char* text) {
  double product = 1, value = 0;
  std::istringstream numbers(text == nullptr ? "" : text);
  while (numbers >> value) product *= std::max(1.0, value);
  return product;
}

}  // namespace

SourceCheck::SourceCheck(const std::filesystem::path& model) : folder_(model.parent_path()) { read(model); }

void SourceCheck::check_keyframes(const mjModel* m, std::vector<std::string>& warnings) const {
  const std::map<std::string_view, int> sizes = {{"qpos", static_cast<int>(m->nq)},
                                                 {"qvel", static_cast<int>(m->nv)},
                                                 {"act", static_cast<int>(m->na)},
                                                 {"ctrl", static_cast<int>(m->nu)}};
  for (const KeyField& field : key_fields_) {
    const int needed = sizes.at(field.attribute);
    if (field.count == needed) continue;
    const std::string element = "<key>, line " + std::to_string(field.line);
    const std::string reason = field.attribute + " has " + std::to_string(field.count) +
                               " values where the model needs " + std::to_string(needed);
    if (field.count > needed) throw InputError(field.path.string(), element, reason);
    warnings.push_back(element + ": " + reason + "; the rest comes from the reference");
  }
}

void SourceCheck::read(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored) || !seen_.insert(path.lexically_normal()).second) return;
  tinyxml2::XMLDocument document;
  const std::string text = read_file(path);
  tinyxml2::XMLError error = document.Parse(text.c_str(), text.size());
  const bool deep = error == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED;
  if (deep) {
    const std::string flat = without_nested_bodies(text);
    error = document.Parse(flat.c_str(), flat.size());
  }
  if (error != tinyxml2::XML_SUCCESS) throw xml_error(path, text, document);
  visit(path, document.RootElement(), 1);
  if (UZAWA_MUJOCO_MODERN && !deep) modernize(path, document);
}

void SourceCheck::modernize(const std::filesystem::path& path, tinyxml2::XMLDocument& document) {
  if (drop_internal_collisions(document.RootElement(), notes_) == 0) return;
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  modernized_.push_back({path.string(), printer.CStr()});
}

void SourceCheck::visit(const std::filesystem::path& path, const tinyxml2::XMLElement* element, double copies) {
  for (; element != nullptr; element = element->NextSiblingElement()) {
    const std::string_view name = element->Name();
    const double inside = check_sizes(path, *element, copies);
    check_geometry(path, *element);
    const char* file = element->Attribute("file");
    if (name == "include" && file != nullptr) {  // relative to the model or to the including file: releases differ
      read(folder_ / file);
      read(path.parent_path() / file);
    }
    if (name == "key") note_keyframe(path, *element);
    if (name == "compiler") note_folders(*element);
    if (!UZAWA_MUJOCO_MODERN && name == "mesh" && file != nullptr) check_mesh(file);
    visit(path, element->FirstChildElement(), inside);
  }
}

double SourceCheck::check_sizes(const std::filesystem::path& path, const tinyxml2::XMLElement& element,
                                double copies) const {
  const std::string_view name = element.Name();
  for (const SizeLimit& limit : kSizeLimits) {
    if (name != limit.element) continue;
    const double size = product(element.Attribute(limit.attribute));
    if (name == "replicate") copies *= size;
    if (size > limit.largest || copies > kMostReplicas) {
      throw at(path, element, std::string(limit.attribute) + " is excessive");
    }
  }
  return copies;
}

void SourceCheck::check_geometry(const std::filesystem::path& path, const tinyxml2::XMLElement& element) const {
  for (const char* attribute : kGeometry) {
    const char* values = element.Attribute(attribute);
    std::istringstream words(values == nullptr ? "" : values);
    for (std::string word; words >> word;) {
      char* end = nullptr;
      const double value = std::strtod(word.c_str(), &end);
      if (*end != '\0' || std::abs(value) <= kLargestGeometry) continue;  // words are the compiler's to judge
      throw at(path, element, std::string(attribute) + " holds " + word + ", which is not a sensible number");
    }
  }
}

void SourceCheck::note_keyframe(const std::filesystem::path& path, const tinyxml2::XMLElement& key) {
  for (const char* attribute : {"qpos", "qvel", "act", "ctrl"}) {
    const char* values = key.Attribute(attribute);
    if (values == nullptr) continue;
    std::istringstream words(values);
    int count = 0;
    for (std::string word; words >> word;) ++count;
    key_fields_.push_back({path, key.GetLineNum(), attribute, count});
  }
}

void SourceCheck::note_folders(const tinyxml2::XMLElement& compiler) {
  for (const char* attribute : {"assetdir", "meshdir"}) {
    if (const char* folder = compiler.Attribute(attribute)) mesh_folder_ = folder;
  }
}

void SourceCheck::check_mesh(const char* file) const {
  const std::filesystem::path path = folder_ / mesh_folder_ / file;
  std::error_code ignored;
  if (path.extension() == ".obj" && std::filesystem::is_regular_file(path, ignored)) read_mesh_file(path);
}

}  // namespace uzawa::mujoco
