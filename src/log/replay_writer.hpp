#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
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
  /// `page`: the viewer's, with the mark in it. Its first frame is `info.start`. The model must outlive the writer,
  /// or the beginning of a second run.
  /// Throws InputError where the file can't be written there, or the page has no mark.
  ReplayWriter(std::filesystem::path path, std::string_view page, const LogInfo& info, const Model& model);

  /// To be called after every step; true where the step is due as a frame, to be passed to write().
  bool wants(const StepReport& report, double time);
  /// Throws InputError where the disk is full.
  void write(const LogFrame& frame);
  /// Ends the first run and begins a second, which the page shows beside it on the same clock.
  void begin_second(const LogInfo& info, const Model& model, bool first_interrupted = false);
  /// Writes the remaining frames and gives the file its name. Throws InputError where the disk is full.
  void close(bool interrupted = false);
  int frames() const { return frames_; }

 private:
  void put(std::string_view text);
  void add(ReplayFrame frame);
  void flush();
  void begin(const LogInfo& info, const Model& model);
  void end_run(bool interrupted);

  DraftFile file_;
  std::ofstream out_;
  /// Page and scene up to the first block, with which they are written: a run on a full disk has begun by then, and
  /// what it comes to can be told.
  std::string head_;
  std::string_view page_end_;
  std::unique_ptr<ReplayFrameMaker> maker_;  ///< of the run that is being written
  bool second_ = false;
  double start_ = 0;  ///< s
  long next_ = 0;     ///< the next frame is due at start + next / rate
  std::vector<ReplayFrame> waiting_;
  std::size_t waiting_bytes_ = 0;
  int frames_ = 0, blocks_ = 0;
};

}  // namespace uzawa
