#include <tinyxml2.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "uzawa/base/error.hpp"
#include "uzawa/io/compile.hpp"
#include "uzawa/io/mesh_file.hpp"
#include "uzawa/io/urdf_repair.hpp"

namespace uzawa::mujoco {

namespace {

namespace fs = std::filesystem;
using tinyxml2::XMLElement;

std::string attribute(const XMLElement* element, const char* name) {
  const char* value = element == nullptr ? nullptr : element->Attribute(name);
  return value == nullptr ? "" : value;
}

/// Finds mesh files the way ROS users lay them out.
class MeshFinder {
 public:
  MeshFinder(const fs::path& urdf, const LoadOptions& options, std::string mesh_folder)
      : source_(urdf.string()),
        folder_(fs::absolute(urdf).parent_path()),
        options_(options),
        mesh_folder_(std::move(mesh_folder)) {}

  fs::path find(const std::string& uri, const std::string& link) const {
    std::vector<fs::path> candidates;
    if (uri.rfind("package://", 0) == 0) {
      const std::string rest = uri.substr(10);
      const std::size_t slash = rest.find('/');
      const std::string package = rest.substr(0, slash);
      const std::string inside = slash == std::string::npos ? "" : rest.substr(slash + 1);
      for (const fs::path& root : package_roots(package)) candidates.push_back(root / inside);
    } else {
      const std::string file = uri.rfind("file://", 0) == 0 ? uri.substr(7) : uri;
      candidates.push_back(folder_ / file);  // an absolute path stays absolute
      candidates.push_back(folder_ / mesh_folder_ / file);
      candidates.push_back(folder_ / mesh_folder_ / fs::path(file).filename());
    }
    std::string tried;
    for (const fs::path& candidate : candidates) {
      std::error_code ignored;
      if (fs::is_regular_file(candidate, ignored)) return candidate;
      tried += (tried.empty() ? "" : ", ") + candidate.lexically_normal().string();
    }
    throw InputError(source_, "link '" + link + "'", "mesh '" + uri + "' not found; looked for " + tried);
  }

 private:
  /// The package itself where it was named; else every folder above the file that is, or holds, the package; else
  /// the folders of ROS_PACKAGE_PATH.
  std::vector<fs::path> package_roots(const std::string& package) const {
    if (const auto named = options_.packages.find(package); named != options_.packages.end()) return {named->second};
    std::vector<fs::path> roots;
    for (fs::path above = folder_; above.has_relative_path(); above = above.parent_path()) {
      if (above.filename() == package) roots.push_back(above);
      roots.push_back(above / package);
    }
    if (const char* ros = std::getenv("ROS_PACKAGE_PATH")) {
      std::stringstream list(ros);
      for (std::string entry; std::getline(list, entry, ':');) roots.push_back(fs::path(entry) / package);
    }
    return roots;
  }

