#pragma once

#include <filesystem>
#include <memory>

#include "uzawa/base/draft_file.hpp"
#include "uzawa/log/log_frame.hpp"

namespace uzawa {

/// Writes a log (docs/log-format.md). The file has a temporary name until `close`: if the run fails before that, an
/// older file at `path` stays as it was, and no incomplete file is ever found there.
class LogWriter {
 public:
  /// Throws InputError where the file can't be written there.
  LogWriter(std::filesystem::path path, const LogInfo& info);
  /// Without `close`: deletes the temporary file.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// Throws InputError where the disk is full.
  void write(const LogFrame& frame);
  /// Writes the remaining rows and gives the file its name; `interrupted`: the run was ended early. Throws InputError
  /// where the disk is full.
  void close(bool interrupted = false);

 private:
  struct Tables;

  DraftFile file_;  // outlives the tables: the draft goes away after they are closed
  std::unique_ptr<Tables> tables_;
};

}  // namespace uzawa
