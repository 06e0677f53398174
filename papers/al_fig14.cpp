/// Soft convex contact beside CANAL with one, two and five loops: what a sliding stack does with each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "uzawa/base/timing.hpp"
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/contender.hpp"

namespace uzawa::papers {

namespace {

constexpr double kPush = 0.5;        // s; when the push of the scene begins
constexpr double kFloor = 1e-16;     // of residuals, for the logarithm
constexpr double kNoOverlap = 2e-6;  // m; up to about 1 um the simulator takes overlaps for none
constexpr double kStanding = 0.002;  // m, height of the lower dish's origin when it stands on the floor

struct Subject {
  Contender contender;
  const char* paper;  ///< -log10 of the mean residual
  bool warm_start = false;
};

Contender canal(const char* label, int loops, plot::Color color, bool published) {
  Settings settings{.tolerance = 1e-14, .max_iterations = loops};
  settings.canal.polish = settings.canal.anderson = !published;
  // Curves that lie on others are dashed: one loop is as soft convex contact, the default is as five loops.
  return {label, "canal", settings, color, loops == 1 || !published};
}

struct Figures {
  double digits = 0, rise = 0, penetration = 0, seconds = 0;  ///< rise and penetration in m, largest while it slides
};

Figures follow(const Subject& subject, int steps, plot::Series& height, plot::Series& depth) {
  scenarios::SceneRun scene = start_scene("dish-sliding", {}, subject.contender, subject.warm_start);
  std::vector<double> digits, seconds;
  Figures out;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = scene.step();
    const State& state = scene.world().state();
    height.x.push_back(state.time);
    height.y.push_back(1e3 * (state.q[2] - kStanding));
    depth.x.push_back(state.time);
    depth.y.push_back(std::max(1e3 * report.penetration, 1e-8));  // a log axis has no zero
    if (state.time < kPush) continue;
    digits.push_back(-std::log10(std::max(report.residual, kFloor)));
    seconds.push_back(report.times.solve);
    out.rise = std::max(out.rise, state.q[2] - kStanding);
    out.penetration = std::max(out.penetration, report.penetration);
  }
  out.digits = bench::mean(digits);
  out.seconds = bench::median(seconds);
  return out;
}

plot::Panel height_panel(const char* start) {
  return {.title = fmt::format("height of the lower dish, {}", start),
          .x = {.label = "time, s"},
          .y = {.label = "height, mm"}};
}
plot::Panel depth_panel(const char* start) {
  return {.title = fmt::format("deepest penetration, {}", start),
          .x = {.label = "time, s"},
          .y = {.label = "penetration, mm", .scale = plot::Scale::Log}};
}

/// Places of the subjects.
enum : std::size_t { kConvex, kCold, kWarm = kCold + 3, kDefault = kWarm + 3 };

/// Of 1, 2 and 5 loops, beginning with the subject at `first`.
void add_loop_claims(const std::vector<Figures>& found, std::size_t first, const char* start, Report& report) {
  const Figures &one = found[first], &two = found[first + 1], &five = found[first + 2];
  const auto falls = [&](double Figures::*what, double nothing) {
    const auto lower = [&](const Figures& a, const Figures& b) { return b.*what < std::max(a.*what, nothing); };
    return lower(one, two) && lower(two, five);
  };
  const auto listed = [&](double Figures::*what) {
    return fmt::format("{:.2g}, {:.2g}, {:.2g} mm with 1, 2, 5 loops; soft convex {:.2g} mm", 1e3 * (one.*what),
                       1e3 * (two.*what), 1e3 * (five.*what), 1e3 * (found[kConvex].*what));
  };
  const auto claim = [&](const char* says, const char* paper, std::string ours, bool holds) {
    report.claims.push_back({fmt::format("{}: {}", start, says), paper, std::move(ours), holds});
  };
  claim("gliding falls with CANAL's loops, or is below 0.002 mm", "seen in the plot", listed(&Figures::rise),
        falls(&Figures::rise, kNoOverlap));
  claim("penetration falls with CANAL's loops, or is below 0.002 mm", "seen in the plot", listed(&Figures::penetration),
        falls(&Figures::penetration, kNoOverlap));
  const double convex = found[kConvex].digits;
  claim("the residual falls from soft convex to CANAL(2) to CANAL(5)", "4.03, 4.66, 7.96 (-log10)",
        fmt::format("{:.2f}, {:.2f}, {:.2f}", convex, two.digits, five.digits),
        convex < two.digits && two.digits < five.digits);
  claim("every loop lowers the residual: CANAL(1), CANAL(2), CANAL(5)", "not given for CANAL(1)",
        fmt::format("{:.2f}, {:.2f}, {:.2f} (-log10)", one.digits, two.digits, five.digits),
        one.digits < two.digits && two.digits < five.digits);
  claim("CANAL(5) reaches the paper's residual or a better one, to half a decade", "7.96 (-log10)",
        fmt::format("{:.2f}", five.digits), five.digits > 7.96 - 0.5);
}

void add_claims(const std::vector<Figures>& found, Report& report) {
  add_loop_claims(found, kCold, "cold", report);
  add_loop_claims(found, kWarm, "warm", report);
  report.claims.push_back({"CANAL(5) in the default form reaches 1e-8", "7.96 (-log10)",
                           fmt::format("{:.2f}", found[kDefault].digits), found[kDefault].digits >= 8});
}

Report run(const Options& options) {
  const std::vector<Subject> subjects = {{{"soft convex", "soft-convex", {}, plot::Color::Grey}, "4.03"},
                                         {canal("CANAL(1), cold", 1, plot::Color::Orange, true), ""},
                                         {canal("CANAL(2), cold", 2, plot::Color::Green, true), "4.66"},
                                         {canal("CANAL(5), cold", 5, plot::Color::Violet, true), "7.96"},
                                         {canal("CANAL(1), warm", 1, plot::Color::Orange, true), "", true},
                                         {canal("CANAL(2), warm", 2, plot::Color::Green, true), "4.66", true},
                                         {canal("CANAL(5), warm", 5, plot::Color::Violet, true), "7.96", true},
                                         {canal("CANAL(5), default", 5, plot::Color::Blue, false), "", true}};
  Report report;
  report.setup =
      "Scene dish-sliding: two bowls in each other, pushed along the floor by 3 N from 0.5 s on, to 2 m/s. The soft "
      "convex form has MuJoCo's default parameters. CANAL(n) is n loops of the published form; cold: every step from "
      "nothing, as the convex form does; warm: from the last step's velocities and impulses, as [AL] section V-D "
      "allows. The paper does not say which of the two its figure shows. Default: our form, warm.";
  report.figure = {.title = "A sliding stack: gliding and penetration (al-fig14)",
                   .caption =
                       "Relaxed contact lifts what slides off the floor, the more the faster it is; loops of CANAL "
                       "take that back. The height is that of the lower dish above where it stands."};
  report.figure.panels = {height_panel("cold"), depth_panel("cold"), height_panel("warm"), depth_panel("warm")};
  Table table{"while it slides",
              {"method", "paper, -log10 residual", "-log10 residual, mean", "rise, mm, largest",
               "penetration, mm, largest", "solve, us, median"},
              {}};
  std::vector<Figures> found;
  for (const Subject& subject : subjects) {
    plot::Series height = curve_of(subject.contender), depth = curve_of(subject.contender);
    const Figures f = follow(subject, options.cases(360, 150), height, depth);
    table.rows.push_back({subject.contender.label, subject.paper, Cell::of(f.digits), Cell::of(1e3 * f.rise, 2),
                          Cell::of(1e3 * f.penetration, 2), Cell::of(1e6 * f.seconds)});
    const std::size_t first_panel = subject.warm_start ? 2 : 0;
    report.figure.panels[first_panel].series.push_back(std::move(height));
    report.figure.panels[first_panel + 1].series.push_back(std::move(depth));
    found.push_back(f);
    options.show(static_cast<double>(found.size()) / static_cast<double>(subjects.size()));
  }
  report.tables.push_back(std::move(table));
  add_claims(found, report);
  report.notes = {fmt::format(
      "Means over the steps count those in which nothing slides or touches, too: what bounces has easy steps in the "
      "air. CANAL(1), warm, rises by {:.2g} mm at the most, CANAL(2), warm, by {:.2g} mm.",
      1e3 * found[kWarm].rise, 1e3 * found[kWarm + 1].rise)};
  return report;
}

}  // namespace

Bench al_fig14() { return {"al-fig14", "soft convex contact and CANAL on sliding dishes", "[AL] Fig. 14", run}; }

}  // namespace uzawa::papers
