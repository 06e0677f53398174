#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "commands.hpp"
#include "rehearsal.hpp"
#include "terminal.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem_io/lcp_file.hpp"
#include "uzawa/problem_io/problem_file.hpp"
#include "uzawa/solver/lcp/lcp_methods.hpp"

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
  if (result.polyhedral.used) {
    out["polyhedral"] = {{"end", result.polyhedral.end},
                         {"frictionless", result.polyhedral.frictionless},
                         {"solver_error", result.polyhedral.solver_error},
                         {"linearisation_error", result.polyhedral.linearisation_error}};
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
  if (!result.polyhedral.used) return;
  fmt::print("  pivoting             {}, error {:.2e}; by the friction polygon {:.2e}\n", result.polyhedral.end,
             result.polyhedral.solver_error, result.polyhedral.linearisation_error);
}

/// w = M z + q by itself: no bodies, no judge; the error is the natural residual in scaled units.
int solve_lcp_file(const SolveArguments& arguments) {
  const std::optional<LcpMethod> method = find_lcp_method(arguments.solver);
  if (!method.has_value()) {
    throw InputError("", "solver '" + arguments.solver + "'", "can't solve w = M z + q; lcp, lcp-search, ... can");
  }
  const LcpData lcp = read_lcp(arguments.problem);
  const InterruptGuard guard;
  Deadline deadline;
  deadline.stop = &InterruptGuard::flag();
  if (arguments.settings.budget_us > 0) {
    deadline.time = Deadline::Clock::now() + std::chrono::microseconds(std::llround(arguments.settings.budget_us));
  }
  const LcpAnswer answer = solve_dense_lcp(lcp.m, lcp.q, lcp_options(arguments.settings, *method, deadline));
  if (arguments.json) {
    fmt::print("{}\n", nlohmann::json{{"problem", arguments.problem.string()},
                                      {"solver", arguments.solver},
                                      {"status", to_string(answer.end)},
                                      {"n", lcp.q.size()},
                                      {"pivots", answer.counts.pivots},
                                      {"nodes", answer.counts.nodes},
                                      {"error", answer.error},
                                      {"z", answer.z}}
                           .dump(1));
  } else {
    fmt::print("{}: {} pairs\n  {}: {}, {} pivots, {} nodes, error {:.2e}\n", arguments.problem.string(), lcp.q.size(),
               arguments.solver, to_string(answer.end), answer.counts.pivots, answer.counts.nodes, answer.error);
  }
  if (InterruptGuard::interrupted()) return kInterrupted;
  return answer.end == LcpEnd::Solved ? kOk : kFailed;
}

double error_of(const Result& result) { return std::max(result.verdict.residual, result.verdict.siconos); }

/// Adds what earlier attempts have cost.
void add_cost(const Stats& earlier, Stats& stats) {
  stats.seconds += earlier.seconds;
  stats.work += earlier.work;
  stats.iterations += earlier.iterations;
  stats.inner_iterations += earlier.inner_iterations;
  stats.inner_failures += earlier.inner_failures;
  stats.history.insert(stats.history.begin(), earlier.history.begin(), earlier.history.end());
}

/// Methods give up where folds or jams stop them, at impulses that are far better than those they began with: from
/// there the same stages take other ways.
void solve_patiently(const Solver& solver, const Problem& problem, const Settings& settings, Workspace& workspace,
                     Result& result) {
  constexpr double kGain = 0.9;  // of the error, that another attempt must get it below
  const auto gave_up = [&] {
    return result.status == SolveStatus::Stalled || result.status == SolveStatus::IterationLimit;
  };
  Result next;
  for (double before = HUGE_VAL; gave_up() && error_of(result) < kGain * before;) {
    before = error_of(result);
    workspace.start = result.lambda;
    solve_islands(solver, problem, settings, workspace, next);
    add_cost(result.stats, next.stats);
    if (error_of(next) < before) {
      std::swap(result, next);
    } else {
      result.stats = next.stats;
    }
  }
}

}  // namespace

int solve(const SolveArguments& given) {
  SolveArguments arguments = given;
  const bool is_lcp = is_lcp_file(arguments.problem);
  if (arguments.solver.empty()) arguments.solver = is_lcp ? "lcp" : "canal";
  const Solver& solver = find_solver(arguments.solver);
  if (is_lcp) return solve_lcp_file(arguments);
  if (is_hdf5_file(arguments.problem)) rehearse(arguments.problem, [&] { read_problem(arguments.problem); });
  const Problem problem = read_problem(arguments.problem);
  Workspace workspace;
  Result result;
  const InterruptGuard guard;
  Settings settings = arguments.settings;
  settings.stop = &InterruptGuard::flag();
  solve_islands(solver, problem, settings, workspace, result);
  if (arguments.patient) solve_patiently(solver, problem, settings, workspace, result);
  if (arguments.json) {
    fmt::print("{}\n", to_json(arguments, problem, result).dump(1));
  } else {
    print_text(arguments, problem, result);
  }
  if (InterruptGuard::interrupted()) return kInterrupted;
  return result.status == SolveStatus::Converged ? kOk : kFailed;
}

}  // namespace uzawa::cli
