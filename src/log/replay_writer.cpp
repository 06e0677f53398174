#include "uzawa/log/replay_writer.hpp"

#include <cmath>

#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/replay_scene.hpp"
#include "uzawa/log/replay_tags.hpp"

namespace uzawa {

namespace {

// A block is what a viewer unpacks at a time: ten seconds, or a few megabytes.
constexpr std::size_t kMostFrames = 600;
constexpr std::size_t kMostBytes = 4U << 20U;

}  // namespace

ReplayWriter::ReplayWriter(std::filesystem::path path, std::string_view page, const LogInfo& info, const Model& model)
    : file_(std::move(path), "replay") {
  const std::size_t mark = page.find(kReplayMark);
  if (mark == std::string_view::npos) file_.fail("this program was built without the viewer (UZAWA_VIEWER=OFF)");
  head_ = page.substr(0, mark);
  page_end_ = page.substr(mark + kReplayMark.size());
  out_.open(file_.draft(), std::ios::binary);
  if (!out_) file_.fail("can't be written");
  begin(info, model);
}

void ReplayWriter::begin(const LogInfo& info, const Model& model) {
  head_.append(second_ ? replay_tags::kSecondScene : replay_tags::kScene);
  head_.append(scene_message(info, model)).append(replay_tags::kClose);
  maker_ = std::make_unique<ReplayFrameMaker>(model);
  start_ = info.start.time;
  next_ = 0;
  frames_ = blocks_ = 0;
  add(maker_->make_start(info.start));
}

void ReplayWriter::begin_second(const LogInfo& info, const Model& model, bool first_interrupted) {
  end_run(first_interrupted);
  second_ = true;
  begin(info, model);
}

bool ReplayWriter::wants(const StepReport& report, double time) {
  maker_->note(report);
  constexpr double kRounding = 1e-6;  // of a frame: times are sums of steps
  return (time - start_) * kReplayRate >= static_cast<double>(next_) - kRounding;
}

void ReplayWriter::write(const LogFrame& frame) { add(maker_->make(frame)); }

void ReplayWriter::add(ReplayFrame frame) {
  next_ = static_cast<long>(std::floor((frame.time - start_) * kReplayRate + 1e-6)) + 1;
  ++frames_;
  waiting_bytes_ += 32 + 14 * frame.placements.size() + 20 * frame.contacts.size();
  for (const std::vector<Vec3>& skin : frame.skins) waiting_bytes_ += 6 * skin.size();
  waiting_.push_back(std::move(frame));
  if (waiting_.size() >= kMostFrames || waiting_bytes_ >= kMostBytes) flush();
}

void ReplayWriter::flush() {
  if (blocks_ == 0) {
    put(head_);
    head_.clear();
  }
  const std::string text = to_base64(pack_block(waiting_));
  put(second_ ? replay_tags::kSecondBlock : replay_tags::kBlock);
  put(std::to_string(text.size()));
  put(replay_tags::kBlockEnd);
  put(text);
  put(replay_tags::kClose);
  waiting_.clear();
  waiting_bytes_ = 0;
  ++blocks_;
}

void ReplayWriter::end_run(bool interrupted) {
  if (!waiting_.empty()) flush();
  put(second_ ? replay_tags::kSecondEnd : replay_tags::kEnd);
  put(R"({"type":"end","blocks":)" + std::to_string(blocks_) + R"(,"frames":)" + std::to_string(frames_) +
      R"(,"interrupted":)" + (interrupted ? "true}" : "false}"));
  put(replay_tags::kClose);
}

void ReplayWriter::close(bool interrupted) {
  end_run(interrupted);
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
