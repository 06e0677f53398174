#include "uzawa/log/replay_frame_maker.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

namespace {

std::size_t index(ReplaySeries series) { return static_cast<std::size_t>(series); }

/// What a replay shows of a subsystem: rigid ones by the poses of their links.
void record(const Subsystem& subsystem, const DynamicsData& data, ReplayFrame& out) {
  switch (subsystem.kind) {
    case SubsystemKind::FreeBody:
    case SubsystemKind::Tree:
      for (const int link : subsystem.links) {
        const Pose& pose = data.link_pose[at(link)];
        out.placements[at(link)] = {pose.position, to_quaternion(pose.rotation)};
      }
      break;
  }
}

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

ReplayFrame ReplayFrameMaker::make(const LogFrame& frame) {
  ReplayFrame out;
  out.time = frame.state.time;
  out.series = peaks_;
  out.series[index(ReplaySeries::Kinetic)] = static_cast<float>(frame.kinetic);
  out.series[index(ReplaySeries::Potential)] = static_cast<float>(frame.potential);
  peaks_ = {};
  forward_kinematics(model_, frame.state.q, data_);
  out.placements.resize(model_.links().size());
  for (const Subsystem& subsystem : model_.subsystems()) record(subsystem, data_, out);
  for (const LogContact& contact : frame.contacts) {
    if (contact.gap > 0 && dot(contact.force, contact.force) == 0) continue;
    out.contacts.push_back({contact.geom1, contact.geom2, contact.position, contact.force});
  }
  return out;
}

ReplayFrame ReplayFrameMaker::make_start(const State& state) {
  LogFrame frame;
  frame.state = state;
  forward_kinematics(model_, state.q, data_);
  link_velocities(model_, state.v, data_);
  frame.kinetic = kinetic_energy(model_, state.v, data_);
  frame.potential = potential_energy(model_, data_);
  return make(frame);
}

}  // namespace uzawa
