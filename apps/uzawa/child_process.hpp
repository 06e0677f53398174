#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace uzawa::cli {

/// A program by its name in the folders of PATH; empty: it is not there.
std::filesystem::path find_program(const std::vector<std::string>& names);

/// Another program. What it prints goes to a file. Ctrl-C is for us to handle: it does not reach it by itself.
class ChildProcess {
 public:
  /// `input`, `output`: our descriptors that the child gets as its 3 and 4; -1: none. Throws InputError where it can't
  /// be started.
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
               std::filesystem::path printed, int input = -1, int output = -1);
  /// Kills it where it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Its exit code; 128 + signal where it died of one; -1: it still runs after that time.
  int wait(std::chrono::milliseconds patience);
  /// The last line it has printed that is not empty.
  std::string last_words() const;

 private:
  std::filesystem::path printed_;
  pid_t id_ = -1;
  int exit_code_ = -1;
};

}  // namespace uzawa::cli
