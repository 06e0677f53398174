#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace uzawa::test {

struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal where the program died of one
  std::string out, err;
};

/// Runs the built `uzawa` in `folder` with these arguments.
ProgramResult run_program(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

}  // namespace uzawa::test
