#include "uzawa/scenarios/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/scenarios/builders.hpp"

namespace uzawa::scenarios {

namespace {

int first_joint(const Model& model, int body) {
  return model.links()[static_cast<std::size_t>(model.body_link(body))].joint_begin;
}

}  // namespace

std::size_t q_of(const Model& model, int body) {
  return static_cast<std::size_t>(model.joint_q(first_joint(model, body)));
}
std::size_t v_of(const Model& model, int body) {
  return static_cast<std::size_t>(model.joint_v(first_joint(model, body)));
}

double displacement(const Model& model, int body, const State& from, const State& to, double reach) {
  const std::size_t q = q_of(model, body);
  const Vec3 moved = Vec3::from(&to.q[q]) - Vec3::from(&from.q[q]);
  return norm(moved) + reach * norm(rotation_between(Quat::from(&from.q[q + 3]), Quat::from(&to.q[q + 3])));
}

void DriftWatch::watch(const World& world, double reach) {
  const int bodies = static_cast<int>(world.model().spec().bodies.size());
  for (int body = 1; body < bodies; ++body) {
    drift_ = std::max(drift_, displacement(world.model(), body, start_, world.state(), reach));
  }
}

double farthest_moved(const Model& model, std::span<const int> bodies, const State& from, const State& to) {
  double farthest = 0;
  for (const int body : bodies) {  // three slides or the place of a free joint: the first three of q either way
    const std::size_t q = q_of(model, body);
    farthest = std::max(farthest, norm(Vec3::from(&to.q[q]) - Vec3::from(&from.q[q])));
  }
  return farthest;
}

std::vector<Vec3> node_places(const Model& model, int soft_body, const State& state) {
  DynamicsData data(model);
  forward_kinematics(model, state.q, data);
  const SoftBodySpec& soft = model.spec().soft_bodies[static_cast<std::size_t>(soft_body)];
  std::vector<Vec3> places;
  places.reserve(soft.bodies.size());
  for (std::size_t i = 0; i < soft.bodies.size(); ++i) {
    places.push_back(body_pose(model, data, soft.bodies[i]) * (soft.offsets.empty() ? Vec3{} : soft.offsets[i]));
  }
  return places;
}

double CreepWatch::drift(const World& world, std::span<const int> bodies) const {
  return farthest_moved(world.model(), bodies, rest_, world.state());
}
double CreepWatch::creep(const World& world, std::span<const int> bodies) const {
  return drift(world, bodies) / std::max(world.state().time - rest_.time, world.dt());
}

void StepWatch::add(const StepReport& report) {
  ++steps_;
  if (report.status == StepStatus::Failed) ++failed_;
  // With friction polygons a step is judged by the problem that has them: what they cost is not the solver's error.
  const bool polygons = report.polygon_error > 0;
  if (!is_solved(report.status) && !polygons) ++unsolved_;
  penetration_ = std::max(penetration_, report.penetration);
  if (report.constraints > 0) residuals_.push_back(polygons ? report.method_error : report.residual);
}

double StepWatch::residual(double share) const {
  if (residuals_.empty()) return 0;
  std::vector<double> sorted = residuals_;
  const auto place = std::lround(share * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), sorted.begin() + place, sorted.end());
  return sorted[static_cast<std::size_t>(place)];
}

std::string StepWatch::text() const {
  if (failed_ > 0) return std::to_string(failed_) + " steps failed";
  if (unsolved_ > 0) return std::to_string(unsolved_) + " of " + std::to_string(steps_) + " steps not solved";
  return "all steps solved";
}

double limit_violation(const Model& model, const State& state) {
  double worst = 0;
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    if (!joint.range || (joint.type != JointType::Hinge && joint.type != JointType::Slide)) continue;
    const double q = state.q[static_cast<std::size_t>(model.joint_q(static_cast<int>(j)))];
    worst = std::max({worst, joint.range->lower - q, q - joint.range->upper});
  }
  return worst;
}

bool at_limit(const World& world) {
  constexpr double kNothing = 1e-9;  // N s or N m s
  const std::vector<int>& rows = world.problem().limits.row;
  return std::any_of(rows.begin(), rows.end(), [&](int row) {
    return std::abs(world.result().lambda[static_cast<std::size_t>(row)]) > kNothing;
  });
}

double tilt_of(const double* q) {
  const Vec3 axis = rotate(Quat::from(q + 3), {0, 0, 1});
  return std::atan2(length(axis.x(), axis.y()), axis.z());  // no argument is out of its range, as it would be of acos
}

namespace {

double fastest_of(std::span<const double> velocity) {
  double out = 0;
  for (const double v : velocity) out = std::max(out, std::abs(v));
  return out;
}

}  // namespace

double fastest(const State& state) { return fastest_of(state.v); }
double fastest(const Model& model, int body, const State& state) {
  return fastest_of(std::span(state.v).subspan(v_of(model, body), 6));
}

double fall_time(double height) { return std::sqrt(2 * height / kGravity); }
double rounded_up(double seconds) { return std::ceil(10 * seconds - 1e-9) / 10; }

double joint_friction(const World& world, int joint) {
  const std::span<const std::uint64_t> keys = world.keys();
  const auto found = std::find(keys.begin(), keys.end(), constraint_key(ConstraintSource::JointFriction, joint));
  if (found == keys.end()) return 0;
  const int row = world.problem().constraints[static_cast<std::size_t>(found - keys.begin())].row;
  return world.result().lambda[static_cast<std::size_t>(row)] / world.dt();
}

std::string with_unit(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, *unit != '\0' ? "%.3g %s" : "%.3g", value, unit);
  return text;
}

}  // namespace uzawa::scenarios
