#include <fmt/format.h>

#include <algorithm>

#include "run_summary.hpp"
#include "text_table.hpp"

namespace uzawa::cli {

namespace {

/// What a status means to who has not read the headers.
const char* meaning(StepStatus status) {
  switch (status) {
    case StepStatus::Solved: return "to the tolerance";
    case StepStatus::Capped: return "not to the tolerance: the best answer found was taken";
    case StepStatus::LeastViolation: return "constraints contradict each other: violated as little as can be";
    case StepStatus::Relaxed:
      return "another problem was solved, as the method does: softer, or with friction polygons";
    case StepStatus::Failed: return "no finite velocities were found";
  }
  return "";
}

/// The run in one sentence: what who reads no further should know.
std::string verdict(const RunSummary& s) {
  if (!s.ended_by.empty()) return fmt::format("BROKE OFF after step {}: {}", s.steps, s.ended_by);
  const int unsolved = s.steps - s.count(StepStatus::Solved);
  std::string text = s.steps == 0    ? "no steps"
                     : unsolved == 0 ? fmt::format("all {} steps solved", s.steps)
                                     : fmt::format("{} of {} steps not solved to the tolerance", unsolved, s.steps);
  if (s.interrupted) text = fmt::format("interrupted after step {}; {}", s.steps, text);
  if (s.check) text = (s.check->holds ? "the check holds" : "THE CHECK FAILS: " + s.check->wrong) + "; " + text;
  if (!s.no_check.empty()) text += "; " + s.no_check;
  return text;
}

void print_check(const RunSummary& s, const TextTable& table) {
  if (s.check) {
    table.row("check", s.check->holds ? "holds" : "FAILS: " + s.check->wrong);
    table.row("expected", s.check->expected);
    table.row("measured", s.check->measured);
  } else if (!s.no_check.empty()) {
    table.row("check", s.no_check);
  }
}

void print_statuses(const RunSummary& s, const TextTable& table) {
  const char* label = "steps";
  for (const StepStatus status : kStepStatuses) {
    if (s.count(status) == 0) continue;
    table.row(label, fmt::format("{} {} ({})", s.count(status), to_string(status), meaning(status)));
    label = "";
  }
  if (s.steps == 0) table.row("steps", "none");
  if (!s.ended_by.empty()) table.row("broke off", fmt::format("after step {}: {}", s.steps, s.ended_by));
}

void print_times(const RunSummary& s, const World& world, const TextTable& table) {
  const double total = std::max(s.times.total(), 1e-300);
  const auto stage = [&](const char* name, double time) {
    table.row(name, fmt::format("{:>8} a step  {:3.0f} %", with_unit(s.mean(time), "s"), 100 * time / total));
  };
  stage("dynamics", s.times.dynamics);
  stage("collision", s.times.collision);
  stage("assembly", s.times.assembly);
  stage("solve", s.times.solve);
  stage("integrate", s.times.integrate);
  const Spread spread(s.step_times);
  table.row("step",
            fmt::format("{:>8} mean, {} median, {} 99 %, {} worst", with_unit(s.mean(s.times.total()), "s"),
                        with_unit(spread.median, "s"), with_unit(spread.tail, "s"), with_unit(spread.worst, "s")));
  table.row("slowest", fmt::format("step {}, to {:.4g} s; its residual {:.2e}", spread.worst_step,
                                   s.time_of(spread.worst_step, world), s.residual_of(spread.worst_step)));
}

/// No iterations look like no work: says what was enough instead.
std::string iterations_text(const RunSummary& s) {
  std::string text = fmt::format("{:.1f} mean, {} most; {:.1f} inner", s.mean(s.iterations), s.most_iterations,
                                 s.mean(s.inner_iterations));
  if (s.most_iterations > 0) return text;
  if (s.islands == 0) return text + " (nothing touched and no constraint was active: nothing to iterate on)";
  return text + " (0: Newton steps from the last step's impulses, counted as inner, were enough)";
}

void print_energy(const EnergySummary& e, const TextTable& table) {
  table.row(
      "energy",
      fmt::format("{:.4g} J at the start, {:.4g} J at the end; work of actuators {:.4g}, external {:.4g}; damped "
                  "{:.4g}, taken by constraints {:.4g}, added by projection {:.4g}",
                  e.first.total(), e.last.total(), e.actuators, e.external, e.damped, e.constraints, e.projected));
  table.row("unexplained gain", fmt::format("{:.3g} J at the most{}", e.gain,
                                            e.gain_step > 0 ? fmt::format(" (step {})", e.gain_step) : ""));
}

void print_files(const RunSummary& s, const TextTable& table) {
  if (!s.log.empty()) table.row("log", fmt::format("{}, {} frames", s.log, s.frames));
  if (!s.replay.empty()) table.row("replay", fmt::format("{}, {} frames", s.replay, s.replay_frames));
  if (s.problem.empty()) return;
  table.row("problem", fmt::format("{}{}, step {}", s.problem_written ? "" : "not written: the run ended before it: ",
                                   s.problem, s.problem_step));
}

}  // namespace

void print_table(const RunSummary& s, const World& world) {
  const TextTable table;
  fmt::print("{}: {}\n", s.name, verdict(s));
  print_check(s, table);
  print_statuses(s, table);
  table.row("run", fmt::format("{} steps of {}, {} dofs{}", s.steps, with_unit(world.dt(), "s"), world.model().nv(),
                               s.interrupted ? "; interrupted" : ""));
  if (!s.parameters.empty()) table.row("parameters", fmt::format("{}, seed {}", s.parameters, s.seed));
  const SimSettings& settings = world.settings();
  table.row("solver",
            fmt::format("{}, tolerance {:g}, {}, threads {}", settings.solver, settings.solve.tolerance,
                        settings.smooth == SmoothRule::Rk4 ? "rk4" : fmt::format("theta {:g}", settings.theta),
                        settings.solve.threads));
  table.row("real-time factor", fmt::format("{:.3g}   ({} in {})", s.real_time_factor(), with_unit(s.simulated, "s"),
                                            with_unit(s.wall, "s")));
  print_times(s, world, table);
  table.row("contacts", fmt::format("{:.1f} mean, {} most; {:.1f} islands", s.mean(s.contacts), s.most_contacts,
                                    s.mean(s.islands)));
  table.row("iterations", iterations_text(s));
  const Spread residual(s.residuals);
  table.row("residual",
            fmt::format("{:.2e} median, {:.2e} 99 %, {:.2e} worst (step {}); error of the contact laws, m/s "
                        "and N s",
                        residual.median, residual.tail, residual.worst, residual.worst_step));
  if (!s.polygon_errors.empty()) {
    const Spread polygons(s.polygon_errors);
    table.row("friction polygons",
              fmt::format("{} steps: {:.2e} median, {:.2e} worst of that residual; error of pivoting {:.2e}",
                          s.polygon_errors.size(), polygons.median, polygons.worst, s.pivoting_error));
  }
  table.row("penetration", fmt::format("{} deepest", with_unit(s.penetration, "m")));
  if (s.rod_turn > M_PI / 2) {
    table.row("rods",
              fmt::format("links turn by up to {:.0f} degrees from one to the next; beyond 180 the twist is lost: "
                          "more links would keep it",
                          s.rod_turn * 180 / M_PI));
  }
  print_energy(s.energy, table);
  print_files(s, table);
}

}  // namespace uzawa::cli
