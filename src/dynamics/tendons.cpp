#include <algorithm>
#include <array>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/point_rates.hpp"
#include "uzawa/dynamics/sensors.hpp"
#include "uzawa/dynamics/wrapping.hpp"

namespace uzawa {

namespace {

/// A point of a tendon, fixed to a body for the moment.
struct PathPoint {
  Vec3 position;
  int body = 0;
};

/// The points that the stretch from path[k] to the next site runs through, and the length that lies on an obstacle
/// between the second and the third of them.
struct Stretch {
  std::array<PathPoint, 4> points;
  int count = 0;
  double wrapped = 0;
};

Stretch find_stretch(const Model& model, const DynamicsData& data, std::span<const TendonPoint> path) {
  const auto on_site = [&](int site) -> PathPoint {
    return {site_pose(model, data, site).position, model.spec().sites[at(site)].body};
  };
  const TendonPoint& next = path[1];
  if (next.geom < 0) return {{on_site(path[0].site), on_site(next.site)}, 2, 0};
  const PathPoint from = on_site(path[0].site), to = on_site(path[2].site);
  const GeomSpec& geom = model.spec().geoms[at(next.geom)];
  WrapObstacle obstacle{geom_pose(model, data, next.geom), geom.size.x(), geom.shape == ShapeType::Cylinder, {}};
  if (next.side_site >= 0) obstacle.side = site_pose(model, data, next.side_site).position;
  const std::optional<WrapPath> wrapped = wrap(obstacle, from.position, to.position);
  if (!wrapped) return {{from, to}, 2, 0};
  return {{from, {wrapped->first, geom.body}, {wrapped->last, geom.body}, to}, 4, wrapped->length};
}

/// Calls visit(from, to, direction / divisor) for every straight piece between two bodies; returns the length.
template <typename Visit>
double walk_path(const Model& model, const DynamicsData& data, int tendon, Visit&& visit) {
  const std::vector<TendonPoint>& path = model.spec().tendons[at(tendon)].path;
  double length = 0, divisor = 1;
  for (std::size_t k = 0; k + 1 < path.size(); ++k) {
    if (path[k].is_pulley()) divisor = path[k].divisor;
    if (path[k].site < 0 || path[k + 1].is_pulley()) continue;
    const Stretch stretch = find_stretch(model, data, std::span(path).subspan(k));
    length += stretch.wrapped / divisor;
    for (int p = 0; p + 1 < stretch.count; ++p) {
      if (stretch.count == 4 && p == 1) continue;  // on the obstacle
      const PathPoint &from = stretch.points[at(p)], &to = stretch.points[at(p) + 1];
      const double distance = norm(to.position - from.position);
      length += distance / divisor;
      if (from.body == to.body) continue;
      // Coincident sites pull in no direction (MuJoCo: along x).
      const Vec3 direction = distance < 1e-15 ? Vec3::unit(0) : (to.position - from.position) * (1 / distance);
      visit(from, to, direction * (1 / divisor));
    }
  }
  return length;
}

void spatial_tendon(const Model& model, int tendon, DynamicsData& data) {
  const std::span<const int> dofs = model.tendon_dofs(tendon);
  std::vector<double>& jacobian = data.tendon_jacobian[at(tendon)];
  std::fill(jacobian.begin(), jacobian.end(), 0.0);
  data.tendon_length[at(tendon)] =
      walk_path(model, data, tendon, [&](const PathPoint& from, const PathPoint& to, const Vec3& direction) {
        const int from_link = model.body_link(from.body), to_link = model.body_link(to.body);
        if (from_link == to_link) return;  // the distance is constant
        add_point_rate(model, data, to_link, to.position, direction, dofs, jacobian);
        add_point_rate(model, data, from_link, from.position, -direction, dofs, jacobian);
      });
}

}  // namespace

void tendon_lengths(const Model& model, std::span<const double> q, DynamicsData& data) {
  for (int t = 0; t < static_cast<int>(model.spec().tendons.size()); ++t) {
    const TendonSpec& tendon = model.spec().tendons[at(t)];
    if (!tendon.path.empty()) {
      spatial_tendon(model, t, data);
      continue;
    }
    double length = 0;
    for (std::size_t k = 0; k < tendon.joints.size(); ++k) {
      length += tendon.coefficients[k] * q[at(model.joint_q(tendon.joints[k]))];
    }
    data.tendon_length[at(t)] = length;
  }
  for (int a = 0; a < model.nu(); ++a) site_transmission(model, a, data);
}

void add_tendon_forces(const Model& model, const State& state, const DynamicsData& data, std::span<const double> limit,
                       std::vector<BodyForce>& out) {
  for (int t = 0; t < static_cast<int>(model.spec().tendons.size()); ++t) {
    const TendonSpec& tendon = model.spec().tendons[at(t)];
    if (tendon.path.empty()) continue;
    const double length = data.tendon_length[at(t)];
    const double rest = std::clamp(length, tendon.spring_length.lower, tendon.spring_length.upper);
    double push = -tendon.stiffness * (length - rest) - tendon.damping * tendon_row(model, data, t).rate(state.v);
    if (!limit.empty()) push += limit[at(t)];
    for (int a = 0; a < model.nu(); ++a) {
      const ActuatorSpec& actuator = model.spec().actuators[at(a)];
      const bool pulls = actuator.transmission == Transmission::Tendon && actuator.target == t;
      if (pulls) push += actuator.gear[0] * data.actuator_force[at(a)];
    }
    if (push == 0) continue;
    walk_path(model, data, t, [&](const PathPoint& from, const PathPoint& to, const Vec3& direction) {
      out.push_back({to.body, to.position, direction * push, {}});
      out.push_back({from.body, from.position, direction * -push, {}});
    });
  }
}

}  // namespace uzawa
