#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "rehearsal.hpp"
#include "terminal.hpp"
#include "uzawa/problem_io/problem_file.hpp"

namespace uzawa::cli {

namespace {

nlohmann::json to_json(const SolveArguments& arguments, const Problem& problem, const Result& result) {
  const Verdict& verdict = result.verdict;
  nlohmann::json out = {{"problem", arguments.problem.string()},
                        {"solver", arguments.solver},
                        {"status", to_string(result.status)},
                        {"islands", result.stats.islands},
                        {"iterations", result.stats.iterations},
                        {"inner_iterations", result.stats.inner_iterations},
                        {"inner_failures", result.stats.inner_failures},
                        {"residual", verdict.residual},
                        {"siconos_error", verdict.siconos},
                        {"fischer_burmeister", verdict.fischer_burmeister},
                        {"penetration_velocity", verdict.penetration},
                        {"cone_violation", verdict.cone_violation},
                        {"complementarity", verdict.complementarity},
                        {"dissipation_error", verdict.dissipation},
                        {"worst_constraint", verdict.worst_constraint},
                        {"n", problem.n()},
                        {"rows", problem.rows},
                        {"work", result.stats.work},
                        {"seconds", result.stats.seconds},
                        {"v", result.v},
                        {"lambda", result.lambda}};
  if (arguments.settings.history) {
    out["history"] = nlohmann::json::array();
    for (const IterationRecord& record : result.stats.history) {
      out["history"].push_back({{"residual", record.residual},
                                {"seconds", record.seconds},
                                {"inner_iterations", record.inner},
                                {"beta", record.beta}});
    }
  }
  return out;
}

void print_text(const SolveArguments& arguments, const Problem& problem, const Result& result) {
  const Verdict& verdict = result.verdict;
  fmt::print("{}: {} dofs in {} blocks, {} constraints ({} contacts), {} islands\n", arguments.problem.string(),
             problem.n(), problem.blocks.size(), problem.constraints.size(), problem.contacts.size(),
             result.stats.islands);
  fmt::print("  {}: {}, {} iterations, {} inner, {:.3f} ms\n", arguments.solver, to_string(result.status),
             result.stats.iterations, result.stats.inner_iterations, result.stats.seconds * 1e3);
  fmt::print("  residual             {:.2e}   worst: {}\n", verdict.residual, verdict.worst_name(problem));
  fmt::print("  Siconos error        {:.2e}\n", verdict.siconos);
  fmt::print("  Fischer-Burmeister   {:.2e}\n", verdict.fischer_burmeister);
  fmt::print("  penetration velocity {:.2e}\n", verdict.penetration);
  fmt::print("  cone violation       {:.2e}\n", verdict.cone_violation);
  fmt::print("  complementarity      {:.2e}\n", verdict.complementarity);
  fmt::print("  dissipation error    {:.2e}\n", verdict.dissipation);
}

}  // namespace

int solve(const SolveArguments& arguments) {
  const Solver& solver = find_solver(arguments.solver);
  if (is_hdf5_file(arguments.problem)) rehearse(arguments.problem, [&] { read_problem(arguments.problem); });
  const Problem problem = read_problem(arguments.problem);
  Workspace workspace;
  Result result;
  const InterruptGuard guard;
  Settings settings = arguments.settings;
  settings.stop = &InterruptGuard::flag();
  solve_islands(solver, problem, settings, workspace, result);
  if (arguments.json) {
    fmt::print("{}\n", to_json(arguments, problem, result).dump(1));
  } else {
    print_text(arguments, problem, result);
  }
  if (InterruptGuard::interrupted()) return kInterrupted;
  return result.status == SolveStatus::Converged ? kOk : kFailed;
}

}  // namespace uzawa::cli
