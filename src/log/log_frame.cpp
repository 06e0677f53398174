#include "uzawa/log/log_frame.hpp"

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

namespace {

template <typename Element>
std::vector<std::string> names(const std::vector<Element>& elements) {
  std::vector<std::string> out;
  out.reserve(elements.size());
  for (const Element& element : elements) out.push_back(element.name);
  return out;
}

void assign_or_zeros(std::vector<double>& out, std::span<const double> given, int size) {
  if (given.empty()) {
    out.assign(at(size), 0.0);
  } else {
    out.assign(given.begin(), given.end());
  }
}

}  // namespace

LogInfo describe(const World& world) {
  const ModelSpec& spec = world.model().spec();
  LogInfo info;
  info.model = spec.name;
  info.source = spec.source;
  info.solver = world.settings().solver;
  info.dt = world.dt();
  info.theta = world.settings().theta;
  info.tolerance = world.settings().solve.tolerance;
  info.restitution = world.settings().assembly.restitution;
  info.threads = world.settings().solve.threads;
  info.bodies = names(spec.bodies);
  info.joints = names(spec.joints);
  info.geoms = names(spec.geoms);
  info.actuators = names(spec.actuators);
  info.tendons = names(spec.tendons);
  info.equalities = names(spec.equalities);
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    info.joint_type.push_back(static_cast<int>(spec.joints[j].type));
    info.joint_q.push_back(world.model().joint_q(static_cast<int>(j)));
    info.joint_v.push_back(world.model().joint_v(static_cast<int>(j)));
  }
  for (const GeomSpec& geom : spec.geoms) info.geom_body.push_back(geom.body);
  info.sensors = names(spec.sensors);
  for (const SensorSpec& sensor : spec.sensors) info.sensor_size.push_back(sensor_size(sensor.type));
  info.start = world.state();
  return info;
}

FrameMaker::FrameMaker(const World& world) : world_(world), labels_(world.model()), data_(world.model()) {}

const LogFrame& FrameMaker::make(std::span<const double> control, std::span<const double> external) {
  const Model& model = world_.model();
  frame_.state = world_.state();
  frame_.report = world_.report();
  assign_or_zeros(frame_.control, control, model.nu());
  assign_or_zeros(frame_.external, external, model.nv());
  frame_.sensors.assign(world_.sensor_values().begin(), world_.sensor_values().end());
  add_contacts();
  add_rows();
  forward_kinematics(model, frame_.state, data_);
  link_velocities(model, frame_.state.v, data_);
  frame_.kinetic = kinetic_energy(model, frame_.state.v, data_);
  frame_.potential = potential_energy(model, data_);
  return frame_;
}

void FrameMaker::add_contacts() {
  frame_.contacts.clear();
  const Problem& problem = world_.problem();
  const std::vector<double>& lambda = world_.result().lambda;
  int next = 0;  // contact of the problem, which has them in the same order but for those that hold nothing that moves
  for (const Contact& contact : world_.contacts()) {
    LogContact& out = frame_.contacts.emplace_back();
    out.geom1 = contact.geom1;
    out.geom2 = contact.geom2;
    out.position = contact.position;
    out.normal = contact.normal;
    out.gap = contact.gap;
    out.key = contact.key;
    const bool pushes =
        next < problem.contacts.size() && world_.keys()[at(problem.contacts.constraint[at(next)])] == contact.key;
    if (!pushes) continue;
    const Vec3 impulse = Vec3::from(&lambda[at(problem.contacts.row[at(next)])]);
    out.force = contact_frame(world_.model(), contact) * impulse * (1 / world_.dt());
    ++next;
  }
}

void FrameMaker::add_rows() {
  frame_.rows.clear();
  const Problem& problem = world_.problem();
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const ConstraintRef& ref = problem.constraints[c];
    if (Problem::dims(ref.kind) == 3 || ref.kind == ConstraintKind::Soft) continue;
    const RowLabel* label = labels_.find(world_.keys()[c]);
    LogRow row;
    if (label != nullptr) row = {static_cast<int>(label->source), label->element, label->part, 0};
    row.force = world_.result().lambda[at(ref.row)] / world_.dt();
    frame_.rows.push_back(row);
  }
}

}  // namespace uzawa
