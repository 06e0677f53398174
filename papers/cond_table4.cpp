/// Iterations over the stiffness of a gripped ball.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/soft_study.hpp"

namespace uzawa::papers {

namespace {

constexpr std::array kYoung = {1e5, 1e6, 1e7};  // Pa
struct Printed {
  const char* solver;
  std::array<double, 3> iterations;
};
constexpr std::array kPrinted = {Printed{"COND", {39.72, 37.93, 34.99}}, Printed{"PGS", {145.8, 224.0, 306.7}},
                                 Printed{"APGD", {48.07, 100.9, 200.5}},
                                 Printed{"COND as published", {39.72, 37.93, 34.99}}};

Report run(const Options& options) {
  const SoftScene scene = ball_scene();
  std::vector<Contender> contenders = equal_error_contenders();
  contenders.resize(3);  // COND, PGS, APGD
  contenders.push_back(published_cond(scene.threshold));
  Report report;
  report.setup = fmt::format(
      "Scene soft-ball with balls of three moduli, {} steps of one run each; iterations to a judged residual of {:g}, "
      "from the impulses of the step before, PGS and APGD {} at the most. The paper's are to a change of velocities by "
      "1e-5 m/s: the published form of COND is counted at that, too.",
      scene.trials, kEqualError, kMostIterations);
  Table table{"mean iterations", {"method"}, {}};
  plot::Panel panel{.title = "iterations over stiffness",
                    .x = {.label = "Young's modulus, Pa", .scale = plot::Scale::Log},
                    .y = {.label = "iterations, mean", .scale = plot::Scale::Log}};
  for (const Contender& contender : contenders) {
    table.rows.push_back({contender.label});
    panel.series.push_back(curve_of(contender));
    panel.series.back().dots = true;
  }
  for (std::size_t k = 0; k < kYoung.size(); ++k) {
    table.columns.push_back(fmt::format("{:g} MPa", 1e-6 * kYoung[k]));
    table.columns.push_back(fmt::format("paper's at {:g} MPa", 1e-6 * kYoung[k]));
    // As deep as the fingers go: the force grows with the stiffness.
    const std::vector<SoftCase> cases = run_cases(scene, options, {fmt::format("young={}", kYoung[k])});
    for (std::size_t m = 0; m < contenders.size(); ++m) {
      const double iterations = measure(cases, contenders[m], options).iterations;
      table.rows[m].push_back(Cell::of(iterations, 4));
      table.rows[m].push_back(Cell::of(kPrinted[m].iterations[k], 4));
      panel.series[m].x.push_back(kYoung[k]);
      panel.series[m].y.push_back(iterations);
    }
    options.show(static_cast<double>(k + 1) / kYoung.size());
  }
  const auto growth = [&](std::size_t m) {
    return panel.series[m].y.back() / std::max(1.0, panel.series[m].y.front());
  };
  const double published = *std::max_element(panel.series[3].y.begin(), panel.series[3].y.end());
  report.claims = {
      {"as published, COND takes at most twice the printed iterations", "35 to 40",
       fmt::format("{:.4g} at the most", published), published <= 2 * 39.72},
      {"to an equal true error, COND's iterations do not grow with the stiffness: at most by half from 0.1 to 10 MPa",
       "0.88 x, at the published test", fmt::format("{:.2f} x", growth(0)), growth(0) <= 1.5},
      {"those of PGS and APGD grow more than COND's", "2.1 x and 4.2 x",
       fmt::format("{:.2f} x and {:.2f} x", growth(1), growth(2)), growth(1) > growth(0) && growth(2) > growth(0)}};
  report.tables.push_back(std::move(table));
  report.figure = {.title = "Gripped balls: iterations over stiffness (cond-table4)", .panels = {std::move(panel)}};
  return report;
}

}  // namespace

Bench cond_table4() {
  return {"cond-table4", "iterations over the stiffness of a gripped ball", "[COND] Table IV", run};
}

}  // namespace uzawa::papers
