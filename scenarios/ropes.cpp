#include "uzawa/scenarios/ropes.hpp"

#include <algorithm>
#include <cmath>

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

double angle_on_cylinder(const std::vector<Vec3>& points, const Vec3& middle, double reach) {
  double angle = 0, last = 0;
  bool begun = false;
  for (const Vec3& point : points) {
    const Vec3 arm = point - middle;
    const bool on = std::hypot(arm.x(), arm.y()) <= reach;
    if (begun && !on) break;
    const double now = std::atan2(arm.y(), arm.x());
    if (begun) angle += std::remainder(now - last, 2 * M_PI);
    last = now;
    begun = on;
  }
  return angle;
}

double speed_of_rod(const Model& model, int rod, const State& state) {
  double most = 0;
  for (const int link : model.spec().rods[static_cast<std::size_t>(rod)].bodies) {
    most = std::max(most, norm(Vec3::from(&state.v[v_of(model, link)])));
  }
  return most;
}

}  // namespace uzawa::scenarios
