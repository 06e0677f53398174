#include "uzawa/io/sdf_text.hpp"

#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

#include "uzawa/base/error.hpp"
#include "uzawa/io/compile.hpp"

namespace uzawa::mujoco {

namespace {

/// The words of one part: a kind and its settings. Every complaint names file and element.
class Words {
 public:
  Words(std::string kind, const std::string& source, const std::string& element)
      : kind_(std::move(kind)), source_(source), element_(element) {}

  const std::string& kind() const { return kind_; }
  [[noreturn]] void refuse(const std::string& reason) const { throw InputError(source_, element_, reason); }

  void add(const std::string& word) {
    const std::size_t split = word.find('=');
    if (split == 0 || split == std::string::npos || split + 1 == word.size()) refuse("'" + word + "' is not key=value");
    if (!settings_.emplace(word.substr(0, split), word.substr(split + 1)).second) {
      refuse("'" + word.substr(0, split) + "' is given twice");
    }
  }

  bool has(const std::string& key) const { return settings_.contains(key); }
  std::string take_word(const std::string& key) {
    const auto found = settings_.find(key);
    if (found == settings_.end()) refuse(kind_ + " needs " + key + "=...");
    std::string value = found->second;
    settings_.erase(found);
    return value;
  }
  double take(const std::string& key) { return number(take_word(key)); }
  double take(const std::string& key, double otherwise) { return has(key) ? take(key) : otherwise; }
  std::vector<double> take_list(const std::string& key, std::size_t count) {
    std::vector<double> values = numbers(take_word(key), ',');
    if (values.size() != count) refuse(key + " needs " + std::to_string(count) + " numbers with commas between them");
    return values;
  }
  std::vector<double> numbers(const std::string& text, char separator) const {
    std::vector<double> values;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, separator);) values.push_back(number(word));
    return values;
  }
  /// What nobody took is a mistake in the file.
  void finish() const {
    if (!settings_.empty()) refuse(kind_ + " has no setting '" + settings_.begin()->first + "'");
  }

 private:
  double number(const std::string& text) const {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value)) {
      refuse("'" + text + "' is not a number");
    }
    return value;
  }

  std::string kind_;
  const std::string &source_, &element_;
  std::map<std::string, std::string> settings_;
};

RevolvedSpec with_rounding(RevolvedSpec shell, Words& words) {
  shell.rounding = words.take("rounding", shell.rounding);
  return shell;
}

/// points=r,z;r,z,bulge;...
RevolvedSpec revolved(Words& words) {
  RevolvedSpec shell;
  std::istringstream stream(words.take_word("points"));
  for (std::string text; std::getline(stream, text, ';');) {
    const std::vector<double> p = words.numbers(text, ',');
    if (p.size() != 2 && p.size() != 3) words.refuse("a profile point is radius,height or radius,height,bulge");
    shell.skeleton.push_back({p[0], p[1], p.size() == 3 ? p[2] : 0});
  }
  shell.thickness = words.take("thickness");
  return with_rounding(shell, words);
}

/// The arguments of these calls are taken in any order: each names its setting.
RevolvedSpec dishware(Words& words) {
  const double radius = words.take("radius"), height = words.take("height"), thickness = words.take("thickness");
  const std::string& kind = words.kind();
  if (kind == "dish") return with_rounding(dish(radius, height, words.take("foot"), thickness), words);
  if (kind == "plate") return with_rounding(plate(radius, height, thickness), words);
  if (kind == "bowl") return with_rounding(bowl(radius, height, thickness), words);
  if (kind == "pot") return with_rounding(pot(radius, height, thickness), words);
  const double neck = words.take("neck"), neck_height = words.take("neck_height");
  if (!(neck < radius && neck_height + radius - neck < height)) words.refuse("neck and shoulder do not fit the bottle");
  return with_rounding(bottle(radius, height, neck, neck_height, thickness), words);
}

ThreadSpec thread(Words& words) {
  ThreadSpec spec;
  const std::string kind = words.take_word("kind");
  if (kind != "bolt" && kind != "nut") words.refuse("kind of a thread is bolt or nut, not '" + kind + "'");
  spec.internal = kind == "nut";
  spec.diameter = words.take("diameter");
  spec.pitch = words.take("pitch");
  spec.length = words.take("length");
  spec.clearance = words.take("clearance", 0);
  spec.chamfer = words.take("chamfer", spec.chamfer);
  // ISO 4014/4032: a hexagon is about 1.56 diameters wide across flats.
  spec.width = words.take("width", spec.internal ? 1.5625 * spec.diameter : 0);
  spec.head_height = spec.internal ? 0 : words.take("head", 0);
  return spec;
}

