#include <nanobind/stl/optional.h>

#include "batch.hpp"
#include "mocap_goals.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa::python {

namespace {

using Guard = Batch::Guard;

std::span<const std::int64_t> ids_of(const ConstIntArray& ids) { return {ids.data(), ids.size()}; }

void check_count(int nstep) {
  if (nstep < 1) throw InputError("", "nstep", "must be at least 1");
}

std::vector<State> rows_of(const Model& model, const ConstArray& q, const ConstArray& v, const ConstArray& act,
                           const ConstArray& time, const ConstArray& mocap) {
  const std::size_t rows = time.size();
  const auto width = [&](const ConstArray& a, int expected, const char* name) {
    const auto w = static_cast<std::size_t>(expected);
    if (a.size() != rows * w) throw InputError(model.spec().source, name, "has a wrong shape");
    return w;
  };
  const std::size_t nq = width(q, model.nq(), "qpos"), nv = width(v, model.nv(), "qvel"),
                    na = width(act, model.na(), "act"),
                    nm = width(mocap, 7 * static_cast<int>(model.mocap_bodies().size()), "mocap");
  std::vector<State> states(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    states[i].q.assign(q.data() + i * nq, q.data() + (i + 1) * nq);
    states[i].v.assign(v.data() + i * nv, v.data() + (i + 1) * nv);
    states[i].activation.assign(act.data() + i * na, act.data() + (i + 1) * na);
    states[i].time = time.data()[i];
    states[i].mocap.assign(mocap.data() + i * nm, mocap.data() + (i + 1) * nm);
    check_mocap(model, states[i].mocap);
  }
  return states;
}

void reset(Batch& batch, ConstIntArray ids, ConstArray q, ConstArray v, ConstArray act, ConstArray control,
           ConstArray time, ConstArray mocap) {
  const Guard guard(batch);
  const std::vector<State> states = rows_of(batch.model(), q, v, act, time, mocap);
  const auto nu = static_cast<std::size_t>(batch.model().nu());
  if ((states.size() != 1 && states.size() != ids.size()) || control.size() != states.size() * nu) {
    throw InputError("", "reset", "takes one row of the state, or one for each of the simulations");
  }
  std::vector<std::vector<double>> controls(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    controls[i].assign(control.data() + i * nu, control.data() + (i + 1) * nu);
  }
  const nb::gil_scoped_release release;
  batch.reset(ids_of(ids), states, controls);
}

void change(Batch& batch, const std::string& name, int element, ConstIntArray ids, ConstArray values) {
  const Guard guard(batch);
  const ChangeField& field = find_change_field(name);
  if (values.size() != ids.size() * static_cast<std::size_t>(field.width)) {
    throw InputError("", name, "takes " + std::to_string(field.width) + " numbers a simulation");
  }
  batch.change(field, element, ids_of(ids), {values.data(), values.size()});
}

nb::dict rollout(Batch& batch, ConstArray controls, int nstep, const std::vector<std::string>& names) {
  const Guard guard(batch);
  check_count(nstep);
  const std::size_t n = batch.size();
  if (controls.ndim() != 3 || controls.shape(0) != n ||
      controls.shape(2) != static_cast<std::size_t>(batch.model().nu())) {
    throw InputError("", "controls", "must have the shape (nsim, horizon, nu)");
  }
  const std::size_t horizon = controls.shape(1);
  std::vector<Batch::Record> records;
  for (const std::string& name : names) records.push_back(batch.make_record(name, horizon));
  in_pieces(static_cast<int>(horizon), [&](int first, int number) {
    batch.rollout({controls.data(), controls.size()}, horizon, static_cast<std::size_t>(first),
                  static_cast<std::size_t>(number), nstep, records);
  });
  nb::dict out;
  for (Batch::Record& record : records) {
    std::vector<std::size_t> shape{n, horizon};
    shape.insert(shape.end(), record.shape.begin(), record.shape.end());
    out[record.name.c_str()] = new_array(std::move(record.values), std::move(shape));
  }
  return out;
}

template <auto kBuffer>
auto live(Batch& b) {
  return (b.*kBuffer).array();
}
template <auto kBuffer>
auto constant(Batch& b) {
  return (b.*kBuffer).constant_array();
}
template <auto kBuffer>
void assign(Batch& b, const nb::object& value) {
  (b.*kBuffer).array()[nb::ellipsis()] = value;
}
template <auto kBuffer>
auto frames(Batch& b) {
  const Guard guard(b);
  b.update_frames();
  return (b.*kBuffer).constant_array();
}

void bind_arrays(nb::class_<Batch>& c) {
  c.def_prop_rw("qpos", &live<&Batch::qpos>, &assign<&Batch::qpos>, "(nsim, nq) live");
  c.def_prop_rw("qvel", &live<&Batch::qvel>, &assign<&Batch::qvel>, "(nsim, nv) live");
  c.def_prop_rw("act", &live<&Batch::act>, &assign<&Batch::act>, "(nsim, na) live");
  c.def_prop_rw("ctrl", &live<&Batch::ctrl>, &assign<&Batch::ctrl>, "(nsim, nu) live");
  c.def_prop_rw("qfrc_applied", &live<&Batch::applied>, &assign<&Batch::applied>, "(nsim, nv) N, N m; live");
  c.def_prop_rw("mocap_pos", &live<&Batch::mocap_pos>, &assign<&Batch::mocap_pos>,
                "(nsim, nmocap, 3) m, where the next step takes the mocap bodies; live");
  c.def_prop_rw("mocap_quat", &live<&Batch::mocap_quat>, &assign<&Batch::mocap_quat>,
                "(nsim, nmocap, 4) w x y z, as the next step turns the mocap bodies; live");
  c.def_prop_rw("time", &live<&Batch::time>, &assign<&Batch::time>, "(nsim,) s; live");
  c.def_prop_ro("status_codes", &constant<&Batch::status>, "(nsim,) see `statuses`");
  c.def_prop_ro("residual", &constant<&Batch::residual>, "(nsim,) worst of the last call, m/s and N s");
  c.def_prop_ro("penetration", &constant<&Batch::penetration>, "(nsim,) m, deepest of the last call");
  c.def_prop_ro("ncon", &constant<&Batch::contacts>, "(nsim,) contacts of the last step");
  c.def_prop_ro("xpos", &frames<&Batch::xpos>, "(nsim, nbody, 3) m, made anew by every reading");
  c.def_prop_ro("xquat", &frames<&Batch::xquat>, "(nsim, nbody, 4) made anew by every reading");
}

}  // namespace

