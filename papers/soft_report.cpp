/// The report that [COND] Tables II, III, V and VI share.
#include <fmt/format.h>

#include <algorithm>

#include "uzawa/papers/published_delassus.hpp"
#include "uzawa/papers/soft_study.hpp"

namespace uzawa::papers {

namespace {

std::vector<Cell> line(const std::string& label, const SoftFigures& ours, std::size_t cases,
                       const PrintedFigures* printed) {
  const auto paper = [&](double PrintedFigures::*field) {
    return printed == nullptr ? Cell("") : Cell::of(printed->*field, 4);
  };
  return {label,
          Cell::of(1e3 * ours.penetration),
          paper(&PrintedFigures::penetration),
          Cell::of(1e3 * ours.force_error),
          paper(&PrintedFigures::force_error),
          Cell::of(ours.milliseconds),
          Cell::of(ours.judged),
          paper(&PrintedFigures::milliseconds),
          Cell::of(ours.iterations, 4),
          paper(&PrintedFigures::iterations),
          Cell::of(ours.residual, 2),
          fmt::format("{} of {}", ours.reached, cases)};
}

Claim faster(const char* whom, const SoftFigures& other, const SoftFigures& cond, double least, double printed) {
  const double ratio = other.milliseconds / cond.milliseconds;
  return {fmt::format("at an equal true error COND takes at most 1/{:g} of the time of {}", least, whom),
          printed > 0 ? fmt::format("1/{:.0f}", printed) : "",
          fmt::format("1/{:.3g} ({:.3g} and {:.3g} ms)", ratio, cond.milliseconds, other.milliseconds), ratio >= least};
}

}  // namespace

Report soft_report(const SoftTable& table, const Options& options) {
  std::vector<SoftCase> cases = trial_cases(table.scene, options);
  const int unsolved = add_solutions(cases, options);
  options.show(0.5);
  double contacts = 0;
  for (const SoftCase& one : cases) contacts += one.one.problem.contacts.size() / static_cast<double>(cases.size());
  double assembly = 0;  // ms
  for (const SoftCase& one : cases) {
    options.beat();
    assembly += 1e3 * published_delassus_seconds(one.one.problem) / static_cast<double>(cases.size());
  }
  Report report;
  report.setup = fmt::format(
      "Scene {}: a problem of each of {} trials, whose materials are drawn from the paper's ranges, at moments all "
      "over "
      "the task: a run with the scene's own material leads, and a trial goes on from a moment of it for {} steps. {} "
      "dofs "
      "and {:.0f} contacts each; solves start from impulses (COND: and velocities) of the step before. Times are CPU "
      "times of one thread and include whatever a method factorises or assembles: COND nothing, the others the factor "
      "of "
      "A, condensed to touched nodes where that pays, the explicit ones all of J A^-1 J^T. Beside them the time that "
      "[COND]'s own PGS and APGD need before their first iteration: J A^-1 J^T by Eigen's SimplicialLLT of all of A, a "
      "solve for each row. The judge, who tells COND "
      "when to stop, needs that factor, too: with him in a column of its own. The published COND stops where "
      "velocities "
      "change by less than {:g} m/s; all others at a judged residual of {:g}, or after {} iterations. Force error: "
      "|A (v - solution)| / dt, solution by auto at {:g}.",
      table.scene.name, cases.size(), kTrialSteps, cases.front().one.problem.n(), contacts, table.scene.threshold,
      kEqualError, kMostIterations, kSolved);
  report.tables.push_back(
      {fmt::format("{}: means over the problems", table.what),
       {"method", "penetration, mm", "paper's", "force error, mN", "paper's mN", "time, ms", "with judge, ms",
        "paper's ms", "iterations", "paper's iterations", "residual", "within the tolerance"},
       {}});
  auto& rows = report.tables.back().rows;
  const SoftFigures published = measure(cases, published_cond(table.scene.threshold), options);
  rows.push_back(line("COND as published", published, cases.size(), &table.cond));
  std::vector<SoftFigures> figures;
  plot::Panel panel{.title = "time of a solve and error that is left",
                    .x = {.label = "time, ms, mean", .scale = plot::Scale::Log},
                    .y = {.label = "force error, mN, mean", .scale = plot::Scale::Log}};
  const std::vector<Contender> contenders = equal_error_contenders();
  const PrintedFigures* printed[] = {nullptr, &table.pgs, &table.apgd, nullptr, nullptr};
  for (std::size_t m = 0; m < contenders.size(); ++m) {
    figures.push_back(measure(cases, contenders[m], options));
    rows.push_back(line(contenders[m].label, figures.back(), cases.size(), printed[m]));
    panel.series.push_back(curve_of(contenders[m]));
    panel.series.back().dots = true;
    panel.series.back().x = {figures.back().milliseconds};
    panel.series.back().y = {1e3 * figures.back().force_error};
    options.show(0.5 + 0.5 * static_cast<double>(m + 1) / static_cast<double>(contenders.size()));
  }
  rows.push_back({"Delassus matrix as published", "", "", "", "", Cell::of(assembly), "", Cell::of(table.assembly, 4),
                  "", "", "", ""});
  const SoftFigures &cond = figures[0], &pgs = figures[1], &apgd = figures[2], &free = figures[3];
  report.claims = {
      {"as published, COND takes at most twice the printed iterations", fmt::format("{:g}", table.cond.iterations),
       fmt::format("{:.4g}", published.iterations), published.iterations <= 2 * table.cond.iterations},
      {"COND reaches the tolerance in every problem", "", fmt::format("{} of {}", cond.reached, cases.size()),
       cond.reached == static_cast<int>(cases.size())},
      {"at an equal true error COND takes at most 1/10 of the time that the published PGS and APGD spend on their "
       "Delassus matrix, before they iterate",
       fmt::format("1/{:.0f}", table.assembly / table.cond.milliseconds),
       fmt::format("1/{:.3g} ({:.3g} and {:.3g} ms)", assembly / cond.milliseconds, cond.milliseconds, assembly),
       assembly >= 10 * cond.milliseconds},
      faster("PGS on our explicit Delassus matrix", pgs, cond, 10, table.pgs.milliseconds / table.cond.milliseconds),
      faster("APGD on our explicit Delassus matrix", apgd, cond, 10, table.apgd.milliseconds / table.cond.milliseconds),
      faster("APGD with our factorisation, matrix-free", free, cond, 4, 0),
      {"COND's penetration is no worse than printed", fmt::format("{:g} mm", table.cond.penetration),
       fmt::format("{:.2g} mm", 1e3 * cond.penetration), 1e3 * cond.penetration <= table.cond.penetration},
      {"COND's force error is no worse than printed", fmt::format("{:g} mN", table.cond.force_error),
       fmt::format("{:.3g} mN", 1e3 * cond.force_error), 1e3 * cond.force_error <= table.cond.force_error}};
  if (unsolved > 0)
    report.notes.push_back(fmt::format("{} problems without a solution to {:g} are left out.", unsolved, kSolved));
  report.figure = {.title = fmt::format("{}: time and error", table.what), .panels = {std::move(panel)}};
  return report;
}

}  // namespace uzawa::papers