RoundedBoxSpec box(Words& words) {
  const std::vector<double> half = words.take_list("half", 3);
  return {Vec3::from(half.data()), words.take("rounding", 0)};
}

SdfPart to_part(Words& words) {
  SdfPart part;
  const std::string& kind = words.kind();
  if (kind == "revolved") {
    part.shape = revolved(words);
  } else if (kind == "dish" || kind == "plate" || kind == "bowl" || kind == "pot" || kind == "bottle") {
    part.shape = dishware(words);
  } else if (kind == "thread") {
    part.shape = thread(words);
  } else if (kind == "box") {
    part.shape = box(words);
  } else if (kind == "mesh") {
    part.shape = BakedMeshSpec{words.take("cell", 0)};
    return part;  // where the geom is
  } else {
    words.refuse("unknown shape '" + kind + "': revolved, dish, plate, bowl, pot, bottle, thread, box or mesh");
  }
  if (words.has("pos")) part.position = Vec3::from(words.take_list("pos", 3).data());
  if (words.has("quat")) part.orientation = normalized(Quat::from(words.take_list("quat", 4).data()));
  return part;
}

int geom_named(const ModelSpec& spec, const std::string& name) {
  for (std::size_t g = 0; g < spec.geoms.size(); ++g) {
    if (!name.empty() && spec.geoms[g].name == name) return static_cast<int>(g);
  }
  return -1;
}

/// The compiler moves a mesh to its centre of mass and turns it to its principal axes. An analytic shape on a mesh geom
/// is meant in the axes of the mesh file.
void place_in_mesh_axes(const mjModel* m, const GeomSpec& geom, SdfSpec& sdf, const std::string& source,
                        const std::string& element) {
  if (geom.shape != ShapeType::Mesh) return;
  for (const SdfPart& part : sdf.parts) {
    if (std::holds_alternative<BakedMeshSpec>(part.shape)) return;
  }
  const std::optional<MeshFrame> frame = mesh_frame(m, geom.asset);
  if (!frame) {
    throw InputError(
        source, element,
        "MuJoCo 2.2.2 does not tell where a mesh was before it centred it: put the shape on a primitive geom");
  }
  // File to geom: x_geom = R^T (x_file - p).
  const Quat turn = conjugate(normalized(Quat::from(frame->orientation)));
  sdf.orientation = turn;
  sdf.position = rotate(turn, -Vec3::from(frame->position));
}

}  // namespace

SdfSpec parse_sdf(const std::string& text, const std::string& source, const std::string& element) {
  SdfSpec spec;
  std::istringstream parts(text + '\n');  // so that something follows the last separator
  for (std::string part_text; std::getline(parts, part_text, '|');) {
    std::istringstream stream(part_text);
    std::string word;
    if (!(stream >> word)) throw InputError(source, element, "says no shape");
    Words words(word, source, element);
    while (stream >> word) words.add(word);
    spec.chord_error = words.take("chord", spec.chord_error);
    spec.longest_edge = words.take("edge", spec.longest_edge);
    spec.parts.push_back(to_part(words));
    words.finish();
  }
  if (const std::string reason = defect(spec); !reason.empty()) throw InputError(source, element, reason);
  return spec;
}

void read_sdf_texts(const mjModel* m, ModelSpec& spec) {
  const std::string mark = "uzawa.sdf";
  for (int i = 0; i < static_cast<int>(m->ntext); ++i) {
    const char* text_name = mj_id2name(m, mjOBJ_TEXT, i);
    const std::string name = text_name == nullptr ? "" : text_name;
    // An attached model's names have a prefix, the text's as well as the geom's.
    const std::size_t begin = name.find(mark);
    if (begin == std::string::npos) continue;
    const std::string element = "text '" + name + "'";
    const std::size_t colon = begin + mark.size();
    if (colon >= name.size() || name[colon] != ':') {
      throw InputError(spec.source, element, "name must be uzawa.sdf:GEOM");
    }
    const std::string geom_name = name.substr(0, begin) + name.substr(colon + 1);
    const int g = geom_named(spec, geom_name);
    if (g < 0) throw InputError(spec.source, element, "no geom has the name '" + geom_name + "'");
    GeomSpec& geom = spec.geoms[static_cast<std::size_t>(g)];
    SdfSpec sdf = parse_sdf(m->text_data + m->text_adr[i], spec.source, element);
    for (const SdfPart& part : sdf.parts) {
      if (std::holds_alternative<BakedMeshSpec>(part.shape) && geom.shape != ShapeType::Mesh) {
        throw InputError(spec.source, element, "'mesh' needs a mesh geom, and '" + geom_name + "' is none");
      }
    }
    place_in_mesh_axes(m, geom, sdf, spec.source, element);
    geom.sdf = std::move(sdf);
  }
}

}  // namespace uzawa::mujoco
