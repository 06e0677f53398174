/// Squats of a humanoid: which pivoting methods get through redundant contacts, and how the others fail.
#include <fmt/format.h>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/lcp_frames.hpp"

namespace uzawa::papers {

namespace {

Report run(const Options& options) {
  const std::vector<Contender> contenders = {pivoting("lcp", "lcp"),
                                             pivoting("lcp-search", "lcp-search", 0, plot::Color::Green),
                                             pivoting("Lemke", "lcp-lemke", 0, plot::Color::Grey),
                                             pivoting("lexicographic, 0", "lcp-lexicographic", 0, plot::Color::Orange),
                                             pivoting("lexicographic, 1e-8", "lcp-lexicographic", 1e-8),
                                             pivoting("lexicographic, 1e-6", "lcp-lexicographic", 1e-6),
                                             pivoting("lexicographic, 1e-4", "lcp-lexicographic", 1e-4)};
  Report report;
  report.setup =
      "Scene humanoid-squat, one squat of 1 s in steps of 1 ms, RK4 on the smooth part, friction polygons of 8 sides, "
      "every step cold. Lemke's "
      "algorithm and its lexicographic form work on a tableau that each pivot updates, as the paper's; where a method "
      "fails, the solution without friction is applied. The paper prints 999 of 999 frames for its own method, 506 of "
      "998 for Lemke, 514, 900, 990 and 996 for the lexicographic form with Delta = 0, 1e-8, 1e-6, 1e-4. Its robot is "
      "driven by accelerations, ours by servos; its contacts are those of CAD meshes.";
  report.figure = {.title = "Pivots of a squatting humanoid (lcp-table1)", .caption = "Frames of one squat."};
  report.figure.panels = {{.title = "pivots a frame", .x = {.label = "time, s"}, .y = {.label = "pivots"}}};
  std::vector<std::pair<std::string, LcpFrames>> found;
  for (const Contender& contender : contenders) {
    LcpFrames frames = count_frames(
        {.scene = "humanoid-squat", .steps = options.cases(1000, 20), .smooth = SmoothRule::Rk4}, contender, options);
    if (found.size() < 4) report.figure.panels[0].series.push_back(frames.curve);
    found.emplace_back(contender.label, std::move(frames));
    options.show(static_cast<double>(found.size()) / static_cast<double>(contenders.size()));
  }
  report.tables.push_back(frames_table("one squat", found));
  for (std::size_t k = 0; k < 2; ++k) {
    const LcpFrames& f = found[k].second;
    report.claims.push_back({fmt::format("{} solves every frame", found[k].first), "999 of 999",
                             fmt::format("{} of {}", f.solved, f.frames), f.failures() == 0 && f.frames > 0});
  }
  int failures = 0;
  for (std::size_t k = 2; k < found.size(); ++k) failures += found[k].second.failures();
  report.claims.push_back(
      {"Lemke's algorithm fails in frames, with or without lexicographic ordering", "492, 484, 98, 10, 4",
       fmt::format("{}, {}, {}, {}, {}", found[2].second.failures(), found[3].second.failures(),
                   found[4].second.failures(), found[5].second.failures(), found[6].second.failures()),
       failures > 0});
  return report;
}

}  // namespace

Bench lcp_table1() { return {"lcp-table1", "pivoting methods on a squatting humanoid", "[LCP] Table I", run}; }

}  // namespace uzawa::papers
