/// COND beside contact constraint splitting on a soft mat, after a fixed number of iterations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "uzawa/base/timing.hpp"
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"
#include "uzawa/problem/block_matrix.hpp"

namespace uzawa::papers {

namespace {

struct Method {
  Contender contender;
  double penetration, force, time;  ///< printed: mm, mN, ms
};

Settings fixed(int iterations) {
  return {.tolerance = 1e-300, .require_siconos = false, .max_iterations = iterations};  // never reached
}

std::vector<Method> methods() {
  return {{{"COND (50)", "cond", fixed(50), plot::Color::Blue}, 0.0049, 0.9662, 10.85},
          {{"COND (100)", "cond", fixed(100), plot::Color::Blue, true}, 0.0050, 0.1620, 20.90},
          {{"CCS (50)", "ccs", fixed(50), plot::Color::Orange}, 0.0051, 13.40, 65.99},
          {{"CCS (100)", "ccs", fixed(100), plot::Color::Orange, true}, 0.0053, 6.559, 107.9}};
}

/// Over the steps that were looked at.
struct Figures {
  std::vector<double> time, penetration, force, ms, residual;  ///< s, mm, mN, ms
};

/// What the step's forces are off by: |A (v - exact)|/h, N.
double force_error(const Problem& problem, const std::vector<double>& v, const std::vector<double>& exact) {
  std::vector<double> off(v.size()), impulse(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) off[i] = v[i] - exact[i];
  multiply(problem, off, impulse);
  double sum = 0;
  for (const double x : impulse) sum += x * x;
  return std::sqrt(sum) / problem.dt;
}

/// One problem by all methods, from nothing; interleaved, so that what else the machine does hits all alike.
bool compare(const Problem& problem, double time, const std::vector<Method>& all, std::vector<Figures>& found) {
  Workspace workspace;
  Result exact, result;
  find_solver("canal").solve(problem, {.tolerance = 1e-10}, workspace, exact);
  if (exact.status != SolveStatus::Converged) return false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Workspace own;
    const double seconds = bench::seconds(
        [&] { find_solver(all[i].contender.solver).solve(problem, all[i].contender.settings, own, result); });
    found[i].time.push_back(time);
    found[i].penetration.push_back(1e3 * problem.dt * result.verdict.penetration);
    found[i].force.push_back(1e3 * force_error(problem, result.v, exact.v));
    found[i].ms.push_back(1e3 * seconds);
    found[i].residual.push_back(result.verdict.residual);
  }
  return true;
}

Report run(const Options& options) {
  Report report;
  report.setup =
      "Contact problems of steps all over the scene soft-mat, each solved from nothing by COND (defaults: row sums, "
      "FISTA "
      "with restart) and by contact constraint splitting with 50 and 100 iterations. Force error: norm of A (v - "
      "exact) / "
      "step, with the exact velocities by CANAL at 1e-10; the paper has the norm of internal forces beside that of a "
      "converged run. Time: processor time of one thread, factorisations included. Penetration: what the step would "
      "add.";
  const std::vector<Method> all = methods();
  std::vector<Figures> found(all.size());
  scenarios::SceneRun scene =
      start_scene("soft-mat", options.quick ? std::vector<std::string>{"cells=8"} : std::vector<std::string>{});
  const double h = scene.world().dt();
  const int steps = options.quick ? 2 : static_cast<int>(std::lround(scene.times().duration / h));
  const int every = std::max(1, steps / options.cases(40, 1));
  int unsolved = 0;
  for (int k = 0; k < steps; ++k) {
    scene.step();
    if (k % every == 0 && scene.world().problem().contacts.size() > 0) {
      unsolved += compare(scene.world().problem(), scene.world().state().time, all, found) ? 0 : 1;
    }
    options.show((k + 1.0) / steps);
  }
  Table table{"mean of the steps",
              {"method (iterations)", "penetration, mm", "force error, mN", "time, ms", "residual, median", "paper: mm",
               "paper: mN", "paper: ms"},
              {}};
  plot::Panel panel{
      .title = "force error", .x = {.label = "time, s"}, .y = {.label = "force error, mN", .scale = plot::Scale::Log}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Figures& f = found[i];
    table.rows.push_back({all[i].contender.label, Cell::of(bench::mean(f.penetration), 2),
                          Cell::of(bench::mean(f.force), 2), Cell::of(bench::mean(f.ms)),
                          Cell::of(f.residual.empty() ? 0 : bench::median(f.residual), 2), Cell::of(all[i].penetration),
                          Cell::of(all[i].force, 4), Cell::of(all[i].time, 4)});
    plot::Series curve = curve_of(all[i].contender);
    curve.x = f.time;
    curve.y = f.force;
    panel.series.push_back(std::move(curve));
  }
  report.tables.push_back(std::move(table));
  report.figure = {.title = "COND and contact constraint splitting on a soft mat (cond-table7)",
                   .caption = "Error of the step's forces after a fixed number of iterations.",
                   .panels = {std::move(panel)}};
  const auto force = [&](std::size_t i) { return bench::mean(found[i].force); };
  const auto time = [&](std::size_t i) { return bench::mean(found[i].ms); };
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const std::size_t ccs = i + 2;
    report.claims.push_back(
        {fmt::format("{} is nearer to the solution than {}", all[i].contender.label, all[ccs].contender.label),
         fmt::format("{} against {} mN", all[i].force, all[ccs].force),
         fmt::format("{:.2g} against {:.2g} mN", force(i), force(ccs)), force(i) < force(ccs)});
    report.claims.push_back(
        {fmt::format("{} takes less time than {}", all[i].contender.label, all[ccs].contender.label),
         fmt::format("{:.1f} x", all[ccs].time / all[i].time), fmt::format("{:.1f} x", time(ccs) / time(i)),
         time(i) < time(ccs)});
  }
  if (unsolved > 0) report.notes.push_back(fmt::format("{} steps without an exact solution are left out.", unsolved));
  return report;
}

}  // namespace

Bench cond_table7() { return {"cond-table7", "COND and contact constraint splitting", "[COND] Table VII", run}; }

}  // namespace uzawa::papers
