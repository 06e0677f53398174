/// CANAL's cascade beside semismooth Newton methods on the strict law, inside the same augmented Lagrangian loop.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/base/timing.hpp"
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"
#include "uzawa/papers/dish_cases.hpp"
#include "uzawa/solver/canal/inner_outcome.hpp"

namespace uzawa::papers {

namespace {

constexpr int kLoops = 10;

struct Method {
  Contender contender;
  const char *inner, *failures, *digits;  ///< printed
};

struct Figures {
  double inner = 0, failures = 0, digits = 0, milliseconds = 0;  ///< means; failures in % of the inner solves
};

/// All loops are wanted, whatever the residual is on the way; so many Newton steps that what fails does so by getting
/// nowhere.
Settings ten_loops() {
  Settings out{.tolerance = 1e-300, .require_siconos = false, .max_iterations = kLoops};
  out.canal.polish = out.canal.anderson = false;
  out.canal.max_newton_steps = 100;
  return out;
}

std::vector<Method> methods() {
  return {{{"CANAL", "canal", ten_loops(), plot::Color::Blue}, "30.55", "0", "8.22"},
          {{"dogleg on the strict law", "al-dogleg", ten_loops(), plot::Color::Orange}, "118.8", "1.2", "8.57"},
          {{"damped semismooth", "al-semismooth", ten_loops(), plot::Color::Green}, "246.9", "1.1", "8.56"}};
}

/// `spread`: where wanted, gets the steps of the cases in their order.
Figures measure(const std::vector<Case>& cases, const Contender& contender, const Options& options,
                plot::Series* spread = nullptr) {
  Workspace workspace;
  Result result;
  std::vector<double> inner, failures, digits, milliseconds;
  for (const Case& one : cases) {
    options.beat();
    workspace.start.clear();
    find_solver(contender.solver).solve(one.problem, contender.settings, workspace, result);
    inner.push_back(result.stats.inner_iterations);
    failures.push_back(100.0 * result.stats.inner_failures / std::max(1, result.stats.iterations));
    digits.push_back(-std::log10(std::max(result.verdict.residual, 1e-16)));
    milliseconds.push_back(1e3 * result.stats.seconds);
  }
  std::vector<double> sorted = inner;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size() && spread != nullptr; ++i) {
    spread->x.push_back(100.0 * (static_cast<double>(i) + 0.5) / static_cast<double>(sorted.size()));
    spread->y.push_back(sorted[i]);
  }
  return {bench::mean(inner), bench::mean(failures), bench::mean(digits), bench::median(milliseconds)};
}

/// How the steps depend on what the paper does not print: the size of the wrenches and the number of contacts.
/// `failures`: a sentence about those of the largest wrenches.
Table sensitivity(const Options& options, std::string& failures) {
  struct Variant {
    const char* label;
    double scale;           ///< of the wrenches
    double contacts_share;  ///< of the contacts, spread evenly
  };
  constexpr std::array kVariants = {Variant{"a tenth of the wrenches", 0.1, 1}, Variant{"as above", 1, 1},
                                    Variant{"10 x the wrenches", 10, 1}, Variant{"a third of the contacts", 1, 1.0 / 3},
                                    Variant{"a tenth of the contacts", 1, 0.1}};
  Table table{
      "the same with other wrenches, and with some of the contacts left out: inner steps, and % of the inner "
      "solves that failed",
      {"cases", "contacts", "CANAL: steps", "CANAL: failed, %", "dogleg: steps", "dogleg: failed, %", "damped: steps",
       "damped: failed, %"},
      {}};
  for (const Variant& variant : kVariants) {
    std::vector<Case> cases = dish_cases(options.cases(30, 2), variant.scale);
    for (Case& one : cases) keep_contacts(one.problem, variant.contacts_share);
    std::vector<Cell>& row = table.rows.emplace_back(
        std::vector<Cell>{variant.label, Cell::of(static_cast<double>(cases.front().problem.contacts.size()))});
    std::vector<double> failed;
    for (const Method& method : methods()) {
      const Figures f = measure(cases, method.contender, options);
      row.push_back(Cell::of(f.inner));
      row.push_back(Cell::of(f.failures, 2));
      failed.push_back(f.failures);
    }
    if (variant.scale <= 1) continue;
    failures = fmt::format(
        "With {} the inner solves of CANAL, dogleg and the damped method fail in {:.1f}, {:.1f} and {:.1f} %.",
        variant.label, failed[0], failed[1], failed[2]);
  }
  return table;
}

Report run(const Options& options) {
  const std::vector<Case> cases = dish_cases(options);
  Report report;
  report.setup =
      dish_cases_text(cases) +
      fmt::format(
          " {} loops of the augmented Lagrangian in its published form, from nothing; the inner problem of a "
          "loop is convex with CANAL, the strict law itself with the others. Inner steps are Newton steps of "
          "all loops. An inner solve fails where it gets no further above {:g} of the size of its terms, which is "
          "near the rounding floor, or has not reached its tolerance, {:g}, after {} steps: one rule for all three.",
          kLoops, kRoundingFloor, ten_loops().canal.newton_tolerance, ten_loops().canal.max_newton_steps);
  Table table{"ten loops",
              {"inner method", "paper: inner steps", "paper: failed, %", "paper: -log10 residual", "inner steps",
               "failed, %", "-log10 residual", "ms, median"},
              {}};
  plot::Panel panel{.title = "Newton steps of ten loops, case by case",
                    .x = {.label = "share of the cases, %"},
                    .y = {.label = "inner steps", .scale = plot::Scale::Log}};
  std::vector<Figures> found;
  for (const Method& method : methods()) {
    plot::Series spread = curve_of(method.contender);
    const Figures f = measure(cases, method.contender, options, &spread);
    table.rows.push_back({method.contender.label, method.inner, method.failures, method.digits, Cell::of(f.inner, 4),
                          Cell::of(f.failures), Cell::of(f.digits), Cell::of(f.milliseconds)});
    panel.series.push_back(std::move(spread));
    found.push_back(f);
    options.show(0.2 * static_cast<double>(found.size()));
  }
  std::string failures;
  report.tables = {std::move(table), sensitivity(options, failures)};
  options.show(1);
  report.claims = {
      {"CANAL's inner solves never fail", "0 %", fmt::format("{:.2f} %", found[0].failures), found[0].failures == 0},
      {"the baselines' fail now and then", "1.2 % and 1.1 %",
       fmt::format("{:.2f} % and {:.2f} %", found[1].failures, found[2].failures),
       found[1].failures > 0 && found[2].failures > 0},
      {"CANAL needs the fewest inner steps", "30.55, 118.8, 246.9",
       fmt::format("{:.1f}, {:.1f}, {:.1f}", found[0].inner, found[1].inner, found[2].inner),
       found[0].inner < found[1].inner && found[0].inner < found[2].inner},
      {"dogleg needs fewer than the damped method", "118.8 and 246.9",
       fmt::format("{:.1f} and {:.1f}", found[1].inner, found[2].inner), found[1].inner < found[2].inner},
      {"CANAL's residual after ten loops is like the baselines', to a decade", "8.22, 8.57, 8.56 (-log10)",
       fmt::format("{:.2f}, {:.2f}, {:.2f}", found[0].digits, found[1].digits, found[2].digits),
       found[0].digits > std::max(found[1].digits, found[2].digits) - 1}};
  report.notes = {
      "The paper prints neither its wrenches nor its contacts nor its tolerances; the second table shows what the "
      "first two are worth. " +
      failures +
      " The baselines start each loop from the last one's velocity with the equation scaled by A, "
      "which "
      "is kinder to them than the form that the paper describes."};
  for (const Method& method : methods()) {
    panel.series.push_back({.label = fmt::format("paper, mean: {}", method.inner),
                            .x = {50},
                            .y = {std::stod(method.inner)},
                            .color = method.contender.color,
                            .rings = true});
  }
  report.figure = {.title = "Inner steps with and without the cascade (al-table2)",
                   .caption = "Cases in the order of their steps. Rings: the paper's means, drawn in the middle.",
                   .panels = {std::move(panel)}};
  return report;
}

}  // namespace

Bench al_table2() { return {"al-table2", "CANAL's cascade and semismooth Newton", "[AL] Table II", run}; }

}  // namespace uzawa::papers
