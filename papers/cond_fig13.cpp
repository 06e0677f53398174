/// Invertible contact: impulses that a step computes, and those that its velocities tell.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/soft_study.hpp"
#include "uzawa/problem/invertible_contact.hpp"

namespace uzawa::papers {

namespace {

constexpr double kOmega = 1e-3;       // m/s a N, as printed; over a step it is 1/kg
constexpr double kAsked = 1e-6;       // of the largest impulse
constexpr double kTolerance = 1e-12;  // m/s: over omega, less than kAsked of an impulse

struct Line {
  SoftScene scene;
  const char* label;
  double paper;  ///< mN
};

struct Forces {
  std::vector<double> time, forward, inverse;  ///< s; norm of all contact forces, N
  double mean = 0;                             ///< mN, of the difference of the norms
  double relative = 0;                         ///< largest difference of an impulse, over the largest impulse
  int others = 0;                              ///< problems that COND has left above kTolerance: auto's then
};

double norm_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

void compare(const Problem& problem, double time, Workspace& workspace, Forces& out) {
  const double omega = kOmega / problem.dt;
  const Problem invertible = with_invertible_contacts(problem, omega);
  Result forward;
  const Settings settings{.tolerance = kTolerance, .require_siconos = false, .max_iterations = 20000};
  find_solver("cond").solve(invertible, settings, workspace, forward);
  if (!(forward.verdict.residual <= kTolerance)) {
    ++out.others;
    Workspace other;
    find_solver("auto").solve(invertible, settings, other, forward);
  }
  std::vector<double> inverse = forward.lambda;  // rows other than contacts as they are
  const std::span<const double> v(forward.v.data(), static_cast<std::size_t>(problem.n()));
  contact_impulses_from_velocities(problem, omega, v, inverse);
  double largest = 0, apart = 0;
  std::vector<double> contacts[2];
  for (const int row : problem.contacts.row) {
    for (int d = 0; d < 3; ++d) {
      const auto r = static_cast<std::size_t>(row + d);
      largest = std::max(largest, std::abs(forward.lambda[r]));
      apart = std::max(apart, std::abs(forward.lambda[r] - inverse[r]));
      contacts[0].push_back(forward.lambda[r] / problem.dt);
      contacts[1].push_back(inverse[r] / problem.dt);
    }
  }
  out.time.push_back(time);
  out.forward.push_back(norm_of(contacts[0]));
  out.inverse.push_back(norm_of(contacts[1]));
  out.mean += 1e3 * std::abs(out.forward.back() - out.inverse.back());
  if (largest > 0) out.relative = std::max(out.relative, apart / largest);
}

Forces compare_all(const SoftScene& scene, const Options& options) {
  Forces out;
  Workspace workspace;
  for (const SoftCase& one : trial_cases(scene, options)) {
    options.beat();
    if (one.one.problem.contacts.size() == 0) continue;
    workspace.start_velocity = one.one.start_velocity;
    compare(one.one.problem, one.time, workspace, out);
  }
  if (!out.time.empty()) out.mean /= static_cast<double>(out.time.size());
  return out;
}

Report run(const Options& options) {
  Report report;
  report.setup = fmt::format(
      "A contact problem of each of 20 trials all over the scenes soft-mat and soft-ball (as in cond-table2), with a "
      "compliance of {:g} m/s a newton at each contact ([COND] eq. 37), solved by COND with the strict operator to "
      "{:g} (where it does not get there: by auto); then impulses from the velocities alone. The paper's figures are "
      "for "
      "its proximal operator and a threshold of "
      "1e-4.",
      kOmega, kTolerance);
  report.figure = {.title = "Contact forces, forward and inverse (cond-fig13)",
                   .caption = "Norm of all contact forces as the step computes it, and from the velocities alone."};
  Table table{"forward against inverse",
              {"scene", "steps", "by auto", "mean error, mN", "paper, mN", "largest error of an impulse, relative"},
              {}};
  double share = 0;
  for (const Line& which : {Line{mat_scene(), "mat", 0.087}, Line{ball_scene(), "ball", 0.48}}) {
    const Forces f = compare_all(which.scene, options);
    share += 0.5;
    options.show(share);
    table.rows.push_back({which.scene.name, Cell::of(static_cast<double>(f.time.size())), Cell::of(f.others),
                          Cell::of(f.mean, 2), Cell::of(which.paper), Cell::of(f.relative, 2)});
    report.figure.panels.push_back(
        {.title = which.label,
         .x = {.label = "time, s"},
         .y = {.label = "contact force, N"},
         .series = {{.label = "forward", .x = f.time, .y = f.forward, .color = plot::Color::Blue},
                    {.label = "inverse", .x = f.time, .y = f.inverse, .color = plot::Color::Orange, .dashed = true}}});
    report.claims.push_back({fmt::format("{}: impulses follow from velocities", which.label),
                             fmt::format("{} mN", which.paper),
                             fmt::format("{:.1e} mN; {:.1e} relative (asked: {:g})", f.mean, f.relative, kAsked),
                             f.mean <= which.paper && f.relative <= kAsked});
  }
  report.tables.push_back(std::move(table));
  return report;
}

}  // namespace

Bench cond_fig13() { return {"cond-fig13", "invertible contact, forward and inverse", "[COND] Fig. 13", run}; }

}  // namespace uzawa::papers