  std::string source_;
  fs::path folder_;
  const LoadOptions& options_;
  std::string mesh_folder_;
};

/// Calls visit(mesh element, link name, is visual) for every mesh of the robot; where it returns false, the shape is
/// left out.
template <typename Visit>
void for_each_mesh(XMLElement* robot, Visit&& visit) {
  for (XMLElement* link = robot->FirstChildElement("link"); link; link = link->NextSiblingElement("link")) {
    for (const bool visual : {true, false}) {
      const char* kind = visual ? "visual" : "collision";
      for (XMLElement* part = link->FirstChildElement(kind); part;) {
        XMLElement* next = part->NextSiblingElement(kind);
        XMLElement* geometry = part->FirstChildElement("geometry");
        XMLElement* mesh = geometry == nullptr ? nullptr : geometry->FirstChildElement("mesh");
        if (mesh != nullptr && !visit(mesh, attribute(link, "name"), visual)) link->DeleteChild(part);
        part = next;
      }
    }
  }
}

/// Reads every mesh into memory under a name of its own: the compiler strips folders, and then visual/hand.stl and
/// collision/hand.stl would be one file. Visual meshes that can't be read, or are not wanted, leave with their shapes.
void read_meshes(XMLElement* robot, const MeshFinder& finder, const std::set<std::string>& without, UrdfSource& out) {
  std::map<std::string, std::string> names;  // path and scale -> name in memory
  const auto read = [&](XMLElement* mesh, const std::string& uri, const fs::path& path, bool visual) {
    std::string& name = names[path.string() + '\n' + attribute(mesh, "scale")];
    const std::string stem = path.stem().string().substr(0, 40) + '_' + std::to_string(names.size());
    if (name.empty()) {
      MeshFile file = read_mesh_file(path);
      name = stem + file.extension;
      out.meshes.push_back({name, std::move(file.content)});
      out.mesh_uris[stem] = uri;
      if (visual) out.visual_meshes.insert(stem);
    }
    const std::string known = fs::path(name).stem().string();
    if (!visual) out.visual_meshes.erase(known);
    mesh->SetAttribute("filename", name.c_str());
    return !(visual && without.contains(known));
  };
  for_each_mesh(robot, [&](XMLElement* mesh, const std::string& link, bool visual) {
    const std::string uri = attribute(mesh, "filename");
    try {
      if (read(mesh, uri, finder.find(uri, link), visual)) return true;
      out.warnings.push_back("link '" + link + "': the visual mesh '" + uri +
                             "' is left out: the compiler takes no such");
    } catch (const InputError& error) {
      if (!visual) throw;
      out.warnings.push_back("link '" + link + "': a visual mesh is left out: " + error.what());
    }
    return false;
  });
}

/// The compiler says which line is wrong, not which joint; and the legacy one crashes on a type that it does not know.
void check_joints(const XMLElement* robot, const std::string& source) {
  std::set<std::string> links;
  for (const XMLElement* link = robot->FirstChildElement("link"); link; link = link->NextSiblingElement("link")) {
    links.insert(attribute(link, "name"));
  }
  const std::set<std::string> types = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
  for (const XMLElement* joint = robot->FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
    const std::string element = "joint '" + attribute(joint, "name") + "', line " + std::to_string(joint->GetLineNum());
    const std::string type = attribute(joint, "type");
    if (!types.contains(type)) throw InputError(source, element, "its type '" + type + "' is unknown");
    for (const char* end : {"parent", "child"}) {
      const std::string link = attribute(joint->FirstChildElement(end), "link");
      if (!links.contains(link))
        throw InputError(source, element, std::string(end) + " link '" + link + "' is unknown");
    }
  }
}

bool is_finite_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end != text.c_str() && text.find_first_not_of(" \t\r\n", end - text.c_str()) == std::string::npos &&
         std::isfinite(value);
}

/// What is no number (a macro that nobody expanded, say) would be repaired as zero, which nobody meant.
void check_inertials(const XMLElement* robot, const std::string& source) {
  for (const XMLElement* link = robot->FirstChildElement("link"); link; link = link->NextSiblingElement("link")) {
    const XMLElement* inertial = link->FirstChildElement("inertial");
    if (inertial == nullptr) continue;
    for (const char* part : {"mass", "inertia"}) {
      const XMLElement* element = inertial->FirstChildElement(part);
      if (element == nullptr) continue;
      for (const char* field : {"value", "ixx", "iyy", "izz", "ixy", "ixz", "iyz"}) {
        const char* text = element->Attribute(field);
        if (text == nullptr || is_finite_number(text)) continue;
        throw InputError(source,
                         "link '" + attribute(link, "name") + "', line " + std::to_string(element->GetLineNum()),
                         std::string("its ") + part + " has the " + field + " '" + text + "', which is not a number");
      }
    }
  }
}

/// Names of joints -> whether they move.
std::map<std::string, bool> joints_that_move(const XMLElement* robot) {
  std::map<std::string, bool> moves;
  for (const XMLElement* joint = robot->FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
    moves[attribute(joint, "name")] = attribute(joint, "type") != "fixed";
  }
  return moves;
}

/// Takes the mimic elements out: one MuJoCo release ignores them, another makes them equality constraints; we do that.
void take_mimics(XMLElement* robot, const std::string& source, UrdfSource& out) {
  const std::map<std::string, bool> moves = joints_that_move(robot);
  for (XMLElement* joint = robot->FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
    XMLElement* mimic = joint->FirstChildElement("mimic");
    if (mimic == nullptr) continue;
    Mimic found{attribute(joint, "name"), attribute(mimic, "joint")};
    for (const auto& [field, value] : {std::pair{"multiplier", &found.multiplier}, {"offset", &found.offset}}) {
      if (mimic->QueryDoubleAttribute(field, value) == tinyxml2::XML_WRONG_ATTRIBUTE_TYPE) {
        throw InputError(source, "joint '" + found.joint + "'", std::string("mimic ") + field + " is not a number");
      }
    }
    if (!moves.contains(found.other)) {
      throw InputError(source, "joint '" + found.joint + "', line " + std::to_string(mimic->GetLineNum()),
                       "mimics joint '" + found.other + "', which is not there");
    }
    if (moves.at(found.joint) && moves.at(found.other)) {
      out.mimics.push_back(found);
    } else {
      out.warnings.push_back("joint '" + found.joint + "': its mimic is ignored, because joint '" +
                             (moves.at(found.joint) ? found.other : found.joint) + "' is fixed");
    }
    joint->DeleteChild(mimic);
  }
}

XMLElement* child(XMLElement* parent, const char* name) {
  XMLElement* found = parent->FirstChildElement(name);
  return found != nullptr ? found : parent->InsertNewChildElement(name);
}

/// Fixed links keep their names and visual meshes are kept: we merge bodies ourselves, and a replay shows them.
void set_compiler_options(XMLElement* robot) {
  XMLElement* compiler = child(child(robot, "mujoco"), "compiler");
  compiler->SetAttribute("strippath", "true");
  compiler->DeleteAttribute("meshdir");
  compiler->SetAttribute("fusestatic", "false");
  if (compiler->Attribute("discardvisual") == nullptr) compiler->SetAttribute("discardvisual", "false");
}

/// Prints every element on the line that it came from, so that the compiler's messages point into the user's file.
class LinePrinter : public tinyxml2::XMLPrinter {
 public:
  LinePrinter() : XMLPrinter(nullptr, /*compact=*/true) {}
  using XMLPrinter::VisitEnter;
  bool VisitEnter(const XMLElement& element, const tinyxml2::XMLAttribute* attributes) override {
    SealElementIfJustOpened();
    for (; line_ < element.GetLineNum(); ++line_) Putc('\n');
    return XMLPrinter::VisitEnter(element, attributes);
  }

