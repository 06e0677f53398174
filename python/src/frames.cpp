#include <algorithm>

#include "simulation.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa::python {

namespace {

/// By rows.
void store_matrix(const Mat3& m, double* out) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) *out++ = m(r, c);
  }
}

}  // namespace

Frames::Frames(const Model& model) : model_(model), data_(model) {
  const std::size_t bodies = model.spec().bodies.size(), geoms = model.spec().geoms.size(),
                    sites = model.spec().sites.size();
  xpos = SharedBuffer<double>({bodies, 3});
  xquat = SharedBuffer<double>({bodies, 4});
  xmat = SharedBuffer<double>({bodies, 9});
  cvel = SharedBuffer<double>({bodies, 6});
  geom_xpos = SharedBuffer<double>({geoms, 3});
  geom_xmat = SharedBuffer<double>({geoms, 9});
  site_xpos = SharedBuffer<double>({sites, 3});
  site_xmat = SharedBuffer<double>({sites, 9});
}

bool Frames::is_exported() const {
  return xpos.is_exported() || xquat.is_exported() || xmat.is_exported() || cvel.is_exported() ||
         geom_xpos.is_exported() || geom_xmat.is_exported() || site_xpos.is_exported() || site_xmat.is_exported();
}

void Frames::update(std::span<const double> q, std::span<const double> v, const State& mocap) {
  if (std::equal(q.begin(), q.end(), state_.q.begin(), state_.q.end()) &&
      std::equal(v.begin(), v.end(), state_.v.begin(), state_.v.end()) && mocap.mocap == state_.mocap &&
      mocap.mocap_v == state_.mocap_v) {
    return;
  }
  state_.q.assign(q.begin(), q.end());
  state_.v.assign(v.begin(), v.end());
  state_.mocap = mocap.mocap;
  state_.mocap_v = mocap.mocap_v;
  forward_kinematics(model_, state_, data_);
  link_velocities(model_, state_.v, data_);
  for (std::size_t b = 0; b < model_.spec().bodies.size(); ++b) {
    const int body = static_cast<int>(b), link = model_.body_link(body);
    const Pose pose = body_pose(model_, data_, body);
    pose.position.store(xpos.row(b).data());
    to_quaternion(pose.rotation).store(xquat.row(b).data());
    store_matrix(pose.rotation, xmat.row(b).data());
    point_velocity(model_, data_, link, pose.position).store(cvel.row(b).data());
    const Vec3 spin = link < 0 ? Vec3() : data_.velocity[static_cast<std::size_t>(link)].angular;
    spin.store(cvel.row(b).data() + 3);
  }
  for (std::size_t g = 0; g < model_.spec().geoms.size(); ++g) {
    const Pose pose = geom_pose(model_, data_, static_cast<int>(g));
    pose.position.store(geom_xpos.row(g).data());
    store_matrix(pose.rotation, geom_xmat.row(g).data());
  }
  for (std::size_t s = 0; s < model_.spec().sites.size(); ++s) {
    const Pose pose = site_pose(model_, data_, static_cast<int>(s));
    pose.position.store(site_xpos.row(s).data());
    store_matrix(pose.rotation, site_xmat.row(s).data());
  }
}

}  // namespace uzawa::python
