#include "bindings.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/log/log_reader.hpp"

namespace uzawa::python {

namespace {

/// Numbers of all frames, one below the other.
struct Columns {
  std::vector<double> time, qpos, qvel, ctrl, residual, penetration, kinetic, potential;
  std::vector<int> contacts, iterations;
  std::vector<int> contact_frame, contact_geom1, contact_geom2;
  std::vector<double> contact_position, contact_normal, contact_gap, contact_force;

  void add(const LogFrame& frame, int index) {
    const auto append = [](std::vector<double>& to, const std::vector<double>& x) {
      to.insert(to.end(), x.begin(), x.end());
    };
    time.push_back(frame.state.time);
    append(qpos, frame.state.q);
    append(qvel, frame.state.v);
    append(ctrl, frame.control);
    residual.push_back(frame.report.residual);
    penetration.push_back(frame.report.penetration);
    kinetic.push_back(frame.kinetic);
    potential.push_back(frame.potential);
    contacts.push_back(static_cast<int>(frame.contacts.size()));
    iterations.push_back(frame.report.iterations);
    for (const LogContact& contact : frame.contacts) {
      contact_frame.push_back(index);
      contact_geom1.push_back(contact.geom1);
      contact_geom2.push_back(contact.geom2);
      contact_gap.push_back(contact.gap);
      for (int k = 0; k < 3; ++k) {
        contact_position.push_back(contact.position[k]);
        contact_normal.push_back(contact.normal[k]);
        contact_force.push_back(contact.force[k]);
      }
    }
  }
};

nb::dict read_log(const std::string& path) {
  LogReader reader(path);
  Columns all;
  LogFrame frame;
  for (std::size_t i = 0; i < reader.frames(); ++i) {
    reader.read(i, frame);
    all.add(frame, static_cast<int>(i));
  }
  const std::size_t n = reader.frames(), m = all.contact_gap.size();
  const auto table = [&](std::vector<double> values, std::size_t rows) {
    const std::size_t width = rows == 0 ? 0 : values.size() / rows;
    return new_array(std::move(values), {rows, width});
  };
  nb::dict out;
  out["time"] = new_array(std::move(all.time));
  out["qpos"] = table(std::move(all.qpos), n);
  out["qvel"] = table(std::move(all.qvel), n);
  out["ctrl"] = table(std::move(all.ctrl), n);
  out["residual"] = new_array(std::move(all.residual));
  out["penetration"] = new_array(std::move(all.penetration));
  out["kinetic_energy"] = new_array(std::move(all.kinetic));
  out["potential_energy"] = new_array(std::move(all.potential));
  out["contacts"] = new_array(std::move(all.contacts));
  out["iterations"] = new_array(std::move(all.iterations));
  out["contact_frame"] = new_array(std::move(all.contact_frame));
  out["contact_geom1"] = new_array(std::move(all.contact_geom1));
  out["contact_geom2"] = new_array(std::move(all.contact_geom2));
  out["contact_gap"] = new_array(std::move(all.contact_gap));
  out["contact_point"] = table(std::move(all.contact_position), m);
  out["contact_normal"] = table(std::move(all.contact_normal), m);
  out["contact_force"] = table(std::move(all.contact_force), m);
  out["info"] = nb::dict();
  nb::dict info = nb::borrow<nb::dict>(out["info"]);
  info["model"] = reader.info().model;
  info["source"] = reader.info().source;
  info["solver"] = reader.info().solver;
  info["dt"] = reader.info().dt;
  info["bodies"] = reader.info().bodies;
  info["joints"] = reader.info().joints;
  info["geoms"] = reader.info().geoms;
  info["actuators"] = reader.info().actuators;
  return out;
}

}  // namespace

void bind_log(nb::module_& m) {
  m.def("read_log", &read_log, nb::arg("path"), "all frames of a log as a dict of arrays");
}

}  // namespace uzawa::python