void bind_batch(nb::module_& m) {
  nb::class_<Batch> c(m, "Batch", "Many worlds of one model.", nb::dynamic_attr(), nb::is_weak_referenceable());
  c.def("__init__",
        [](Batch* self, const ModelHandle& model, std::size_t nsim, int threads, const WorldOptions& options) {
          const nb::gil_scoped_release release;
          new (self) Batch(model, nsim, threads, options);
        });
  bind_arrays(c);
  c.def_prop_ro("nsim", &Batch::size, "simulations");
  c.def_prop_ro("threads", &Batch::threads);
  c.def_prop_ro("dt", &Batch::dt, "s, of a step");
  c.def(
      "step_ids",
      [](Batch& b, ConstIntArray ids, int nstep) {
        const Guard guard(b);
        check_count(nstep);
        in_pieces(nstep, [&](int first, int number) { b.step(ids_of(ids), number, first > 0); });
      },
      nb::arg("ids"), nb::arg("nstep"), "`step`, with the indices as an array");
  c.def("reset_ids", &reset,
        "(ids, qpos, qvel, act, ctrl, time, mocap): `reset`, with arrays of one row for all or one each");
  c.def("change", &change, nb::arg("field"), nb::arg("element"), nb::arg("ids"), nb::arg("values"),
        "`randomize`, with indices and a row of numbers for each of the simulations");
  c.def(
      "changed",
      [](const Batch& b, const std::string& name, int element) {
        const ChangeField& field = find_change_field(name);
        const auto width = static_cast<std::size_t>(field.width);
        return new_array(b.changed(field, element), width == 1 ? std::vector{b.size()} : std::vector{b.size(), width});
      },
      nb::arg("field"), nb::arg("element"), "(nsim,) or (nsim, width): the numbers of a field of an element");
  c.def("rollout_arrays", &rollout, "(controls, nstep, record): `rollout`, with contiguous controls");
  c.def(
      "error",
      [](const Batch& b, std::size_t i) {
        if (i >= b.size()) throw InputError("", "simulation " + std::to_string(i), "is not in the batch");
        return b.error(i);
      },
      "why a simulation has failed; empty where it has not");
  c.def(
      "save_one",
      [](Batch& b, std::size_t i) {
        const Guard guard(b);
        if (i >= b.size()) throw InputError("", "simulation " + std::to_string(i), "is not in the batch");
        return b.save(i);
      },
      nb::arg("sim"), "a snapshot of one simulation");
  c.def(
      "restore_one",
      [](Batch& b, std::size_t i, const FullSnapshot& snapshot) {
        const Guard guard(b);
        if (i >= b.size()) throw InputError("", "simulation " + std::to_string(i), "is not in the batch");
        b.restore(i, snapshot);
      },
      nb::arg("sim"), nb::arg("snapshot"), "one simulation goes on from a snapshot");
}

}  // namespace uzawa::python
