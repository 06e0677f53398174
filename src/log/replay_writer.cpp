#include "uzawa/log/replay_writer.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/replay_scene.hpp"
#include "uzawa/log/replay_tags.hpp"

namespace uzawa {

namespace {

// A block is what a viewer unpacks at a time: ten seconds, or a few megabytes.
constexpr std::size_t kMostFrames = 600;
constexpr std::size_t kMostBytes = 4U << 20U;

std::size_t index(ReplaySeries series) { return static_cast<std::size_t>(series); }

}  // namespace

ReplayWriter::ReplayWriter(std::filesystem::path path, std::string_view page, const LogInfo& info, const Model& model)
    : file_(std::move(path), "replay"), model_(model), data_(model), start_(info.start.time) {
  const std::size_t mark = page.find(kReplayMark);
  if (mark == std::string_view::npos) file_.fail("this program was built without the viewer (UZAWA_VIEWER=OFF)");
  page_end_ = page.substr(mark + kReplayMark.size());
  out_.open(file_.draft(), std::ios::binary);
  put(page.substr(0, mark));
  put(replay_tags::kScene);
  put(scene_message(info, model));
  put(replay_tags::kClose);

  LogFrame first;
  first.state = info.start;
  forward_kinematics(model, info.start.q, data_);
  link_velocities(model, info.start.v, data_);
  first.kinetic = kinetic_energy(model, info.start.v, data_);
  first.potential = potential_energy(model, data_);
  write(first);
}

bool ReplayWriter::wants(const StepReport& report, double time) {
  const auto raise = [&](ReplaySeries series, double value) {
    float& peak = peaks_[index(series)];
    peak = std::max(peak, static_cast<float>(value));
  };
  raise(ReplaySeries::Contacts, report.contacts);
  raise(ReplaySeries::Residual, report.residual);
  raise(ReplaySeries::StepTime, report.times.total());
  raise(ReplaySeries::Penetration, report.penetration);
  constexpr double kRounding = 1e-6;  // of a frame: times are sums of steps
  return (time - start_) * kReplayRate >= static_cast<double>(next_) - kRounding;
}

void ReplayWriter::write(const LogFrame& frame) {
  ReplayFrame& out = waiting_.emplace_back();
  out.time = frame.state.time;
  next_ = static_cast<long>(std::floor((out.time - start_) * kReplayRate + 1e-6)) + 1;
  out.series = peaks_;
  out.series[index(ReplaySeries::Kinetic)] = static_cast<float>(frame.kinetic);
  out.series[index(ReplaySeries::Potential)] = static_cast<float>(frame.potential);
  peaks_ = {};
  forward_kinematics(model_, frame.state.q, data_);
  for (const Pose& pose : data_.link_pose) out.placements.push_back({pose.position, to_quaternion(pose.rotation)});
  for (const LogContact& contact : frame.contacts) {
    if (contact.gap > 0 && dot(contact.force, contact.force) == 0) continue;
    out.contacts.push_back({contact.geom1, contact.geom2, contact.position, contact.force});
  }
  ++frames_;
  waiting_bytes_ += 32 + 14 * out.placements.size() + 20 * out.contacts.size();
  if (waiting_.size() >= kMostFrames || waiting_bytes_ >= kMostBytes) flush();
}

void ReplayWriter::flush() {
  const std::string text = to_base64(pack_block(waiting_));
  put(replay_tags::kBlock);
  put(std::to_string(text.size()));
  put(replay_tags::kBlockEnd);
  put(text);
  put(replay_tags::kClose);
  waiting_.clear();
  waiting_bytes_ = 0;
  ++blocks_;
}

void ReplayWriter::close(bool interrupted) {
  if (!waiting_.empty()) flush();
  put(replay_tags::kEnd);
  put(R"({"blocks":)" + std::to_string(blocks_) + R"(,"frames":)" + std::to_string(frames_) + R"(,"interrupted":)" +
      (interrupted ? "true}" : "false}"));
  put(replay_tags::kClose);
  put(page_end_);
  out_.close();
  if (!out_) file_.fail("can't be written: disk full?");
  file_.commit();
}

void ReplayWriter::put(std::string_view text) {
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out_) file_.fail("can't be written: disk full?");
}

}  // namespace uzawa
