#include <nanobind/stl/array.h>

#include "archive.hpp"
#include "bindings.hpp"
#include "contact_columns.hpp"
#include "model_handle.hpp"
#include "simulation.hpp"

namespace uzawa::python {

namespace {

using Guard = Simulation::Guard;

const std::string kOptionsTag = std::string("uzawa options ") + UZAWA_VERSION;

nb::bytes to_python(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }
std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

void bind_options(nb::module_& m) {
  nb::class_<WorldOptions> c(m, "Options", "Settings of a world");
  c.def(nb::init<>());
  c.def_rw("dt", &WorldOptions::dt, "s; 0: the model's own");
  c.def_rw("theta", &WorldOptions::theta, "0: semi-implicit Euler, 0.5: midpoint");
  c.def_rw("solver", &WorldOptions::solver, "method by name");
  c.def_rw("tolerance", &WorldOptions::tolerance, "m/s and N s");
  c.def_rw("threads", &WorldOptions::threads, "of one step; the bits do not depend on it");
  c.def_rw("restitution", &WorldOptions::restitution, "of every contact, 0 to 1");
  c.def_rw("warm_start", &WorldOptions::warm_start, "start from the last step's impulses");
  c.def_rw("work", &WorldOptions::work, "Newton steps a solve may take; 0: no limit");
  c.def_rw("budget_us", &WorldOptions::budget_us, "us of wall time a step may take; 0: no limit");
  c.def_rw("sleep", &WorldOptions::sleep, "resting islands are left out");
  c.def_rw("energy", &WorldOptions::energy, "book energies");
  c.def_rw("settings", &WorldOptions::settings, "settings of methods, (name, value) each");
  c.def(
      "to_bytes", [](const WorldOptions& o) { return to_python(to_bytes(kOptionsTag, o)); },
      "all of them; `from_bytes` reads it");
  c.def_static(
      "from_bytes", [](const nb::bytes& b) { return from_bytes<WorldOptions>(kOptionsTag, view(b)); }, nb::arg("data"),
      "Raises InputError where these are no bytes of `to_bytes`, or damaged");
}

void bind_snapshot(nb::module_& m) {
  nb::class_<FullSnapshot> c(m, "Snapshot",
                             "All that a world goes on from. A restored world goes on with the same bits.");
  c.def_prop_ro(
      "qpos", [](const FullSnapshot& s) { return new_array(s.world.state.q); }, nb::rv_policy::automatic);
  c.def_prop_ro(
      "qvel", [](const FullSnapshot& s) { return new_array(s.world.state.v); }, nb::rv_policy::automatic);
  c.def_prop_ro(
      "ctrl", [](const FullSnapshot& s) { return new_array(s.control); }, nb::rv_policy::automatic);
  c.def_prop_ro(
      "time", [](const FullSnapshot& s) { return s.world.state.time; }, "s");
  c.def(
      "to_bytes", [](const FullSnapshot& s) { return to_python(snapshot_bytes(s)); },
      "all of it; `from_bytes` reads it");
  c.def_static(
      "from_bytes", [](const nb::bytes& b) { return snapshot_from_bytes(view(b)); }, nb::arg("data"),
      "Raises InputError where these are no bytes of `to_bytes`, or damaged");
  c.def(
      "__eq__", [](const FullSnapshot& a, const FullSnapshot& b) { return snapshot_bytes(a) == snapshot_bytes(b); },
      nb::is_operator(), nb::sig("def __eq__(self, arg: object, /) -> bool"));
  c.def(
      "__copy__", [](nb::object self) { return self; }, nb::sig("def __copy__(self) -> Snapshot"));
  c.def(
      "__deepcopy__", [](nb::object self, nb::handle) { return self; },
      nb::sig("def __deepcopy__(self, memo: object, /) -> Snapshot"));
  c.def("__repr__",
        [](const FullSnapshot& s) { return "<uzawa.Snapshot at t = " + std::to_string(s.world.state.time) + " s>"; });
}

template <auto kBuffer>
auto live(Simulation& s) {
  return (s.*kBuffer).array();
}
/// `world.qpos = x` writes into the same memory.
template <auto kBuffer>
void assign(Simulation& s, const nb::object& value) {
  (s.*kBuffer).array()[nb::ellipsis()] = value;
}
template <auto kBuffer>
auto frame(Simulation& s) {
  Frames& frames = s.frames();
  return (frames.*kBuffer).constant_array();
}

void bind_arrays(nb::class_<Simulation>& c) {
  using S = Simulation;
  c.def_prop_rw("qpos", &live<&S::qpos>, &assign<&S::qpos>, "(nq,) m, rad, quaternions w x y z; live");
  c.def_prop_rw("qvel", &live<&S::qvel>, &assign<&S::qvel>,
                "(nv,) m/s, rad/s; live. Free joint: linear in world axes, angular in the body's");
  c.def_prop_rw("act", &live<&S::act>, &assign<&S::act>, "(na,) actuator states; live");
  c.def_prop_rw("ctrl", &live<&S::ctrl>, &assign<&S::ctrl>, "(nu,) controls; live");
  c.def_prop_rw("qfrc_applied", &live<&S::applied>, &assign<&S::applied>, "(nv,) N, N m; live");
  c.def_prop_rw("mocap_pos", &live<&S::mocap_pos>, &assign<&S::mocap_pos>,
                "(nmocap, 3) m, where the next step takes the mocap bodies; live");
  c.def_prop_rw("mocap_quat", &live<&S::mocap_quat>, &assign<&S::mocap_quat>,
                "(nmocap, 4) w x y z, as the next step turns the mocap bodies; live");
  c.def_rw("time", &S::time, "s, simulated");
  c.def_prop_ro("xpos", &frame<&Frames::xpos>, "(nbody, 3) m, origins of the bodies at the present state");
  c.def_prop_ro("xquat", &frame<&Frames::xquat>, "(nbody, 4) orientations of the bodies, w x y z");
  c.def_prop_ro("xmat", &frame<&Frames::xmat>, "(nbody, 9) the same as matrices, by rows");
  c.def_prop_ro("cvel", &frame<&Frames::cvel>,
                "(nbody, 6) velocity of the body's origin, m/s, and angular velocity, rad/s; world axes");
  c.def_prop_ro("geom_xpos", &frame<&Frames::geom_xpos>, "(ngeom, 3) m");
  c.def_prop_ro("geom_xmat", &frame<&Frames::geom_xmat>, "(ngeom, 9) by rows");
  c.def_prop_ro("site_xpos", &frame<&Frames::site_xpos>, "(nsite, 3) m");
  c.def_prop_ro("site_xmat", &frame<&Frames::site_xmat>, "(nsite, 9) by rows");
}

/// (geom1, geom2, position, normal, gap, force): n, n, n x 3, n x 3, n, n x 3
nb::tuple contact_arrays(Simulation& s) {
  const Guard guard(s);
  const std::vector<LogContact>& contacts = s.frame().contacts;
  nb::list columns = contact_columns(contacts);
  columns.append(vector_column(contacts, [](const LogContact& c) -> const Vec3& { return c.force; }));
  return nb::tuple(columns);
}

}  // namespace

void bind_world(nb::module_& m) {
  bind_options(m);
  bind_snapshot(m);
  nb::class_<Simulation> c(m, "World", "A model that moves.", nb::dynamic_attr(), nb::is_weak_referenceable());
  c.def("__init__", [](Simulation* self, const ModelHandle& model, const WorldOptions& options) {
    new (self) Simulation(model.shared(), options);
  });
  bind_arrays(c);
  c.def_prop_ro("options", [](const Simulation& s) { return s.options(); });
  c.def_prop_ro(
      "dt", [](Simulation& s) { return s.world().dt(); }, "s, of a step");
  c.def_prop_ro(
      "sensordata",
      [](Simulation& s) {
        const Guard guard(s);
        const std::span<const double> values = s.world().sensor_values();
        return new_array(std::vector<double>(values.begin(), values.end()));
      },
      nb::rv_policy::automatic, "(nsensordata,) readings after the last step; zeros before it");
  c.def_prop_ro(
      "report", [](const Simulation& s) { return s.report; }, "of the last call of `step`");
  c.def(
      "step",
      [](Simulation& s, int nstep) {
        const Guard guard(s);
        return s.step(nstep);
      },
      nb::arg("nstep") = 1,
      "Makes steps with the controls in `ctrl` and the forces in `qfrc_applied`. Other threads of Python run "
      "meanwhile; "
      "Ctrl-C ends it between two steps. A failed step ends it and leaves the state before it.");
  c.def(
      "set_start",
      [](Simulation& s, ConstArray q, ConstArray v, ConstArray act, ConstArray ctrl, double time, ConstArray mocap) {
        const Guard guard(s);
        const auto list = [](const ConstArray& a) { return std::vector<double>(a.data(), a.data() + a.size()); };
        s.reset(State{list(q), list(v), list(act), time, list(mocap)}, list(ctrl));
      },
      nb::arg("qpos"), nb::arg("qvel"), nb::arg("act"), nb::arg("ctrl"), nb::arg("time"), nb::arg("mocap"),
      "A new start from these numbers; mocap: 7 a body. `reset` takes them from a keyframe.");
  c.def(
      "place_mocap",
      [](Simulation& s) {
        const Guard guard(s);
        s.place_mocap();
      },
      "Puts the mocap bodies where `mocap_pos` and `mocap_quat` say at once, at rest, as a new start.");
  c.def(
      "save",
      [](Simulation& s) {
        const Guard guard(s);
        return s.save();
      },
      "All that the world goes on from, `ctrl` included.");
  c.def(
      "restore",
      [](Simulation& s, const FullSnapshot& snapshot) {
        const Guard guard(s);
        s.restore(snapshot);
      },
      nb::arg("snapshot"), "Goes back to what `save` returned; the next steps have the same bits.");
  c.def(
      "start_recording",
      [](Simulation& s, const std::string& path, int every) {
        const Guard guard(s);
        s.record(path, every);
      },
      nb::arg("path"), nb::arg("every"),
      "Writes further steps into a log or replay; `record` does it with a name of its own.");
  c.def(
      "end_recording",
      [](Simulation& s) {
        const Guard guard(s);
        s.end_recording();
      },
      "The file gets its name; nothing where there is none.");
  c.def("contact_arrays", &contact_arrays,
        "(geom1, geom2, point, normal, gap, force) of the last step as arrays; m, N; force on geom2 in world axes");
}

}  // namespace uzawa::python
