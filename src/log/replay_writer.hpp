#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "uzawa/base/draft_file.hpp"
#include "uzawa/log/log_frame.hpp"
#include "uzawa/log/replay_frame_maker.hpp"

namespace uzawa {

/// Marks the place in the page where the data of a replay are inserted.
inline constexpr std::string_view kReplayMark = "<!--uzawa:replay-->";

/// Writes a run into the viewer's page: one HTML file that needs nothing else (docs/replay-format.md). About 60 frames
/// a simulated second, whatever the step: the first step at or after each 60th of a second.
class ReplayWriter {
 public:
  /// `page`: the viewer's, with the mark in it. Its first frame is `info.start`. The model must outlive the writer.
  /// Throws InputError where the file can't be written there, or the page has no mark.
  ReplayWriter(std::filesystem::path path, std::string_view page, const LogInfo& info, const Model& model);

  /// To be called after every step; true where the step is due as a frame, to be passed to write().
  bool wants(const StepReport& report, double time);
  /// Throws InputError where the disk is full.
  void write(const LogFrame& frame);
  /// Writes the remaining frames and gives the file its name. Throws InputError where the disk is full.
  void close(bool interrupted = false);
  int frames() const { return frames_; }

 private:
  void put(std::string_view text);
  void add(ReplayFrame frame);
  void flush();

  DraftFile file_;
  std::ofstream out_;
  std::string_view page_end_;
  ReplayFrameMaker maker_;
  double start_ = 0;  ///< s
  long next_ = 0;     ///< the next frame is due at start + next / rate
  std::vector<ReplayFrame> waiting_;
  std::size_t waiting_bytes_ = 0;
  int frames_ = 0, blocks_ = 0;
};

}  // namespace uzawa
