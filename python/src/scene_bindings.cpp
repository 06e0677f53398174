#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "model_handle.hpp"
#include "simulation.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::python {

namespace {

using scenarios::Description;
using scenarios::SceneRun;

const Description& find_description(const std::string& name) {
  if (const Description* found = scenarios::find_scene(name)) return *found;
  throw InputError("", "scene '" + name + "'",
                   "is not known; the nearest is '" + std::string(scenarios::nearest_scene(name)) + "'");
}

/// A scene that runs: its world is driven by its own controller.
class Scene {
 public:
  Scene(const std::string& name, const std::map<std::string, double>& parameters, std::uint64_t seed,
        const WorldOptions& options)
      : description_(find_description(name)), parameters_(description_.parameters) {
    for (const auto& [key, value] : parameters) parameters_.set(key, value);
    const SimSettings own = SceneRun::settings(description_, parameters_);
    SimSettings settings = to_settings(options);
    if (options.dt == 0) settings.dt = own.dt;
    settings.assembly = own.assembly;
    run_ = std::make_unique<SceneRun>(description_, parameters_, seed, settings);
  }

  const Description& description() const { return description_; }
  const SceneRun& run() const { return *run_; }
  std::string parameters() const { return parameters_.text(); }

  Report step(int count) {
    if (count < 1) throw InputError("", "nstep", "must be at least 1");
    if (busy_.exchange(true)) throw std::runtime_error("the scene is in use by another thread");
    Report report;
    try {
      for (int k = 0; k < count && report.status != StepStatus::Failed; ++k) {
        const nb::gil_scoped_release release;
        report.add(run_->step());
        if ((k & 15) == 15) {
          const nb::gil_scoped_acquire acquire;
          if (PyErr_CheckSignals() != 0) throw nb::python_error();
        }
      }
    } catch (...) {
      busy_ = false;
      throw;
    }
    busy_ = false;
    report.time = run_->world().state().time;
    return report;
  }
  FullSnapshot save() const {
    return {run_->world().save(), run_->drive().control, run_->drive().external, run_->world().state().mocap};
  }

 private:
  const Description& description_;
  scenarios::Parameters parameters_;
  std::unique_ptr<SceneRun> run_;
  std::atomic<bool> busy_ = false;
};

}  // namespace

void bind_scene(nb::module_& m) {
  m.def(
      "scenes",
      [] {
        std::vector<std::tuple<std::string, std::string>> out;
        for (const Description& scene : scenarios::scenes()) out.emplace_back(scene.name, scene.summary);
        return out;
      },
      "(name, summary) of all scenes");
  m.def(
      "scene_parameters",
      [](const std::string& name) {
        std::vector<std::tuple<std::string, double, double, double, std::string>> out;
        for (const scenarios::Parameter& p : find_description(name).parameters) {
          out.emplace_back(p.name, p.value, p.least, p.most, p.about);
        }
        return out;
      },
      nb::arg("name"), "(name, default, least, most, meaning) of a scene's parameters");

  nb::class_<Scene> c(m, "Scene", "A named scene: model, start, controller and check");
  c.def(nb::init<const std::string&, const std::map<std::string, double>&, std::uint64_t, const WorldOptions&>());
  c.def_prop_ro("name", [](const Scene& s) { return s.description().name; });
  c.def_prop_ro("summary", [](const Scene& s) { return s.description().summary; });
  c.def_prop_ro("parameters", &Scene::parameters, "all parameters of this run, as text");
  c.def_prop_ro(
      "duration", [](const Scene& s) { return s.run().times().duration; }, "s, usual length of a run");
  c.def_prop_ro(
      "time", [](const Scene& s) { return s.run().world().state().time; }, "s, simulated");
  c.def_prop_ro(
      "dt", [](const Scene& s) { return s.run().world().dt(); }, "s, of a step");
  c.def_prop_ro(
      "qpos", [](const Scene& s) { return new_array(s.run().world().state().q); }, nb::rv_policy::automatic, "a copy");
  c.def_prop_ro(
      "qvel", [](const Scene& s) { return new_array(s.run().world().state().v); }, nb::rv_policy::automatic, "a copy");
  c.def(
      "model_handle", [](const Scene& s) { return ModelHandle(s.run().world().shared_model(), {}); },
      "the model, which `model` wraps");
  c.def("save", &Scene::save, "all that a World of the same model goes on from; the controller's memory is not in it");
  c.def("step", &Scene::step, nb::arg("nstep") = 1, "Makes steps under the scene's own controller");
  c.def(
      "check_result",
      [](const Scene& s) {
        const scenarios::Outcome o = s.run().check();
        return std::tuple(o.holds, o.expected, o.measured, o.wrong);
      },
      "(holds, expected, measured, wrong)");
}

}  // namespace uzawa::python
