#include "uzawa/solver/lcp/lcp_methods.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/lcp/polyhedral_form.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr double kMegabyte = 1e6;

struct LcpMemory : Workspace::Base {
  Judge judge;
  PolyhedralForm form;
  LcpSolver solver;
  LcpAnswer answer;
  std::vector<double> lambda, best_lambda, sliding;
};

/// One solve, with its verdict.
class PolyhedralSolve {
 public:
  PolyhedralSolve(PreparedProblem& prepared, const Settings& settings, LcpMemory& memory, Progress& progress,
                  Result& result)
      : prepared_(prepared), settings_(settings), m_(memory), progress_(progress), result_(result) {}

  /// False where the problem is too large.
  bool run(const LcpOptions& options, std::span<const double> start) {
    const Problem& problem = prepared_.problem();
    if (!m_.form.build(prepared_, settings_.lcp, m_.sliding)) return false;
    if (!start.empty()) m_.form.set_guess(problem, start);
    m_.solver.solve(m_.form.lcp(), options, m_.answer);
    m_.form.impulses(m_.answer.z, m_.lambda);
    Stats& stats = result_.stats;
    stats.iterations += m_.answer.counts.pivots;
    stats.inner_iterations += m_.answer.counts.nodes;
    stats.inner_failures += m_.answer.end == LcpEnd::Solved ? 0 : 1;
    stats.factorizations += m_.answer.counts.inversions;
    const bool better = progress_.look_at(m_.lambda);
    if (better || !result_.polyhedral.used) {
      result_.polyhedral = {true,
                            to_string(m_.answer.end),
                            m_.answer.end == LcpEnd::Solved,
                            m_.answer.frictionless,
                            m_.answer.error,
                            progress_.last_residual()};
    }
    progress_.record(0);
    return true;
  }

  /// Sliding velocities of the last answer; where a contact sticks, it keeps its polygon.
  void turn_polygons() {
    const Contacts& contacts = prepared_.problem().contacts;
    m_.judge.residual(prepared_, m_.lambda);
    const std::span<const double> u = m_.judge.constraint_velocity();
    for (int i = 0; i < contacts.size(); ++i) {
      const int row = contacts.row[at(i)];
      const Vec3& e = contacts.e[at(i)];
      const double u1 = u[at(row)] + e.x(), u2 = u[at(row + 1)] + e.y();
      if (std::hypot(u1, u2) <= settings_.tolerance) continue;
      m_.sliding[at(row)] = u1;
      m_.sliding[at(row + 1)] = u2;
    }
  }

  /// Directions of the first solve: where the contacts would slide without impulses.
  void guess_sliding() {
    m_.sliding.assign(prepared_.free_constraint_velocity().begin(), prepared_.free_constraint_velocity().end());
    const Contacts& contacts = prepared_.problem().contacts;
    for (int i = 0; i < contacts.size(); ++i) {
      for (int d = 0; d < 2; ++d) m_.sliding[at(contacts.row[at(i)] + d)] += contacts.e[at(i)][d];
    }
  }

 private:
  PreparedProblem& prepared_;
  const Settings& settings_;
  LcpMemory& m_;
  Progress& progress_;
  Result& result_;
};

SolveStatus status_of(const PolyhedralReport& report, const Progress& progress) {
  if (progress.converged()) return SolveStatus::Converged;
  if (report.solved) return SolveStatus::Relaxed;
  return progress.ending(report.frictionless ? SolveStatus::Frictionless : SolveStatus::Stalled);
}

}  // namespace

LcpOptions lcp_options(const Settings& settings, LcpMethod method, const Deadline& deadline) {
  const LcpSettings& lcp = settings.lcp;
  LcpOptions out;
  out.method = method;
  out.two_step = lcp.two_step;
  out.limits = {settings.max_iterations, lcp.nodes, static_cast<std::size_t>(lcp.memory * kMegabyte), deadline};
  const bool as_written = method == LcpMethod::Search && lcp.order == LcpSearchOrder::BestFirst;
  if (as_written) out.search = {true, lcp.epsilon, 0, lcp.largest_error};
  if (as_written || method == LcpMethod::Lemke || method == LcpMethod::Lexicographic) {
    out.tolerance = lcp.largest_error;
  }
  out.tableau = {method == LcpMethod::Lexicographic, method == LcpMethod::Lexicographic ? lcp.tie : 0.0};
  return out;
}

std::optional<LcpMethod> find_lcp_method(std::string_view solver) {
  if (solver == "lcp") return LcpMethod::Automatic;
  if (solver == "lcp-search") return LcpMethod::Search;
  if (solver == "lcp-lemke") return LcpMethod::Lemke;
  if (solver == "lcp-lexicographic") return LcpMethod::Lexicographic;
  return std::nullopt;
}

void solve_polyhedral(PreparedProblem& prepared, const Settings& settings, LcpMethod method, Workspace& workspace,
                      Result& result) {
  auto& m = workspace.get<LcpMemory>();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  result.polyhedral = {};
  m.lambda.assign(at(prepared.problem().rows), 0.0);
  m.sliding.clear();
  const LcpOptions options = lcp_options(settings, method, progress.deadline());
  PolyhedralSolve solve(prepared, settings, m, progress, result);
  const bool warm = workspace.start.size() == m.lambda.size() &&
                    std::any_of(workspace.start.begin(), workspace.start.end(), [](double x) { return x != 0; });
  if (settings.lcp.follow > 0) solve.guess_sliding();
  if (!solve.run(options, warm ? std::span<const double>(workspace.start) : std::span<const double>())) {
    progress.look_at(m.lambda);
    return progress.finish(SolveStatus::Stalled);
  }
  for (int k = 0; k < settings.lcp.follow && !progress.converged() && !progress.must_end(); ++k) {
    solve.turn_polygons();
    (void)solve.run(options, m.lambda);
  }
  progress.finish(status_of(result.polyhedral, progress));
}

}  // namespace uzawa
