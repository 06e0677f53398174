#pragma once

#include <memory>
#include <optional>
#include <string>

#include "uzawa/log/log_writer.hpp"
#include "uzawa/log/replay_writer.hpp"

namespace uzawa::python {

/// Writes the steps of a world into a log (.h5) or a replay (.html), whichever the file's name says.
class Recording {
 public:
  Recording(const std::string& path, const World& world, int every);

  /// After every step.
  void add(const World& world, std::span<const double> control, std::span<const double> external);
  /// Gives the file its name; nothing can be added then.
  void close();
  bool is_open() const { return log_ != nullptr || replay_ != nullptr; }
  int frames() const { return frames_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int every_, step_ = 0, frames_ = 0;
  FrameMaker maker_;
  std::unique_ptr<LogWriter> log_;
  std::unique_ptr<ReplayWriter> replay_;
};

}  // namespace uzawa::python
