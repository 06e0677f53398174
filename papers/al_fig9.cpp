/// Single steps of a pile of dishes: who reaches which residual in which time.
#include <fmt/format.h>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/dish_cases.hpp"
#include "uzawa/papers/single_step.hpp"

namespace uzawa::papers {

namespace {

Report run(const Options& options) {
  const std::vector<Case> cases = dish_cases(options);
  const std::vector<Record> records = record_all(cases, options);
  const Record &canal = records[0], &published = records[1], &subadmm = records[2], &pgs = records[3];
  Report report;
  report.setup = dish_cases_text(cases) + " " + kSingleStepText;
  report.figure = {.title = "A pile of dishes, single steps (al-fig9)",
                   .caption = "Median residual over time and over iterations, and time over iterations."};
  add_single_step_tables(records, report);
  const double last_subadmm = subadmm.median_at_iteration(kFirstOrderIterations),
               last_pgs = pgs.median_at_iteration(kFirstOrderIterations);
  report.claims = {
      {"CANAL reaches 1e-8 in every case", "below 1e-8", effort_text(canal), canal.all_solved()},
      {"CANAL in its published form reaches 1e-8 in the median", "below 1e-8",
       fmt::format("median residual {:.1e} after 10 and {:.1e} after 50 loops; to 1e-8: {}",
                   published.median_at_iteration(10), published.median_at_iteration(50), effort_text(published)),
       published.median_at_iteration(50) <= kSolved},
      {fmt::format("SubADMM does not get below 1e-6 in the median within {} iterations", kFirstOrderIterations),
       "struggles below 1e-6", standing_text(subadmm, canal), last_subadmm > 1e-6},
      {fmt::format("PGS does not get below 1e-6 in the median within {} iterations", kFirstOrderIterations),
       "worse than SubADMM", standing_text(pgs, canal), last_pgs > 1e-6}};
  add_comparison_claims(records, report);
  report.notes = {
      fmt::format("After {} iterations SubADMM is at {:.1e} in the median, in its published form, which neither adapts "
                  "its penalties nor accelerates, at {:.1e}, and PGS at {:.1e}.",
                  kFirstOrderIterations, last_subadmm, records[4].median_at_iteration(kFirstOrderIterations), last_pgs),
      fmt::format("The default form of CANAL takes {:.0f} us and {:.0f} Newton steps in the median, the published form "
                  "{:.0f} and {:.0f} where it gets to 1e-8 ({} of {} cases).",
                  canal.effort().microseconds, canal.effort().newton, published.effort().microseconds,
                  published.effort().newton, published.solved(), cases.size())};
  return report;
}

}  // namespace

Bench al_fig9() { return {"al-fig9", "single steps of a pile of dishes", "[AL] Fig. 9", run}; }

}  // namespace uzawa::papers
