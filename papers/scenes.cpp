/// Every scene of the papers, whole: whose checks hold, and what a step costs by stage.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/scene_study.hpp"
#include "uzawa/papers/worst_of_stretches.hpp"

namespace uzawa::papers {

namespace {

constexpr std::size_t kPlotted = 200;  // points of a curve
constexpr std::array kPlottedScenes = {"bolt-nut-assembly", "dish-piling", "dish-piling-robot",
                                       "pouring"};  // without changes

const char* word(const SceneFigures& figures) { return figures.outcome.holds ? "holds" : "FAILS"; }
Cell milliseconds(double seconds) { return Cell::of(1e3 * seconds); }

std::string sweeps_text(int sweeps) { return fmt::format("PGS, {} sweep{}", sweeps, sweeps == 1 ? "" : "s"); }

/// Calls `visit(method, figures)` for CANAL, SubADMM and every rung of PGS.
void for_each_run(const SceneStudy& s, auto&& visit) {
  visit("CANAL", s.canal);
  visit("SubADMM", s.subadmm);
  for (std::size_t i = 0; i < s.ladder.size(); ++i) {
    visit(sweeps_text(s.ladder[i].sweeps) + (i == s.nearest ? " (CANAL's time)" : ""), s.ladder[i].figures);
    if (i == s.nearest && s.cold.steps > 0) visit(sweeps_text(s.ladder[i].sweeps) + ", cold", s.cold);
  }
}

Table check_table(const std::vector<SceneStudy>& studies) {
  Table table{"does the scene's check hold; how well were the steps solved",
              {"scene", "method", "check", "solve, us, mean", "residual, median", "residual, worst", "steps",
               "not solved to 1e-8", "deepest, mm", "jitter, m/s or rad/s"},
              {}};
  for (const SceneStudy& s : studies) {
    std::string scene = s.scene->label();
    for_each_run(s, [&](const std::string& method, const SceneFigures& f) {
      table.rows.push_back({std::exchange(scene, ""), method, word(f), Cell::of(1e6 * f.solve),
                            Cell::of(f.median_residual(), 2), Cell::of(f.worst_residual(), 2), Cell::of(f.steps, 5),
                            Cell::of(f.unsolved, 5), Cell::of(1e3 * f.penetration, 2), Cell::of(f.jitter, 2)});
    });
  }
  return table;
}

/// The scene's own words on every run whose check fails.
Table failure_table(const std::vector<SceneStudy>& studies) {
  Table table{"why checks fail", {"scene", "method", "expected", "measured"}, {}};
  for (const SceneStudy& s : studies) {
    std::string scene = s.scene->label(), expected = s.canal.outcome.expected;
    for_each_run(s, [&](const std::string& method, const SceneFigures& f) {
      if (f.outcome.holds) return;
      table.rows.push_back({std::exchange(scene, ""), method, std::exchange(expected, ""), f.outcome.measured});
    });
  }
  return table;
}

Table cost_table(const std::vector<SceneStudy>& studies) {
  Table table{"CPU time of a step by stage, ms, mean; in CANAL's run, but for the last columns",
              {"scene", "contacts", "dynamics", "collision", "assembly", "solve", "integrate", "step", "x real time",
               "solve, worst", "SubADMM: solve", "SubADMM: worst", "PGS in CANAL's time: solve", "PGS: worst"},
              {}};
  for (const SceneStudy& s : studies) {
    const StageTimes& cost = s.canal.cost;
    const SceneFigures& pgs = s.rung().figures;
    table.rows.push_back(
        {s.scene->label(), Cell::of(s.canal.contacts), milliseconds(cost.dynamics), milliseconds(cost.collision),
         milliseconds(cost.assembly), milliseconds(cost.solve), milliseconds(cost.integrate),
         milliseconds(cost.total()), Cell::of(s.canal.time.back() / s.canal.steps / cost.total()),
         milliseconds(s.canal.worst_solve), milliseconds(s.subadmm.cost.solve), milliseconds(s.subadmm.worst_solve),
         milliseconds(pgs.cost.solve), milliseconds(pgs.worst_solve)});
  }
  return table;
}

Table sweeps_table(const std::vector<SceneStudy>& studies) {
  Table table{
      "CANAL's time as a number of sweeps of PGS: CPU time on problems of CANAL's run, us, mean",
      {"scene", "CANAL's solve", "PGS: set-up", "PGS: a sweep", "sweeps in CANAL's time", "nearest that was run"},
      {}};
  for (const SceneStudy& s : studies) {
    table.rows.push_back({s.scene->label(), Cell::of(1e6 * s.costs.canal), Cell::of(1e6 * s.costs.setup),
                          Cell::of(1e6 * s.costs.sweep), Cell::of(s.costs.sweeps()), Cell::of(s.rung().sweeps)});
  }
  return table;
}

/// "The check holds with 5, 10 sweeps, fails with 1, 2."
std::string ladder_text(const SceneStudy& s) {
  std::string holds, fails;
  for (const Rung& rung : s.ladder) {
    std::string& list = rung.figures.outcome.holds ? holds : fails;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", rung.sweeps);
  }
  return fmt::format("The check holds with {} sweeps, fails with {}.", holds.empty() ? "no number of" : holds,
                     fails.empty() ? "none" : fails);
}

std::string symptom_text(const SceneStudy& s, const SceneFigures& f) {
  return s.scene->symptom == Symptom::Penetration ? fmt::format("{:.2g} mm deep", 1e3 * f.penetration)
                                                  : fmt::format("jitter {:.2g}", f.jitter);
}

void add_pgs_claims(const SceneStudy& s, Report& report) {
  const std::string scene = s.scene->label();
  const SceneFigures& pgs = s.rung().figures;
  report.claims.push_back({fmt::format("{}: PGS in CANAL's time {} more than {:g} x CANAL's", scene,
                                       s.scene->symptom == Symptom::Penetration ? "penetrates" : "jitters", kMarked),
                           s.scene->pgs_in_paper,
                           fmt::format("{} sweeps {}, CANAL {}; cold {}", s.rung().sweeps, symptom_text(s, pgs),
                                       symptom_text(s, s.canal), symptom_text(s, s.cold)),
                           s.shows_symptom()});
  report.claims.push_back({fmt::format("{}: PGS in CANAL's time does not pass the scene's check", scene),
                           s.scene->pgs_in_paper,
                           fmt::format("{} sweeps, check {}: {}. Cold, check {}: {}. {}", s.rung().sweeps, word(pgs),
                                       pgs.outcome.measured, word(s.cold), s.cold.outcome.measured, ladder_text(s)),
                           !pgs.outcome.holds});
}

void add_claims(const std::vector<SceneStudy>& studies, Report& report) {
  for (const SceneStudy& s : studies) {
    report.claims.push_back(
        {fmt::format("{}: the check holds with CANAL and with SubADMM, without a time limit", s.scene->label()), "",
         fmt::format("CANAL {}: {}. SubADMM {}: {}", word(s.canal), s.canal.outcome.measured, word(s.subadmm),
                     s.subadmm.outcome.measured),
         s.canal.outcome.holds && s.subadmm.outcome.holds});
  }
  for (const SceneStudy& s : studies) {
    if (s.scene->symptom != Symptom::None) add_pgs_claims(s, report);
  }
}

void add_notes(const std::vector<SceneStudy>& studies, Report& report) {
  report.notes.emplace_back(
      "Our PGS starts from the impulses of the last step, solves each contact against its own 3x3 block and sweeps in "
      "another order every time; the papers do not say whether theirs does. Cold: as many sweeps, but every step from "
      "nothing.");
  for (const SceneStudy& s : studies) {
    const StageTimes& cost = s.canal.cost;
    if (cost.collision <= cost.solve) continue;
    report.notes.push_back(fmt::format("{}: collision takes {:.2g} ms, the solver {:.2g} ms. {}", s.scene->label(),
                                       1e3 * cost.collision, 1e3 * cost.solve, s.scene->collision));
  }
}

plot::Series curve(const std::string& label, plot::Color color, const SceneFigures& figures) {
  plot::Series out{.label = label, .color = color};
  fill_worst_of_stretches(figures.time, figures.residual, kPlotted, out);
  return out;
}

plot::Figure figure(const std::vector<SceneStudy>& studies) {
  plot::Figure out{.title = "How well the steps of whole scenes are solved (scenes)",
                   .caption =
                       "Each point is the worst residual of a stretch of steps. PGS has the number of sweeps "
                       "whose time comes nearest to CANAL's."};
  for (const SceneStudy& s : studies) {
    if (std::find(kPlottedScenes.begin(), kPlottedScenes.end(), s.scene->label()) == kPlottedScenes.end()) {
      continue;
    }
    out.panels.push_back(
        {.title = s.scene->label(),
         .x = {.label = "time, s"},
         .y = {.label = "residual", .scale = plot::Scale::Log},
         .series = {curve("CANAL", plot::Color::Blue, s.canal), curve("SubADMM", plot::Color::Orange, s.subadmm),
                    curve(sweeps_text(s.rung().sweeps), plot::Color::Green, s.rung().figures)}});
  }
  return out;
}

Report run(const Options& options) {
  Report report;
  report.setup =
      fmt::format("Every scene of [AL] and [JOINT], {}, in steps of 1/240 s, once with each method; ",
                  extent(options)) +
      "a tolerance of 1e-8 and no limit of time (al-budget has one). CANAL and SubADMM have their default settings. "
      "PGS is run with 1, 2, 5, 10, "
      "... sweeps a step, up to several times CANAL's time or until every step is solved; \"CANAL's time\" marks the "
      "number that comes nearest, by ratio, to those that take what CANAL takes, timed on the same problems. Each run "
      "is "
      "the same on every machine; only that mark depends on the clock. Deepest: the deepest overlap of all steps. "
      "Jitter: v_(k+1) - 2 v_k + "
      "v_(k-1), root mean square over the dofs, median over the steps.";
  std::vector<SceneStudy> studies;
  for (const PaperScene& scene : paper_scenes()) {
    studies.push_back(study(scene, options));
    options.show(static_cast<double>(studies.size()) / static_cast<double>(paper_scenes().size()));
  }
  report.tables = {check_table(studies), cost_table(studies), sweeps_table(studies)};
  Table failures = failure_table(studies);
  if (!failures.rows.empty()) report.tables.push_back(std::move(failures));
  add_claims(studies, report);
  add_notes(studies, report);
  report.figure = figure(studies);
  return report;
}

}  // namespace

Bench scenes() {
  return {"scenes", "every scene whole: checks, and the cost of a step by stage", "[AL] section VII, [JOINT]", run};
}

}  // namespace uzawa::papers
