#include "divergence.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace uzawa::cli {

namespace {

// rad or m in one step: a full turn within a step can't be told from none, and what moves by metres in a step has
// passed through everything.
constexpr double kMostAStep = 2 * std::numbers::pi;

/// Joint that a dof belongs to.
int joint_of(const Model& model, int dof) {
  int joint = 0;
  for (int j = 0; j < static_cast<int>(model.spec().joints.size()); ++j) {
    if (model.joint_v(j) <= dof) joint = j;
  }
  return joint;
}

const char* unit_of(const Model& model, int joint, int dof) {
  const JointType type = model.spec().joints[static_cast<std::size_t>(joint)].type;
  const bool slides = type == JointType::Slide || (type == JointType::Free && dof - model.joint_v(joint) < 3);
  return slides ? "m/s" : "rad/s";
}

}  // namespace

std::string divergence(const World& world) {
  const Model& model = world.model();
  const std::vector<double>& v = world.state().v;
  int worst = -1;
  for (int i = 0; i < static_cast<int>(v.size()); ++i) {
    const double here = std::abs(v[static_cast<std::size_t>(i)]);
    if (std::isfinite(here) && here * world.dt() <= kMostAStep) continue;
    if (worst >= 0 && !(here > std::abs(v[static_cast<std::size_t>(worst)]))) continue;
    worst = i;
  }
  if (worst < 0 || model.spec().joints.empty()) return "";
  const int index = joint_of(model, worst);
  const JointSpec& joint = model.spec().joints[static_cast<std::size_t>(index)];
  const std::string& body = model.spec().bodies[static_cast<std::size_t>(joint.body)].name;
  const std::string name = joint.name.empty() ? fmt::format("joint {}", index) : fmt::format("joint '{}'", joint.name);
  return fmt::format("joint velocities diverged at t = {:.4g} s, {}{} at {:.3g} {}", world.state().time, name,
                     body.empty() ? "" : fmt::format(" of body '{}'", body), v[static_cast<std::size_t>(worst)],
                     unit_of(model, index, worst));
}

}  // namespace uzawa::cli
