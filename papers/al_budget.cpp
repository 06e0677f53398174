/// The robots' tasks within the paper's limits of time for the solver, and within a multiple of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/scene_study.hpp"

namespace uzawa::papers {

namespace {

struct Task {
  const char* scene;
  double budget;    ///< s a step, printed
  const char* pgs;  ///< what the paper reports of it
};
constexpr std::array kTasks = {Task{"bolt-nut-assembly", 0.5e-3, "fails: significant penetrations"},
                               Task{"dish-piling-robot", 1e-3, "fails: jittery movements"}};
constexpr std::array kMultiples = {1, 2, 4};  // of the printed limit: machines differ
constexpr std::array<std::pair<const char*, const char*>, 3> kMethods = {
    {{"CANAL", "canal"}, {"SubADMM", "subadmm"}, {"PGS", "pgs"}}};
constexpr int kFirstOrderIterations = 100000;  // the clock ends them, not their number
constexpr double kBusy = 0.95;                 // of the processor; below that the wall clock ran for others

struct Trial {
  const Task* task;
  int multiple;
  const char* method;
  SceneFigures figures;
};

Trial attempt(const Task& task, int multiple, std::size_t method, const Options& options) {
  Settings settings{.budget_us = 1e6 * task.budget * multiple};
  if (method > 0) settings.max_iterations = kFirstOrderIterations;
  const auto& [label, solver] = kMethods[method];
  return {&task, multiple, label, run_scene(task.scene, "", {label, solver, settings}, options)};
}

const char* word(const SceneFigures& figures) { return figures.outcome.holds ? "holds" : "FAILS"; }

Table table_of(const std::vector<Trial>& trials) {
  Table table{
      "the scene's check, with a limit of wall time on the solves of a step",
      {"scene", "limit, ms", "x paper's", "method", "check", "steps cut short", "of", "residual, median",
       "residual, worst", "deepest, mm", "jitter, m/s or rad/s", "solve, ms, mean", "solve, ms, worst", "processor, %"},
      {}};
  for (const Trial& t : trials) {
    const SceneFigures& f = t.figures;
    table.rows.push_back({t.task->scene, Cell::of(1e3 * t.task->budget * t.multiple), Cell::of(t.multiple), t.method,
                          word(f), Cell::of(f.capped, 5), Cell::of(f.steps, 5), Cell::of(f.median_residual(), 2),
                          Cell::of(f.worst_residual(), 2), Cell::of(1e3 * f.penetration, 2), Cell::of(f.jitter, 2),
                          Cell::of(1e3 * f.cost.solve), Cell::of(1e3 * f.worst_solve),
                          Cell::of(100 * f.processor_share)});
  }
  return table;
}

/// Whether a method does a task within the printed limit, and what it does with more.
Claim claim_of(const std::vector<Trial>& trials, const Task& task, const char* method, bool does) {
  Claim claim{fmt::format("{}: {} {} the task within {:g} ms a step", task.scene, method, does ? "does" : "does not do",
                          1e3 * task.budget),
              does ? "does the task" : task.pgs, "", false};
  for (const Trial& t : trials) {
    if (t.task != &task || t.method != std::string_view(method)) continue;
    claim.ours += fmt::format("{}{} x the limit: check {}: {}", claim.ours.empty() ? "" : ". ", t.multiple,
                              word(t.figures), t.figures.outcome.measured);
    if (t.multiple == 1) claim.holds = t.figures.outcome.holds == does;
  }
  return claim;
}

plot::Figure figure_of(const std::vector<Trial>& trials) {
  plot::Figure out{.title = "Steps that the limit of time cut short (al-budget)",
                   .caption = "Limits are those of the paper times 1, 2 and 4, on this machine."};
  constexpr std::array kColors = {plot::Color::Blue, plot::Color::Orange, plot::Color::Green};
  for (const Task& task : kTasks) {
    plot::Panel panel{.title = task.scene,
                      .x = {.label = "limit, ms a step", .scale = plot::Scale::Log},
                      .y = {.label = "steps cut short, %"}};
    for (std::size_t m = 0; m < kMethods.size(); ++m) {
      plot::Series series{.label = kMethods[m].first, .color = kColors[m], .dots = true};
      for (const Trial& t : trials) {
        if (t.task != &task || t.method != std::string_view(kMethods[m].first)) continue;
        series.x.push_back(1e3 * task.budget * t.multiple);
        series.y.push_back(100.0 * t.figures.capped / t.figures.steps);
      }
      panel.series.push_back(std::move(series));
    }
    out.panels.push_back(std::move(panel));
  }
  return out;
}

/// Whether the wall clock can be trusted.
std::string machine_note(const std::vector<Trial>& trials) {
  double least = 1;
  for (const Trial& t : trials) least = std::min(least, t.figures.processor_share);
  return fmt::format("The program had {:.0f} % of its processor at the least: {}", 100 * least,
                     least < kBusy ? "others used the machine, and the limits were shorter than they say."
                                   : "the limits are what they say.");
}

Report run(const Options& options) {
  Report report;
  report.setup = fmt::format(
      "Scenes bolt-nut-assembly (a Panda turns a nut onto a bolt) and dish-piling-robot (a Panda with a hand piles "
      "dishes), {}. All solves of a step together, and putting their problems together, get the wall time that the "
      "paper allows, 0.5 and 1 ms, and 2 and 4 times that: its machine is not ours. A method whose time is up gives "
      "the best impulses that it has found; all start from the last step's. Every run depends on the machine and on "
      "who else uses it.",
      extent(options));
  std::vector<Trial> trials;
  const auto all = static_cast<double>(kTasks.size() * kMultiples.size() * kMethods.size());
  for (const Task& task : kTasks) {
    for (const int multiple : kMultiples) {
      for (std::size_t m = 0; m < kMethods.size(); ++m) {
        trials.push_back(attempt(task, multiple, m, options));
        options.show(static_cast<double>(trials.size()) / all);
      }
    }
  }
  report.tables = {table_of(trials)};
  for (const Task& task : kTasks) {
    for (const auto& [label, solver] : kMethods) {
      report.claims.push_back(claim_of(trials, task, label, std::string_view(solver) != "pgs"));
    }
  }
  report.notes = {machine_note(trials)};
  report.figure = figure_of(trials);
  return report;
}

}  // namespace

Bench al_budget() {
  return {"al-budget", "the robots' tasks within a limit of time", "[AL] sections VII-A.2 and VII-B.2", run};
}

}  // namespace uzawa::papers
