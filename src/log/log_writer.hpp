#pragma once

#include <filesystem>
#include <memory>

#include "uzawa/base/draft_file.hpp"
#include "uzawa/log/log_frame.hpp"

namespace uzawa {

/// Writes a log (docs/log-format.md). The file has another name until `close`: whatever happens before that, what was
/// there under its name stays as it was, and nothing half-written is ever found there.
class LogWriter {
 public:
  /// Throws InputError where the file can't be written there.
  LogWriter(std::filesystem::path path, const LogInfo& info);
  /// Without `close`: the file goes away.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// Throws InputError where the disk is full.
  void write(const LogFrame& frame);
  /// Writes what is left and gives the file its name; `interrupted`: the run was ended before its time. Throws
  /// InputError where the disk is full.
  void close(bool interrupted = false);

 private:
  struct Tables;

  DraftFile file_;  // outlives the tables: the draft goes away after they are closed
  std::unique_ptr<Tables> tables_;
};

}  // namespace uzawa
