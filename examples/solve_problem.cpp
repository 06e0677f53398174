// A contact problem from a file (docs/problem-format.md), solved by every method that is there.
#include <cstdio>
#include <uzawa/uzawa.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: solve_problem FILE\n");
    return 2;
  }
  try {
    const uzawa::Problem problem = uzawa::read_problem(argv[1]);
    for (const uzawa::Solver& solver : uzawa::solvers()) {
      uzawa::Workspace workspace;
      uzawa::Result result;
      uzawa::solve_islands(solver, problem, {}, workspace, result);
      std::printf("%-14s %-16s residual %.1e\n", solver.name, uzawa::to_string(result.status), result.verdict.residual);
    }
  } catch (const uzawa::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
