#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

/// jacobian += direction^T (velocity of `point` on `link`) / v, over the tendon's sorted dofs.
void add_point_rate(const Model& model, const DynamicsData& data, int link, const Vec3& point, const Vec3& direction,
                    std::span<const int> dofs, std::span<double> jacobian) {
  if (link < 0) return;
  const TreeTopology& topology = *model.topology();
  const Vec3 r = point - data.reference[at(topology.link_tree(link))];
  for (const int dof : topology.path(topology.last_dof(link))) {
    const auto slot = std::lower_bound(dofs.begin(), dofs.end(), dof) - dofs.begin();
    jacobian[static_cast<std::size_t>(slot)] += dot(direction, velocity_at(data.tree.subspace[at(dof)], r));
  }
}

void spatial_tendon(const Model& model, int tendon, DynamicsData& data) {
  const std::vector<TendonPoint>& path = model.spec().tendons[at(tendon)].path;
  const std::span<const int> dofs = model.tendon_dofs(tendon);
  std::vector<double>& jacobian = data.tendon_jacobian[at(tendon)];
  std::fill(jacobian.begin(), jacobian.end(), 0.0);
  double length = 0, divisor = 1;
  for (std::size_t k = 0; k + 1 < path.size(); ++k) {
    if (path[k].site < 0) divisor = path[k].divisor;
    if (path[k].site < 0 || path[k + 1].site < 0) continue;
    const Vec3 from = site_pose(model, data, path[k].site).position;
    const Vec3 to = site_pose(model, data, path[k + 1].site).position;
    const double distance = norm(to - from);
    length += distance / divisor;
    const int from_link = model.site_link(path[k].site);
    const int to_link = model.site_link(path[k + 1].site);
    // Coincident sites pull in no direction (MuJoCo: along x); on one link the distance is constant.
    if (from_link == to_link) continue;
    const Vec3 direction = (distance < 1e-15 ? Vec3::unit(0) : (to - from) * (1 / distance)) * (1 / divisor);
    add_point_rate(model, data, to_link, to, direction, dofs, jacobian);
    add_point_rate(model, data, from_link, from, -direction, dofs, jacobian);
  }
  data.tendon_length[at(tendon)] = length;
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
}

}  // namespace uzawa
