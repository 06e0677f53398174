#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "uzawa/log/log_frame.hpp"

namespace uzawa {

/// Reads a log by the frame, in any order; holds one frame at a time in memory.
class LogReader {
 public:
  /// Throws InputError with file, dataset and reason where it is no log, or a damaged one. HDF5 itself can crash on
  /// damaged files; `uzawa replay` opens them in a process of its own first. One thread at a time, because HDF5 keeps
  /// global state.
  explicit LogReader(const std::filesystem::path& path);
  ~LogReader();
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  const LogInfo& info() const { return info_; }
  std::size_t frames() const { return times_.size(); }
  /// s, of every frame.
  const std::vector<double>& times() const { return times_; }
  /// Reads a frame; `out` may be reused from call to call. Throws InputError where that part of the file is damaged.
  void read(std::size_t frame, LogFrame& out);

 private:
  struct Tables;

  std::unique_ptr<Tables> tables_;
  LogInfo info_;
  std::vector<double> times_;
};

}  // namespace uzawa
