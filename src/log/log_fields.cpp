#include "uzawa/log/log_fields.hpp"

#include <numeric>
#include <string_view>

namespace uzawa {

namespace {

void push(std::vector<double>& out, const Vec3& x) { out.insert(out.end(), {x.x(), x.y(), x.z()}); }

void pack_contacts(const std::vector<LogContact>& contacts, PackedFrame& out) {
  out.position.clear();
  out.normal.clear();
  out.gap.clear();
  out.force.clear();
  out.geoms.clear();
  out.key.clear();
  for (const LogContact& contact : contacts) {
    push(out.position, contact.position);
    push(out.normal, contact.normal);
    out.gap.push_back(contact.gap);
    push(out.force, contact.force);
    out.geoms.insert(out.geoms.end(), {contact.geom1, contact.geom2});
    out.key.push_back(contact.key);
  }
}

void pack_rows(const std::vector<LogRow>& rows, PackedFrame& out) {
  out.source.clear();
  out.element.clear();
  out.part.clear();
  out.row_force.clear();
  for (const LogRow& row : rows) {
    out.source.push_back(row.source);
    out.element.push_back(row.element);
    out.part.push_back(row.part);
    out.row_force.push_back(row.force);
  }
}

}  // namespace

std::size_t field_width(const LogField& field, const LogInfo& info) {
  const std::string_view name = field.name;
  if (field.width != LogField::kAsGiven) return static_cast<std::size_t>(field.width);
  if (name == "q") return info.start.q.size();
  if (name == "activation") return info.start.activation.size();
  if (name == "mocap") return info.start.mocap.size();
  if (name == "mocap_velocity") return info.start.mocap_v.size();
  if (name == "control") return info.actuators.size();
  if (name == "sensors") return static_cast<std::size_t>(std::reduce(info.sensor_size.begin(), info.sensor_size.end()));
  return info.start.v.size();
}

void pack(const LogFrame& frame, PackedFrame& out) {
  const StepReport& report = frame.report;
  const StageTimes& times = report.times;
  out.time = {frame.state.time};
  out.q = frame.state.q;
  out.v = frame.state.v;
  out.activation = frame.state.activation;
  out.mocap = frame.state.mocap;
  out.mocap_v = frame.state.mocap_v;
  out.control = frame.control;
  out.external = frame.external;
  out.sensors = frame.sensors;
  out.energy = {frame.kinetic, frame.potential};
  out.status = {static_cast<int>(report.status)};
  out.solve_status = {static_cast<int>(report.solve_status)};
  out.iterations = {report.iterations};
  out.inner_iterations = {report.inner_iterations};
  out.islands = {report.islands};
  out.constraints = {report.constraints};
  out.resolves = {report.resolves};
  out.residual = {report.residual};
  out.siconos = {report.siconos};
  out.penetration = {report.penetration};
  out.stage_seconds = {times.dynamics, times.collision, times.assembly, times.solve, times.integrate};
  pack_contacts(frame.contacts, out);
  pack_rows(frame.rows, out);
}

void unpack(const PackedFrame& p, LogFrame& out) {
  out.state = {p.q, p.v, p.activation, p.time[0], p.mocap, p.mocap_v};
  out.control = p.control;
  out.external = p.external;
  out.sensors = p.sensors;
  out.kinetic = p.energy[0];
  out.potential = p.energy[1];
  StepReport& report = out.report;
  report.status = static_cast<StepStatus>(p.status[0]);
  report.solve_status = static_cast<SolveStatus>(p.solve_status[0]);
  report.iterations = p.iterations[0];
  report.inner_iterations = p.inner_iterations[0];
  report.islands = p.islands[0];
  report.constraints = p.constraints[0];
  report.resolves = p.resolves[0];
  report.contacts = static_cast<int>(p.gap.size());
  report.residual = p.residual[0];
  report.siconos = p.siconos[0];
  report.penetration = p.penetration[0];
  const std::vector<double>& s = p.stage_seconds;
  report.times = {s[0], s[1], s[2], s[3], s[4]};
  out.contacts.resize(p.gap.size());
  for (std::size_t c = 0; c < p.gap.size(); ++c) {
    out.contacts[c] = {p.geoms[2 * c],
                       p.geoms[2 * c + 1],
                       Vec3::from(&p.position[3 * c]),
                       Vec3::from(&p.normal[3 * c]),
                       p.gap[c],
                       Vec3::from(&p.force[3 * c]),
                       p.key[c]};
  }
  out.rows.resize(p.source.size());
  for (std::size_t r = 0; r < p.source.size(); ++r)
    out.rows[r] = {p.source[r], p.element[r], p.part[r], p.row_force[r]};
}

}  // namespace uzawa
