#include "uzawa/papers/handle_sweep.hpp"

#include <algorithm>

namespace uzawa::papers {

namespace {

constexpr std::array kColors = {plot::Color::Blue, plot::Color::Orange, plot::Color::Green, plot::Color::Violet};

}  // namespace

void add_sweep(HandleSweep sweep, const Options& options, Report& report) {
  const std::array methods = {Contender{"CANAL", "canal"}, Contender{"SubADMM", "subadmm"}};
  const std::size_t count = sweep.values.size();
  for (std::size_t m = 0; m < methods.size(); ++m) {
    plot::Panel panel{.title = methods[m].label, .x = sweep.x, .y = sweep.y};
    double worst = 0;
    bool put_to_test = true;
    for (std::size_t i = 0; i < count; ++i) {
      HandleRun run = sweep.run(sweep.values[i], methods[m]);
      run.curve.color = kColors[i];
      worst = std::max(worst, run.error);
      put_to_test = put_to_test && run.put_to_test;
      if (m == 0) sweep.table.rows.push_back({Cell::of(sweep.values[i])});
      sweep.table.rows[i].push_back(Cell::of(run.error, 2));
      panel.series.push_back(std::move(run.curve));
      options.show(static_cast<double>(m * count + i + 1) / static_cast<double>(methods.size() * count));
    }
    report.claims.push_back({methods[m].label + ": " + sweep.claim, "seen in the plot", sweep.measured(worst),
                             put_to_test && worst < sweep.most});
    report.figure.panels.push_back(std::move(panel));
  }
  report.tables.push_back(std::move(sweep.table));
}

}  // namespace uzawa::papers
