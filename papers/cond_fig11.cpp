/// Time of a solve over the number of nodes of the mat.
#include <fmt/format.h>

#include <algorithm>

#include "uzawa/base/timing.hpp"
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/growth.hpp"
#include "uzawa/papers/soft_study.hpp"

namespace uzawa::papers {

namespace {

constexpr int kMostForExplicit = 2000;  // nodes; a Delassus matrix of more takes minutes
constexpr int kMostForFactor = 15000;   // nodes; a factor of more, minutes, too

// m: the usual reach of 1 mm is from node to node where cells are 1.6 mm wide, and a flat mat does not touch itself.
constexpr double kLookAhead = 1e-4;

Case mat_case(int cells, const Options& options) {
  // How well that step is solved does not matter: its problem does.
  const Contender few{"", "cond", {.tolerance = kEqualError, .require_siconos = false, .max_iterations = 1}};
  scenarios::SceneRun scene = start_scene("soft-mat", {fmt::format("cells={}", cells)}, few);
  SimSettings settings = scene.world().settings();
  settings.look_ahead = kLookAhead;
  start_again(scene, settings);
  return sampled_cases(scene, 1, 1, options).front();
}

double milliseconds(const Case& one, const Contender& contender) {
  Workspace workspace;
  Result result;
  std::vector<double> times;
  for (int repeat = 0; repeat < 3; ++repeat) {
    workspace.start = one.start;
    const double seconds = bench::seconds(
        [&] { solve_islands(find_solver(contender.solver), one.problem, contender.settings, workspace, result); });
    times.push_back(1e3 * seconds * method_share(result.stats));
  }
  return bench::median(times);
}

Report run(const Options& options) {
  const std::vector<int> sizes = options.quick ? std::vector{6, 8} : std::vector{12, 18, 26, 38, 56, 80, 110, 158};
  std::vector<Contender> contenders = equal_error_contenders();
  contenders.resize(4);  // without auto
  // The same work at every size: an iteration is what must be linear.
  for (Contender& contender : contenders) {
    contender.settings.tolerance = 1e-300;
    contender.settings.max_iterations = 40;
  }
  Report report;
  report.setup = fmt::format(
      "Scene soft-mat with finer and finer mats, one layer thick, as they lie on the table: the problem of the first "
      "step. 40 iterations of each method, all that it factorises and assembles included, the judge of COND not; CPU "
      "time, median of 3. Explicit matrices up to {} nodes, factors up to {}.",
      kMostForExplicit, kMostForFactor);
  Table table{"time of a solve, ms", {"nodes", "contacts"}, {}};
  plot::Panel panel{.title = "time of a solve",
                    .x = {.label = "nodes", .scale = plot::Scale::Log},
                    .y = {.label = "time, ms", .scale = plot::Scale::Log}};
  for (const Contender& contender : contenders) {
    table.columns.push_back(contender.label);
    panel.series.push_back(curve_of(contender));
    panel.series.back().dots = true;
  }
  double done = 0;
  for (const int cells : sizes) {
    const Case one = mat_case(cells, options);
    const int nodes = 2 * (cells + 1) * (cells + 1);
    auto& row =
        table.rows.emplace_back(std::vector<Cell>{Cell::of(nodes, 6), Cell::of(one.problem.contacts.size(), 6)});
    for (std::size_t m = 0; m < contenders.size(); ++m) {
      const bool explicit_matrix = m == 1 || m == 2;
      if (nodes > (explicit_matrix ? kMostForExplicit : m == 3 ? kMostForFactor : nodes)) {
        row.emplace_back("-");
        continue;
      }
      panel.series[m].x.push_back(nodes);
      panel.series[m].y.push_back(milliseconds(one, contenders[m]));
      row.push_back(Cell::of(panel.series[m].y.back()));
    }
    options.show(++done / static_cast<double>(sizes.size()));
  }
  const auto exponent = [&](std::size_t m) { return bench::fitted_exponent(panel.series[m].x, panel.series[m].y); };
  report.claims = {
      {"COND's time is linear in the nodes: R^2 of at least 0.99", "0.9997",
       fmt::format("{:.4f}", linearity(panel.series[0])), linearity(panel.series[0]) >= 0.99},
      {"COND's time grows with an exponent of at most 1.1", "linear",
       fmt::format("{:.2f}, to {:.0f} nodes", exponent(0), panel.series[0].x.back()), exponent(0) <= 1.1},
      {"PGS and APGD on an explicit Delassus matrix grow faster than linearly: exponents above 1.5", "superlinear",
       fmt::format("{:.2f} and {:.2f}", exponent(1), exponent(2)), std::min(exponent(1), exponent(2)) > 1.5}};
  report.tables.push_back(std::move(table));
  report.figure = {.title = "Soft mat: time over nodes (cond-fig11)", .panels = {std::move(panel)}};
  return report;
}

}  // namespace

Bench cond_fig11() { return {"cond-fig11", "time over the number of nodes of a soft mat", "[COND] Fig. 11", run}; }

}  // namespace uzawa::papers