 private:
  int line_ = 1;
};

/// Hangs the root link on a world link by a floating joint.
void free_root(XMLElement* robot, const std::string& source) {
  std::map<std::string, bool> is_child;
  for (XMLElement* joint = robot->FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
    is_child[attribute(joint->FirstChildElement("child"), "link")] = true;
  }
  std::string root;
  for (XMLElement* link = robot->FirstChildElement("link"); link; link = link->NextSiblingElement("link")) {
    if (!is_child[attribute(link, "name")]) root = attribute(link, "name");
  }
  if (root.empty() || root == "world") throw InputError(source, "robot", "has no root link that could be freed");
  robot->InsertNewChildElement("link")->SetAttribute("name", "world");
  XMLElement* joint = robot->InsertNewChildElement("joint");
  joint->SetAttribute("name", "floating_base");
  joint->SetAttribute("type", "floating");
  joint->InsertNewChildElement("parent")->SetAttribute("link", "world");
  joint->InsertNewChildElement("child")->SetAttribute("link", root.c_str());
}

}  // namespace

bool is_urdf(const fs::path& path) {
  if (path.extension() == ".urdf") return true;
  // The root element decides: <robot> is URDF, <mujoco> is MJCF. What does not parse is the compiler's to explain.
  const std::string text = read_file(path).substr(0, 65536);
  const std::size_t robot = text.find("<robot"), mjcf = text.find("<mujoco");
  return robot != std::string::npos && (mjcf == std::string::npos || robot < mjcf);
}

UrdfSource read_urdf(const fs::path& path, const LoadOptions& options, const std::set<std::string>& without) {
  const std::string source = path.string();
  tinyxml2::XMLDocument document;
  const std::string text = read_file(path);
  if (document.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS) {
    throw InputError(source, "line " + std::to_string(document.ErrorLineNum()), document.ErrorStr());
  }
  XMLElement* robot = document.FirstChildElement("robot");
  if (robot == nullptr) throw InputError(source, "", "no <robot> element");

  UrdfSource out;
  drop_commas(robot, out.warnings);
  drop_surplus(robot, out.warnings);
  const XMLElement* extension = robot->FirstChildElement("mujoco");
  const XMLElement* compiler = extension == nullptr ? nullptr : extension->FirstChildElement("compiler");
  read_meshes(robot, MeshFinder(path, options, attribute(compiler, "meshdir")), without, out);
  drop_empty_shapes(robot, out.warnings);
  check_joints(robot, source);
  check_inertials(robot, source);
  repair_inertias(robot, options.free_base, out.warnings);
  take_mimics(robot, source, out);
  set_compiler_options(robot);
  if (options.free_base) free_root(robot, source);
  LinePrinter printer;
  document.Print(&printer);
  out.xml = printer.CStr();
  return out;
}

}  // namespace uzawa::mujoco
