/// Projected Jacobi on the Delassus operator: all constraints at once against the velocities of the last iteration, as
/// [SUB] section IV-B has it. Every constraint would by itself undo the same error, so that full steps diverge as soon
/// as a body has several. With n constraints on a body, W <= D holds for D_ii = n W_ii (Cauchy-Schwarz, body by body):
/// against its own block times n, n of the body that has most, the step never overshoots (mass splitting; Tonge,
/// Benevolenski and Voroshilov, "Mass splitting for jitter-free parallel rigid body simulation", SIGGRAPH 2012).
#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/gauss_seidel/local_update.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultIterations = 1000;

struct PjMemory : Workspace::Base {
  Judge judge;
  DelassusOperator::Velocities velocities;
  std::vector<double> lambda, best_lambda, delta;
  std::vector<int> last, count;  // per block
  std::vector<double> share;     // per constraint: n
};

/// Number of constraints on the body that has most, for each constraint.
void count_neighbours(const Problem& problem, PjMemory& m) {
  const int constraints = static_cast<int>(problem.constraints.size());
  const auto for_each_block = [&](int c, auto&& visit) {
    for (int a = problem.attachment_start[at(c)]; a < problem.attachment_start[at(c) + 1]; ++a) {
      visit(at(problem.attachments[at(a)].block));
    }
  };
  m.last.assign(problem.blocks.size(), -1);
  m.count.assign(problem.blocks.size(), 0);
  m.share.assign(at(constraints), 1.0);
  for (int c = 0; c < constraints; ++c) {
    for_each_block(c, [&](std::size_t block) {
      m.count[block] += m.last[block] == c ? 0 : 1;
      m.last[block] = c;
    });
  }
  for (int c = 0; c < constraints; ++c) {
    double& share = m.share[at(c)];
    for_each_block(c, [&](std::size_t block) { share = std::max(share, 1.0 * m.count[block]); });
  }
}

void iterate(const Problem& problem, const PjSettings& settings, const CompactRows& rows,
             const DelassusOperator& delassus, PjMemory& m) {
  const int constraints = rows.constraints();
  m.delta.resize(m.lambda.size());
  for (int c = 0; c < constraints; ++c) {
    const std::size_t row = at(problem.constraints[at(c)].row);
    const int dims = problem.dims(c);
    double u[3], w[9];
    delassus.constraint_velocity(rows, c, m.velocities, u);
    for (int k = 0; k < dims * dims; ++k) w[k] = m.share[at(c)] / settings.step * delassus.diagonal(c)[k];
    std::copy_n(&m.lambda[row], dims, &m.delta[row]);
    update_impulse(problem, c, settings.local, w, u, 1, &m.lambda[row]);
    for (std::size_t k = row; k < row + at(dims); ++k) m.delta[k] = m.lambda[k] - m.delta[k];
  }
  for (int c = 0; c < constraints; ++c) {
    delassus.apply(rows, c, &m.delta[at(problem.constraints[at(c)].row)], m.velocities);
  }
}

}  // namespace

void solve_pj(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<PjMemory>();
  const Problem& problem = prepared.problem();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  const CompactRows& rows = prepared.compact_rows();
  const DelassusOperator& delassus = prepared.delassus(settings.pj.form);
  progress.start_from(workspace.start, m.lambda);
  DelassusOperator::reset(problem, prepared.factor(), rows, m.lambda, m.velocities);
  count_neighbours(problem, m);
  const SolveStatus status = progress.iterate(
      settings.max_iterations > 0 ? settings.max_iterations : kDefaultIterations,
      [&] { iterate(problem, settings.pj, rows, delassus, m); },
      [&] {
        if (result.stats.iterations > 0) progress.look_at(m.lambda);
        progress.record(0);
      });
  progress.finish(status);
}

}  // namespace uzawa
