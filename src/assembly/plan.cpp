#include "uzawa/assembly/plan.hpp"

#include <algorithm>

#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

std::vector<double> tendon_rest_lengths(const Model& model) {
  if (model.spec().tendons.empty()) return {};
  DynamicsData data(model);
  const State reference = model.reference_state();
  forward_kinematics(model, reference.q, data);
  tendon_lengths(model, reference.q, data);
  return data.tendon_length;
}

bool any_curved_constraint(const ModelSpec& spec) {
  const auto ranged_ball = [](const JointSpec& j) { return j.type == JointType::Ball && j.range.has_value(); };
  const auto ranged_path = [](const TendonSpec& t) { return !t.path.empty() && t.range.has_value(); };
  return !spec.equalities.empty() || std::any_of(spec.joints.begin(), spec.joints.end(), ranged_ball) ||
         std::any_of(spec.tendons.begin(), spec.tendons.end(), ranged_path);
}

bool any_bent_path(const ModelSpec& spec) {
  return std::any_of(spec.joints.begin(), spec.joints.end(),
                     [](const JointSpec& joint) { return joint.type != JointType::Free; });
}

}  // namespace

AssemblyPlan::AssemblyPlan(const Model& described)
    : model(described),
      blocks(described),
      tendon_rest_length(tendon_rest_lengths(described)),
      has_curved_constraints(any_curved_constraint(described.spec())),
      has_bent_paths(any_bent_path(described.spec())) {}

}  // namespace uzawa
