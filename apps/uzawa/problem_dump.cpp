#include "problem_dump.hpp"

#include <fmt/format.h>

#include "uzawa/base/draft_file.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem_io/problem_file.hpp"

namespace uzawa::cli {

ProblemDump::ProblemDump(const RunArguments& arguments, const LogInfo& info, long steps)
    : step_(arguments.dump_step),
      path_(arguments.dump),
      name_(fmt::format("{}, step {}", arguments.model.string(), step_)),
      comment_(fmt::format("{}{}steps of {:g} s, theta {:g}, solver {}", info.parameters,
                           info.parameters.empty() ? "" : fmt::format(", seed {}; ", info.seed), info.dt, info.theta,
                           info.solver)) {
  if (step_ > steps)
    throw InputError("", "--dump-problem", fmt::format("there is no step {}: the run has {}", step_, steps));
  const DraftFile attempt(path_, "problem");  // says at once where it can't be written
}

void ProblemDump::after_step(int step, const Problem& problem) {
  if (step != step_) return;
  Problem named = problem;
  named.name = name_;
  named.comment = comment_;
  write_problem(named, path_);
  written_ = true;
}

}  // namespace uzawa::cli
