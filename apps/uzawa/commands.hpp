#pragma once

#include <filesystem>
#include <string>

#include "uzawa/io/load.hpp"
#include "uzawa/sim/world.hpp"
#include "uzawa/solver/solver.hpp"

/// One function a subcommand; each returns the exit code. Bad input leaves as InputError, which main prints.
namespace uzawa::cli {

enum ExitCode { kOk = 0, kFailed = 1, kBadInput = 2 };

/// What every subcommand that takes a model shares.
struct ModelArguments {
  std::filesystem::path model;
  LoadOptions load;
  bool json = false;
};

int info(const ModelArguments& arguments);

struct VerifyArguments : ModelArguments {
  int states = 100;
  unsigned seed = 1;
};
int verify(const VerifyArguments& arguments);

struct RunArguments : ModelArguments {
  double duration = 1;   ///< s
  std::string keyframe;  ///< name or number; empty: the first, where there is one; none: the reference configuration
  SimSettings settings;
};
/// Exit code 1 where a step failed.
int run(const RunArguments& arguments);

struct CollideArguments : ModelArguments {
  std::filesystem::path pose;  ///< JSON file; empty: the keyframe
  std::string keyframe;        ///< empty: the first one, or the reference configuration where there is none
  double margin = 0;           ///< m, on top of the geoms' margins
};
int collide(const CollideArguments& arguments);

struct SolveArguments {
  std::filesystem::path problem;
  std::string solver = "canal";
  Settings settings;
  bool json = false;
};
/// Exit code 1 where the solver did not converge.
int solve(const SolveArguments& arguments);
int list_solvers();

}  // namespace uzawa::cli
