#include "uzawa/log/replay_frame_maker.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

namespace {

std::size_t index(ReplaySeries series) { return static_cast<std::size_t>(series); }

}  // namespace

void ReplayFrameMaker::note(const StepReport& report) {
  const auto raise = [&](ReplaySeries series, double value) {
    float& peak = peaks_[index(series)];
    peak = std::max(peak, static_cast<float>(value));
  };
  raise(ReplaySeries::Contacts, report.contacts);
  raise(ReplaySeries::Residual, report.residual);
  raise(ReplaySeries::StepTime, report.times.total());
  raise(ReplaySeries::Penetration, report.penetration);
}

void ReplayFrameMaker::place(ReplayFrame& out) const {
  for (const int link : layout_.links) {
    const Pose& pose = data_.link_pose[at(link)];
    out.placements.push_back({pose.position, to_quaternion(pose.rotation)});
  }
  for (const std::vector<ReplayLayout::SkinPoint>& points : layout_.skins) {
    std::vector<Vec3>& skin = out.skins.emplace_back();
    skin.reserve(points.size());
    for (const auto& [link, point] : points) skin.push_back(link < 0 ? point : data_.link_pose[at(link)] * point);
  }
}

ReplayFrame ReplayFrameMaker::make(const LogFrame& frame) {
  ReplayFrame out;
  out.time = frame.state.time;
  out.series = peaks_;
  out.series[index(ReplaySeries::Kinetic)] = static_cast<float>(frame.kinetic);
  out.series[index(ReplaySeries::Potential)] = static_cast<float>(frame.potential);
  peaks_ = {};
  forward_kinematics(model_, frame.state, data_);
  place(out);
  for (const int joint : layout_.joints) out.joints.push_back(frame.state.q[at(model_.joint_q(joint))]);
  for (const LogContact& contact : frame.contacts) {
    if (contact.gap > 0 && dot(contact.force, contact.force) == 0) continue;
    out.contacts.push_back({contact.geom1, contact.geom2, contact.position, contact.force, contact.normal});
  }
  return out;
}

ReplayFrame ReplayFrameMaker::make_start(const State& state) {
  LogFrame frame;
  frame.state = state;
  forward_kinematics(model_, state, data_);
  link_velocities(model_, state.v, data_);
  frame.kinetic = kinetic_energy(model_, state.v, data_);
  frame.potential = potential_energy(model_, data_);
  return make(frame);
}

}  // namespace uzawa
