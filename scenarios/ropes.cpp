#include "uzawa/scenarios/ropes.hpp"

#include "uzawa/base/at.hpp"
#include "uzawa/scenarios/measure.hpp"

namespace uzawa::scenarios {

int add_rope(ModelSpec& spec, const std::vector<Vec3>& points, const RodOptions& options, double strands) {
  const int rod = add_rod(spec, points, options);
  for (RodJointSpec& joint : spec.rods[at(rod)].joints) joint.angular_stiffness *= 1 / strands;
  return rod;
}

std::vector<Vec3> axis_of_rod(const Model& model, int rod, const State& state) {
  const RodSpec& links = model.spec().rods[at(rod)];
  const auto point = [&](int link, const Vec3& local) {
    const double* q = &state.q[q_of(model, links.bodies[at(link)])];
    return Vec3::from(q) + rotate(Quat::from(q + 3), local);
  };
  std::vector<Vec3> axis;
  axis.push_back(point(0, -links.joints.front().first_anchor));
  for (const RodJointSpec& joint : links.joints) {
    axis.push_back(0.5 * (point(joint.first, joint.first_anchor) + point(joint.second, joint.second_anchor)));
  }
  const RodJointSpec& last = links.joints.back();
  axis.push_back(point(last.second, -last.second_anchor));
  return axis;
}

}  // namespace uzawa::scenarios
