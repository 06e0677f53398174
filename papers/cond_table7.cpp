/// COND beside contact constraint splitting on a soft mat, after a fixed number of iterations.
#include <fmt/format.h>

#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/soft_study.hpp"

namespace uzawa::papers {

namespace {

struct Method {
  Contender contender;
  double penetration, force, time;  ///< printed: mm, mN, ms
};

Settings fixed(int iterations) {
  return {.tolerance = 1e-300, .require_siconos = false, .max_iterations = iterations};  // never reached
}

std::vector<Method> methods() {
  return {{{"COND (50)", "cond", fixed(50), plot::Color::Blue}, 0.0049, 0.9662, 10.85},
          {{"COND (100)", "cond", fixed(100), plot::Color::Blue, true}, 0.0050, 0.1620, 20.90},
          {{"CCS (50)", "ccs", fixed(50), plot::Color::Orange}, 0.0051, 13.40, 65.99},
          {{"CCS (100)", "ccs", fixed(100), plot::Color::Orange, true}, 0.0053, 6.559, 107.9}};
}

Claim nearer(const Method& cond, const Method& ccs, const SoftFigures& ours, const SoftFigures& theirs) {
  return {fmt::format("{} is nearer to the solution than {}", cond.contender.label, ccs.contender.label),
          fmt::format("{} against {} mN", cond.force, ccs.force),
          fmt::format("{:.2g} against {:.2g} mN", 1e3 * ours.force_error, 1e3 * theirs.force_error),
          ours.force_error < theirs.force_error};
}

Claim faster(const Method& cond, const Method& ccs, const SoftFigures& ours, const SoftFigures& theirs) {
  return {fmt::format("{} takes less time than {}", cond.contender.label, ccs.contender.label),
          fmt::format("1/{:.1f}", ccs.time / cond.time),
          fmt::format("1/{:.1f}", theirs.milliseconds / ours.milliseconds), ours.milliseconds < theirs.milliseconds};
}

Claim no_worse(const Method& cond, const SoftFigures& ours) {
  return {fmt::format("{}: force error no worse than printed", cond.contender.label), fmt::format("{} mN", cond.force),
          fmt::format("{:.3g} mN", 1e3 * ours.force_error), 1e3 * ours.force_error <= cond.force};
}

Report run(const Options& options) {
  const SoftScene scene = mat_scene();
  std::vector<SoftCase> cases = trial_cases(scene, options);
  const int unsolved = add_solutions(cases, options);
  options.show(0.6);
  Report report;
  report.setup = fmt::format(
      "A contact problem of each of {} trials all over the scene soft-mat (as in cond-table2), solved from the step "
      "before by "
      "COND, defaults, and by contact constraint splitting with 50 and 100 iterations. Force error: norm of "
      "A (v - solution) / step, with the solution by auto at {:g}; the paper has the norm of internal forces beside "
      "that "
      "of a converged run. Time: processor time of one thread, what a method factorises included, the judge of COND "
      "not. "
      "Penetration: of the deepest contact at the end of the step.",
      cases.size(), kSolved);
  const std::vector<Method> all = methods();
  std::vector<SoftFigures> found;
  Table table{"mean of the problems",
              {"method (iterations)", "penetration, mm", "force error, mN", "time, ms", "residual", "paper: mm",
               "paper: mN", "paper: ms"},
              {}};
  plot::Panel panel{.title = "time of a solve and error that is left",
                    .x = {.label = "time, ms, mean", .scale = plot::Scale::Log},
                    .y = {.label = "force error, mN, mean", .scale = plot::Scale::Log}};
  for (const Method& method : all) {
    const SoftFigures& f = found.emplace_back(measure(cases, method.contender, options));
    table.rows.push_back({method.contender.label, Cell::of(1e3 * f.penetration, 2), Cell::of(1e3 * f.force_error, 2),
                          Cell::of(f.milliseconds), Cell::of(f.residual, 2), Cell::of(method.penetration),
                          Cell::of(method.force, 4), Cell::of(method.time, 4)});
    plot::Series dot = curve_of(method.contender);
    dot.dots = true;
    dot.x = {f.milliseconds};
    dot.y = {1e3 * f.force_error};
    panel.series.push_back(std::move(dot));
    options.show(0.6 + 0.1 * static_cast<double>(found.size()));
  }
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    report.claims.push_back(nearer(all[i], all[i + 2], found[i], found[i + 2]));
    report.claims.push_back(faster(all[i], all[i + 2], found[i], found[i + 2]));
    report.claims.push_back(no_worse(all[i], found[i]));
  }
  report.tables.push_back(std::move(table));
  report.figure = {.title = "COND and contact constraint splitting on a soft mat (cond-table7)",
                   .caption = "Error of the step's forces after a fixed number of iterations.",
                   .panels = {std::move(panel)}};
  if (unsolved > 0) report.notes.push_back(fmt::format("{} problems without a solution are left out.", unsolved));
  return report;
}

}  // namespace

Bench cond_table7() { return {"cond-table7", "COND and contact constraint splitting", "[COND] Table VII", run}; }

}  // namespace uzawa::papers
