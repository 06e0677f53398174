#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/temp_folder.hpp"

namespace uzawa::test {

struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal where the program died of one
  std::string out, err;
};

/// The built `uzawa`, started in `folder` with these arguments. `most_bytes`: its files may not grow beyond that, which
/// to a program is the same as a full disk; 0: no limit.
class Program {
 public:
  Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments, unsigned long most_bytes = 0);
  void send(int signal) const;
  /// Waits until it has used so much more processor time, s, however long a busy machine takes to give it that.
  void wait_cpu(double seconds) const;
  /// To its end; must be called.
  ProgramResult wait();

 private:
  TempFolder streams_;
  pid_t child_ = -1;
};

/// Starts it and waits for its end.
ProgramResult run_program(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

}  // namespace uzawa::test
