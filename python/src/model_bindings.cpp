#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <fstream>

#include "archive.hpp"
#include "bindings.hpp"
#include "model_change.hpp"
#include "model_handle.hpp"
#include "uzawa/base/temp_folder.hpp"
#include "uzawa/io/load.hpp"

namespace uzawa::python {

namespace {

namespace fs = std::filesystem;

const std::string kSpecTag = std::string("uzawa model ") + UZAWA_VERSION;

/// A model that was read but has no owner yet.
struct Loaded {
  std::optional<Model> model;
  std::vector<std::string> warnings;
};

using Packages = std::map<std::string, std::string>;

LoadOptions load_options(const Packages& packages, bool free_base) {
  LoadOptions options;
  for (const auto& [name, folder] : packages) options.packages[name] = folder;
  options.free_base = free_base;
  return options;
}

Loaded load_file(const std::string& path, const Packages& packages, bool free_base) {
  LoadedModel loaded = load_model(path, load_options(packages, free_base));
  return {std::move(loaded.model), std::move(loaded.warnings)};
}

/// A file of a text, among the others that it refers to.
void write_file(const fs::path& folder, const std::string& name, std::string_view content) {
  const fs::path relative = fs::path(name).lexically_normal();
  if (relative.empty() || relative.is_absolute() || *relative.begin() == "..") {
    throw InputError("", "asset '" + name + "'", "must be a path below that of the model");
  }
  fs::create_directories((folder / relative).parent_path());
  std::ofstream(folder / relative, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

Loaded load_text(const std::string& text, const std::map<std::string, nb::bytes>& assets, const std::string& name,
                 const Packages& packages, bool free_base) {
  const TempFolder folder;
  const bool is_urdf = text.find("<robot") != std::string::npos && text.find("<mujoco") == std::string::npos;
  const std::string file = is_urdf ? "model.urdf" : "model.xml";
  for (const auto& [asset, content] : assets) write_file(folder.path(), asset, {content.c_str(), content.size()});
  write_file(folder.path(), file, text);
  const nb::gil_scoped_release release;
  const std::string path = (folder.path() / file).string(), prefix = folder.path().string() + "/";
  const auto clean = [&](const std::string& message) { return replaced(replaced(message, path, name), prefix, ""); };
  try {
    LoadedModel loaded = load_model(path, load_options(packages, free_base));
    ModelSpec spec = loaded.model.spec();
    spec.source = name;
    for (std::string& warning : loaded.warnings) warning = clean(warning);
    return {Model(std::move(spec)), std::move(loaded.warnings)};
  } catch (const InputError& error) {
    throw InputError(clean(error.source()), clean(error.element()), clean(error.reason()));
  }
}

Loaded load_bytes(const nb::bytes& bytes) {
  return {Model(from_bytes<ModelSpec>(kSpecTag, {bytes.c_str(), bytes.size()})), {}};
}

/// (field, element, values)
using Change = std::tuple<std::string, int, std::vector<double>>;

Loaded load_variant(const ModelHandle& handle, const std::vector<Change>& changes) {
  ModelSpec spec = handle.spec();
  for (const auto& [name, index, values] : changes) {
    const ChangeField& field = find_change_field(name);
    const auto count = static_cast<int>(handle.names(field.kind).size());
    if (index < 0 || index >= count) throw InputError(spec.source, name, "no element " + std::to_string(index));
    if (values.size() != static_cast<std::size_t>(field.width)) {
      throw InputError(spec.source, name, "takes " + std::to_string(field.width) + " numbers an element");
    }
    field.set(spec, static_cast<std::size_t>(index), values);
  }
  return {Model(std::move(spec)), handle.warnings()};
}

/// Numbers of a field of all elements: n, or n x width.
nb::ndarray<nb::numpy, double> field_values(const ModelHandle& handle, const std::string& name) {
  const ChangeField& field = find_change_field(name);
  const std::size_t count = handle.names(field.kind).size(), width = static_cast<std::size_t>(field.width);
  std::vector<double> values(count * width);
  for (std::size_t i = 0; i < count; ++i) field.get(handle.spec(), i, std::span(values).subspan(i * width, width));
  return new_array(std::move(values), width == 1 ? std::vector{count} : std::vector{count, width});
}

template <typename List, typename Get>
nb::ndarray<nb::numpy, int> index_array(const List& list, Get&& get) {
  std::vector<int> values;
  values.reserve(list.size());
  for (const auto& element : list) values.push_back(get(element));
  return new_array(std::move(values));
}

/// get(i) for every i below count.
template <typename Get>
nb::ndarray<nb::numpy, int> counted_array(std::size_t count, Get&& get) {
  std::vector<int> values(count);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = get(static_cast<int>(i));
  return new_array(std::move(values));
}

/// -inf to inf where there is no range.
template <typename List, typename Get>
nb::ndarray<nb::numpy, double> range_array(const List& list, Get&& get) {
  std::vector<double> values;
  for (const auto& element : list) {
    const std::optional<Range>& range = get(element);
    values.push_back(range ? range->lower : -std::numeric_limits<double>::infinity());
    values.push_back(range ? range->upper : std::numeric_limits<double>::infinity());
  }
  return new_array(std::move(values), {list.size(), 2});
}

nb::tuple state_tuple(State state, std::vector<double> control) {
  const double time = state.time;
  return nb::make_tuple(new_array(std::move(state.q)), new_array(std::move(state.v)),
                        new_array(std::move(state.activation)), new_array(std::move(control)), time);
}

State state_at(const ModelHandle& h, int index) {
  if (index < 0) return h.model().reference_state();
  if (static_cast<std::size_t>(index) >= h.spec().keyframes.size()) {
    throw InputError(h.spec().source, "keyframe " + std::to_string(index),
                     "the model has " + std::to_string(h.spec().keyframes.size()));
  }
  return h.model().keyframe_state(index);
}

nb::tuple keyframe(const ModelHandle& h, int index) {
  State state = state_at(h, index);
  if (index < 0) return state_tuple(std::move(state), std::vector<double>(h.spec().actuators.size()));
  const std::span<const double> control = h.model().keyframe_control(index);
  return state_tuple(std::move(state), {control.begin(), control.end()});
}

nb::ndarray<nb::numpy, double> keyframe_mocap(const ModelHandle& h, int index) {
  State state = state_at(h, index);
  return new_array(std::move(state.mocap), {h.model().mocap_bodies().size(), 7});
}

void bind_sizes(nb::class_<ModelHandle>& c) {
  c.def_prop_ro(
      "nq", [](const ModelHandle& h) { return h.model().nq(); }, "numbers of positions");
  c.def_prop_ro(
      "nv", [](const ModelHandle& h) { return h.model().nv(); }, "degrees of freedom");
  c.def_prop_ro(
      "nu", [](const ModelHandle& h) { return h.model().nu(); }, "actuators, one control each");
  c.def_prop_ro(
      "na", [](const ModelHandle& h) { return h.model().na(); }, "activations of actuators with dynamics");
  c.def_prop_ro(
      "nbody", [](const ModelHandle& h) { return h.spec().bodies.size(); }, "bodies, the ground included");
  c.def_prop_ro(
      "njnt", [](const ModelHandle& h) { return h.spec().joints.size(); }, "joints");
  c.def_prop_ro(
      "ngeom", [](const ModelHandle& h) { return h.spec().geoms.size(); }, "geoms");
  c.def_prop_ro(
      "nsite", [](const ModelHandle& h) { return h.spec().sites.size(); }, "sites");
  c.def_prop_ro(
      "ntendon", [](const ModelHandle& h) { return h.spec().tendons.size(); }, "tendons");
  c.def_prop_ro(
      "neq", [](const ModelHandle& h) { return h.spec().equalities.size(); }, "equality constraints");
  c.def_prop_ro(
      "nkey", [](const ModelHandle& h) { return h.spec().keyframes.size(); }, "keyframes");
  c.def_prop_ro(
      "nmocap", [](const ModelHandle& h) { return h.model().mocap_bodies().size(); }, "bodies that users move");
  c.def_prop_ro(
      "nsensor", [](const ModelHandle& h) { return h.spec().sensors.size(); }, "sensors");
  c.def_prop_ro(
      "nsensordata", [](const ModelHandle& h) { return h.model().sensor_values(); }, "numbers of all sensors");
  c.def_prop_ro(
      "name", [](const ModelHandle& h) { return h.spec().name; }, "name of the model");
  c.def_prop_ro(
      "source", [](const ModelHandle& h) { return h.spec().source; }, "file it came from; may be empty");
  c.def_prop_ro(
      "warnings", [](const ModelHandle& h) { return h.warnings(); },
      "features of the file that are left out; none changes the dynamics");
  c.def_prop_ro(
      "timestep", [](const ModelHandle& h) { return h.model().options().timestep; }, "s, of the file");
  c.def_prop_ro(
      "total_mass", [](const ModelHandle& h) { return h.model().total_mass(); }, "kg");
  c.def_prop_ro(
      "gravity",
      [](const ModelHandle& h) {
        std::vector<double> g(3);
        h.model().options().gravity.store(g.data());
        return new_array(std::move(g));
      },
      nb::rv_policy::automatic, "m/s^2, in world axes");
}

void bind_arrays(nb::class_<ModelHandle>& c) {
  c.def_prop_ro(
      "jnt_type",
      [](const ModelHandle& h) {
        return index_array(h.spec().joints, [](const JointSpec& j) { return static_cast<int>(j.type); });
      },
      nb::rv_policy::automatic, "per joint: 0 free, 1 ball, 2 slide, 3 hinge");
  c.def_prop_ro(
      "jnt_bodyid",
      [](const ModelHandle& h) { return index_array(h.spec().joints, [](const JointSpec& j) { return j.body; }); },
      nb::rv_policy::automatic, "per joint: its body");
  c.def_prop_ro(
      "jnt_qposadr",
      [](const ModelHandle& h) {
        return counted_array(h.spec().joints.size(), [&](int j) { return h.model().joint_q(j); });
      },
      nb::rv_policy::automatic, "per joint: its first number in qpos");
  c.def_prop_ro(
      "jnt_dofadr",
      [](const ModelHandle& h) {
        return counted_array(h.spec().joints.size(), [&](int j) { return h.model().joint_v(j); });
      },
      nb::rv_policy::automatic, "per joint: its first number in qvel");
  c.def_prop_ro(
      "jnt_range",
      [](const ModelHandle& h) {
        return range_array(h.spec().joints, [](const JointSpec& j) -> const std::optional<Range>& { return j.range; });
      },
      nb::rv_policy::automatic, "(njnt, 2) m or rad; infinite where there is no limit");
  c.def_prop_ro(
      "actuator_ctrlrange",
      [](const ModelHandle& h) {
        return range_array(h.spec().actuators,
                           [](const ActuatorSpec& a) -> const std::optional<Range>& { return a.control_range; });
      },
      nb::rv_policy::automatic, "(nu, 2); infinite where there is no limit");
  c.def_prop_ro(
      "body_parentid",
      [](const ModelHandle& h) { return index_array(h.spec().bodies, [](const BodySpec& b) { return b.parent; }); },
      nb::rv_policy::automatic, "per body: its parent");
  c.def_prop_ro(
      "body_mocapid",
      [](const ModelHandle& h) {
        std::vector<int> ids(h.spec().bodies.size(), -1);
        const std::span<const int> bodies = h.model().mocap_bodies();
        for (std::size_t m = 0; m < bodies.size(); ++m) ids[static_cast<std::size_t>(bodies[m])] = static_cast<int>(m);
        return new_array(std::move(ids));
      },
      nb::rv_policy::automatic, "per body: its row in mocap_pos; -1: it is no mocap body");
  c.def_prop_ro(
      "geom_bodyid",
      [](const ModelHandle& h) { return index_array(h.spec().geoms, [](const GeomSpec& g) { return g.body; }); },
      nb::rv_policy::automatic, "per geom: its body");
  c.def_prop_ro(
      "sensor_adr",
      [](const ModelHandle& h) {
        return counted_array(h.spec().sensors.size(), [&](int i) { return h.model().sensor_address(i); });
      },
      nb::rv_policy::automatic, "per sensor: its first number in sensordata");
  c.def_prop_ro(
      "site_bodyid",
      [](const ModelHandle& h) { return index_array(h.spec().sites, [](const SiteSpec& s) { return s.body; }); },
      nb::rv_policy::automatic, "per site: its body");
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Loaded>(m, "Loaded", "A model that was read and has no owner yet");
  m.def("load_file", &load_file, nb::arg("path"), nb::arg("packages"), nb::arg("free_base"),
        nb::call_guard<nb::gil_scoped_release>());
  m.def("load_text", &load_text, nb::arg("text"), nb::arg("assets"), nb::arg("name"), nb::arg("packages"),
        nb::arg("free_base"));
  m.def("load_bytes", &load_bytes, nb::arg("data"));
  m.def("load_variant", &load_variant, nb::arg("model"), nb::arg("changes"), nb::call_guard<nb::gil_scoped_release>());
  m.def("mujoco_version", &mujoco_version, "version of the MuJoCo library that reads model files");
  m.def(
      "change_fields",
      [] {
        std::vector<std::tuple<std::string, int, std::string>> out;
        for (const ChangeField& field : change_fields()) out.emplace_back(field.name, field.width, field.about);
        return out;
      },
      "(name, numbers an element, meaning) of all that may differ between the simulations of a batch");

  nb::class_<ModelHandle> c(m, "Model", "What exists: bodies, joints, geoms, actuators. Immutable.");
  c.def(
      "__init__",
      [](ModelHandle* self, Loaded& loaded) {
        if (!loaded.model) throw InputError("", "model", "was taken by another object");
        Model model = std::move(*loaded.model);
        loaded.model.reset();
        new (self) ModelHandle(std::move(model), std::move(loaded.warnings));
      },
      nb::call_guard<nb::gil_scoped_release>());
  bind_sizes(c);
  bind_arrays(c);
  c.def(
      "names", [](const ModelHandle& h, const std::string& kind) { return h.names(element_kind(kind)); },
      nb::arg("kind"),
      "names of all bodies, joints, geoms, sites, actuators, tendons, equalities, keyframes or sensors");
  c.def(
      "find",
      [](const ModelHandle& h, const std::string& kind, const std::string& name) {
        return h.find(element_kind(kind), name);
      },
      nb::arg("kind"), nb::arg("name"), "index of the element of that kind and name");
  c.def("field", &field_values, nb::arg("name"), "numbers of a field such as 'body.mass', of all elements");
  c.def("keyframe_arrays", &keyframe, nb::arg("index"),
        "(qpos, qvel, act, ctrl, time) of a keyframe; -1: of the reference configuration");
  c.def("keyframe_mocap", &keyframe_mocap, nb::arg("index"),
        "(nmocap, 7) position, m, and quaternion w x y z of the mocap bodies in a keyframe; -1: as in the model");
  c.def(
      "to_bytes",
      [](const ModelHandle& h) {
        const std::string bytes = to_bytes(kSpecTag, h.spec());
        return nb::bytes(bytes.data(), bytes.size());
      },
      "all of the model; `load_bytes` reads it");
}

}  // namespace uzawa::python
