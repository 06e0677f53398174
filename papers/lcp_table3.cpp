/// Long and closed chains in contact.
#include <fmt/format.h>

#include <iterator>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/lcp_frames.hpp"

namespace uzawa::papers {

namespace {

struct Subject {
  const char *label, *scene;
  std::vector<std::string> changes;
  double dt, duration;  ///< s
  const char* paper;    ///< contacts, active, solve and step in ms
  SmoothRule smooth = SmoothRule::Theta;
};

Report run(const Options& options) {
  // The counterweight does not get the better of friction: the chain stays on the rod as long as it takes.
  const std::vector<Subject> subjects = {
      {"hoist", "hoist", {"counter=0.35", "hold=10"}, 0.001, 10, "34.2, 20.8; 62.0, 120"},
      {"hoist, 10 ms", "hoist", {"counter=0.35", "hold=10"}, 0.01, 10, "48.4, 23.0; 96.5, 187"},
      {"ring", "ring", {}, 0.001, 4, "26.1, 21.7; 35.0, 80.6"},
      {"net", "net", {}, 0.001, 2, "25.7, 16.9; 9.72, 62.5"},
      {"hoist, RK4", "hoist", {"counter=0.35", "hold=10"}, 0.001, 10, "34.2, 20.8; 62.0, 120", SmoothRule::Rk4},
      {"hoist, RK4, 10 ms", "hoist", {"counter=0.35", "hold=10"}, 0.01, 10, "48.4, 23.0; 96.5, 187", SmoothRule::Rk4},
      {"ring, RK4", "ring", {}, 0.001, 4, "26.1, 21.7; 35.0, 80.6", SmoothRule::Rk4},
      {"net, RK4", "net", {}, 0.001, 2, "25.7, 16.9; 9.72, 62.5", SmoothRule::Rk4}};
  Report report;
  report.setup =
      "Scenes hoist (a string of 25 joints over a rod), ring (wires with ring-shaped ends hooked into each other) and "
      "net (four closed strings of 16 joints, five cylinders) with the method lcp, friction polygons of 8 sides, warm "
      "starts; our own step, and RK4 on the smooth part as in the paper. The chains' dampers are too stiff for RK4 at "
      "1 ms, and act at the end of its steps (StiffDampers). The paper's figures are of a 3.8 GHz "
      "Pentium Xeon; geometry and masses are our own.";
  report.figure = {.title = "Pivots of long and closed chains (lcp-table3)", .caption = "Most frames take none."};
  report.figure.panels = {{.title = "pivots a frame", .x = {.label = "time, s"}, .y = {.label = "pivots"}}};
  constexpr plot::Color kColors[] = {plot::Color::Blue, plot::Color::Orange, plot::Color::Green, plot::Color::Violet};
  std::vector<std::pair<std::string, LcpFrames>> found;
  Table paper{"the paper's", {"scene", "contacts, active; LCP and simulation time, ms"}, {}};
  for (const Subject& subject : subjects) {
    const int steps = options.cases(static_cast<int>(subject.duration / subject.dt + 0.5), 200);
    LcpFrames frames =
        count_frames({.scene = subject.scene,
                      .changes = subject.changes,
                      .steps = steps,
                      .dt = subject.dt,
                      .smooth = subject.smooth,
                      .warm_start = true},
                     pivoting(subject.label, "lcp", 0, kColors[found.size() % std::size(kColors)]), options);
    frames.curve.dashed = subject.smooth == SmoothRule::Rk4;
    report.figure.panels[0].series.push_back(frames.curve);
    report.claims.push_back({fmt::format("{}: no frame fails", subject.label), "0 failures",
                             fmt::format("{} of {} solved", frames.solved, frames.frames),
                             frames.failures() == 0 && !frames.fell});
    paper.rows.push_back({subject.label, subject.paper});
    found.emplace_back(subject.label, std::move(frames));
    options.show(static_cast<double>(found.size()) / static_cast<double>(subjects.size()));
  }
  report.tables.push_back(frames_table("long and closed chains", found));
  report.tables.push_back(std::move(paper));
  return report;
}

}  // namespace

Bench lcp_table3() { return {"lcp-table3", "pivoting on long and closed chains", "[LCP] Table III", run}; }

}  // namespace uzawa::papers
