/// Single steps of bolt and nut: who reaches which residual in which time.
#include <fmt/format.h>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/single_step.hpp"

namespace uzawa::papers {

namespace {

constexpr int kConfigurations = 10, kWrenchesEach = 10;
constexpr double kStalled = 1e-5;     // a decade below where the paper's PGS stalls
constexpr double kBetween = 0.12;     // s of screwing from one configuration to the next
constexpr Wrenches kWrenches{50, 2};  // [AL] does not say; the nut weighs 1 kg

int configurations(const Options& options) { return options.cases(kConfigurations, 2); }
int wrenches_each(const Options& options) { return options.cases(kWrenchesEach, 2); }

std::vector<Case> nut_cases(const Options& options) {
  scenarios::SceneRun scene = start_scene("bolt-nut");
  scenarios::Random random(7);
  std::vector<Case> out;
  run_for(scene, 0.3);
  for (int i = 0; i < configurations(options); ++i) {
    run_for(scene, kBetween);
    for (Case& one : wrench_cases(scene, wrenches_each(options), kWrenches, random)) out.push_back(std::move(one));
  }
  return out;
}

Report run(const Options& options) {
  const std::vector<Case> cases = nut_cases(options);
  const std::vector<Record> records = record_all(cases, options);
  const Record &canal = records[0], &published = records[1], &subadmm = records[2], &pgs = records[3];
  Report report;
  report.setup = fmt::format(
      "Scene bolt-nut: {} configurations on the way of an M48 nut along its bolt, {} random wrenches on the nut in "
      "each (up to {:g} N and {:g} N m a component): {} problems of {} dofs with about {} contacts. {}",
      configurations(options), wrenches_each(options), kWrenches.force, kWrenches.moment, cases.size(),
      cases.front().problem.n(), cases.front().problem.contacts.size(), kSingleStepText);
  report.figure = {.title = "Bolt and nut, single steps (al-fig7)",
                   .caption = "Median residual over time and over iterations, and time over iterations."};
  add_single_step_tables(records, report);
  const double last_subadmm = subadmm.median_at_iteration(kFirstOrderIterations),
               last_pgs = pgs.median_at_iteration(kFirstOrderIterations);
  report.claims = {
      {"CANAL reaches 1e-8 in every case", "1e-8 or less", effort_text(canal), canal.all_solved()},
      {"CANAL in its published form is at 1e-8 after 10 loops, in the median", "about 10",
       fmt::format("median residual {:.1e} after 10 loops; to 1e-8: {}", published.median_at_iteration(10),
                   effort_text(published)),
       published.median_at_iteration(10) <= kSolved},
      {fmt::format("SubADMM reaches 1e-8 in the median within {} iterations", kFirstOrderIterations), "1e-8 or less",
       standing_text(subadmm, canal) + "; to 1e-8: " + effort_text(subadmm), last_subadmm <= kSolved},
      {fmt::format("PGS does not reach 1e-8 in the median within {} iterations", kFirstOrderIterations), "near 1e-4",
       standing_text(pgs, canal) + "; to 1e-8: " + effort_text(pgs), last_pgs > kSolved},
      {fmt::format("PGS stalls near 1e-4: above {:g} in the median after {} iterations", kStalled,
                   kFirstOrderIterations),
       "struggles to converge quickly past 1e-4", standing_text(pgs, canal), last_pgs > kStalled}};
  add_comparison_claims(records, report);
  return report;
}

}  // namespace

Bench al_fig7() { return {"al-fig7", "single steps of bolt and nut", "[AL] Fig. 7", run}; }

}  // namespace uzawa::papers
